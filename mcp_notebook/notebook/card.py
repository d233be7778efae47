"""What is shown in a cell for a question of either mode: a box of core ipywidgets with buttons, and its guard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any, Literal, cast

import ipywidgets

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.notebook.controls import Maker
from mcp_notebook.notebook.page import IGNORE_MATH
from mcp_notebook.notebook.receipt import asked_by, asked_by_html
from mcp_notebook.notebook.rounds import Turn
from mcp_notebook.notebook.waiting import Display
from mcp_notebook.types import Action, Question
from mcp_notebook.widgets.guard import Guard

MESSAGE_CHARACTERS = 4000
NOTE_CHARACTERS = 600

Press = Action | Literal["accept-all", "silence"]
"""What a button stands for."""


class Card:
    """The widgets of one question. What kind of card it is makes its rows, and then calls `_show`.

    Args:
        question: What the server asks.
        turn: The question's place among the others of its call.
        loop: The loop on which the replies are awaited.
    """

    def __init__(self, question: Question, turn: Turn, loop: asyncio.AbstractEventLoop) -> None:
        self.pages = 0
        """How many live pages have shown the card: more than one after a reload or in a second tab."""
        self._question = question
        self._turn = turn
        self._loop = loop
        self._make = Maker()
        self._messages: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self._alive = asyncio.Event()

    @property
    def comm_ids(self) -> list[str]:
        """The comms on which the page talks to this card."""
        return [cast(str, widget.model_id) for widget in self._make.widgets]

    async def is_seen(self, seconds: float) -> bool:
        """Wait until a live page has shown the card or answered, and say whether one has in so many seconds."""
        # Not wait_for: up to Python 3.11 it forgets a cancellation that comes with the very thing it waits for.
        seen = asyncio.ensure_future(self._alive.wait())
        try:
            await asyncio.wait({seen}, timeout=seconds)
        finally:
            seen.cancel()
        return self._alive.is_set()

    def end(self, receipt: dict[str, str], *, stays: bool = False) -> None:
        """Put a receipt, a MIME bundle, in the card's place.

        Args:
            receipt: What to show.
            stays: Whether the card's box is all that can be changed where it is shown.
        """
        self._guard.send({"type": "done", "id": 0})
        # A page that was reloaded gets nothing of its cell any more but the changes of widgets.
        if stays or self.pages > 1:
            self.box.children = (ipywidgets.HTML(value=receipt["text/html"]),)
            self.box.remove_class("mcp-form")
            self._make.widgets.remove(self.box)
            self._make.widgets.remove(self.box.layout)
        self._make.close()
        self._display.update(receipt)

    def _show(
        self,
        show: Callable[[dict[str, str]], Display],
        rows: Sequence[ipywidgets.DOMWidget],
        parts: Sequence[ipywidgets.DOMWidget] = (),
        classes: Sequence[str] = (),
    ) -> None:
        """Show the card.

        Args:
            show: Shows a MIME bundle in the cell.
            rows: What it shows, from top to bottom.
            parts: The widgets among these whose state is the answer.
            classes: DOM classes that its kind has.
        """
        make = self._make
        self._guard = Guard(controls=[part.model_id for part in parts], layout=make(ipywidgets.HTML).layout)
        make.widgets.append(self._guard)
        self.box = make(
            ipywidgets.VBox,
            children=(*rows, self._guard),
            _dom_classes=("mcp-form", *classes, *IGNORE_MATH.split()),
        )
        self._guard.on_msg(self._on_guard)
        for part in parts:
            part.observe(lambda _: self._tell(self._alive.set))
        text = f"{asked_by(self._question)}. If no form opens here, the question follows as text."
        self._display = show({**(self.box._repr_mimebundle_() or {}), "text/plain": text})

    def _head(self) -> str:
        """Who asks and for what call, and the server's message, as HTML."""
        turn = self._turn
        count = f" · {turn.number} of {turn.total}" if turn.total > 1 else ""
        message = escape(plain(self._question.message, MESSAGE_CHARACTERS))
        return (
            f'<div class="mcp-head">{asked_by_html(self._question)}{count}</div>'
            f'<div class="mcp-message">{message}</div>'
        )

    def _button_row(self, buttons: Sequence[ipywidgets.Button]) -> ipywidgets.HBox:
        """A row of buttons, with one more that silences the server where that is offered."""
        if self._turn.may_silence:
            buttons = (*buttons, self._button(f"Silence {one_line(self._question.server, 40)}", "silence"))
        return self._make(ipywidgets.HBox, children=tuple(buttons), _dom_classes=("mcp-buttons",))

    def _button(self, title: str, press: Press, style: str = "") -> ipywidgets.Button:
        button = self._make(ipywidgets.Button, description=title, button_style=style)
        button.add_class(f"mcp-{'submit' if press == 'accept' else press}")
        button.on_click(lambda _: self._put({"action": press, "id": 0}))
        return button

    def _on_guard(self, _: Any, content: Mapping[str, Any], __: Any) -> None:
        match content.get("type"):
            case "ready":
                self.pages += 1
                self._tell(self._alive.set)
            case "answer":
                self._put(content)

    def _put(self, message: Mapping[str, Any]) -> None:
        self._tell(self._alive.set)
        self._tell(self._messages.put_nowait, message)

    def _tell(self, function: Any, *args: Any) -> None:
        # Messages arrive on the kernel's thread for them, and there nothing more may happen.
        self._loop.call_soon_threadsafe(function, *args)


def error_html(error: str) -> str:
    """An error on a card."""
    return f'<div class="mcp-error">⚠ {escape(one_line(error, NOTE_CHARACTERS))}</div>'
