"""Tools as functions of Python, against real servers."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import pytest
from mcp.server.mcpserver import MCPServer
from pydantic import Field

from mcp_notebook.errors import UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.servers.server import Server
from mcp_notebook.servers.tools import Tool
from mcp_notebook.types import ToolInfo
from tests.protocol.conftest import Session

server = MCPServer("books")


@server.tool(name="search.books", description="Find books.\n\nThe newest come first.")
def search(
    words: Annotated[str, Field(description="What to look for")],
    kind: Literal["title", "author"] = "title",
    limit: Annotated[int, Field(ge=1, le=50)] = 10,
) -> list[str]:
    return [f"{kind} {words}"] * limit


@server.tool()
def get(number: int) -> int:
    return number


@server.tool()
def count() -> int:
    return 3


@pytest.fixture(scope="module")
def books() -> Iterator[Server]:
    session = Session()
    yield session.connect("books", server)
    session.registry.close_all()


def test_a_tool_is_called_as_a_function(books: Server):
    assert books.tools.count().data == 3
    assert books.tools.search_books(words="sea", limit=2).data == ["title sea", "title sea"]


def test_a_tool_is_awaited(books: Server):
    async def call() -> Any:
        return (await books.tools.count.acall()).data

    assert asyncio.run(call()) == 3


def test_odd_names_and_those_of_mappings_are_reachable(books: Server):
    assert list(books.tools) == ["search.books", "get", "count"]
    assert books.tools["search.books"] is books.tools.search_books
    assert books.tools.get_(number=4).data == 4
    assert {"search_books", "get_", "count"} <= set(dir(books.tools))


def test_it_has_a_signature_and_a_docstring(books: Server):
    tool = books.tools.search_books
    assert str(inspect.signature(tool).replace(return_annotation=inspect.Signature.empty)) == (
        "(*, words: str, kind: Literal['title', 'author'] = 'title', limit: int = 10)"
    )
    assert inspect.signature(tool).return_annotation is ToolResult
    assert inspect.getdoc(tool) == (
        "Find books.\n\nThe newest come first.\n\nArgs:\n    words: What to look for\n    kind: Kind\n    limit: Limit"
    )
    assert repr(books.tools) == "<tools of books: search.books, get, count>"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "search.books() missing a required argument: 'words'"),
        (
            {"words": "a", "limits": 3},
            "search.books() got an unexpected keyword argument 'limits'; did you mean 'limit'?",
        ),
        ({"words": "a", "x": 3}, "search.books() got an unexpected keyword argument 'x'"),
    ],
    ids=str,
)
def test_a_wrong_argument_is_a_type_error(books: Server, arguments: dict[str, Any], told: str):
    calls = books.calls
    with pytest.raises(TypeError) as caught:
        books.tools.search_books(**arguments)
    assert str(caught.value) == told
    assert books.calls == calls


def test_a_wrong_value_is_told_by_its_name_before_it_is_sent(books: Server):
    calls = books.calls
    with pytest.raises(UsageError, match="limit must be at most 50"):
        books.tools.search_books(words="a", limit=99)
    with pytest.raises(UsageError, match="kind must be"):
        books.tools.search_books(words="a", kind="cover")
    assert books.calls == calls


def test_a_tool_that_is_not_there_is_told_with_the_nearest(books: Server):
    with pytest.raises(AttributeError, match=r"books has no tool search_book; did you mean search_books\?"):
        _ = books.tools.search_book
    with pytest.raises(KeyError):
        _ = books.tools["no"]


def test_a_choice_of_tools_offers_those_alone(books: Server):
    few = books.tools.only("count")
    assert list(few) == ["count"]
    assert few.count().data == 3
    assert not hasattr(few, "search_books")
    with pytest.raises(UsageError, match=r"books has no tool coun; did you mean count\?"):
        books.tools.only("coun")


def test_a_name_that_python_cannot_spell_goes_by_either_name():
    schema = {"type": "object", "properties": {"the value": {"type": "string"}}}
    nobody: Any = None
    tool = Tool(ToolInfo(server="odd", name="echo", input_schema=schema), nobody)

    assert tool.arguments({"the_value": "a"}) == {"the value": "a"}
    assert tool.arguments({"the value": "b"}) == {"the value": "b"}
    with pytest.raises(TypeError, match=r"echo\(\) got 'the_value' twice"):
        tool.arguments({"the_value": "a", "the value": "b"})
