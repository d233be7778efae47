"""`%mcp describe`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb, tool_of
from mcp_notebook.notebook.verbs.tools import argument_names


def _arguments(parser: Parser) -> None:
    parser.add_argument("tool", metavar="NAME.TOOL", help="the server and its tool")


def _run(request: Request) -> Page:
    server, tool = tool_of(request, request.options.tool.text)
    page = Page(whole=f"server({server.name!r}).tools[{tool.name!r}]")
    page.heading(f"{server.name}.{tool.name}" + (f" ({tool.title})" if tool.title else ""))
    if tool.description.strip():
        page.text(tool.description.strip())
    arguments = argument_names(tool)
    if not arguments:
        return page.note("It takes no arguments.")
    rows = [(name, _kind(schema), _default(schema), _words(schema)) for name, schema in arguments.items()]
    page.table(("argument", "type", "default", "meaning"), rows)
    return page.note("* is required") if any(name.endswith("*") for name in arguments) else page


def _kind(schema: Mapping[str, Any]) -> str:
    if isinstance(options := schema.get("enum"), list):
        return " | ".join(json.dumps(option, ensure_ascii=False) for option in options)
    if isinstance(branches := schema.get("anyOf", schema.get("oneOf")), list):
        return " | ".join(_kind(branch) for branch in branches if isinstance(branch, Mapping))
    if "const" in schema:
        return json.dumps(schema["const"], ensure_ascii=False)
    kind = schema.get("type") or str(schema.get("$ref", "any")).rpartition("/")[2]
    if kind == "array" and isinstance(items := schema.get("items"), Mapping):
        return f"array of {_kind(items)}"
    return " | ".join(map(str, kind)) if isinstance(kind, list) else str(kind)


def _default(schema: Mapping[str, Any]) -> str:
    return json.dumps(schema["default"], ensure_ascii=False) if "default" in schema else ""


def _words(schema: Mapping[str, Any]) -> str:
    title, description = schema.get("title"), schema.get("description")
    return str(description or title or "")


VERB = Verb(
    name="describe",
    summary="Show one tool: what it does and what it takes.",
    examples="  %mcp describe demo.book_table",
    arguments=_arguments,
    run=_run,
)
