/**
 * A page for the guard to run in: a form as ipywidgets draws it, and a model that keeps what is sent to the kernel.
 */
import { JSDOM } from "jsdom";

/**
 * @typedef {{type: string, id?: number, action?: string, values?: Record<string, object>, secrets?: string[]}} Sent
 */

/**
 * @param {string} rows The HTML of the form's fields.
 * @param {Record<string, Record<string, unknown>>} controls The traits of each control's model, by model id.
 */
export function page(rows, controls = {}) {
  const { window } = new JSDOM(
    `<div class="jp-Cell" tabindex="-1"><div class="mcp-form"><div class="mcp-head">demo asks</div>${rows}
      <button class="mcp-submit">Submit</button><button class="mcp-decline">Decline</button>
      <button class="mcp-cancel">Cancel</button><div class="guard"></div></div></div>`,
    { pretendToBeVisual: true },
  );
  Object.assign(globalThis, {
    document: window.document,
    Event: window.Event,
    MutationObserver: window.MutationObserver,
    HTMLElement: window.HTMLElement,
    HTMLInputElement: window.HTMLInputElement,
    HTMLTextAreaElement: window.HTMLTextAreaElement,
  });
  /** @type {Sent[]} */
  const sent = [];
  /** @type {((message: object) => void)[]} */
  const listeners = [];
  const model = {
    /** @param {string} name */
    get: (name) => (name === "controls" ? Object.keys(controls) : undefined),
    /** @param {Sent} message */
    send: (message) => sent.push(message),
    /** @param {string} _ @param {(message: object) => void} listener */
    on: (_, listener) => listeners.push(listener),
    off: () => undefined,
    widget_manager: {
      /** @param {string} id */
      get_model: async (id) => ({
        attributes: controls[id] ?? {},
        /** @param {object} state */
        serialize: (state) => state,
      }),
    },
  };
  const { document } = window;
  return {
    window,
    document,
    sent,
    /** @type {any} */
    model,
    /** @type {any} */
    guard: document.querySelector(".guard"),
    /** @param {object} message A message from the kernel. */
    receive: (message) => listeners.forEach((listener) => listener(message)),
    /** @param {string} selector @returns {HTMLElement} */
    find: (selector) => /** @type {HTMLElement} */ (document.querySelector(selector)),
    /** @param {string} selector @param {KeyboardEventInit} init */
    press: (selector, init) =>
      document
        .querySelector(selector)
        ?.dispatchEvent(new window.KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init })),
  };
}

/**
 * Wait until something holds, for two seconds at most.
 *
 * @param {() => unknown} condition
 */
export async function until(condition) {
  const end = Date.now() + 2000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`still not so: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
