import assert from "node:assert/strict";
import { test } from "node:test";
import guard from "../src/guard.js";
import { page, until } from "./page.js";

/**
 * A form with one field, watched over by the guard.
 *
 * @param {string} control The HTML of its control.
 * @param {{classes?: string, controls?: Record<string, Record<string, unknown>>}} [more]
 */
async function formWith(control, { classes = "", controls = {} } = {}) {
  const shown = page(`<div>Label</div><div class="mcp-field ${classes}">${control}</div><div></div>`, controls);
  guard.render(/** @type {any} */ ({ model: shown.model, el: shown.guard }));
  await until(() => shown.find(".mcp-form").getAttribute("role"));
  return shown;
}

const SUGGESTIONS = `<input id="i" list="d"><datalist id="d"><option value="Malta"></datalist>`;

for (const [where, control = "", classes = ""] of [
  ["a list of suggestions", SUGGESTIONS, ""],
  ["a control of the user's", `<input id="i">`, "mcp-own"],
]) {
  test(`Enter and Escape belong to ${where}, Ctrl and Enter submit there`, async () => {
    const shown = await formWith(control, { classes });
    shown.press("#i", { key: "Enter" });
    shown.press("#i", { key: "Escape" });
    assert.equal(shown.find(".mcp-form").classList.contains("mcp-sending"), false);
    shown.press("#i", { key: "Enter", ctrlKey: true });
    await until(() => shown.sent.length);
    assert.equal(shown.sent[0]?.action, "accept");
  });
}

test("Ctrl and Enter on the button Cancel do not submit", async () => {
  const shown = await formWith(`<input>`);
  shown.press(".mcp-cancel", { key: "Enter", ctrlKey: true });
  assert.equal(shown.find(".mcp-form").classList.contains("mcp-sending"), false);
});

test("a date that is typed in part is pointed out and nothing is sent until it is whole", async () => {
  const shown = await formWith(`<input type="date" id="i">`);
  const input = shown.find("#i");
  const validity = { badInput: true };
  let told = 0;
  Object.defineProperties(input, { validity: { get: () => validity }, reportValidity: { value: () => told++ } });
  shown.find(".mcp-submit").click();
  assert.equal(told, 1);
  assert.equal(shown.sent.length, 0);
  validity.badInput = false;
  shown.find(".mcp-submit").click();
  await until(() => shown.sent.length);
});

test("a date that is typed in part does not stop one from declining", async () => {
  const shown = await formWith(`<input type="date" id="i">`);
  Object.defineProperty(shown.find("#i"), "validity", { value: { badInput: true } });
  shown.find(".mcp-decline").click();
  await until(() => shown.sent.length);
});

test("a plain click in a list of several adds and takes away one option", async () => {
  const shown = await formWith(
    `<select multiple>${["a", "b", "c"].map((name) => `<option id="${name}">${name}</option>`).join("")}</select>`,
  );
  const list = /** @type {HTMLSelectElement} */ (shown.find("select"));
  let changes = 0;
  list.addEventListener("change", () => changes++);
  /** @param {string} id @param {MouseEventInit} [init] */
  const press = (id, init) =>
    shown.find(id).dispatchEvent(new shown.window.MouseEvent("mousedown", { bubbles: true, cancelable: true, ...init }));
  const chosen = () => [...list.selectedOptions].map(({ id }) => id).join("");
  press("#a");
  press("#c");
  assert.equal(chosen(), "ac");
  assert.equal(changes, 2);
  press("#a");
  assert.equal(chosen(), "c");
  press("#b", { shiftKey: true }); // the browser's own way to choose a range
  assert.equal(chosen(), "c");
});

test("where several may be chosen, it is told how many are, as one clicks", async () => {
  const shown = await formWith(`<input type="checkbox" id="a" checked><input type="checkbox" id="b">`);
  shown.find(".mcp-field").insertAdjacentHTML("afterend", `<div class="mcp-note"><span class="mcp-count"></span></div>`);
  const told = shown.find(".mcp-count");
  await until(() => told.textContent === "1 chosen");
  shown.find("#b").click();
  assert.equal(told.textContent, "2 chosen");
});

test("the person's time zone is told beside the control once, and its offset comes with the value", async () => {
  const moment = new Date(2026, 6, 1, 12, 30);
  const shown = await formWith(`<input id="i">`, {
    classes: "mcp-zoned",
    controls: { a: { value: moment, offset: null }, b: { value: "09:15", offset: null } },
  });
  shown.find(".mcp-form").append(shown.document.createElement("i")); // the page changes, and the guard looks again
  await until(() => shown.find(".mcp-zone"));
  assert.equal(shown.document.querySelectorAll(".mcp-zone").length, 1);
  assert.equal(shown.find(".mcp-zone").textContent, Intl.DateTimeFormat().resolvedOptions().timeZone);
  shown.find(".mcp-submit").click();
  await until(() => shown.sent.length);
  assert.deepEqual(shown.sent[0]?.values, {
    a: { value: moment, offset: -moment.getTimezoneOffset() },
    b: { value: "09:15", offset: -new Date().getTimezoneOffset() },
  });
});

test("a control with bytes in its state is left out of the message, which could not carry them", async () => {
  const shown = await formWith(`<input id="i">`, {
    controls: { file: { value: [{ name: "a.txt", content: new DataView(new ArrayBuffer(4)) }] }, text: { value: "x" } },
  });
  shown.find(".mcp-submit").click();
  await until(() => shown.sent.length);
  assert.deepEqual(shown.sent[0]?.values, { text: { value: "x" } });
});

test("the text that stands in for a secret's input does not keep that out", async () => {
  const shown = await formWith(`<div class="widget-html">Reload the page</div>`, { classes: "mcp-secret" });
  const input = /** @type {HTMLInputElement} */ (shown.find(".mcp-secret-input"));
  input.value = "s3cret";
  shown.find(".mcp-submit").click();
  await until(() => shown.sent.length);
  shown.receive({ type: "refused", id: 1 });
  assert.equal(shown.document.querySelectorAll(".mcp-secret-input").length, 1);
  assert.equal(input.value, "s3cret");
});
