/** @type {import("@anywidget/types").Initialize} */
function initialize({ model }) {
  model.send({ type: "ready" });
}

/** @type {import("@anywidget/types").Render} */
function render() {}

export default { initialize, render };
