import assert from "node:assert/strict";
import { test } from "node:test";
import guard from "../src/guard.js";
import { page, until } from "./page.js";

const NAME = `<div>Name *</div><div class="mcp-field mcp-field-name mcp-required"><input id="i"></div><div>A hint</div>`;

/**
 * @param {string} rows
 * @param {Record<string, Record<string, unknown>>} [controls]
 */
async function opened(rows, controls) {
  const shown = page(rows, controls);
  await watched(shown);
  return shown;
}

/** @param {ReturnType<typeof page>} shown */
async function watched(shown) {
  guard.render(/** @type {any} */ ({ model: shown.model, el: shown.guard }));
  await until(() => shown.find(".mcp-form").getAttribute("role"));
}

/** @param {{sent: import("./page.js").Sent[]}} shown */
async function answered({ sent }) {
  await until(() => sent.length);
  return sent[0];
}

test("a live page tells the kernel that it is ready", () => {
  const { model, sent } = page(NAME);
  guard.initialize(/** @type {any} */ ({ model }));
  assert.deepEqual(sent, [{ type: "ready" }]);
});

test("a click on Submit sends the action with every value in one message", async () => {
  const shown = await opened(NAME, { a: { value: "Ada" }, b: { index: 2 } });
  shown.find(".mcp-submit").click();
  assert.deepEqual(await answered(shown), {
    type: "answer", id: 1, action: "accept", values: { a: { value: "Ada" }, b: { index: 2 } }, secrets: [],
  });
});

test("a control that was emptied is sent as empty", async () => {
  const shown = await opened(NAME, { a: { value: null } });
  shown.find(".mcp-submit").click();
  assert.deepEqual((await answered(shown))?.values, { a: { value: null } });
});

const CARD = `<a class="mcp-link" href="#there">Open <b>it</b></a><a href="#elsewhere">Elsewhere</a>`;

for (const [how, type, button] of /** @type {const} */ ([["a click", "click", 0], ["the middle button", "auxclick", 1]])) {
  test(`opening the link with ${how} is told, and is the browser's own doing`, async () => {
    const shown = await opened(CARD);
    const click = new shown.window.MouseEvent(type, { bubbles: true, cancelable: true, button });
    assert.equal(shown.find("a.mcp-link b").dispatchEvent(click), true);
    assert.deepEqual(shown.sent, [{ type: "opened" }]);
  });
}

test("neither the right button on the link nor any other link is told", async () => {
  const shown = await opened(CARD);
  shown.find("a.mcp-link").dispatchEvent(new shown.window.MouseEvent("auxclick", { bubbles: true, button: 2 }));
  shown.find("a:not(.mcp-link)").click();
  assert.deepEqual(shown.sent, []);
});

test("the click does not reach the button's own handler", async () => {
  const shown = await opened(NAME);
  let own = 0;
  shown.find(".mcp-submit").addEventListener("click", () => own++);
  shown.find(".mcp-submit").click();
  await answered(shown);
  assert.equal(own, 0);
});

for (const [name, action] of [["mcp-decline", "decline"], ["mcp-cancel", "cancel"]]) {
  test(`${name} sends ${action} without any value`, async () => {
    const shown = await opened(NAME, { a: { value: "typed" } });
    shown.find(`.${name}`).click();
    assert.deepEqual(await answered(shown), { type: "answer", id: 1, action, values: {}, secrets: [] });
  });
}

test("Enter in an input submits, Escape cancels", async () => {
  const first = await opened(NAME);
  first.press("#i", { key: "Enter" });
  assert.equal((await answered(first))?.action, "accept");
  const second = await opened(NAME);
  second.press("#i", { key: "Escape" });
  assert.equal((await answered(second))?.action, "cancel");
});

test("Enter that ends a composition in an input method does not submit", async () => {
  const shown = await opened(NAME);
  shown.press("#i", { key: "Enter", isComposing: true });
  shown.find(".mcp-decline").click();
  assert.equal((await answered(shown))?.action, "decline");
});

test("Enter in a text area is a new line, with Ctrl it submits", async () => {
  const shown = await opened(`<div>Note</div><div class="mcp-field"><textarea id="t"></textarea></div><div></div>`);
  shown.press("#t", { key: "Enter" });
  assert.equal(shown.sent.length, 0);
  shown.press("#t", { key: "Enter", ctrlKey: true });
  assert.equal((await answered(shown))?.action, "accept");
});

test("keys do not leave the form for the notebook's shortcuts", async () => {
  const shown = await opened(NAME);
  let outside = 0;
  shown.document.addEventListener("keydown", () => outside++);
  shown.press("#i", { key: "d" });
  assert.equal(outside, 0);
  assert.equal(shown.find(".mcp-form").dataset["lmSuppressShortcuts"], "true");
});

test("a second click sends nothing until the kernel has refused the first answer", async () => {
  const shown = await opened(NAME);
  shown.find(".mcp-submit").click();
  await answered(shown);
  shown.find(".mcp-submit").click();
  shown.receive({ type: "refused", id: 1 });
  shown.find(".mcp-submit").click();
  await until(() => shown.sent.length === 2);
  assert.deepEqual(shown.sent.map(({ id }) => id), [1, 2]);
});

test("a refused answer leads to the first field that is wrong", async () => {
  const shown = await opened(`${NAME}<div>Age</div><div class="mcp-field mcp-invalid"><input id="age"></div><div>wrong</div>`);
  shown.find(".mcp-submit").click();
  await answered(shown);
  shown.receive({ type: "refused", id: 1 });
  assert.equal(shown.document.activeElement?.id, "age");
  assert.equal(shown.find("#age").getAttribute("aria-invalid"), "true");
});

test("the first field has the focus, unless the person is writing elsewhere", async () => {
  const shown = await opened(NAME);
  assert.equal(shown.document.activeElement?.id, "i");
  const busy = page(NAME);
  const editor = busy.document.createElement("textarea");
  editor.value = "x = 1";
  busy.document.body.append(editor);
  editor.focus();
  await watched(busy);
  assert.equal(busy.document.activeElement, editor);
});

test("a control is tied to its label and hint for screen readers", async () => {
  const shown = await opened(NAME);
  const input = shown.find("#i");
  assert.equal(shown.document.getElementById(input.getAttribute("aria-labelledby") ?? "")?.textContent, "Name *");
  assert.equal(shown.document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent, "A hint");
  assert.equal(input.getAttribute("aria-required"), "true");
});

test("a secret is typed into an input without a model and comes with the answer", async () => {
  const shown = await opened(`<div>Password</div><div class="mcp-field mcp-secret"></div><div></div>`);
  const input = /** @type {HTMLInputElement} */ (shown.find(".mcp-secret-input"));
  assert.equal(input.type, "password");
  input.value = "s3cret";
  shown.find(".mcp-submit").click();
  assert.deepEqual((await answered(shown))?.secrets, ["s3cret"]);
});
