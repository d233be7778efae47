"""`%mcp servers`, `%mcp tools` and `%mcp describe`."""

from __future__ import annotations

from typing import Any

import pytest

Notebook = Any

HOSTILE = """
from mcp.server.mcpserver import MCPServer
hostile = MCPServer("hostile")
words = "<img src=x onerror=alert(1)> [a](javascript:1)\\x1b[31m"
@hostile.tool(name="evil", title="<script>alert(1)</script>", description=words)
def evil(a: str = "<b>") -> str:
    return a
%mcp connect hostile hostile
"""

FAULTY = """
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError as Fails
faulty = MCPServer("faulty")
@faulty.tool()
def f() -> str:
    raise Fails("no more\\nof it")
%mcp connect faulty faulty
"""


def test_servers_lists_what_is_connected(demo: Notebook):
    lines = demo.shows("%mcp servers")["text/plain"].splitlines()
    assert lines[0].split() == ["server", "state", "protocol", "transport", "tools", "calls"]
    assert lines[1].split() == ["demo", "connected", "2026-07-28", "(modern)", "stdio", "9", "0"]


def test_servers_counts_calls_and_tells_the_last_error(demo: Notebook):
    demo.says(FAULTY)
    demo.fails("%mcp call faulty.f")
    told = demo.shows("%mcp servers")["text/plain"]
    (row,) = [line.split() for line in told.splitlines() if line.startswith("faulty ")]
    assert row[-2:] == ["1", "1"]
    assert "faulty, last error: f failed: " in told
    assert "no more of it" in told
    demo.says("%mcp disconnect faulty")


def test_tools_lists_names_arguments_and_what_they_do(demo: Notebook):
    told = demo.shows("%mcp tools demo")["text/plain"]
    assert "demo.book_table" in told
    assert "party*, date" in told
    assert "Say hello." in told
    assert told.endswith("More on one of them: %mcp describe demo.greet")


def test_describe_shows_each_argument(demo: Notebook):
    lines = demo.shows("%mcp describe demo.book_table")["text/plain"].splitlines()
    assert lines[0].startswith("demo.book_table")
    (party,) = [line.split() for line in lines if line.startswith("party")]
    assert party[:2] == ["party*", "integer"]
    assert lines[-1] == "* is required"


def test_describe_shows_a_tool_without_arguments(demo: Notebook):
    assert "It takes no arguments." in demo.shows("%mcp describe demo.greet")["text/plain"]


@pytest.mark.parametrize("line", ["tools", "tools hostile", "describe hostile.evil"])
def test_nothing_of_a_servers_text_is_markup(demo: Notebook, line: str):
    demo.says(HOSTILE)
    shown = demo.shows(f"%mcp {line}")
    assert "onerror" in shown["text/html"]
    assert not any(tag in shown["text/html"] for tag in ("<img", "<script", "<b>", "<a", "\x1b"))
    assert "\x1b" not in shown["text/plain"]
    demo.says("%mcp disconnect hostile")


def test_an_argument_may_have_any_type(demo: Notebook):
    demo.says(
        "from typing import Literal, Optional\nfrom mcp.server.mcpserver import MCPServer\ntyped = MCPServer('typed')\n"
        "@typed.tool()\ndef f(a: Literal['x', 'y'], b: Optional[int] = None, c: list[str] = []) -> str:\n    return a\n"
        "%mcp connect typed typed"
    )
    told = demo.shows("%mcp describe typed.f")["text/plain"]
    assert '"x" | "y"' in told
    assert "integer | null" in told
    assert "array of string" in told
    demo.says("%mcp disconnect typed")


@pytest.mark.parametrize("line", ["servers", "tools"])
def test_with_nothing_connected_they_say_what_to_try(notebook: Notebook, line: str):
    for name in [
        server.name for server in notebook.run("import mcp_notebook.api\nmcp_notebook.api.registry().all()").value
    ]:
        notebook.says(f"%mcp disconnect {name}")
    assert "No server is connected. Try: %mcp connect demo" in notebook.shows(f"%mcp {line}")["text/plain"]
