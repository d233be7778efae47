"""A result that does not say of what kind it is, is complete.

So has it MCP specification 2026-07-28 (basic, "Results"); the SDK (mcp 2.3.0) refuses such a result instead.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any


@asynccontextmanager
async def lenient(transport: Any) -> AsyncGenerator[Any, None]:
    """Open a transport whose results all say of what kind they are.

    Args:
        transport: One as the SDK has them.
    """
    async with transport as (arrived, send):
        yield _Completing(arrived), send


class _Completing:
    """A stream of messages that completes the results among them; all else is the stream's own."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def receive(self) -> Any:
        return _completed(await self._stream.receive())

    def __aiter__(self) -> _Completing:
        return self

    async def __anext__(self) -> Any:
        return _completed(await self._stream.__anext__())

    async def __aenter__(self) -> _Completing:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *ending: Any) -> Any:
        return await self._stream.__aexit__(*ending)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _completed(item: Any) -> Any:
    result = getattr(getattr(item, "message", None), "result", None)
    if isinstance(result, dict):
        result.setdefault("resultType", "complete")  # pyright: ignore[reportUnknownMemberType]
    return item
