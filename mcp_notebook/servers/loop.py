"""The background event loop on which all connections live.

One daemon thread with a loop of its own: magics, cells that await and code in any thread reach the connections the
same way, whatever happens to the kernel's loop.
"""

from __future__ import annotations

import asyncio
import importlib
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")

# Not the SDK itself: its packages import each other in circles, and a cell that imports from it as well, just after
# %load_ext, would meet this thread in the middle of one and get an ImportError.
_SLOW = ("mcp_types", "httpx2", "starlette.applications", "sse_starlette", "uvicorn", "opentelemetry.trace")


class BackgroundLoop:
    """An event loop on a daemon thread, started at first use and again only when the thread is dead (after a fork)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the loop, in the caller's context.

        Args:
            work: What to run.

        Returns:
            Its outcome. Cancelling it cancels `work`.
        """
        return asyncio.run_coroutine_threadsafe(work, self._running())

    def is_here(self) -> bool:
        """Whether the running code is on the loop's thread, where blocking would stop every connection."""
        return threading.current_thread() is self._thread

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._thread is None or not self._thread.is_alive():
                self._loop = _new_loop()
                self._thread = threading.Thread(
                    target=_run, args=(self._loop,), name="mcp-notebook servers", daemon=True
                )
                self._thread.start()
            return self._loop


def _new_loop() -> asyncio.AbstractEventLoop:
    # Not new_event_loop(): a policy set for the kernel may give a loop that cannot start child processes (ipykernel
    # sets the selector policy on Windows).
    if sys.platform == "win32":
        return asyncio.ProactorEventLoop()
    return asyncio.SelectorEventLoop()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    # Not run_forever(): anyio ties its worker threads to the task of run_until_complete, and where there is none to the
    # task that needs one, so that each call would start a thread.
    loop.run_until_complete(_for_ever())


async def _for_ever() -> None:
    await asyncio.get_running_loop().create_future()


async def _import_what_the_sdk_needs() -> None:
    for name in _SLOW:
        with suppress(ImportError):  # a later SDK may do without
            importlib.import_module(name)


_background = BackgroundLoop()

submit = _background.submit
is_here = _background.is_here


def warm() -> None:
    """Start the loop and import half of what the SDK takes to import on it, most of a second in all; return at once."""
    submit(_import_what_the_sdk_needs())
