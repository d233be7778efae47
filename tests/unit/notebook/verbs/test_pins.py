"""`%mcp pin`, `drift`, `approve` and `trust`, with a server that changes under one's feet."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.server.mcpserver import MCPServer

from mcp_notebook import api
from tests.unit.notebook.conftest import Notebook

CONNECT = f"%mcp connect cafe -- {sys.executable} -m mcp_notebook.demo.drifting"
CHANGED = CONNECT.replace(" -- ", " --env CAFE_CHANGED=1 -- ")


@pytest.fixture(autouse=True)
def folder(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MCP_NOTEBOOK_PINS", raising=False)
    monkeypatch.delenv("MCP_NOTEBOOK_PINS_FILE", raising=False)
    yield tmp_path
    api.close_all()


def test_a_server_that_changed_under_our_feet_is_told_shown_and_approved(notebook: Notebook, folder: Path):
    notebook.says(CONNECT)
    assert "cafe: 2 tools pinned in mcp-pins.json." in notebook.says("%mcp pin")
    assert "cafe is pinned, and all is as it was." in notebook.says("%mcp pin cafe")
    assert "all is as it was pinned" in notebook.says("%mcp drift")

    told = "cafe is not as it was pinned; added: read_mail; changed: order. See: %mcp drift cafe"
    assert told in notebook.says(CHANGED)
    assert "the pin stays" in notebook.says("%mcp pin cafe")
    shown = notebook.shows("%mcp drift cafe")
    assert "[-shown-]{+charged+}" in shown["text/plain"]
    assert "another server" not in shown["text/plain"]
    assert ">charged</ins>" in shown["text/html"]
    assert ">shown</del>" in shown["text/html"]
    assert "cafe.read_mail: added" in shown["text/plain"]

    warned = notebook.says("%mcp call cafe.order kind=mocha")
    assert "order: it has changed since cafe was pinned. See: %mcp drift cafe" in warned
    assert "One mocha, please." in warned
    assert "has changed" not in notebook.says("%mcp call cafe.order kind=mocha")

    assert "cafe.order is pinned as it is now" in notebook.says("%mcp approve cafe order")
    assert "cafe.order" not in notebook.says("%mcp drift cafe")
    notebook.says("%mcp approve cafe")
    assert "all is as it was pinned" in notebook.says("%mcp drift cafe")
    pinned = json.loads((folder / "mcp-pins.json").read_text())["servers"]["cafe"]
    assert pinned["identity"] == "python -m mcp_notebook.demo.drifting"
    assert "charged" in pinned["tools"]["order"]["definition"]["description"]


def test_markup_and_invisible_characters_of_a_server_are_shown_as_text(notebook: Notebook):
    server = MCPServer("odd")
    server.add_tool(lambda: None, name="a", description="Nothing.")
    notebook.shell.user_ns["odd"] = server
    notebook.says("%mcp connect odd odd")
    notebook.says("%mcp pin")
    server.remove_tool("a")
    server.add_tool(lambda: None, name="a", description="<img src=x> \u202eNothing\u200b.")
    notebook.says("%mcp connect odd odd")
    shown = notebook.shows("%mcp drift odd")
    assert "<img" not in shown["text/html"]
    assert "\\u{202E}" in shown["text/html"]
    assert "Hidden characters: a, description: <img src=x> \\u{202E}Nothing\\u{200B}." in shown["text/plain"]


def test_what_cannot_be_done_is_told_in_a_line(notebook: Notebook, monkeypatch: pytest.MonkeyPatch):
    assert "nothing is pinned" in notebook.fails("%mcp drift")
    assert "no server is connected" in notebook.fails("%mcp pin")
    notebook.says(CONNECT)
    assert "cafe is not pinned: %mcp pin cafe" in notebook.fails("%mcp approve cafe")
    monkeypatch.setenv("MCP_NOTEBOOK_PINS", "strict")
    assert "order is refused, as MCP_NOTEBOOK_PINS is strict: cafe is not pinned" in notebook.fails(
        "%mcp call cafe.order kind=mocha"
    )


def test_trust_is_given_and_taken_back(notebook: Notebook):
    notebook.says(CONNECT)
    assert "counts, in this session" in notebook.says("%mcp trust cafe")
    assert api.pins().trusted(api.server("cafe"))
    assert "does not count" in notebook.says("%mcp trust cafe --no")
    assert not api.pins().trusted(api.server("cafe"))
