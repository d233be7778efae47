"""A server for a notebook's own process: each of its tools asks one question and gives back the answer it got."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import Context, MCPServer

ROOT = Path(__file__).parents[1]


def curious(name: str = "curious", **schemas: Mapping[str, Any]) -> MCPServer:
    """Make a server with a tool for each of these requested schemas; a schema's own `title` is the question."""
    server = MCPServer(name)
    for tool, schema in schemas.items():
        server.add_tool(_asking(dict(schema)), name=tool, structured_output=False)
    return server


def _asking(schema: dict[str, Any]) -> Any:
    async def ask(ctx: Context) -> str:
        message = str(schema.get("title", "Please answer."))
        result = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
        return json.dumps({"action": result.action, "content": getattr(result, "content", None)})

    return ask


def setup(**schemas: Mapping[str, Any]) -> str:
    """A cell that connects such a server under the name `curious`."""
    return (
        f"import sys, json\nsys.path.insert(0, {str(ROOT)!r})\nfrom tests.curious import curious\n"
        f"%load_ext mcp_notebook\ntheirs = curious(**json.loads({json.dumps(schemas)!r}))\n"
        "%mcp connect curious theirs --protocol legacy"
    )


def call(tool: str) -> str:
    """A cell that calls one of its tools and prints what it got, after a `>`."""
    return f"result = %mcp call curious.{tool}\nprint('>', result.text)"


def received(text: str) -> dict[str, Any] | None:
    """The content that the server got, from what such a cell shows."""
    answer = json.loads(text.rsplit("> ", 1)[1])
    return answer["content"] if answer["action"] == "accept" else None
