"""Calls made in the workers of an executor, each with a connection of its own."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.servers import loop
from mcp_notebook.servers.doing import Outcome
from mcp_notebook.servers.nobody import Nobody
from mcp_notebook.servers.server import Server
from mcp_notebook.types import ServerSpec

IDLE_SECONDS = 30.0
"""How long a worker keeps a connection that nobody uses: nothing tells a worker that it is not needed any more."""

_here = threading.local()


def _nobody() -> Nobody:
    return Nobody("there is nobody to ask in a worker of an executor: map without executor=")


class _Kept:
    """A worker thread's connection to a server."""

    def __init__(self, spec: ServerSpec) -> None:
        self.server = Server(spec, _nobody)
        self.spec = spec
        self.calls = 0
        self.used = time.monotonic()
        loop.submit(self._close_when_idle())

    async def _close_when_idle(self) -> None:
        while self.calls or time.monotonic() < self.used + IDLE_SECONDS:
            await asyncio.sleep(IDLE_SECONDS / 10)
        await self.server.aclose()


def call(spec: ServerSpec, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
    """Call a tool over this thread's own connection, which is opened if need be: what an executor runs.

    Args:
        spec: How to reach the server.
        tool: The tool's name.
        arguments: What it takes.

    Raises:
        UsageError, ToolError, ServerError, NoAnswerError: As `Server.call` does.
    """
    kept: _Kept | None = getattr(_here, "kept", None)
    if kept is not None:
        kept.used = time.monotonic()
    if kept is None or kept.spec != spec or kept.server.state == "closed":
        kept = _here.kept = _Kept(spec)
    kept.calls += 1
    try:
        return kept.server.call_with(tool, arguments)
    finally:
        kept.used = time.monotonic()
        kept.calls -= 1


async def call_in(executor: Executor, spec: ServerSpec, tool: str, arguments: Mapping[str, Any]) -> Outcome[ToolResult]:
    """Have a tool called by a worker; cancelling this keeps it from being called, where that has not begun.

    Raises:
        UsageError, ToolError, ServerError: As `Server.call` does.
    """
    future = await asyncio.to_thread(executor.submit, call, spec, tool, dict(arguments))
    try:
        return await asyncio.wrap_future(future), None
    except asyncio.CancelledError:
        future.cancel()
        raise
    except Exception as error:
        return None, error


def require_portable(executor: Executor, spec: ServerSpec) -> None:
    """See to it that a server can be reached from an executor's workers.

    Raises:
        UsageError: It cannot.
    """
    if isinstance(executor, ThreadPoolExecutor):
        return
    try:
        pickle.dumps(spec)
    except Exception as error:
        msg = (
            f"{spec.name} can't be reached from workers in other processes ({type(error).__name__}: {error}): "
            "connect it by a command or a URL, or take a ThreadPoolExecutor"
        )
        raise UsageError(msg) from None
