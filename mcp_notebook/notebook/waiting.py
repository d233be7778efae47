"""How a cell waits for a click: its context, its thread, and how to block or await there so that Stop works."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import queue
import signal
import sys
import threading
import uuid
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol, TypeVar

from mcp_notebook.notebook.router import Router, is_attended, is_captured

T = TypeVar("T")


class Display:
    """Something that is shown in a cell.

    Args:
        publish: Sends a MIME bundle to the page under a display id.
        bundle: What to show.
    """

    def __init__(self, publish: Callable[..., None], bundle: dict[str, str]) -> None:
        self._publish = publish
        self._id = uuid.uuid4().hex
        publish(bundle, self._id, update=False)

    def update(self, bundle: dict[str, str]) -> None:
        """Show something else in its place."""
        self._publish(bundle, self._id, update=True)


class HasComms(Protocol):
    """Something shown with widgets."""

    @property
    def comm_ids(self) -> list[str]:
        """The comms on which the page talks to it."""
        ...


Shown = TypeVar("Shown", bound=HasComms)
Submit = Callable[[Coroutine[Any, Any, T]], "concurrent.futures.Future[T]"]

TICK_SECONDS = 0.2
"""How often a wait looks up: SIGINT does not wake an event loop that is idle."""

PUMP_SECONDS = 0.02
"""How often a blocked main thread of ipykernel 6 reads the shell stream: nobody else does."""

CANCEL_SECONDS = 2.0
"""How long Stop waits for the server to be told and the form to say so."""


class Cell:
    """The code that waits: usually a running cell, but any thread of a kernel, a terminal or a script will do.

    Make one in the thread and context of the code that is about to wait.

    Args:
        submit: Starts a coroutine on the background loop.
        router: The kernel's router, or None where there is no kernel.
    """

    def __init__(self, submit: Submit[Any], router: Router | None) -> None:
        self._submit = submit
        self._router = router
        self._context = contextvars.copy_context()
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._wake: Callable[[], None] = lambda: None
        self._stopped = False
        self._on_main_thread = threading.current_thread() is threading.main_thread()
        self.loop: asyncio.AbstractEventLoop | None = None
        """The loop of code that awaits its call, once it does; None for code that blocks."""
        self.parent: dict[str, Any] = router.request() if router is not None else {}
        """The request in whose cell this code shows what it has to show; empty outside a kernel."""

    @property
    def attended(self) -> bool:
        """Whether a person can be asked (see `is_attended`). Outside a kernel there is somebody at a terminal."""
        if self._router is None:
            return sys.stdin is not None and sys.stdin.isatty()
        return is_attended(self.parent)

    @property
    def has_widgets(self) -> bool:
        """Whether this kernel can show widgets at all; whether the page does is seen when it answers."""
        return self._router is not None

    @property
    def client(self) -> str:
        """The session id of the client that runs this cell."""
        return self.parent.get("header", {}).get("session", "")

    def run(self, function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Call a function now, in this thread, so that what it displays lands in this cell."""
        return self._context.copy().run(function, *args, **kwargs)

    def show(self, bundle: dict[str, str]) -> Display:
        """Show a MIME bundle in this cell, from any thread."""
        return Display(self._publish, bundle)

    @property
    def is_captured(self) -> bool:
        """Whether an `Output` widget shows this cell's output: then what is shown can't be replaced there."""
        return is_captured(self.parent)

    async def can_be_reached(self) -> bool:
        """Whether a page's messages get through while this code waits."""
        waits_itself = self._on_main_thread and self.loop is None
        return self._router is None or waits_itself or await self._router.reaches_main_thread()

    def _publish(self, bundle: dict[str, str], display_id: str, *, update: bool) -> None:
        if self._router is not None:
            self._router.publish(self.parent, bundle, display_id, update=update)
        else:
            print(bundle["text/plain"])

    @contextmanager
    def showing(self, build: Callable[[], Shown]) -> Iterator[Shown]:
        """Build and display something with widgets, and let the messages of its comms through while the block runs.

        Args:
            build: Makes and displays it, in this cell; the result has `comm_ids`.
        """
        if self._router is None:
            msg = "no ipykernel is running here"
            raise RuntimeError(msg)
        with ExitStack() as stack:
            with self._router.holding():
                shown = self.run(build)
                stack.enter_context(self._router.routing(shown.comm_ids, self))
            yield shown

    async def on_thread(self, function: Callable[..., T], *args: Any) -> T:
        """Call a function on the thread that waits (for `input()`), from the background loop."""
        future: concurrent.futures.Future[T] = concurrent.futures.Future()

        def job() -> None:
            if not future.set_running_or_notify_cancel():  # the question was taken back meanwhile
                return
            restore = signal.signal(signal.SIGINT, signal.default_int_handler) if self._on_main_thread else None
            try:
                future.set_result(self.run(function, *args))
            except KeyboardInterrupt:  # Stop: raised where the cell waits; in the background loop it would end that
                self._stopped = True
                future.set_exception(concurrent.futures.CancelledError())
            except BaseException as error:
                future.set_exception(error)
            finally:
                if restore is not None:
                    signal.signal(signal.SIGINT, restore)

        self._jobs.put(job)
        self._wake()
        return await asyncio.wrap_future(future)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and block this thread until it is done.

        Raises:
            KeyboardInterrupt: Stop was pressed; `work` has been cancelled.
        """
        router = self._router if self._on_main_thread and self._router and self._router.must_pump else None
        tick = TICK_SECONDS if router is None else PUMP_SECONDS
        future: concurrent.futures.Future[T] | None = None
        try:
            future = self._submit(work)
            future.add_done_callback(lambda _: self._jobs.put(None))
            while not future.done():
                self._run_job(tick)
                if self._stopped:
                    raise KeyboardInterrupt
                if router is not None:
                    router.pump()
            return future.result()
        except KeyboardInterrupt:
            if future is not None:
                future.cancel()
                concurrent.futures.wait([future], CANCEL_SECONDS)
            raise

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and await its result; cancelling this cancels `work`."""
        self.loop = loop = asyncio.get_running_loop()
        self._wake = lambda: _ignore(loop.call_soon_threadsafe(self._run_job, 0))
        submitted = self._submit(work)
        future = asyncio.wrap_future(submitted)

        def look() -> None:  # not `asyncio.wait` with a timeout over and over: that costs more than all the rest here
            nonlocal ticking
            ticking = loop.call_later(TICK_SECONDS, look)
            if self._stopped:
                future.cancel()

        ticking = loop.call_later(TICK_SECONDS, look)
        try:
            return await future
        except asyncio.CancelledError:
            await asyncio.to_thread(concurrent.futures.wait, [submitted], CANCEL_SECONDS)
            raise
        finally:
            ticking.cancel()
            future.cancel()

    def _run_job(self, timeout: float) -> None:
        try:
            job = self._jobs.get(timeout=timeout) if timeout else self._jobs.get_nowait()
        except queue.Empty:
            return
        if job is not None:
            job()


def _ignore(_: object) -> None:
    return None
