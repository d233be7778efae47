/**
 * The guard of a form: the one part of it that is not a core ipywidget.
 *
 * Core controls send their values one update at a time, and a click on a button overtakes the last of them. So the
 * guard takes the click, Enter or Escape before the controls see it, reads every control as it stands on the page, and
 * sends the action with all values in one message. Where the guard can't load, the buttons answer by themselves.
 *
 * To the kernel: `{type: "ready"}` when the page is live; `{type: "answer", id, action, values, secrets, forRest}`.
 * When the person opens the link of a card in URL mode, which is how they consent: `{type: "opened"}`.
 * From the kernel: `{type: "refused", id}` when an answer has to be mended, `{type: "done", id}` when it was taken.
 *
 * @typedef {"accept" | "accept-all" | "decline" | "cancel" | "silence"} Action
 * @typedef {{controls: string[]}} GuardTraits
 * @typedef {{attributes: Record<string, unknown>, serialize(state: object): object}} ControlModel
 * @typedef {{type: "refused" | "done", id: number}} FromKernel
 * @typedef {import("@anywidget/types").AnyModel<GuardTraits>} GuardModel
 */

/** @type {ReadonlyArray<readonly [string, Action]>} */
const BUTTONS = [
  ["mcp-submit", "accept"],
  ["mcp-accept-all", "accept-all"],
  ["mcp-decline", "decline"],
  ["mcp-cancel", "cancel"],
  ["mcp-silence", "silence"],
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
    const accepted = action === "accept" || action === "accept-all";
    if (accepted && pointOutHalfTyped(form)) return;
    form.classList.add("mcp-sending");
    const id = ++answers;
    try {
      const values = accepted ? await valuesOf(model) : {};
      model.send({ type: "answer", id, action, values, secrets: accepted ? secretsIn(form) : [], ...forRest(form) });
    } catch (error) {
      form.classList.remove("mcp-sending");
      throw error;
    }
  }

  /** @param {MouseEvent} event */
  function onOpen(event) {
    const opens = event.type === "click" || event.button === 1; // with the middle button as well
    if (opens && /** @type {Element} */ (event.target).closest("a.mcp-link")) model.send({ type: "opened" });
  }

  /** @param {MouseEvent} event */
  function onClick(event) {
    onOpen(event);
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

  /** @param {MouseEvent} event */
  function onPress(event) {
    const option = /** @type {Element} */ (event.target).closest("select[multiple] option");
    if (!option || event.button !== 0 || event.shiftKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    toggle(/** @type {HTMLOptionElement} */ (option));
  }

  function onChange() {
    count(form);
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
    const first = firstControl(form, ".mcp-field") ?? (form.matches(".mcp-url") ? form : form.querySelector("button"));
    if (first && !focused) {
      focused = true;
      if (!isWriting(document.activeElement)) first.focus({ preventScroll: true });
    }
  }

  // JupyterLab looks for this attribute before it runs a shortcut.
  form.setAttribute("data-lm-suppress-shortcuts", "true");
  form.setAttribute("role", "group");
  form.setAttribute("aria-label", form.querySelector(".mcp-head")?.textContent ?? "");
  if (form.matches(".mcp-url")) form.tabIndex = -1; // no key that was meant for the cell opens a page or declines
  form.addEventListener("click", onClick, true);
  form.addEventListener("auxclick", onOpen, true);
  form.addEventListener("mousedown", onPress);
  form.addEventListener("change", onChange);
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
    form.removeEventListener("auxclick", onOpen, true);
    form.removeEventListener("mousedown", onPress);
    form.removeEventListener("change", onChange);
    form.removeEventListener("keydown", onKeyFirst, true);
    form.removeEventListener("keydown", keepIn);
  };
}

/**
 * What a key asks for: Enter submits, in a text area with Ctrl or Cmd; Escape cancels. Where keys have a use of their
 * own, in a list of suggestions and in a control that the user registered, only Ctrl or Cmd with Enter submits.
 *
 * @param {KeyboardEvent} event
 * @returns {Action | undefined}
 */
function actionOfKey(event) {
  if (event.isComposing) return undefined; // Enter and Escape belong to the input method (Japanese, Chinese …)
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && target.closest(".mcp-field")) return "accept";
  if (target.closest("input[list], .mcp-own")) return undefined;
  if (event.key === "Escape") return "cancel";
  return event.key === "Enter" && target.tagName === "INPUT" ? "accept" : undefined;
}

/**
 * Show the person a date or time that is typed in part: a browser takes that for none at all.
 *
 * @param {HTMLElement} form
 * @returns {boolean} Whether there is one.
 */
function pointOutHalfTyped(form) {
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(".mcp-field input")]);
  const half = inputs.find(({ validity }) => validity.badInput || validity.rangeOverflow || validity.rangeUnderflow);
  half?.reportValidity();
  return half !== undefined;
}

/**
 * Choose an option of several with a plain click, which would give up all the others.
 *
 * @param {HTMLOptionElement} option
 */
function toggle(option) {
  const list = /** @type {HTMLSelectElement} */ (option.closest("select"));
  const { scrollTop } = list;
  option.selected = !option.selected;
  list.focus({ preventScroll: true });
  list.scrollTop = scrollTop;
  list.dispatchEvent(new Event("change", { bubbles: true }));
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
    for (const trait of VALUE_TRAITS) if (trait in control.attributes) state[trait] = control.attributes[trait];
    if ("offset" in control.attributes) state["offset"] = offsetAt(state["value"]);
    const sent = control.serialize(state);
    if (!isBinary(sent)) values[id] = sent; // a file: the kernel has it, since it went out when it was chosen
  }
  return values;
}

/**
 * How far the person's time zone is from UTC at a moment, or now: in minutes, to the east.
 *
 * @param {unknown} moment
 */
function offsetAt(moment) {
  return -(moment instanceof Date ? moment : new Date()).getTimezoneOffset();
}

/**
 * @param {unknown} value
 * @returns {boolean} Whether there are bytes in it, which a message can't carry as JSON.
 */
function isBinary(value) {
  if (value === null || typeof value !== "object") return false;
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) || Object.values(value).some(isBinary);
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
 * Whether the same answer is to be given to the rest of many calls, where there is a box for that.
 *
 * @param {HTMLElement} form
 * @returns {{forRest?: boolean}}
 */
function forRest(form) {
  const box = /** @type {HTMLInputElement | null} */ (form.querySelector(".mcp-rest input"));
  return box ? { forRest: box.checked } : {};
}

/**
 * Tie labels, hints and errors to their controls for screen readers, put an input where a secret goes, and tell the
 * time zone where one counts.
 *
 * @param {HTMLElement} form
 */
function describe(form) {
  for (const place of form.querySelectorAll(".mcp-secret:not(:has(input))")) place.append(secretInput());
  for (const place of form.querySelectorAll(".mcp-zoned:not(:has(.mcp-zone))")) place.append(zone());
  for (const box of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(".mcp-checks [title]"))) {
    box.title = ""; // ipywidgets puts the title's HTML there
  }
  count(form);
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

/**
 * Tell how many options are chosen, where several may be.
 *
 * @param {HTMLElement} form
 */
function count(form) {
  for (const told of form.querySelectorAll(".mcp-count")) {
    const note = told.closest(".mcp-note");
    const chosen = note?.previousElementSibling?.querySelectorAll("input:checked, option:checked").length ?? 0;
    const text = `${chosen} chosen`;
    if (told.textContent !== text) told.textContent = text;
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

/** @returns {HTMLSpanElement} The person's time zone, such as "Asia/Tokyo". */
function zone() {
  const span = document.createElement("span");
  span.className = "mcp-zone";
  span.textContent = new Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll("_", " ");
  return span;
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
