"""`%mcp answer`."""

from __future__ import annotations

import json
from typing import Any

from mcp_notebook.answers.entry import read_entry
from mcp_notebook.answers.script import script
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="the server whose question it answers")
    parser.add_argument("content", metavar="JSON", nargs="?", help='the value of each field, or "defaults"')
    parser.add_argument("--action", choices=("accept", "decline", "cancel"), help="what to do (default: accept)")
    parser.add_argument("--tool", metavar="TOOL", help="only when this tool asks")
    parser.add_argument("--file", metavar="FILE", help="take answers from a file, as MCP_NOTEBOOK_ANSWERS does")
    parser.add_argument("--clear", action="store_true", help="forget the answers (of NAME, or all)")


def _run(request: Request) -> None:
    options = request.options
    name = options.name and options.name.text
    content = request.body if options.content is None else options.content
    if options.clear:
        script().clear(name)
        print(f"No answers wait for {name}." if name else "No answers wait.")
    if options.file:
        count = script().load(options.file.text)
        print(f"{count} answer{'' if count == 1 else 's'} taken from {options.file.text}.")
    if content is None and options.action is None:
        if not (options.clear or options.file):
            raise UsageError('%mcp answer: say what to answer, such as %mcp answer demo \'{"name": "Ada"}\'')
        return
    if name is None:
        raise UsageError("%mcp answer: say which server asks, such as %mcp answer demo --action decline")
    entry: dict[str, Any] = {"server": name, "action": str(options.action or "accept")}
    if options.tool:
        entry["tool"] = options.tool.text
    if content is not None:
        entry["content"] = _content(content)
    script().add(read_entry(entry, "%mcp answer"))
    count = script().waiting(name)
    print(f"{count} answer{' waits' if count == 1 else 's wait'} for what {name} asks.")


def _content(given: Any) -> Any:
    if getattr(given, "evaluated", False):
        return given.value
    text = str(getattr(given, "text", given))
    if text == "defaults":
        return text
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise UsageError(f"%mcp answer: not JSON at column {error.colno}: {error.msg}") from None


VERB = Verb(
    name="answer",
    summary="Write down an answer for the next question that fits it, so that nobody is asked.",
    examples="""\
  %mcp answer demo '{"username": "ada", "newsletter": true}'
  %mcp answer demo defaults --tool register_user
  %mcp answer demo --action decline
  %mcp answer --file answers.json
  %mcp answer demo --clear

An answer is used once, by the first question of that server that has all its fields.""",
    arguments=_arguments,
    run=_run,
    takes_body=True,
)
