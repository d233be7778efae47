"""`%mcp call`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_notebook.answers.plain import one_line
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import Word
from mcp_notebook.notebook.verb import Parser, Request, Verb, tool_of
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.arguments import check_arguments, parse_argument
from mcp_notebook.schema.sending import sendable


def _arguments(parser: Parser) -> None:
    parser.add_argument("tool", metavar="NAME.TOOL", help="the server and its tool")
    parser.add_argument("arguments", metavar="K=V", nargs="*", help="the tool's arguments, by name")


def _run(request: Request) -> ToolResult:
    server, tool = tool_of(request, request.options.tool.text)
    arguments: dict[str, Any] = {}
    for word in request.options.arguments:
        name, value = _argument(word, tool.input_schema)
        if name in arguments:
            raise UsageError(f"{name} is given twice")
        arguments[name] = value
    for name, value in _body(request.body).items():
        if name in arguments:
            raise UsageError(f"{name} is given twice: on the line and in the cell's body")
        arguments[name] = value
    sent = sendable(arguments, tool.input_schema)
    check_arguments(tool.input_schema, sent)
    return server.call_with(tool.name, sent)


def _argument(word: Word, input_schema: Mapping[str, Any]) -> tuple[str, Any]:
    if word.key:
        return word.key, word.value if word.evaluated else parse_argument(input_schema, word.key, word.value)
    name, _, text = word.text.partition("=")  # quoted as a whole, as in "city=Los Angeles"
    if not name or name == word.text:
        told = one_line(word, 60)
        raise UsageError(f"{told}: arguments are written as NAME=VALUE, with quotes around a value that has spaces")
    return name, parse_argument(input_schema, name, text)


def _body(body: str | None) -> dict[str, Any]:
    if body is None:
        return {}
    try:
        value = json.loads(body)
    except json.JSONDecodeError as error:
        raise UsageError(f"the cell's body is not JSON: line {error.lineno + 1} of the cell: {error.msg}") from None
    if not isinstance(value, dict):
        raise UsageError('the cell\'s body must be a JSON object of arguments, such as {"party": 4}')
    return value


VERB = Verb(
    name="call",
    summary="Call a tool; a form opens here when it asks you something.",
    examples="""\
  %mcp call demo.greet
  booking = %mcp call demo.book_table party=4
  %mcp call files.read path="C:\\new folder\\x.txt"     (in quotes all is taken as it is)
  %mcp call api.search tags=["a", "b"] where={"year": 2026}
  %mcp call api.search limit={n + 1} tags=$my_tags      (Python; $my_tags is {my_tags})

  %%mcp call api.search
  {"tags": ["a", "b"], "where": {"year": 2026}}

Values are typed by the tool's schema. The same in Python:
  server("demo").call("book_table", party=4)""",
    arguments=_arguments,
    run=_run,
    takes_body=True,
)
