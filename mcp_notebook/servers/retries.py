"""Requests that are sent again: tool calls after a transient fault, and what a server sends on to another origin."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Collection
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast

import httpx2

_TRANSIENT = frozenset({429, 502, 503, 504})
_FIRST_DELAY = 0.5
_MAX_DELAY = 60.0
_MAX_REDIRECTS = 5


class RetryingClient(httpx2.AsyncClient):
    """An HTTP client that sends tool calls again. What the server answers as such, an error too, is never repeated.

    Args:
        max_retries: How many times a call may be sent again.
        may_repeat: Whether a tool of that name may be called again, though it may have run.
        own_headers: Headers that must not go to another origin; None where no request goes there at all.
        options: Those of `httpx2.AsyncClient`.
    """

    def __init__(
        self,
        max_retries: int,
        may_repeat: Callable[[str], bool],
        own_headers: Collection[str] | None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._own_headers = own_headers
        self._max_retries = max_retries
        self._may_repeat = may_repeat

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Send a request, and again while it is a tool call that meets a transient fault.

        Raises:
            httpx2.TransportError: The last attempt met one.
        """
        tool = _tool(request) if self._max_retries else None
        retries = self._max_retries if tool is not None and self._may_repeat(tool) else 0
        for attempt in range(retries):
            try:
                response = await self._sent(request, options)
            except httpx2.TransportError:
                await asyncio.sleep(_backoff(attempt))
                continue
            if response.status_code not in _TRANSIENT:
                return response
            after = _seconds(response.headers.get("retry-after", ""))
            if after is not None and after > _MAX_DELAY:
                return response
            await response.aclose()
            await asyncio.sleep(_backoff(attempt) if after is None else after)
        return await self._sent(request, options)

    async def _sent(self, request: httpx2.Request, options: dict[str, Any]) -> httpx2.Response:
        """Send a request once, and go where it is sent on, if that was allowed; the SDK does so within an origin."""
        response = await super().send(request, **options)
        for _ in range(_MAX_REDIRECTS if self._own_headers is not None else 0):
            onward = response.next_request
            if onward is None or onward.method != request.method or _origin(onward.url) == _origin(request.url):
                break
            for name in self._own_headers or ():
                onward.headers.pop(name, None)
            await response.aclose()
            unsigned: dict[str, Any] = {**options, "auth": None}
            response = await super().send(onward, **unsigned)
        return response


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


def _tool(request: httpx2.Request) -> str | None:
    """The tool that a request calls, if it does."""
    if request.method != "POST" or not request.headers.get("content-type", "").startswith("application/json"):
        return None
    message: Any = json.loads(request.content)
    if not isinstance(message, dict):
        return None
    members = cast("dict[str, Any]", message)
    return members["params"]["name"] if members.get("method") == "tools/call" else None


def _backoff(attempt: int) -> float:
    return min(_FIRST_DELAY * 2**attempt, _MAX_DELAY) * random.uniform(0.5, 1.0)


def _seconds(retry_after: str) -> float | None:
    """How long a server asks to wait (RFC 9110, section 10.2.3), if it does so in a way that can be read."""
    if retry_after.isdecimal():
        return float(retry_after)
    try:
        when = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (when.replace(tzinfo=when.tzinfo or timezone.utc) - datetime.now(timezone.utc)).total_seconds())
