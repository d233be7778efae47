"""Streamable HTTP and SSE: the HTTP client under the SDK's transports."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp_notebook.servers.auth.provider import Ask, SignIn
from mcp_notebook.servers.elicitation import Refusal, current
from mcp_notebook.types import ServerSpec

if TYPE_CHECKING:
    import httpx2

_CONNECT_SECONDS = 30.0
_MAX_EVENT_BYTES = 256 * 1024 * 1024  # the SDK's default of 1 MiB fails on ordinary images


class HttpNotes:
    """What HTTP said last that the SDK's errors leave out.

    Args:
        on_refused: Called when a message was refused, where the SDK lets the request wait for ever (SSE).
    """

    def __init__(self, on_refused: Callable[[], None] | None = None) -> None:
        self._on_refused = on_refused
        self.status: int | None = None
        """The last status of 400 or more."""
        self.sign_in = ""
        """Why the last sign-in did not work."""
        self.content_type = ""
        """The type of the last answer that was not an error, and had one."""

    def sign_in_failed(self, reason: str) -> None:
        """Take note of why a sign-in did not work. It runs in the context of the call that the request is for."""
        self.sign_in = reason
        if (call := current()) is not None:
            call.sign_in = reason

    async def note(self, response: httpx2.Response) -> None:
        """Response hook for the HTTP client. It runs in the context of the call that the request is for."""
        if response.status_code >= 400:
            self.status = response.status_code
            if (call := current()) is not None:
                call.refused = Refusal(response.status_code, response.headers.get("retry-after"))
            if self._on_refused is not None and response.request.method == "POST":
                self._on_refused()
        else:
            kind = response.headers.get("content-type", "").partition(";")[0].strip()
            self.content_type = kind or self.content_type


@asynccontextmanager
async def http(
    spec: ServerSpec, notes: HttpNotes, may_repeat: Callable[[str], bool], ask: Ask
) -> AsyncGenerator[Any, None]:
    """Open a server by its URL, as one of the SDK's transports.

    Args:
        spec: How to reach it.
        notes: Takes what the answers said.
        may_repeat: Whether a tool of that name may be called again, though it may have run.
        ask: Puts a question to the person, when the server wants a sign-in.
    """
    import httpx2
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client

    from mcp_notebook.servers.retries import RetryingClient

    url = spec.url or ""
    sign_in = SignIn(spec, ask, notes.sign_in_failed)
    client = RetryingClient(
        spec.max_retries,
        may_repeat,
        {*spec.headers, "authorization"} if spec.allow_redirects else None,
        headers=dict(spec.headers),
        timeout=httpx2.Timeout(_CONNECT_SECONDS, read=None),  # no clock runs while a person fills in a form
        event_hooks={"response": [notes.note]},
        auth=sign_in.provider(),
    )
    try:
        if spec.transport == "sse":
            async with sse_client(
                url, httpx_client_factory=lambda headers=None, timeout=None, auth=None: client
            ) as streams:
                yield streams
        else:
            opened = streamable_http_client(url, http_client=client, max_sse_event_size=_MAX_EVENT_BYTES)
            async with client, opened as streams:
                yield streams
    finally:
        sign_in.close()
