"""How a cell waits for a click: the one module that touches the inside of ipykernel.

A kernel runs one request at a time, so the messages of a form shown by a running cell queue up behind that very cell.
`Router` takes them off the shell stream before the kernel queues them, and leaves every other message its place.
`Cell` is the code that waits: its context, its thread, and how to block or await there so that Stop works.

Private names used, each present in ipykernel 6.29 to 7.4: `ZMQStream._recv_callback` and
`._run_callback`, `Kernel._topic`, `Kernel.shell_channel_thread` (7 and later).
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import queue
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol, TypeVar

from IPython.core.getipython import get_ipython

T = TypeVar("T")


class HasComms(Protocol):
    """Something shown with widgets."""

    @property
    def comm_ids(self) -> list[str]:
        """The comms on which the page talks to it."""
        ...


Shown = TypeVar("Shown", bound=HasComms)
Submit = Callable[[Coroutine[Any, Any, T]], "concurrent.futures.Future[T]"]

CONTROL_TARGET = "jupyter.widget.control"
"""The comm target by which a page that reloads asks for the state of all widgets (ipywidgets' protocol, 2.1)."""

RELOAD_REQUESTS = frozenset({"kernel_info_request", "comm_info_request"})
"""What a page that reloads asks before it can show its widgets again."""

TICK_SECONDS = 0.2
"""How often a wait looks up: SIGINT does not wake an event loop that is idle."""

PUMP_SECONDS = 0.02
"""How often a blocked main thread of ipykernel 6 reads the shell stream: nobody else does."""

FLUSH_MILLISECONDS = 100
"""How often to look for requests that ipykernel 7.0–7.3 left unread because they came while a reply went out."""

CANCEL_SECONDS = 2.0
"""How long Stop waits for the server to be told and the form to say so."""


class Router:
    """Handles the messages of open forms as they arrive, past the queue of the kernel.

    Args:
        kernel: The running ipykernel.
    """

    def __init__(self, kernel: Any) -> None:
        self._kernel = kernel
        self._stream = kernel.shell_stream
        self._channel_thread = getattr(kernel, "shell_channel_thread", None)
        self._kernel_callback = self._stream._recv_callback
        self._cells: dict[str, Cell] = {}
        self._control_comms: set[str] = set()
        self._ended: set[str] = set()
        self._holds = 0
        self._held: list[list[Any]] = []
        self._flusher: Any = None
        self._on_stream_thread(self._install)

    def close(self) -> None:
        """Give the stream back to the kernel."""
        self._on_stream_thread(self._uninstall)

    @contextmanager
    def routing(self, comm_ids: Iterable[str], cell: Cell) -> Iterator[None]:
        """Route these comms' messages to their widgets while the block runs, in the context of `cell`."""
        ids = tuple(comm_ids)
        self._cells.update(dict.fromkeys(ids, cell))
        try:
            yield
        finally:
            for comm_id in ids:
                self._cells.pop(comm_id, None)
            self._ended.update(ids)

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Let everything that arrives while the block runs wait: a page may answer a form before that is whole."""
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            self._stream.io_loop.add_callback(self._release)

    @property
    def must_pump(self) -> bool:
        """Whether a blocked main thread has to read the stream itself (ipykernel 6)."""
        return self._channel_thread is None

    def pump(self) -> None:
        """Read what has arrived and send replies: forms' messages are handled now, all others queue in their order."""
        self._release()
        self._stream.flush()

    def _on_stream_thread(self, step: Callable[[], None]) -> None:
        if self._channel_thread is None or threading.current_thread() is self._channel_thread:
            step()
            return
        done = threading.Event()

        def run() -> None:
            step()
            done.set()

        self._channel_thread.io_loop.add_callback(run)
        done.wait(CANCEL_SECONDS)

    def _install(self) -> None:
        self._stream.on_recv(self._receive, copy=False)
        if self._channel_thread is not None and _strands_requests():
            from tornado.ioloop import PeriodicCallback

            self._flusher = PeriodicCallback(self._stream.flush, FLUSH_MILLISECONDS)
            self._flusher.start()

    def _uninstall(self) -> None:
        if self._flusher is not None:
            self._flusher.stop()
        if self._stream._recv_callback == self._receive:
            self._stream.on_recv(self._kernel_callback, copy=False)

    def _release(self) -> None:
        while self._held and not self._holds:
            self._stream._run_callback(self._dispatch, self._held.pop(0))

    def _receive(self, frames: list[Any]) -> Any:
        if self._holds or self._held:
            self._held.append(frames)
            return self._release()
        return self._dispatch(frames)

    def _dispatch(self, frames: list[Any]) -> Any:
        if self._cells or self._ended:
            try:
                if self._handle(frames):
                    return None
            except Exception:
                self._kernel.log.exception("mcp-notebook could not handle a form's message")
        return self._kernel_callback(frames)

    def _handle(self, frames: list[Any]) -> bool:
        """Handle a message if it belongs to an open form or to a page that reloads; say whether it did."""
        session = self._kernel.session
        idents, rest = session.feed_identities(frames, copy=False)
        message = session.deserialize(rest, content=False, copy=False)
        kind = message["header"]["msg_type"]
        if not kind.startswith("comm_") and kind not in RELOAD_REQUESTS:
            return False
        message["content"] = session.unpack(message["content"])
        comm_id = message["content"].get("comm_id")
        if kind == "comm_open" and message["content"].get("target_name") == CONTROL_TARGET:
            self._control_comms.add(comm_id)
        if comm_id in self._ended:
            return True  # a late click or keystroke: the comm is closed, and the kernel would complain in the next cell
        cell = self._cells.get(comm_id)
        if cell is None:
            if kind not in RELOAD_REQUESTS and comm_id not in self._control_comms:
                return False
            cell = next(iter(self._cells.values()), None)
            if cell is None:
                return False
        handler = self._kernel.shell_handlers[kind]
        self._publish_status("busy", message)
        try:
            # In the cell's context: without it ipykernel 7.0 loses the values for want of a parent message.
            cell.run(_finish, handler, self._stream, idents, message)
        finally:
            # ipywidgets sends its next update only after `idle`; then the cell itself is still busy.
            self._publish_status("idle", message)
            if cell.parent:
                self._publish_status("busy", cell.parent)
        return True

    def _publish_status(self, state: str, parent: dict[str, Any]) -> None:
        kernel = self._kernel
        kernel.session.send(
            kernel.iopub_socket, "status", {"execution_state": state}, parent=parent, ident=kernel._topic("status")
        )


def _strands_requests() -> bool:
    from ipykernel._version import version_info

    return version_info < (7, 4)


def _finish(handler: Callable[..., Any], *args: Any) -> None:
    """Call a kernel's handler to its end; the ones used here are coroutines in some versions but never suspend."""
    result = handler(*args)
    if asyncio.iscoroutine(result):
        try:
            result.send(None)
        except StopIteration:
            return
        result.close()
        msg = "a handler of the kernel waited where none did before"
        raise RuntimeError(msg)


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
        kernel = running_kernel()
        self.parent: dict[str, Any] = kernel.get_parent("shell") if kernel is not None else {}
        """The request that the kernel is handling; empty outside a kernel."""

    @property
    def attended(self) -> bool:
        """Whether a person can be asked: nbclient, papermill and nbval say that they can't with `allow_stdin`.

        A message of a widget (the user's own button) comes from a live page, so there is somebody. Outside a kernel
        there is somebody at a terminal.
        """
        if not self.parent:
            return sys.stdin is not None and sys.stdin.isatty()
        if self.parent["header"]["msg_type"] != "execute_request":
            return True
        return bool(self.parent["content"].get("allow_stdin", False))

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
        try:
            while not future.done():
                if self._stopped:
                    raise asyncio.CancelledError
                await asyncio.wait({future}, timeout=TICK_SECONDS)
            return future.result()
        finally:
            if not future.done():
                future.cancel()
                await asyncio.to_thread(concurrent.futures.wait, [submitted], CANCEL_SECONDS)

    def _run_job(self, timeout: float) -> None:
        try:
            job = self._jobs.get(timeout=timeout) if timeout else self._jobs.get_nowait()
        except queue.Empty:
            return
        if job is not None:
            job()


def _ignore(_: object) -> None:
    return None


_router: Router | None = None


def running_kernel() -> Any:
    """The ipykernel this code runs in, or None (a terminal, a script, another kind of kernel)."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel if getattr(kernel, "shell_stream", None) is not None else None


def install() -> Router | None:
    """The kernel's router, put in place at the first call; None outside an ipykernel."""
    global _router
    kernel = running_kernel()
    if _router is None and kernel is not None:
        _router = Router(kernel)
    return _router


def uninstall() -> None:
    """Give the shell stream back to the kernel, if `install` took it."""
    global _router
    if _router is not None:
        _router.close()
        _router = None
