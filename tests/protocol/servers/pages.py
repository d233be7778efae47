"""A server that sends people to pages: by a request it waits on, by error -32042, and with notices when it is done.

Over stdio, or HTTP on a port. No page exists: the test says what the person did.
"""

from __future__ import annotations

import sys
from typing import Any

import anyio
from mcp import MCPError, UrlElicitationRequiredError
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import URL_ELICITATION_REQUIRED, ElicitRequest, ElicitRequestURLParams, InputRequiredResult

server = MCPServer("pages", log_level="CRITICAL")
calls: list[str] = []
URL = "https://example.com/sign-in?state="


def page(number: int) -> ElicitRequestURLParams:
    return ElicitRequestURLParams(message=f"page {number}", url=f"{URL}{number}", elicitation_id=f"id-{number}")


@server.tool(structured_output=False)
async def wait_for(ctx: Context, notice: str) -> str:
    """Ask for a page, wait for the person to have been there, and send a notice that names an id."""
    answer = await ctx.elicit_url("page 1", f"{URL}1", "id-1")
    if answer.action == "accept":
        await ctx.session.send_elicit_complete(notice, related_request_id=ctx.request_id)
        await anyio.sleep(0.2)  # the notice and the result can overtake each other
    return answer.action


@server.tool(structured_output=False)
async def wait_for_ever(ctx: Context) -> str:
    await ctx.elicit_url("page 1", f"{URL}1", "id-1")
    await anyio.sleep_forever()
    return "never"


@server.tool(structured_output=False)
def need(ticket: str, pages: int, times: int = 1) -> str:
    """Refuse a call so many times until the person has been to so many pages."""
    calls.append(ticket)
    if calls.count(ticket) > times:
        return f"{ticket}: let in"
    raise UrlElicitationRequiredError([page(number) for number in range(1, pages + 1)])


@server.tool(structured_output=False)
async def notice(ctx: Context, number: int) -> str:
    """Say that a page is done with; and another, which nobody knows."""
    for each in (number + 100, number):
        await ctx.session.send_elicit_complete(f"id-{each}", related_request_id=ctx.request_id)
    return "said"


@server.tool(structured_output=False)
def need_badly(data: Any) -> str:
    raise MCPError(code=URL_ELICITATION_REQUIRED, message="go somewhere", data=data)


@server.tool(structured_output=False)
def ask_again(ctx: Context, times: int) -> str | InputRequiredResult:
    """Ask for the same page again until the person has said so many times that they were there."""
    (answer,) = (ctx.input_responses or {"page": None}).values()
    action = getattr(answer, "action", "accept")
    asked = int(ctx.request_state or "0")
    if action != "accept" or asked == times:
        return f"{action} after {asked}"
    params = ElicitRequestURLParams(message="page 1", url=f"{URL}1")
    return InputRequiredResult(input_requests={"page": ElicitRequest(params=params)}, request_state=str(asked + 1))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
