import assert from "node:assert/strict";
import { test } from "node:test";

test("the built bundle exports what anywidget calls", async () => {
  const bundle = new URL("../../mcp_notebook/widgets/static/guard.js", import.meta.url);
  const { default: guard } = await import(bundle.href);
  assert.equal(typeof guard.initialize, "function");
  assert.equal(typeof guard.render, "function");
});
