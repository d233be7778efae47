"""The widget models of a page, as a frontend's widget manager holds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

REFERENCE = "IPY_MODEL_"


@dataclass(eq=False)
class Model:
    """One widget model: its state as the page knows it."""

    comm_id: str
    state: dict[str, Any] = field(default_factory=dict)
    messages: list[Any] = field(default_factory=list)
    """Custom messages that the kernel has sent to it."""
    closed: bool = False

    def __getitem__(self, trait: str) -> Any:
        return self.state[trait]

    @property
    def classes(self) -> list[str]:
        """The DOM classes it is shown with."""
        return self.state.get("_dom_classes", [])

    @property
    def is_anywidget(self) -> bool:
        return self.state.get("_model_module") == "anywidget"

    def receive(self, data: dict[str, Any], buffers: list[Any]) -> None:
        """Take in the data of a comm message (ipywidgets' messaging protocol, version 2)."""
        if data.get("method") == "custom":
            self.messages.append(data["content"])
            return
        state = data.get("state", {})
        for path, buffer in zip(data.get("buffer_paths", []), buffers, strict=True):
            _put(state, path, bytes(buffer))
        self.state.update(state)


class Models(dict[str, Model]):
    """All models of a page, by comm id."""

    def receive(self, message: dict[str, Any]) -> None:
        """Take in a comm message from the kernel's iopub channel."""
        content, comm_id = message["content"], message["content"]["comm_id"]
        if message["msg_type"] == "comm_open" and content["target_name"] == "jupyter.widget":
            self[comm_id] = Model(comm_id)
        if not (model := self.get(comm_id)):
            return
        if message["msg_type"] == "comm_close":
            model.closed = True
        else:
            model.receive(content["data"], message.get("buffers", []))

    def restore(self, data: dict[str, Any], buffers: list[Any]) -> None:
        """Take in the answer to `request_states`, which a page sends when it is loaded."""
        for path, buffer in zip(data["buffer_paths"], buffers, strict=True):
            _put(data["states"], path, bytes(buffer))
        for comm_id, saved in data["states"].items():
            self[comm_id] = Model(comm_id, saved["state"])

    def by_class(self, dom_class: str) -> list[Model]:
        """The open models shown with a DOM class, oldest first."""
        return [model for model in self.values() if dom_class in model.classes and not model.closed]

    def tree(self, root: Model) -> Iterator[Model]:
        """A model and all that are shown in it."""
        seen: set[str] = set()
        waiting = [root.comm_id]
        while waiting:
            comm_id = waiting.pop()
            if comm_id not in seen and (model := self.get(comm_id)):
                seen.add(comm_id)
                yield model
                waiting.extend(_references(model.state))


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, str) and value.startswith(REFERENCE):
        yield value.removeprefix(REFERENCE)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _references(item)


def _put(state: Any, path: list[Any], value: Any) -> None:
    for key in path[:-1]:
        state = state[key]
    state[path[-1]] = value
