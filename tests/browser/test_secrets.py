"""A secret that is typed into a form reaches the server, and is nowhere else, then or later."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Notebook
from tests.kernels import NEWEST

SECRET = "hunter2-Xyzzy-плюс"
PIN = "271828"
BACKWARDS = SECRET[::-1]
"""As code has it, so that the notebook's own source does not hold the secret."""

SETUP = f"""
import io, logging
secret, pin = {BACKWARDS!r}[::-1], {PIN[::-1]!r}[::-1]
log = io.StringIO()
logging.basicConfig(level="DEBUG", stream=log, force=True)
get_ipython().kernel.log.addHandler(logging.StreamHandler(log))
get_ipython().kernel.log.setLevel("DEBUG")
%xmode Verbose
from typing import Any
from mcp.server.mcpserver import Context, MCPServer
TEXT = {{"type": "string"}}
SCHEMA = {{"type": "object", "required": ["name", "password"],
          "properties": {{"name": TEXT, "password": TEXT, "pin": {{"type": "integer"}}}}}}
theirs, arrived = MCPServer("theirs"), []
@theirs.tool()
async def keeps(ctx: Context) -> str:
    answer = await ctx.session.elicit_form("Sign in.", SCHEMA, related_request_id=ctx.request_id)
    arrived.append(answer.content["password"] == secret and answer.content["pin"] == int(pin))
    return "thanks"
@theirs.tool()
async def fails(ctx: Context) -> str:
    await keeps(ctx)
    raise RuntimeError("the database is gone")
%load_ext mcp_notebook
%mcp connect theirs theirs --protocol legacy
%mcp record recorded.json
"""
LOOK = """
import json, pathlib
from ipywidgets import Widget
from mcp_notebook import Answer
history = [get_ipython().run_line_magic("mcp", f"history {option}") for option in ("", "--json")]
places = {
    "widgets": json.dumps(Widget.get_manager_state()["state"], default=str),
    "log": log.getvalue(),
    "recording": pathlib.Path("recorded.json").read_text(),
    "history": repr(history),
    "answer": repr(Answer(action="accept", content={"password": secret})),
}
print(arrived, {name: secret in text or pin in text for name, text in places.items()})
"""
CALL, FAIL = "%mcp call theirs.keeps", "%mcp call theirs.fails"


@pytest.fixture
def notebook(lab: Lab) -> Notebook:
    notebook = lab.open([SETUP, CALL, FAIL, LOOK], kernel=NEWEST, fresh=True)
    assert "connected" in notebook.run(0, timeout=30), notebook.text(0)
    # Menu Settings > Save Widget State Automatically
    notebook.command("@jupyter-widgets/jupyterlab-manager:saveWidgetState")
    return notebook


def opened(notebook: Notebook, cell: int) -> None:
    notebook.start(cell)
    notebook.cell(cell).locator(".mcp-secret-input").first.wait_for()


def field(notebook: Notebook, cell: int, name: str) -> Locator:
    return notebook.cell(cell).locator(f".mcp-field-{name} input")


def sign_in(notebook: Notebook, cell: int) -> None:
    field(notebook, cell, "name").fill("Ada")
    field(notebook, cell, "password").fill(SECRET)
    field(notebook, cell, "pin").fill(PIN)
    notebook.cell(cell).locator(".mcp-submit").click()
    notebook.finish()


def file_of(notebook: Notebook) -> str:
    """The saved notebook, with widget state."""
    notebook.saved()
    text = notebook.path.read_text(encoding="utf-8")
    assert "application/vnd.jupyter.widget-state+json" in text, "no widget state was saved"
    return text


def test_a_secret_is_nowhere_once_it_was_sent(lab: Lab, notebook: Notebook):
    opened(notebook, 1)
    field(notebook, 1, "password").fill(SECRET)
    field(notebook, 1, "pin").fill(PIN)
    while_open = file_of(notebook)
    assert "Sign in" in while_open
    notebook.cell(1).locator(".mcp-submit").click()
    expect(notebook.cell(1).locator(".mcp-error")).to_have_text("⚠ This is required")
    expect(field(notebook, 1, "password")).to_have_value(SECRET)
    refused = file_of(notebook)
    sign_in(notebook, 1)
    opened(notebook, 2)
    sign_in(notebook, 2)
    assert "ToolError: theirs: fails failed" in notebook.text(2)
    found = notebook.run(3).splitlines()[-1]
    assert found.startswith("[True, True]")
    assert "True" not in found.removeprefix("[True, True]")
    texts = [while_open, refused, file_of(notebook), lab.log.read_text(encoding="utf-8"), *notebook.console]
    texts.append(notebook.page.content())
    texts.append(str(notebook.page.evaluate("() => ({...localStorage, ...sessionStorage})")))
    assert not [text[:300] for text in texts if SECRET in text or PIN in text or "hunter2" in text]
    assert "••••" in notebook.text(1)


@pytest.mark.matrix
def test_after_a_reload_the_rest_is_there_and_the_secret_is_asked_again(notebook: Notebook):
    opened(notebook, 1)
    field(notebook, 1, "name").fill("Ada")
    field(notebook, 1, "password").fill(SECRET)
    notebook.saved()
    notebook.reload()
    expect(field(notebook, 1, "name")).to_have_value("Ada", timeout=20_000)
    expect(field(notebook, 1, "password")).to_have_value("")
    notebook.cell(1).locator(".mcp-submit").click()
    expect(notebook.cell(1).locator(".mcp-error")).to_have_text("⚠ This is required")
    sign_in(notebook, 1)
    assert notebook.run(3).splitlines()[-1].startswith("[True]")


def test_where_the_guard_cannot_load_the_form_says_what_to_do(lab: Lab):
    notebook = lab.open([SETUP, CALL], kernel=NEWEST, fresh=True)
    notebook.page.route("**/static/**/anywidget/**", lambda route: route.abort())
    notebook.page.route("**/labextensions/anywidget/**", lambda route: route.abort())
    notebook.page.reload()
    notebook.wait_until_connected(idle=True)
    assert "connected" in notebook.run(0, timeout=30), notebook.text(0)
    notebook.start(1)
    form = notebook.cell(1).locator(".widget-vbox")
    expect(form.locator(".mcp-no-guard").first).to_contain_text("Reload the page")
    form.locator(".mcp-field-name input").fill("Ada")
    form.locator(".mcp-submit").click()
    expect(form.locator(".mcp-error")).to_have_text("⚠ This is required")
    form.locator(".mcp-cancel").click()
    notebook.finish()
    assert "You cancelled" in notebook.text(1)
