"""One control for each field of a form: core ipywidgets, chosen by the field's kind.

A few options are all visible at once, many are a list; an optional choice can be left unanswered; numbers are typed
freely, for a control with bounds would change what the person typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

import ipywidgets

from mcp_notebook.answers.plain import one_line
from mcp_notebook.schema.entries import entry_of
from mcp_notebook.schema.fields import Field

T = TypeVar("T")
W = TypeVar("W", bound=ipywidgets.DOMWidget)

FEW_OPTIONS = 6
"""Up to so many options are radio buttons; more are a dropdown."""

FEW_BOXES = 12
"""Up to so many options of a multi-select are check boxes; more are a list."""

NO_ANSWER = "No answer"
CHOOSE = "Choose…"
TITLE_CHARACTERS = 200


@dataclass(frozen=True)
class Control:
    """A field's control on the page."""

    widget: ipywidgets.DOMWidget
    """What is shown; carries the DOM classes `mcp-field` and `mcp-field-NAME`."""
    parts: tuple[ipywidgets.DOMWidget, ...]
    """The widgets whose state is the answer: the guard reads them on the page."""
    entry: Callable[[], Any]
    """What the control holds now, as `schema.entries` takes it."""


class Maker:
    """Makes the widgets of one form. They share their layout and styles, which saves half of the messages."""

    def __init__(self) -> None:
        self.widgets: list[ipywidgets.Widget] = []
        """Everything made so far."""
        self._layout = ipywidgets.Layout()
        self._styles: dict[type, ipywidgets.Widget] = {}
        self.widgets.append(self._layout)

    def __call__(self, kind: type[W], **traits: Any) -> W:
        """Make a widget of a kind with these traits."""
        shared = {"style": self._styles[kind]} if kind in self._styles else {}
        widget = kind(layout=self._layout, **shared, **traits)
        style = getattr(widget, "style", None)
        if style is not None and kind not in self._styles:
            self._styles[kind] = style
            self.widgets.append(style)
        self.widgets.append(widget)
        return widget

    def close(self) -> None:
        """Close every widget made here, and with it its comm."""
        for widget in reversed(self.widgets):
            widget.close()


def control_for(field: Field, make: Maker) -> Control:
    """Make the control of a field, filled in with the field's default."""
    control = _secret(make) if field.secret else _BUILDERS.get(field.kind, _text)(field, make)
    for name in ("mcp-field", f"mcp-field-{class_name(field.name)}", *(("mcp-required",) if field.required else ())):
        control.widget.add_class(name)
    return control


def class_name(name: str) -> str:
    """A field's name as part of a DOM class: every character that can't be in one becomes `_`, after which its code."""
    return re.sub(r"[^A-Za-z0-9_-]", lambda match: f"_{ord(match[0]):x}", name)


def _text(field: Field, make: Maker) -> Control:
    kind = ipywidgets.Textarea if field.multiline else ipywidgets.Text
    more = {"rows": 3} if field.multiline else {}
    widget = make(kind, value=_initial(field), **more)
    return Control(widget, (widget,), lambda: widget.value)


def _secret(make: Maker) -> Control:
    # An empty place, in which the guard puts an input with no model: what is typed there is in no widget's state, and
    # comes with the answer.
    return Control(make(ipywidgets.Box, _dom_classes=("mcp-secret",)), (), lambda: "")


def _date(field: Field, make: Maker) -> Control:
    widget = make(ipywidgets.DatePicker, value=_moment(date.fromisoformat, field))
    return Control(widget, (widget,), lambda: widget.value)


def _date_time(field: Field, make: Maker) -> Control:
    widget = make(ipywidgets.DatetimePicker, value=_moment(datetime.fromisoformat, field))
    return Control(widget, (widget,), lambda: widget.value)


def _moment(parse: Callable[[str], T], field: Field) -> T | None:
    try:
        return parse(_initial(field).replace("Z", "+00:00")) if field.has_default else None
    except ValueError:  # a default that is no date: the person chooses one
        return None


def _initial(field: Field) -> Any:
    return entry_of(field, field.default if field.has_default else None)


def _boolean(field: Field, make: Maker) -> Control:
    states = [True, False] if field.required else [True, False, None]
    titles = ["Yes", "No", NO_ANSWER][: len(states)]
    entry = _initial(field)
    index = states.index(entry) if entry in states else None
    widget = make(ipywidgets.RadioButtons, options=_numbered(titles), index=index)
    return Control(widget, (widget,), lambda: None if widget.index is None else states[widget.index])


def _choice(field: Field, make: Maker) -> Control:
    titles = [one_line(option.title, TITLE_CHARACTERS) for option in field.options]
    entry = _initial(field)
    if len(titles) <= FEW_OPTIONS:
        if not field.required:
            titles.append(NO_ANSWER)
            entry = len(titles) - 1 if entry is None else entry
        radio = make(ipywidgets.RadioButtons, options=_numbered(titles), index=entry)
        return Control(radio, (radio,), lambda: radio.index if _within(radio.index, field) else None)
    titles.insert(0, CHOOSE if field.required else NO_ANSWER)
    dropdown = make(ipywidgets.Dropdown, options=_numbered(titles), index=0 if entry is None else entry + 1)
    return Control(dropdown, (dropdown,), lambda: dropdown.index - 1 if dropdown.index else None)


def _choices(field: Field, make: Maker) -> Control:
    titles = [one_line(option.title, TITLE_CHARACTERS) for option in field.options]
    entry = _initial(field)
    if len(titles) <= FEW_BOXES:
        boxes = tuple(
            make(ipywidgets.Checkbox, description=title, indent=False, value=index in entry)
            for index, title in enumerate(titles)
        )
        group = make(ipywidgets.HBox, children=boxes, _dom_classes=("mcp-checks",))
        return Control(group, boxes, lambda: tuple(index for index, box in enumerate(boxes) if box.value))
    many = make(ipywidgets.SelectMultiple, options=_numbered(titles), index=tuple(entry), rows=8)
    return Control(many, (many,), lambda: tuple(many.index))


def _numbered(titles: list[str]) -> list[tuple[str, int]]:
    return [(title, index) for index, title in enumerate(titles)]


def _within(index: int | None, field: Field) -> bool:
    return index is not None and index < len(field.options)


_BUILDERS: dict[str, Callable[[Field, Maker], Control]] = {
    "boolean": _boolean,
    "choice": _choice,
    "choices": _choices,
    "date": _date,
    "date-time": _date_time,
}
