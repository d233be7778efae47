/**
 * The guard of a form: the one part of it that is not a core ipywidget.
 *
 * Core controls send their values one update at a time, and a click on a button overtakes the last of them. So the
 * guard takes the click, Enter or Escape before the controls see it, reads every control as it stands on the page, and
 * sends the action with all values in one message. Where the guard can't load, the buttons answer by themselves.
 *
 * To the kernel: `{type: "ready"}` when the page is live; `{type: "answer", id, action, values, secrets}`.
 * From the kernel: `{type: "refused", id}` when an answer has to be mended, `{type: "done", id}` when it was taken.
 *
 * @typedef {"accept" | "decline" | "cancel"} Action
 * @typedef {{controls: string[]}} GuardTraits
 * @typedef {{has(key: string): boolean, get(key: string): unknown, serialize(state: object): object}} ControlModel
 * @typedef {{type: "refused" | "done", id: number}} FromKernel
 * @typedef {import("@anywidget/types").AnyModel<GuardTraits>} GuardModel
 */

/** @type {ReadonlyArray<readonly [string, Action]>} */
const BUTTONS = [
  ["mcp-submit", "accept"],
  ["mcp-decline", "decline"],
  ["mcp-cancel", "cancel"],
];

/** The traits in which core controls keep what the person chose. */
const VALUE_TRAITS = ["value", "index"];

const LOOK_AGAIN_MS = 10;
const LOOKS = 1000;

let labels = 0;

/** @type {import("@anywidget/types").Initialize<GuardTraits>} */
function initialize({ model }) {
  model.send({ type: "ready" });
}

/** @type {import("@anywidget/types").Render<GuardTraits>} */
function render({ model, el }) {
  el.style.display = "none";
  /** @type {(() => void) | undefined} */
  let leave;
  let looks = 0;
  // The view is made before the form takes it in, and nothing tells when that happens.
  const timer = setInterval(() => {
    const form = /** @type {HTMLElement | null} */ (el.closest(".mcp-form"));
    if (form) leave = enter(model, form);
    if (form || ++looks >= LOOKS) clearInterval(timer);
  }, LOOK_AGAIN_MS);
  return () => {
    clearInterval(timer);
    leave?.();
  };
}

/**
 * Watch over a form that is on the page.
 *
 * @param {GuardModel} model
 * @param {HTMLElement} form
 * @returns {() => void} Stops watching.
 */
function enter(model, form) {
  let answers = 0;
  let focused = false;

  /** @param {Action} action */
  async function answer(action) {
    if (form.classList.contains("mcp-sending")) return;
    form.classList.add("mcp-sending");
    const id = ++answers;
    const accepted = action === "accept";
    try {
      const values = accepted ? await valuesOf(model) : {};
      model.send({ type: "answer", id, action, values, secrets: accepted ? secretsIn(form) : [] });
    } catch (error) {
      form.classList.remove("mcp-sending");
      throw error;
    }
  }

  /** @param {MouseEvent} event */
  function onClick(event) {
    const button = /** @type {Element} */ (event.target).closest("button");
    const action = BUTTONS.find(([name]) => button?.classList.contains(name))?.[1];
    if (!action) return;
    event.stopPropagation();
    event.preventDefault();
    void answer(action);
  }

  /** @param {KeyboardEvent} event */
  function onKeyFirst(event) {
    const action = actionOfKey(event);
    if (!action) return;
    event.stopPropagation();
    event.preventDefault();
    void answer(action);
  }

  /** @param {Event} event */
  function keepIn(event) {
    event.stopPropagation();
  }

  /** @param {FromKernel} message */
  function onMessage(message) {
    if (message.type === "done") {
      if (form.contains(document.activeElement)) {
        /** @type {HTMLElement | null} */ (form.closest(".jp-Cell"))?.focus({ preventScroll: true });
      }
    } else if (message.type === "refused") {
      form.classList.remove("mcp-sending");
      describe(form);
      firstControl(form, ".mcp-invalid")?.focus();
    }
  }

  function settle() {
    describe(form);
    const first = firstControl(form, ".mcp-field") ?? /** @type {HTMLElement | null} */ (form.querySelector("button"));
    if (first && !focused) {
      focused = true;
      if (!isWriting(document.activeElement)) first.focus({ preventScroll: true });
    }
  }

  // JupyterLab looks for this attribute before it runs a shortcut.
  form.setAttribute("data-lm-suppress-shortcuts", "true");
  form.setAttribute("role", "group");
  form.setAttribute("aria-label", form.querySelector(".mcp-head")?.textContent ?? "");
  form.addEventListener("click", onClick, true);
  form.addEventListener("keydown", onKeyFirst, true);
  form.addEventListener("keydown", keepIn);
  model.on("msg:custom", onMessage);
  const observer = new MutationObserver(settle);
  observer.observe(form, { childList: true, subtree: true });
  settle();
  return () => {
    observer.disconnect();
    model.off("msg:custom", onMessage);
    form.removeEventListener("click", onClick, true);
    form.removeEventListener("keydown", onKeyFirst, true);
    form.removeEventListener("keydown", keepIn);
  };
}

/**
 * What a key asks for: Enter submits (in a text area with Ctrl or Cmd), Escape cancels.
 *
 * @param {KeyboardEvent} event
 * @returns {Action | undefined}
 */
function actionOfKey(event) {
  if (event.isComposing) return undefined; // Enter and Escape belong to the input method (Japanese, Chinese …)
  if (event.key === "Escape") return "cancel";
  if (event.key !== "Enter") return undefined;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.tagName === "INPUT") return "accept";
  if (target.tagName === "TEXTAREA" && (event.ctrlKey || event.metaKey)) return "accept";
  return undefined;
}

/**
 * Every control's value as it stands on the page, from the front end's own models.
 *
 * @param {GuardModel} model
 * @returns {Promise<Record<string, object>>} The synced state by model id, as ipywidgets sends it.
 */
async function valuesOf(model) {
  /** @type {Record<string, object>} */
  const values = {};
  for (const id of model.get("controls")) {
    const control = /** @type {ControlModel} */ (/** @type {unknown} */ (await model.widget_manager.get_model(id)));
    /** @type {Record<string, unknown>} */
    const state = {};
    for (const trait of VALUE_TRAITS) if (control.has(trait)) state[trait] = control.get(trait);
    values[id] = control.serialize(state);
  }
  return values;
}

/**
 * What was typed into the inputs for secrets, which have no model so that no state ever holds them.
 *
 * @param {HTMLElement} form
 * @returns {string[]} In the order of the form.
 */
function secretsIn(form) {
  return [...form.querySelectorAll("input.mcp-secret-input")].map((input) => /** @type {HTMLInputElement} */ (input).value);
}

/**
 * Tie labels, hints and errors to their controls for screen readers, and put an input where a secret goes.
 *
 * @param {HTMLElement} form
 */
function describe(form) {
  for (const place of form.querySelectorAll(".mcp-secret:not(:has(input))")) place.append(secretInput());
  for (const field of form.querySelectorAll(".mcp-field")) {
    const inputs = field.querySelectorAll("input, select, textarea");
    const label = identified(field.previousElementSibling);
    const note = identified(field.nextElementSibling);
    const group = inputs.length > 1 ? [field] : [];
    for (const input of [...group, ...inputs]) {
      if (input === field) field.setAttribute("role", "group");
      if (label && (inputs.length === 1 || input === field)) input.setAttribute("aria-labelledby", label);
      if (note) input.setAttribute("aria-describedby", note);
      input.setAttribute("aria-invalid", String(field.classList.contains("mcp-invalid")));
      if (input !== field) input.setAttribute("aria-required", String(field.classList.contains("mcp-required")));
    }
  }
}

/** @param {Element | null} element */
function identified(element) {
  if (element && !element.id) element.id = `mcp-text-${++labels}`;
  return element?.id;
}

/** @returns {HTMLInputElement} */
function secretInput() {
  const input = document.createElement("input");
  input.type = "password";
  input.className = "mcp-secret-input";
  input.autocomplete = "off";
  return input;
}

/**
 * @param {HTMLElement} form
 * @param {string} where A selector of the field.
 * @returns {HTMLElement | null}
 */
function firstControl(form, where) {
  const inputs = ["input", "select", "textarea"].map((tag) => `${where} ${tag}:not(:disabled)`);
  return form.querySelector(inputs.join(", "));
}

/**
 * Whether the person is writing there: then the focus is not taken from them.
 *
 * @param {Element | null} element
 */
function isWriting(element) {
  if (!element) return false;
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value !== "";
  return element instanceof HTMLElement && element.isContentEditable && element.textContent !== "";
}

export default { initialize, render };
