"""What every control of a form is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import ipywidgets

from mcp_notebook.answers.plain import one_line

W = TypeVar("W", bound=ipywidgets.DOMWidget)


@dataclass(eq=False)
class Control:
    """A field's control on the page."""

    widget: ipywidgets.DOMWidget
    """What is shown; carries the DOM classes `mcp-field` and `mcp-field-NAME`."""
    parts: tuple[ipywidgets.DOMWidget, ...]
    """The widgets whose state is the answer: the guard reads them on the page."""
    read: Callable[[], Any]
    """Gives what the control holds, as `schema.entries` takes it; raises a ValueError that says what is wrong."""
    _fault: ValueError | None = field(default=None, init=False)

    def take(self, states: Mapping[str, Any]) -> None:
        """Take over the state of the parts, by model id, as it stands on the page."""
        self._fault = None
        for part in self.parts:
            if part.model_id in states:
                try:
                    part.set_state(states[part.model_id])
                except Exception as error:  # a control of the user's own may refuse a value in any way
                    self._fault = unreadable(error)

    def entry(self) -> Any:
        """What the control holds now, or the ValueError that says why there is nothing to be read."""
        if self._fault is not None:
            return self._fault
        try:
            return self.read()
        except ValueError as error:
            return error
        except Exception as error:  # likewise
            return unreadable(error)


def unreadable(error: Exception) -> ValueError:
    """A complaint for the person about a control that fails."""
    return ValueError(f"could not be read from its control ({type(error).__name__}: {one_line(str(error), 200)})")


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

    def adopt(self, widget: ipywidgets.DOMWidget) -> None:
        """Take in a widget that was made elsewhere, with all that is shown in it."""
        for part in family(widget):
            for each in (part, getattr(part, "layout", None), getattr(part, "style", None)):
                if isinstance(each, ipywidgets.Widget) and each not in self.widgets:
                    self.widgets.append(each)

    def close(self) -> None:
        """Close every widget made here, and with it its comm."""
        for widget in reversed(self.widgets):
            widget.close()


def family(widget: ipywidgets.DOMWidget) -> Iterator[ipywidgets.DOMWidget]:
    """A widget and all that are shown in it."""
    yield widget
    for child in getattr(widget, "children", ()):
        yield from family(child)


def class_name(name: str) -> str:
    """A field's name as part of a DOM class: every character that can't be in one becomes `_`, after which its code."""
    return re.sub(r"[^A-Za-z0-9_-]", lambda match: f"_{ord(match[0]):x}", name)
