"""A form for one question: a card with a control for each field, and three buttons.

It is shown by the cell that waits and answered on the page; `asking` decides what becomes of an answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal

import ipywidgets

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.notebook.card import NOTE_CHARACTERS, Card, Press, error_html
from mcp_notebook.notebook.controls import Control, control_for
from mcp_notebook.notebook.drafts import Draft
from mcp_notebook.notebook.rounds import Turn
from mcp_notebook.notebook.waiting import Display
from mcp_notebook.schema.fields import Field
from mcp_notebook.types import Action, Question

BUTTONS: tuple[tuple[str, Press, str], ...] = (
    ("Submit", "accept", "primary"),
    ("Decline", "decline", ""),
    ("Cancel", "cancel", ""),
)
APPROVAL_BUTTONS: tuple[tuple[str, Press, str], ...] = (
    ("Run", "accept", "primary"),
    ("Run all like this", "accept-all", ""),
    ("Skip", "decline", ""),
    ("Stop", "cancel", ""),
)
"""Those of a call that a model wants to make."""
PICKED = frozenset({"date", "date-time", "time"})
"""Kinds whose control lets nothing else in: no hint is needed of how to write them."""

SCHEMA_CHARACTERS = 4000

_VERBS = frozenset({"is", "must", "has", "does", "could", "needs"})

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
    for_rest: bool = False
    """Whether it is to be given to the same question of all further calls of a `map`."""


class Form(Card):
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
        super().__init__(question, turn, loop)
        self._fields = fields
        make = self._make
        self._controls: dict[str, Control] = {field.name: control_for(field, make, question.server) for field in fields}
        self._fill_in(draft or {})
        self._notes = {
            field.name: make(ipywidgets.HTML, value=self._note(field), _dom_classes=("mcp-note",)) for field in fields
        }
        parts = [part for control in self._controls.values() for part in control.parts]
        head = self._head() + _details(question, refusal, draft)
        rows: list[ipywidgets.DOMWidget] = [make(ipywidgets.HTML, value=head)]
        for field in fields:
            label = make(ipywidgets.HTML, value=_label(field, marked=not question.approval))
            rows += [label, self._controls[field.name].widget, self._notes[field.name]]
        self._rest = self._for_rest()
        rows += [self._rest] if self._rest is not None else []
        titles = APPROVAL_BUTTONS if question.approval else BUTTONS
        buttons = [self._button(*each) for each in titles if refusal is None or each[1] not in ("accept", "accept-all")]
        self._verdict = make(ipywidgets.HTML)
        self._show(show, [*rows, self._verdict, self._button_row(buttons)], parts)

    async def reply(self) -> Reply:
        """Wait for the next reply from the page, and take over the values that came with it."""
        message = await self._messages.get()
        values = message.get("values", {})
        for control in self._controls.values():
            control.take(values)
        entries = {name: control.entry() for name, control in self._controls.items()}
        secrets = [field.name for field in self._fields if field.secret]
        entries.update(zip(secrets, message.get("secrets", ()), strict=False))
        for_rest = self._rest is not None and bool(message.get("forRest", self._rest.value))
        if message["action"] == "accept-all":
            return Reply("accept", entries, message["id"], for_rest=True)
        return Reply(message["action"], entries, message["id"], for_rest)

    def refuse(self, reply: Reply, errors: Mapping[str, str]) -> None:
        """Show what is wrong with a reply: beside each field, and under "" for the form as a whole."""
        for field in self._fields:
            error = errors.get(field.name)
            widget = self._controls[field.name].widget
            (widget.remove_class if error is None else widget.add_class)("mcp-invalid")
            self._notes[field.name].value = self._note(field) if error is None else error_html(_sentence(error))
        self._verdict.value = error_html(errors[""]) if "" in errors else ""
        self._guard.send({"type": "refused", "id": reply.id})

    def draft(self) -> Draft:
        """What the form holds now, to fill in another form of the same question."""
        return {
            name: [
                {trait: state for trait, state in part.get_state().items() if trait in VALUE_TRAITS} for part in parts
            ]
            for name, parts in ((name, control.parts) for name, control in self._controls.items())
        }

    def _for_rest(self) -> ipywidgets.Checkbox | None:
        """The choice to give the same answer to all further calls of a `map`, while there are any."""
        if not self._question.rest:
            return None
        told = f"Same answer for the rest ({self._question.rest:,} more calls)"
        return self._make(ipywidgets.Checkbox, description=told, indent=False, _dom_classes=("mcp-rest",))

    def _note(self, field: Field) -> str:
        return _note(field, warns=not self._question.own)

    def _fill_in(self, draft: Draft) -> None:
        for name, states in draft.items():
            for part, state in zip(self._controls[name].parts, states, strict=True):
                part.set_state(state)


def _sentence(complaint: str) -> str:
    """Make a sentence of what is said of a field, such as "is required", where no name stands before it."""
    verb = complaint.partition(" ")[0]
    return f"This {complaint}" if verb in _VERBS else complaint[:1].upper() + complaint[1:]


def _details(question: Question, refusal: str | None, draft: Draft | None) -> str:
    details = ""
    if refusal:
        shown = escape(plain(json.dumps(question.schema, indent=2, ensure_ascii=False, default=str), SCHEMA_CHARACTERS))
        details += f'<div class="mcp-error">{escape(one_line(refusal, NOTE_CHARACTERS))}</div>'
        details += f'<details class="mcp-fold"><summary>What it asked for</summary><pre>{shown}</pre></details>'
    return details + ('<div class="mcp-hint">Filled in with what you typed before.</div>' if draft else "")


def _label(field: Field, *, marked: bool) -> str:
    mark = (
        '<span class="mcp-star" title="required">*</span>'
        if field.required
        else '<span class="mcp-optional">optional</span>'
    )
    return f'<div class="mcp-label">{escape(one_line(field.title))} {mark if marked else ""}</div>'


def _note(field: Field, *, warns: bool) -> str:
    said = field.kind in PICKED or field.hint.lower() in field.description.lower()
    parts = [one_line(text, NOTE_CHARACTERS) for text in (field.description, "" if said else field.hint) if text]
    warning = (
        '<div class="mcp-warning">⚠ A server should never ask for a secret in a form: the specification forbids it. '
        "Send it only if you trust this server.</div>"
        if field.secret and warns
        else ""
    )
    shown = [escape(" · ".join(parts))] if parts else []
    if field.kind == "choices":  # the guard counts, as one clicks
        shown.append('<span class="mcp-count" aria-live="polite"></span>')
    return warning + (f'<div class="mcp-hint">{" · ".join(shown)}</div>' if shown else "")
