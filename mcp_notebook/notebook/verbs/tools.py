"""`%mcp tools`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.types import ToolInfo


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one server (default: all that are connected)")


def _run(request: Request) -> Page:
    registry, name = request.api.registry(), request.options.name
    servers = registry.all() if name is None else [registry.get(name.text)]
    tools = [tool.info for server in servers if server.state == "connected" for tool in server.tools.values()]
    if not servers:
        return Page().note("No server is connected. Try: %mcp connect demo")
    if not tools:
        return Page().note("There are no tools.")
    page = Page(whole="server(NAME).tools in Python")
    page.table(("tool", "arguments", "what it does"), [_row(tool) for tool in tools])
    first = tools[0]
    return page.note(f"More on one of them: %mcp describe {first.server}.{one_line(first.name)}")


def _row(tool: ToolInfo) -> tuple[str, str, str]:
    first_line = tool.description.strip().partition("\n")[0]
    return f"{tool.server}.{tool.name}", ", ".join(argument_names(tool)), one_line(first_line or tool.title or "")


def argument_names(tool: ToolInfo) -> dict[str, Mapping[str, Any]]:
    """A tool's arguments: each name, marked with * where it is required, with its schema."""
    properties, required = tool.input_schema.get("properties"), tool.input_schema.get("required")
    if not isinstance(properties, Mapping):
        return {}
    needed = required if isinstance(required, list) else []
    return {
        f"{name}*" if name in needed else str(name): schema if isinstance(schema, Mapping) else {}
        for name, schema in properties.items()
    }


VERB = Verb(
    name="tools",
    summary="List the tools, with their arguments (* marks the required ones).",
    examples="  %mcp tools\n  %mcp tools demo",
    arguments=_arguments,
    run=_run,
)
