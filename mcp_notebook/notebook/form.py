"""A form for one question: a box of core ipywidgets, three buttons, and the guard that sends the answer.

It is shown by the cell that waits and answered on the page; `asking` decides what becomes of an answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, cast

import ipywidgets

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.notebook.controls import Control, Maker, control_for
from mcp_notebook.notebook.drafts import Draft
from mcp_notebook.notebook.receipt import asked_by, asked_by_html
from mcp_notebook.notebook.rounds import Turn
from mcp_notebook.notebook.waiting import Display
from mcp_notebook.schema.fields import Field
from mcp_notebook.types import Action, Question
from mcp_notebook.widgets.guard import Guard

BUTTONS: tuple[tuple[str, Action, str], ...] = (
    ("Submit", "accept", "primary"),
    ("Decline", "decline", ""),
    ("Cancel", "cancel", ""),
)
PICKED = frozenset({"date", "date-time", "time"})
"""Kinds whose control lets nothing else in: no hint is needed of how to write them."""

MESSAGE_CHARACTERS = 4000
NOTE_CHARACTERS = 600
SCHEMA_CHARACTERS = 4000

VALUE_TRAITS = frozenset({"value", "index"})
"""The traits in which core controls keep what the person chose; js/src/guard.js reads the same."""


@dataclass(frozen=True)
class Reply:
    """What came from the page."""

    action: Action | Literal["silence"]
    entries: Mapping[str, Any]
    """What the controls hold, by field name."""
    id: int = 0
    """The guard's number of this reply; 0 when a button answered by itself."""


class Form:
    """The widgets of one question, displayed as soon as it is made.

    Args:
        question: What the server asks.
        fields: The fields to fill in.
        show: Shows a MIME bundle in the cell.
        loop: The loop on which `reply` is awaited.
        turn: The question's place among the others of its call.
        refusal: Why the question can't be drawn; then only Decline and Cancel remain, and `fields` is empty.
        draft: What to fill in, from a form of the very same question.
    """

    def __init__(
        self,
        question: Question,
        fields: Sequence[Field],
        *,
        show: Callable[[dict[str, str]], Display],
        loop: asyncio.AbstractEventLoop,
        turn: Turn,
        refusal: str | None = None,
        draft: Draft | None = None,
    ) -> None:
        self._loop = loop
        self._fields = fields
        self._replies: asyncio.Queue[Mapping[str, Any]] = asyncio.Queue()
        self._alive = asyncio.Event()
        self.pages = 0
        """How many live pages have shown the form: more than one after a reload or in a second tab."""
        self._make = make = Maker()
        self._controls: dict[str, Control] = {field.name: control_for(field, make, question.server) for field in fields}
        self._fill_in(draft or {})
        self._notes = {field.name: make(ipywidgets.HTML, value=_note(field)) for field in fields}
        parts = [part for control in self._controls.values() for part in control.parts]
        self._guard = Guard(controls=[part.model_id for part in parts], layout=make(ipywidgets.HTML).layout)
        make.widgets.append(self._guard)
        rows: list[ipywidgets.DOMWidget] = [make(ipywidgets.HTML, value=_head(question, turn, refusal, draft))]
        for field in fields:
            label = make(ipywidgets.HTML, value=_label(field))
            rows += [label, self._controls[field.name].widget, self._notes[field.name]]
        buttons = [self._button(*each) for each in BUTTONS if refusal is None or each[1] != "accept"]
        if turn.may_silence:
            buttons.append(self._button(f"Silence {one_line(question.server, 40)}", "silence", ""))
        self._verdict = make(ipywidgets.HTML)
        row = make(ipywidgets.HBox, children=buttons, _dom_classes=("mcp-buttons",))
        children = (*rows, self._verdict, row, self._guard)
        classes = ("mcp-form", "mathjax_ignore", "tex2jax_ignore")
        self.box = make(ipywidgets.VBox, children=children, _dom_classes=classes)
        self._guard.on_msg(self._on_guard)
        for part in parts:
            part.observe(lambda _: self._tell(self._alive.set))
        text = f"{asked_by(question)}. If no form opens here, the question follows as text."
        bundle = {**(self.box._repr_mimebundle_() or {}), "text/plain": text}
        self._display = show(bundle)

    @property
    def comm_ids(self) -> list[str]:
        """The comms on which the page talks to this form."""
        return [cast(str, widget.model_id) for widget in self._make.widgets]

    async def alive(self) -> None:
        """Wait until a live page has shown the form or answered."""
        await self._alive.wait()

    async def reply(self) -> Reply:
        """Wait for the next reply from the page, and take over the values that came with it."""
        message = await self._replies.get()
        values = message.get("values", {})
        for control in self._controls.values():
            control.take(values)
        entries = {name: control.entry() for name, control in self._controls.items()}
        secrets = [field.name for field in self._fields if field.secret]
        entries.update(zip(secrets, message.get("secrets", ()), strict=False))
        return Reply(message["action"], entries, message["id"])

    def refuse(self, reply: Reply, errors: Mapping[str, str]) -> None:
        """Show what is wrong with a reply: beside each field, and under "" for the form as a whole."""
        for field in self._fields:
            error = errors.get(field.name)
            widget = self._controls[field.name].widget
            (widget.remove_class if error is None else widget.add_class)("mcp-invalid")
            self._notes[field.name].value = _note(field) if error is None else _error(error)
        self._verdict.value = _error(errors[""]) if "" in errors else ""
        self._guard.send({"type": "refused", "id": reply.id})

    def draft(self) -> Draft:
        """What the form holds now, to fill in another form of the same question."""
        return {
            name: [
                {trait: state for trait, state in part.get_state().items() if trait in VALUE_TRAITS} for part in parts
            ]
            for name, parts in ((name, control.parts) for name, control in self._controls.items())
        }

    def end(self, receipt: dict[str, str], *, stays: bool = False) -> None:
        """Put a receipt, a MIME bundle, in the form's place.

        Args:
            receipt: What to show.
            stays: Whether the form's box is all that can be changed where it is shown.
        """
        self._guard.send({"type": "done", "id": 0})
        if (
            stays or self.pages > 1
        ):  # a page that was reloaded gets nothing of its cell any more but the changes of widgets
            self.box.children = (ipywidgets.HTML(value=receipt["text/html"]),)
            self.box.remove_class("mcp-form")
            self._make.widgets.remove(self.box)
            self._make.widgets.remove(self.box.layout)
        self._make.close()
        self._display.update(receipt)

    def _fill_in(self, draft: Draft) -> None:
        for name, states in draft.items():
            for part, state in zip(self._controls[name].parts, states, strict=True):
                part.set_state(state)

    def _button(self, title: str, action: Action | Literal["silence"], style: str) -> ipywidgets.Button:
        button = self._make(ipywidgets.Button, description=title, button_style=style)
        button.add_class(f"mcp-{'submit' if action == 'accept' else action}")
        button.on_click(lambda _: self._put({"action": action, "id": 0}))
        return button

    def _on_guard(self, _: Any, content: Mapping[str, Any], __: Any) -> None:
        if content.get("type") == "ready":
            self.pages += 1
            self._tell(self._alive.set)
        elif content.get("type") == "answer":
            self._put(content)

    def _put(self, message: Mapping[str, Any]) -> None:
        self._tell(self._alive.set)
        self._tell(self._replies.put_nowait, message)

    def _tell(self, function: Any, *args: Any) -> None:
        # Messages arrive on the kernel's thread for them, and there nothing more may happen.
        self._loop.call_soon_threadsafe(function, *args)


def _head(question: Question, turn: Turn, refusal: str | None, draft: Draft | None) -> str:
    count = f" · {turn.number} of {turn.total}" if turn.total > 1 else ""
    message = escape(plain(question.message, MESSAGE_CHARACTERS))
    head = f'<div class="mcp-head">{asked_by_html(question)}{count}</div><div class="mcp-message">{message}</div>'
    if refusal:
        shown = escape(plain(json.dumps(question.schema, indent=2, ensure_ascii=False, default=str), SCHEMA_CHARACTERS))
        head += f'<div class="mcp-error">{escape(one_line(refusal, NOTE_CHARACTERS))}</div>'
        head += f'<details class="mcp-fold"><summary>What it asked for</summary><pre>{shown}</pre></details>'
    return head + ('<div class="mcp-hint">Filled in with what you typed before.</div>' if draft else "")


def _label(field: Field) -> str:
    mark = (
        '<span class="mcp-star" title="required">*</span>'
        if field.required
        else '<span class="mcp-optional">optional</span>'
    )
    return f'<div class="mcp-label">{escape(one_line(field.title))} {mark}</div>'


def _note(field: Field) -> str:
    said = field.kind in PICKED or field.hint.lower() in field.description.lower()
    parts = [one_line(text, NOTE_CHARACTERS) for text in (field.description, "" if said else field.hint) if text]
    warning = (
        '<div class="mcp-warning">⚠ A server should never ask for a secret in a form: the specification forbids it. '
        "Send it only if you trust this server.</div>"
        if field.secret
        else ""
    )
    return warning + (f'<div class="mcp-hint">{escape(" · ".join(parts))}</div>' if parts else "")


def _error(error: str) -> str:
    return f'<div class="mcp-error">⚠ {escape(one_line(error, NOTE_CHARACTERS))}</div>'
