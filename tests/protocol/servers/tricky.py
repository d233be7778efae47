"""A server whose tools do what a demo should not: wait for ever, die, ask in odd ways. Over stdio, or HTTP on a port.

Files tell the tests what happened here, since a call that was cancelled has no result.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import anyio
from mcp.server.mcpserver import AcceptedElicitation, Context, Elicit, ElicitationResult, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import (
    CallToolResult,
    ContentBlock,
    ElicitRequest,
    ElicitRequestFormParams,
    InputRequiredResult,
    TextContent,
)
from pydantic import BaseModel

server = MCPServer("tricky", log_level="CRITICAL")


class Word(BaseModel):
    word: str


def ask_first(ticket: str) -> Elicit[Word]:
    return Elicit(f"first for {ticket}", Word)


def ask_second(ticket: str) -> Elicit[Word]:
    return Elicit(f"second for {ticket}", Word)


Asked = Annotated[ElicitationResult[Word], Resolve(ask_first)]


@server.tool(structured_output=False)
def ask(ticket: str, answer: Asked) -> str:
    return f"{ticket}: {answer.data.word if isinstance(answer, AcceptedElicitation) else answer.action}"


@server.tool(structured_output=False)
def ask_twice(ticket: str, first: Asked, second: Annotated[ElicitationResult[Word], Resolve(ask_second)]) -> str:
    words = [each.data.word if isinstance(each, AcceptedElicitation) else each.action for each in (first, second)]
    return f"{ticket}: {', '.join(words)}"


@server.tool(structured_output=False)
async def wait(note: str) -> str:
    """Wait until cancelled, then leave a note."""
    Path(note).write_text("waiting")
    try:
        await anyio.sleep_forever()
    finally:
        Path(note).write_text("cancelled")
    return "never"


@server.tool(structured_output=False)
def process_id() -> str:
    return str(os.getpid())


@server.tool(structured_output=False)
def die() -> str:
    print("tricky: cannot go on", file=sys.stderr, flush=True)
    os._exit(3)


@server.tool(structured_output=False)
def fail() -> str:
    msg = "the kettle is empty"
    raise ToolError(msg)


@server.tool(structured_output=False)
def ask_for_ever() -> InputRequiredResult:
    params = ElicitRequestFormParams(message="again?", requested_schema={"type": "object", "properties": {}})
    return InputRequiredResult(input_requests={"again": ElicitRequest(params=params)})


@server.tool(structured_output=False)
async def grow(ctx: Context) -> str:
    """Get one more tool, and tell the client."""
    server.add_tool(lambda: "new", name="grown", description="New")
    await ctx.session.send_tool_list_changed()
    return "grown"


@server.tool()
def verbatim() -> CallToolResult:
    content: list[ContentBlock] = [
        TextContent(text="  two\n\tlines \x1b[31m<b>&amp;</b>\u202e"),
        TextContent(text="\U0001f375"),
    ]
    return CallToolResult(content=content, structured_content={"b": [1, 2.5, None, True], "a": {"ü": ""}})


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
