"""A notebook frontend on the raw Jupyter protocol: it runs cells, holds widgets, types and clicks."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import zmq
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.kernel.widgets import REFERENCE, Model, Models

T = TypeVar("T")

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


@dataclass(eq=False)
class Cell:
    """A cell that was run, with what has come of it so far."""

    msg_id: str
    code: str
    outputs: list[dict[str, Any]] = field(default_factory=list)
    """Its outputs as a notebook keeps them, each with `output_type`."""
    reply: dict[str, Any] | None = None
    idle: bool = False
    clear_before_next: bool = False

    @property
    def done(self) -> bool:
        return self.reply is not None and self.idle

    @property
    def status(self) -> str | None:
        """None while it runs, then "ok", "error" or "aborted"."""
        return self.reply["status"] if self.reply else None

    @property
    def error(self) -> str | None:
        """What it raised, as "Name: message"."""
        return f"{self.reply['ename']}: {self.reply['evalue']}" if self.reply and self.status == "error" else None

    @property
    def text(self) -> str:
        """All that it printed and showed, as plain text."""
        return "\n".join(_text(output) for output in self.outputs)

    def shown(self, mime: str) -> list[Any]:
        """The values of one MIME type among its outputs."""
        return [output["data"][mime] for output in self.outputs if mime in output.get("data", {})]


class Frontend:
    """A page that is open on a kernel.

    Args:
        manager: The running kernel's manager.
        widgets: Whether this frontend can show widgets. Without, it behaves as jupyter console does.
        subshell: Send comm messages to a subshell, as JupyterLab 4.4 and later do, and not on the plain shell
            channel, as VS Code and Colab do.
        allow_stdin: Whether a person can be asked. False is how nbclient, papermill and nbval run cells.
    """

    def __init__(
        self, manager: KernelManager, *, widgets: bool = True, subshell: bool = False, allow_stdin: bool = True
    ) -> None:
        self.manager = manager
        self.widgets = widgets
        self.allow_stdin = allow_stdin
        self.cells: dict[str, Cell] = {}
        self.models = Models()
        self.asked: list[str] = []
        """The prompts of `input()` that wait for an answer."""
        self.statuses: defaultdict[str, list[str]] = defaultdict(list)
        """The kernel's states ("busy", "idle") told for each message, by its id."""
        self._replies: dict[str, dict[str, Any]] = {}
        # The manager knows whether the kernel lives; a heartbeat that is late on a busy machine says that it died.
        self._client = BlockingKernelClient(parent=manager)
        self._client.load_connection_info(manager.get_connection_info())
        self._client.start_channels(hb=False)
        self._client.wait_for_ready(timeout=60)
        self._poller = zmq.Poller()
        self._handlers: dict[Any, Callable[[dict[str, Any]], None]] = {
            self._client.iopub_channel.socket: self._on_iopub,
            self._client.shell_channel.socket: self._on_reply,
            self._client.control_channel.socket: self._on_reply,
            self._client.stdin_channel.socket: self._on_stdin,
        }
        for socket in self._handlers:
            self._poller.register(socket, zmq.POLLIN)
        self._subshell_id = self._create_subshell() if subshell else None

    def close(self) -> None:
        """Close the page; the kernel lives on."""
        self._client.stop_channels()
        self._client.context.destroy(linger=0)

    # --- cells ---

    def execute(self, code: str) -> Cell:
        """Run a cell, and go on at once."""
        content = {
            "code": code,
            "silent": False,
            "store_history": True,
            "user_expressions": {},
            "allow_stdin": self.allow_stdin,
            "stop_on_error": True,
        }
        message = self._client.session.msg("execute_request", content)
        cell = self.cells[message["header"]["msg_id"]] = Cell(message["header"]["msg_id"], code)
        self._client.shell_channel.send(message)
        return cell

    def run(self, code: str, *, timeout: float = 20) -> Cell:
        """Run a cell and wait until it is done."""
        return self.finish(self.execute(code), timeout=timeout)

    def finish(self, cell: Cell, *, timeout: float = 20) -> Cell:
        """Wait until a cell is done."""
        self.until(lambda: cell.done, timeout=timeout)
        return cell

    def until(self, condition: Callable[[], T | None], *, timeout: float = 20) -> T:
        """Take in what the kernel sends until a condition holds.

        Args:
            condition: Asked again after each batch of messages.
            timeout: How long to wait, in seconds.

        Returns:
            The condition's value, which is true.

        Raises:
            AssertionError: It did not hold in time; the message tells what each cell has come to.
        """
        deadline = time.monotonic() + timeout
        while not (value := condition()):
            left = deadline - time.monotonic()
            assert left > 0, f"not within {timeout} s. {self._account()}"
            self._take_in(left)
        return value

    def interrupt(self) -> None:
        """Press Stop."""
        self.manager.interrupt_kernel()

    def answer(self, text: str, *, timeout: float = 20) -> str:
        """Answer the next prompt of `input()`.

        Returns:
            The prompt.
        """
        self.until(lambda: self.asked, timeout=timeout)
        prompt = self.asked.pop(0)
        self._client.input(text)
        return prompt

    def complete(self, code: str) -> list[str]:
        """Press Tab at the end of a cell; the cell as it would be with each completion."""
        content = {"code": code, "cursor_pos": len(code)}
        reply = self._request("shell", "complete_request", content)
        return [code[: reply["cursor_start"]] + match for match in reply["matches"]]

    def inspect(self, code: str) -> str:
        """Press Shift-Tab at the end of a cell; what is told there, as plain text."""
        content = {"code": code, "cursor_pos": len(code), "detail_level": 0}
        return self._request("shell", "inspect_request", content)["data"].get("text/plain", "")

    # --- widgets ---

    def find(self, dom_class: str, *, timeout: float = 20) -> Model:
        """Wait for a widget with a DOM class, and return the newest of them."""
        return self.until(lambda: self.models.by_class(dom_class), timeout=timeout)[-1]

    def set(self, model: Model, **state: Any) -> str:
        """Change a control's traits, as a person's typing does. Returns the message's id."""
        model.state.update(state)
        return self._send_comm(model.comm_id, {"method": "update", "state": state, "buffer_paths": []})

    def click(self, button: Model) -> str:
        """Click a Button. Returns the message's id."""
        return self.send(button, {"event": "click"})

    def send(self, model: Model, content: Any) -> str:
        """Send a custom message from a widget's JavaScript. Returns the message's id."""
        return self._send_comm(model.comm_id, {"method": "custom", "content": content})

    def reload(self) -> None:
        """Forget every widget and restore them from the kernel, as a page does that is loaded again."""
        self.models.clear()
        self._request("shell", "comm_info_request", {"target_name": "jupyter.widget"})
        control = f"control-{time.monotonic_ns()}"
        opening = {"comm_id": control, "target_name": "jupyter.widget.control", "data": {}}
        self._send("comm_open", opening, metadata={"version": "1.0.0"})
        self._send_comm(control, {"method": "request_states"})
        self.until(lambda: self.models)

    # --- the wire ---

    def _create_subshell(self) -> str:
        features = self._request("shell", "kernel_info_request", {}).get("supported_features", [])
        assert "kernel subshells" in features, "this kernel has no subshells"
        return self._request("control", "create_subshell_request", {})["subshell_id"]

    def _request(self, channel: str, msg_type: str, content: dict[str, Any]) -> dict[str, Any]:
        message = self._client.session.msg(msg_type, content)
        getattr(self._client, f"{channel}_channel").send(message)
        return self.until(lambda: self._replies.get(message["header"]["msg_id"]))

    def _send(self, msg_type: str, content: dict[str, Any], metadata: dict[str, Any] | None = None) -> str:
        message = self._client.session.msg(msg_type, content, metadata=metadata)
        if self._subshell_id:
            message["header"]["subshell_id"] = self._subshell_id
        self._client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def _send_comm(self, comm_id: str, data: dict[str, Any]) -> str:
        return self._send("comm_msg", {"comm_id": comm_id, "data": data})

    def _take_in(self, seconds: float) -> None:
        for socket, _ in self._poller.poll(round(seconds * 1000)):
            _, message = self._client.session.recv(socket)
            if message:
                self._handlers[socket](message)

    def _on_reply(self, message: dict[str, Any]) -> None:
        msg_id = message["parent_header"].get("msg_id")
        self._replies[msg_id] = message["content"]
        if cell := self.cells.get(msg_id):
            cell.reply = message["content"]

    def _on_stdin(self, message: dict[str, Any]) -> None:
        self.asked.append(message["content"]["prompt"])

    def _on_iopub(self, message: dict[str, Any]) -> None:
        msg_type, content = message["msg_type"], message["content"]
        msg_id = message["parent_header"].get("msg_id", "")
        cell = self.cells.get(msg_id)
        if msg_type == "status":
            self.statuses[msg_id].append(content["execution_state"])
            if cell and content["execution_state"] == "idle":
                cell.idle = True
        elif msg_type.startswith("comm_"):
            self._on_comm(message)
        elif msg_type == "update_display_data":
            self._update(content)
        elif cell and msg_type == "clear_output":
            cell.clear_before_next = True
            if not content["wait"]:
                cell.outputs.clear()
        elif cell and msg_type in ("display_data", "execute_result", "stream", "error"):
            self._show(cell, {"output_type": msg_type, **content})

    def _show(self, cell: Cell, output: dict[str, Any]) -> None:
        if cell.clear_before_next:
            cell.outputs.clear()
            cell.clear_before_next = False
        last = cell.outputs[-1] if cell.outputs else {}
        if output["output_type"] == "stream" and last.get("name") == output["name"]:
            last["text"] += output["text"]
            return
        cell.outputs.append(output)
        self._open_view(output)

    def _update(self, content: dict[str, Any]) -> None:
        """Change every output with the display id, in whichever cell it stands."""
        for cell in self.cells.values():
            for output in cell.outputs:
                if output.get("transient", {}).get("display_id") == content["transient"]["display_id"]:
                    output.update(data=content["data"], metadata=content["metadata"])
                    self._open_view(output)

    def _open_view(self, output: dict[str, Any]) -> None:
        """Show a widget: the JavaScript of each anywidget in it tells the kernel that it is there."""
        view = output.get("data", {}).get(WIDGET_VIEW)
        if not (self.widgets and view and (root := self.models.get(view["model_id"].removeprefix(REFERENCE)))):
            return
        for model in self.models.tree(root):
            if model.is_anywidget:
                self.send(model, {"type": "ready"})

    def _on_comm(self, message: dict[str, Any]) -> None:
        data = message["content"].get("data", {})
        if data.get("method") == "update_states":
            self.models.restore(data, message["buffers"])
        else:
            self.models.receive(message)

    def _account(self) -> str:
        cells = "\n".join(
            f"--- {cell.code!r}: {cell.status or 'still running'}\n{cell.text or '(no output)'}"
            for cell in self.cells.values()
        )
        return f"The cells so far:\n{cells}\nprompts: {self.asked}"


def _text(output: dict[str, Any]) -> str:
    if output["output_type"] == "stream":
        return output["text"]
    if output["output_type"] == "error":
        return f"{output['ename']}: {output['evalue']}"
    return output["data"].get("text/plain", "")
