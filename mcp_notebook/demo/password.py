"""`set_password`: a secret, which no form may ask for, is entered on a page of the server's own (URL mode).

Up to 2025-11-25 the server asks in a request, waits for the page, and says when it is done. From 2026-07-28 on it gives
the question back as its result, and is called again once the person has been there; the SDK has no common way yet.
"""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver import Context
from mcp.types import ElicitRequest, ElicitRequestURLParams, ElicitResult, InputRequiredResult
from mcp.types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from mcp_notebook.demo.page import PasswordPage

_MESSAGE = "Please choose a password on a page of this server. It goes nowhere else."
_pages: dict[str, PasswordPage] = {}
"""The pages that calls of the modern era left open, by their token."""


async def set_password(
    ctx: Context, user: Annotated[str, Field(description="Whose password it is", max_length=40)] = "ada"
) -> str | InputRequiredResult:
    """Set a password. Asks you to enter it on a page, in your own browser, where this notebook can't see it."""
    if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
        return _ask_or_tell(ctx, user)
    with PasswordPage(user) as page:
        answer = await ctx.elicit_url(_MESSAGE, page.url, page.token)
        if answer.action == "accept":
            await page.ended()
            if page.is_set:
                await ctx.session.send_elicit_complete(page.token, related_request_id=ctx.request_id)
        return _told(page, answer.action)


def _ask_or_tell(ctx: Context, user: str) -> str | InputRequiredResult:
    page = _pages.pop(ctx.request_state or "", None)
    answer = (ctx.input_responses or {}).get("password")
    if isinstance(answer, ElicitResult) and (answer.action != "accept" or (page is not None and page.is_set)):
        if page is not None:
            page.close()
        return _told(page, answer.action)
    if page is None or page.is_closed:
        page = PasswordPage(user)
    _pages[page.token] = page
    request = ElicitRequest(params=ElicitRequestURLParams(message=_MESSAGE, url=page.url))
    return InputRequiredResult(input_requests={"password": request}, request_state=page.token)


def _told(page: PasswordPage | None, action: Literal["accept", "decline", "cancel"]) -> str:
    if page is not None and page.is_set:
        return "The password was set."
    if action == "decline":
        return "No password was set, as you declined."
    return "No password was set: the question was closed."
