"""`%mcp history`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from mcp_notebook.answers.history import history

Notebook = Any
REGISTERED = '%mcp answer demo \'{"username": "ada", "email": "a@example.org"}\'\nr = %mcp call demo.register_user'


@pytest.fixture(autouse=True)
def no_history() -> Iterator[None]:
    history.cache_clear()
    yield
    history.cache_clear()


def test_with_nothing_asked_it_says_so(notebook: Notebook):
    assert notebook.shows("%mcp history")["text/plain"] == "Nothing has been asked."
    assert notebook.shows("%mcp history --json")["text/plain"] == "[]"


def test_it_tells_what_was_answered_and_what_was_not_newest_first(demo: Notebook):
    demo.says(REGISTERED)
    demo.says("%mcp answer demo --action decline\nr = %mcp call demo.greet")
    demo.fails("%mcp call demo.confirm")
    head, *rows = demo.shows("%mcp history demo")["text/plain"].splitlines()
    assert head.split() == ["when", "(UTC)", "server", "tool", "message", "outcome", "by", "content"]
    assert [row.split()[3] for row in rows] == ["confirm", "greet", "register_user"]
    assert "nobody is here to answer" in rows[0]
    assert "declined  " in rows[1]
    assert "script" in rows[1]
    assert "accepted" in rows[2]
    assert "username: ada, email: a@example.org" in demo.shows("%mcp history")["text/html"]


def test_json_gives_a_text_that_can_be_kept(demo: Notebook):
    demo.says(REGISTERED)
    demo.says("kept = %mcp history --json")
    (asked,) = json.loads(demo.shell.user_ns["kept"])
    assert asked["content"] == {"username": "ada", "email": "a@example.org"}
    assert (asked["server"], asked["tool"], asked["action"], asked["source"]) == (
        "demo",
        "register_user",
        "accept",
        "script",
    )


def test_only_one_servers_questions_can_be_shown(demo: Notebook):
    demo.says(REGISTERED)
    assert demo.shows("%mcp history another")["text/plain"] == "Nothing has been asked."


def test_a_servers_text_is_shown_without_its_markup(notebook: Notebook):
    notebook.says(
        """
from mcp_notebook import answering
from mcp.server.mcpserver import MCPServer, Context
from pydantic import BaseModel
class Nothing(BaseModel): pass
evil = MCPServer("evil")
@evil.tool()
async def ask(ctx: Context) -> str:
    return (await ctx.elicit("<img src=x onerror=alert(1)>\\x1b[2J", Nothing)).action
%mcp connect evil evil --protocol legacy
with answering({}):
    print(server("evil").call("ask").text)
""".replace("from mcp_notebook import answering", "from mcp_notebook import answering, server")
    )
    bundle = notebook.shows("%mcp history evil")
    assert "<img" not in bundle["text/html"]
    assert "&lt;img" in bundle["text/html"]
    assert "\x1b" not in bundle["text/plain"]
