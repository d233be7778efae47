"""The controls a form has by itself: core ipywidgets, chosen by the field's kind.

A few options are all visible at once, more are a list, many are searched; an optional choice can be left unanswered;
numbers are typed freely, for a control with bounds would change what the person typed.
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

import ipywidgets

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.controls.control import Control, Maker
from mcp_notebook.notebook.controls.moments import date_control, date_time_control, time_control
from mcp_notebook.notebook.page import IGNORE_MATH
from mcp_notebook.schema.entries import entry_of
from mcp_notebook.schema.fields import Field

FEW_OPTIONS = 6
"""Up to so many options are radio buttons."""

MANY_OPTIONS = 15
"""Up to so many are a dropdown; beyond that one types to search."""

FEW_BOXES = 15
"""Up to so many options of a multi-select are check boxes; more are a list."""

NO_ANSWER = "No answer"
CHOOSE = "Choose…"
TITLE_CHARACTERS = 200

_NO_MATH = f'<span class="{IGNORE_MATH}">{{}}</span>'
"""Around the title of a check box: the page looks for formulas in it otherwise."""

WITHOUT_GUARD = (
    '<div class="mcp-no-guard">What you type here is kept out of the notebook by a part of mcp-notebook that this page '
    "did not load, so there is no place to type it. Reload the page, or press Cancel and answer with <code>%mcp answer"
    "</code>.</div>"
)


def stock_control(field: Field, make: Maker) -> Control:
    """Make the control of a field, filled in with the field's default."""
    return _secret(make) if field.secret else _BUILDERS.get(field.kind, _text)(field, make)


def _text(field: Field, make: Maker) -> Control:
    kind = ipywidgets.Textarea if field.multiline else ipywidgets.Text
    more = {"rows": 4} if field.multiline else {}
    widget = make(kind, value=_initial(field), **more)
    return Control(widget, (widget,), lambda: widget.value)


def _secret(make: Maker) -> Control:
    # A place in which the guard puts an input with no model: what is typed there is in no widget's state, and comes
    # with the answer.
    fallback = make(ipywidgets.HTML, value=WITHOUT_GUARD)
    return Control(make(ipywidgets.Box, children=(fallback,), _dom_classes=("mcp-secret",)), (), lambda: "")


def _boolean(field: Field, make: Maker) -> Control:
    states = [True, False] if field.required else [True, False, None]
    titles = ["Yes", "No", NO_ANSWER][: len(states)]
    entry = _initial(field)
    index = states.index(entry) if entry in states else None
    widget = make(ipywidgets.RadioButtons, options=_numbered(titles), index=index)
    return Control(widget, (widget,), lambda: None if widget.index is None else states[widget.index])


def _choice(field: Field, make: Maker) -> Control:
    titles, entry = _titles(field), _initial(field)
    if len(titles) > MANY_OPTIONS:
        return _search(_distinct(titles), entry, make)
    if len(titles) > FEW_OPTIONS:
        shown = [CHOOSE if field.required else NO_ANSWER, *titles]
        dropdown = make(ipywidgets.Dropdown, options=_numbered(shown), index=0 if entry is None else entry + 1)
        return Control(dropdown, (dropdown,), lambda: dropdown.index - 1 if dropdown.index else None)
    if not field.required:
        titles.append(NO_ANSWER)
        entry = len(titles) - 1 if entry is None else entry
    # Of buttons with the same title, ipywidgets 8.1 marks only the first.
    radio = make(ipywidgets.RadioButtons, options=_numbered(_distinct(titles)), index=entry)
    return Control(radio, (radio,), lambda: radio.index if radio.index in range(len(field.options)) else None)


def _search(titles: list[str], entry: int | None, make: Maker) -> Control:
    box = make(
        ipywidgets.Combobox,
        options=titles,
        value="" if entry is None else titles[entry],
        placeholder=f"Type to search {len(titles):,} options",
    )

    def read() -> int | None:
        typed = " ".join(box.value.split())
        folded = [title.casefold() for title in titles]
        if not typed:
            return None
        if typed in titles:
            return titles.index(typed)
        if folded.count(typed.casefold()) == 1:
            return folded.index(typed.casefold())
        msg = "is not one of the options: type a part of one, and pick it from the list"
        raise ValueError(msg)

    return Control(box, (box,), read)


def _choices(field: Field, make: Maker) -> Control:
    titles, entry = _titles(field), _initial(field)
    if len(titles) <= FEW_BOXES:
        boxes = tuple(
            make(
                ipywidgets.Checkbox,
                description=_NO_MATH.format(escape(title)),
                description_allow_html=True,
                indent=False,
                value=index in entry,
            )
            for index, title in enumerate(titles)
        )
        group = make(ipywidgets.HBox, children=boxes, _dom_classes=("mcp-checks",))
        return Control(group, boxes, lambda: tuple(index for index, box in enumerate(boxes) if box.value))
    many = make(ipywidgets.SelectMultiple, options=_numbered(titles), index=tuple(entry), rows=10)
    return Control(many, (many,), lambda: tuple(many.index))


def _initial(field: Field) -> Any:
    return entry_of(field, field.default if field.has_default else None)


def _titles(field: Field) -> list[str]:
    return [one_line(option.title, TITLE_CHARACTERS) or "(empty)" for option in field.options]


def _distinct(titles: list[str]) -> list[str]:
    """Tell apart the titles that are the same."""
    told: dict[str, None] = {}
    for title in titles:
        name, number = title, 1
        while name in told:
            number += 1
            name = f"{title} ({number})"
        told[name] = None
    return list(told)


def _numbered(titles: list[str]) -> list[tuple[str, int]]:
    return [(title, index) for index, title in enumerate(titles)]


_BUILDERS: dict[str, Callable[[Field, Maker], Control]] = {
    "boolean": _boolean,
    "choice": _choice,
    "choices": _choices,
    "date": date_control,
    "date-time": date_time_control,
    "time": time_control,
}
