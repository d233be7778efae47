"""A way past the queue of the kernel: the one module that touches the inside of ipykernel.

A kernel runs one request at a time, so the messages of a form shown by a running cell queue up behind that very cell.
`Router` takes them off the shell stream before the kernel queues them, and leaves every other message its place.

Private names used, each present in ipykernel 6.29 to 7.4: `ZMQStream._recv_callback` and `._run_callback`,
`Kernel._topic`, `Kernel.shell_channel_thread` (7 and later); and ipywidgets 8's `_instances`.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from IPython.core.getipython import get_ipython

if TYPE_CHECKING:
    from mcp_notebook.notebook.waiting import Cell

CONTROL_TARGET = "jupyter.widget.control"
"""The comm target by which a page that reloads asks for the state of all widgets (ipywidgets' protocol, 2.1)."""

RELOAD_REQUESTS = frozenset({"kernel_info_request", "comm_info_request"})
"""What a page that reloads asks before it can show its widgets again."""

FLUSH_MILLISECONDS = 100
"""How often to look for requests that ipykernel 7.0–7.3 left unread because they came while a reply went out."""

THREAD_SECONDS = 2.0
"""How long the kernel's thread for messages may take to let the router in or out, and its main thread to show life."""


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
        self._last_cell: dict[str, Any] = {}
        self._note_cell()
        kernel.shell.events.register("pre_run_cell", self._note_cell)
        self._on_stream_thread(self._install)

    def close(self) -> None:
        """Give the stream back to the kernel."""
        self._kernel.shell.events.unregister("pre_run_cell", self._note_cell)
        self._on_stream_thread(self._uninstall)

    def request(self) -> dict[str, Any]:
        """The request that the running code belongs to, and in whose cell what it shows can be seen.

        A widget's callback has no cell of its own: what it shows is seen in the `Output` widget that captures it, else
        nowhere, so it is shown in the cell that ran last.
        """
        request = self._kernel.get_parent("shell")
        return request if _is_cell(request) or is_captured(request) else self._last_cell

    def publish(self, request: dict[str, Any], bundle: dict[str, Any], display_id: str, *, update: bool) -> None:
        """Show a MIME bundle in the cell of a request, from any thread, also where the cell's output is captured."""
        kernel = self._kernel
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        kernel.session.send(
            kernel.iopub_socket,
            "update_display_data" if update else "display_data",
            {"data": bundle, "metadata": {}, "transient": {"display_id": display_id}},
            parent=request,
            ident=kernel._topic("display_data"),
        )

    async def reaches_main_thread(self) -> bool:
        """Whether messages get through: in ipykernel 6 the main thread reads them, unless other code blocks it."""
        if not self.must_pump:
            return True
        alive = asyncio.Event()
        here = asyncio.get_running_loop()
        self._stream.io_loop.add_callback(lambda: here.call_soon_threadsafe(alive.set))
        waiting = asyncio.ensure_future(alive.wait())
        try:
            await asyncio.wait({waiting}, timeout=THREAD_SECONDS)
        finally:
            waiting.cancel()
        return alive.is_set()

    @contextmanager
    def routing(self, comm_ids: Iterable[str], cell: Cell) -> Iterator[None]:
        """Route these comms' messages to their widgets while the block runs, in the context of `cell`."""
        ids = tuple(comm_ids)
        self._cells.update(dict.fromkeys(ids, cell))
        try:
            yield
        finally:
            self._ended.update(ids)  # first: see `_handle`
            for comm_id in ids:
                self._cells.pop(comm_id, None)

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
        done.wait(THREAD_SECONDS)

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

    def _note_cell(self, _: object = None) -> None:
        request = self._kernel.get_parent("shell")
        if _is_cell(request):
            self._last_cell = request

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
        # Before it is seen whether it has ended, as it may do so at any moment, and then goes on to be closed.
        comm, cell = self._kernel.comm_manager.comms.get(comm_id), self._cells.get(comm_id)
        if kind == "comm_open" and message["content"].get("target_name") == CONTROL_TARGET:
            self._control_comms.add(comm_id)
        if comm_id in self._ended:
            return True  # a late click or keystroke: the comm is closed, and the kernel would complain in the next cell
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
            if kind == "comm_msg" and comm is not None:  # not by its id: the comm may be closed meanwhile
                cell.run(self._give, comm, message)
            else:
                cell.run(_finish, handler, self._stream, idents, message)
        finally:
            # ipywidgets sends its next update only after `idle`; then the cell itself is still busy.
            self._publish_status("idle", message)
            if cell.parent:
                self._publish_status("busy", cell.parent)
        return True

    def _give(self, comm: Any, message: dict[str, Any]) -> None:
        try:
            comm.handle_msg(message)
        except Exception:
            self._kernel.log.exception("mcp-notebook: a widget of a form could not take a message")

    def _publish_status(self, state: str, parent: dict[str, Any]) -> None:
        kernel = self._kernel
        kernel.session.send(
            kernel.iopub_socket, "status", {"execution_state": state}, parent=parent, ident=kernel._topic("status")
        )


def is_captured(request: dict[str, Any]) -> bool:
    """Whether an `Output` widget shows what belongs to a request."""
    widgets = sys.modules.get("ipywidgets.widgets.widget")
    if widgets is None or not request:
        return False
    message = request["header"]["msg_id"]
    return any(getattr(widget, "msg_id", None) == message for widget in list(widgets._instances.values()))


def _is_cell(request: dict[str, Any]) -> bool:
    return bool(request) and request["header"]["msg_type"] == "execute_request"


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


def is_attended(request: dict[str, Any]) -> bool:
    """Whether a person can be asked who made a request: nbclient, papermill and nbval say no with `allow_stdin`.

    A message of a widget (the user's own button) comes from a live page, so there is somebody.
    """
    content = request.get("content", {})
    return bool(content.get("allow_stdin", "comm_id" in content))


_router: Router | None = None


def running_kernel() -> Any:
    """The ipykernel this code runs in, or None (a terminal, a script, another kind of kernel)."""
    kernel = getattr(get_ipython(), "kernel", None)
    return kernel if getattr(kernel, "shell_stream", None) is not None else None


def install() -> Router | None:
    """The kernel's router, put in place at the first call; None outside an ipykernel."""
    global _router
    if _router is None and (kernel := running_kernel()) is not None:
        _router = Router(kernel)
    return _router


def uninstall() -> None:
    """Give the shell stream back to the kernel, if `install` took it."""
    global _router
    if _router is not None:
        _router.close()
        _router = None
