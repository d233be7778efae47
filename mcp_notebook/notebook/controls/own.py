"""A control that the user has registered, in a form."""

from __future__ import annotations

from html import escape
from typing import Any

import ipywidgets

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.controls.control import Control, Maker, family
from mcp_notebook.notebook.controls.stock import stock_control
from mcp_notebook.notebook.register import Entry
from mcp_notebook.schema.entries import entry_of
from mcp_notebook.schema.fields import Field

OWN = "mcp-own"
"""The DOM class by which the guard knows that keys belong to the control."""

AS_THEY_ARE = ("boolean", "date", "date-time", "time")
"""Kinds of fields whose entries are values."""


def own_control(field: Field, make: Maker, entry: Entry) -> Control:
    """Make the control that is registered for a field; the form's own, with a note, if that fails."""
    try:
        widget = entry.build(field)
        _require_fresh(widget)
    except Exception as error:  # the user's code: whatever is wrong with it, the question is not lost
        return _with_note(stock_control(field, make), error, make)
    make.adopt(widget)
    widget.add_class(OWN)
    value = entry.value or _value
    parts = tuple(part for part in family(widget) if part.has_trait("value") or part.has_trait("index"))
    return Control(widget, parts, lambda: _entry(field, value(widget)))


def _require_fresh(widget: Any) -> None:
    if not isinstance(widget, ipywidgets.DOMWidget):
        msg = f"it made no widget to show but {type(widget).__name__}"
        raise TypeError(msg)
    if any(part.comm is None for part in family(widget)):
        msg = "it gave a widget that was closed: make a new one each time"
        raise ValueError(msg)


def _with_note(control: Control, error: Exception, make: Maker) -> Control:
    reason = escape(one_line(f"{type(error).__name__}: {error}", 300))
    note = make(
        ipywidgets.HTML,
        value=f'<div class="mcp-warning">⚠ The control registered for this field failed: {reason}</div>',
    )
    control.widget = make(ipywidgets.VBox, children=(control.widget, note))
    return control


def _value(widget: Any) -> Any:
    if not widget.has_trait("value"):
        msg = f"a {type(widget).__name__} has no value of its own: register it with value="
        raise TypeError(msg)
    return widget.value


def _entry(field: Field, value: Any) -> Any:
    """The entry that gives a JSON value, as `content_of` takes it."""
    if value is None or (value == "" and field.kind != "choice"):
        return entry_of(field, None)
    if field.kind in AS_THEY_ARE:
        return value
    if field.kind in ("choice", "choices"):
        try:
            return entry_of(field, value)
        except (StopIteration, TypeError):
            msg = "is not one of the options"
            raise ValueError(msg) from None
    if field.kind == "string" and not isinstance(value, str):
        msg = f"must be text, and its control holds {type(value).__name__}"
        raise ValueError(msg)
    return str(value)
