"""A server of the older era as people have written it: `ctx.elicit`, which the modern era has no channel for."""

from __future__ import annotations

from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

server = MCPServer("old", log_level="CRITICAL")


class Word(BaseModel):
    word: str


@server.tool(structured_output=False)
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("a word?", Word)
    return answer.data.word if answer.action == "accept" else answer.action


@server.tool(structured_output=False)
async def visit(ctx: Context) -> str:
    answer = await ctx.elicit_url("please sign in", "https://example.com/sign-in?state=1", "id-1")
    return answer.action


if __name__ == "__main__":
    server.run()
