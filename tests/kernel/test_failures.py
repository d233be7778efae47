"""Errors in a cell: told in the server's words, of which a page makes no links."""

from __future__ import annotations

import pytest

from tests.kernel.client import Frontend

SETUP = """
%load_ext mcp_notebook
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError as Fails
from mcp_notebook import server
liar = MCPServer("liar")
@liar.tool()
def f(words: str) -> str:
    raise Fails(words)
def mine(words):
    return server("liar").call("f", words=words)
%mcp connect liar liar
"""
NO = "ToolError: liar: f failed: Error executing tool f: no"
LINK = "Sign in at https://evil.invalid/<b> first"


@pytest.mark.newest_kernel
@pytest.mark.parametrize("call", ["%mcp call liar.f words='{}'", "mine('{}')"])
def test_an_address_in_a_failure_is_shown_as_text_of_our_own(frontend: Frontend, call: str):
    frontend.run(SETUP)
    cell = frontend.run(call.format(LINK))

    (page,) = cell.shown("text/html")
    assert "https://evil.invalid/&lt;b&gt; first" in page
    assert "<a" not in page
    (error,) = [output for output in cell.outputs if output["output_type"] == "error"]
    assert error["evalue"] == f"liar: f failed: Error executing tool f: {LINK}"
    assert error["traceback"][-1] == "ToolError: see the words above"
    assert not any("evil" in line for line in error["traceback"][1:])


@pytest.mark.newest_kernel
def test_a_failure_without_one_is_told_in_its_last_line_below_the_users_own_frames(frontend: Frontend):
    frontend.run(SETUP)
    assert frontend.run("%mcp call liar.f words=no").outputs[-1]["traceback"] == [NO]
    first, *_, last = frontend.run("mine('no')").outputs[-1]["traceback"]
    assert "mine" in first
    assert last == NO
