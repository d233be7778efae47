"""`%mcp answer`."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

from mcp_notebook.answers.entry import read_entry
from mcp_notebook.answers.script import script
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import Word
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.notebook.verbs.replay import taken


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="the server whose question it answers")
    parser.add_argument("content", metavar="JSON", nargs="?", help='the value of each field, or "defaults"')
    parser.add_argument("--action", choices=("accept", "decline", "cancel"), help="what to do (default: accept)")
    parser.add_argument("--tool", metavar="TOOL", help="only when this tool asks")
    parser.add_argument("--file", metavar="FILE", help="take answers from a file, as %%mcp replay does")
    parser.add_argument("--clear", action="store_true", help="forget the answers (of NAME, or all)")


def _run(request: Request) -> None:
    options = request.options
    name = options.name and options.name.text
    if options.clear:
        script().clear(name)
        print(f"No answers wait for {name}." if name else "No answers wait.")
    if options.file:
        print(taken(script().load(options.file.text), options.file.text))
    content = _content(options.content, request.body)
    if content is not None or options.action is not None:
        _add(name, content, options)
    elif not (options.clear or options.file):
        raise UsageError('%mcp answer: say what to answer, such as %mcp answer demo \'{"name": "Ada"}\'')


def _add(name: str | None, content: Any, options: Namespace) -> None:
    if name is None:
        raise UsageError("%mcp answer: say which server asks, such as %mcp answer demo --action decline")
    entry: dict[str, Any] = {"server": name, "action": str(options.action or "accept")}
    if options.tool:
        entry["tool"] = options.tool.text
    if content is not None:
        entry["content"] = content
    script().add(read_entry(entry, "%mcp answer"))
    count = script().waiting(name)
    print(f"{count} answer{' waits' if count == 1 else 's wait'} for what {name} asks.")


def _content(word: Word | None, body: str | None) -> Any:
    if word is not None and body is not None:
        raise UsageError("%mcp answer: the answer is given twice: on the line and in the cell's body")
    if word is not None and (word.evaluated or word == "defaults"):
        return word.value
    text = body if word is None else word.text
    try:
        return None if text is None else json.loads(text)
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
