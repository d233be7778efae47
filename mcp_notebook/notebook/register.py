"""The register of the user's own controls. It needs no ipywidgets, so that loading the package stays quick."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.kinds import Kind

if TYPE_CHECKING:
    import ipywidgets

    from mcp_notebook.schema.fields import Field

Build = Callable[["Field"], "ipywidgets.DOMWidget"]


@dataclass(frozen=True)
class Entry:
    """One registered control, and which fields it is for: those that fit all that is not None."""

    build: Build
    value: Callable[[Any], Any] | None
    name: str | None
    format: str | None
    kind: str | None
    server: str | None

    @property
    def fields(self) -> tuple[str | None, ...]:
        """Which fields it is for, to be compared."""
        return (self.name, self.format, self.kind, self.server)

    def fits(self, field: Field, server: str) -> bool:
        """Tell whether it is for this field of a form of this server."""
        return all(
            wanted is None or wanted == given
            for wanted, given in zip(self.fields, (field.name, field.format, field.kind, server), strict=True)
        )


_entries: list[Entry] = []


def register(
    build: Build,
    *,
    name: str | None = None,
    format: str | None = None,
    kind: Kind | None = None,
    server: str | None = None,
    value: Callable[[Any], Any] | None = None,
) -> None:
    """Show a widget of your own for some fields of the forms.

    It is shown for the fields that fit everything given here. Of several that fit, the one registered last is shown;
    registering for the same fields again replaces what was there. A field that looks like a secret always keeps the
    form's own control, since the state of a widget can be saved with the notebook.

    What the widget holds is checked against the server's schema like everything else. If `build` raises, the form
    shows its own control and says so.

    Args:
        build: Makes the widget for a field: a new one each time, filled in with `field.default` if there is one.
            The page sends the `value` or `index` of the widget, and of every widget among its `children`.
        name: The name of the field in the server's schema.
        format: The field's `format` in the schema, such as "color".
        kind: "string", "integer", "number", "boolean", "choice", "choices", "date", "date-time" or "time".
        server: The name a server is connected under; without it, any server.
        value: Gives the answer, from the widget that `build` made. Without it, the widget's `value` is the answer:
            a JSON value that fits the field, or a date, an aware datetime, a time; None for no answer.

    Raises:
        UsageError: No name, format or kind is given, or the kind is unknown.
    """
    if name is None and format is None and kind is None:
        msg = "register needs to know which fields the control is for: give a name=, a format= or a kind="
        raise UsageError(msg)
    if kind is not None and kind not in get_args(Kind):
        msg = f"there is no kind {kind!r} of field; the kinds are {', '.join(get_args(Kind))}"
        raise UsageError(msg)
    entry = Entry(build, value, name, format, kind, server)
    _entries[:] = [entry, *(other for other in _entries if other.fields != entry.fields)]


def unregister(build: Build) -> None:
    """Take a control out of the register again, wherever it was registered for.

    Raises:
        UsageError: It was not registered.
    """
    left = [entry for entry in _entries if entry.build != build]
    if len(left) == len(_entries):
        msg = f"{getattr(build, '__name__', build)} is not registered as a control"
        raise UsageError(msg)
    _entries[:] = left


def registered_for(field: Field, server: str) -> Entry | None:
    """Find the control that is registered for a field of a form of a server."""
    return next((entry for entry in _entries if entry.fits(field, server)), None)
