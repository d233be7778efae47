"""Dates and times, with the person's own time zone where the answer has to tell one (RFC 3339, 5.6)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from typing import Any, TypeVar

import ipywidgets
import traitlets
from ipywidgets.widgets.trait_types import Datetime, datetime_serialization

from mcp_notebook.notebook.controls.control import Control, Maker
from mcp_notebook.schema.fields import Field

T = TypeVar("T", date, datetime, time)

LAST_DAY = date(9999, 12, 31)
"""Python's last; without it a browser takes years of six digits."""

ZONED = "mcp-zoned"
"""The DOM class of a control beside which the guard tells the person's time zone."""


def date_control(field: Field, make: Maker) -> Control:
    """A date, from a calendar."""
    widget = make(ipywidgets.DatePicker, value=_default(date.fromisoformat, field), max=LAST_DAY)
    return Control(widget, (widget,), lambda: widget.value)


def date_time_control(field: Field, make: Maker) -> Control:
    """A moment, in the person's time zone; a default that is left as it is goes back in the server's own words."""
    default = _default(datetime.fromisoformat, field)
    widget = make(_MomentPicker, value=default, _dom_classes=(ZONED,))

    def read() -> Any:
        value = widget.value
        if value is None or (default is not None and abs(value - default) < timedelta(milliseconds=1)):
            return value and field.default
        try:
            return value.astimezone(_zone(widget.offset))
        except OverflowError:  # at either end of the calendar
            return value

    return Control(widget, (widget,), read)


def time_control(field: Field, make: Maker) -> Control:
    """A time of day, in the person's time zone, or in the zone of the default where there is one."""
    default = _default(time.fromisoformat, field)
    if default is None:
        widget = make(_TimePicker, _dom_classes=(ZONED,))
        return Control(widget, (widget,), lambda: widget.value and widget.value.replace(tzinfo=_zone(widget.offset)))
    clock = default.replace(tzinfo=None, microsecond=0)
    picker = make(ipywidgets.TimePicker, value=clock, step=1 if clock.second else 60)
    zone = make(ipywidgets.HTML, value=f'<span class="mcp-zone">{default.tzinfo}</span>')

    def read() -> Any:
        return field.default if picker.value == clock else picker.value and picker.value.replace(tzinfo=default.tzinfo)

    return Control(make(ipywidgets.HBox, children=(picker, zone), _dom_classes=("mcp-at",)), (picker,), read)


def _zone(offset: int | None) -> timezone:
    """The zone that lies so many minutes east of UTC; the kernel's own where the page did not tell."""
    local = datetime.now().astimezone().utcoffset() or timedelta()
    return timezone(local if offset is None else timedelta(minutes=offset))


def _default(parse: Callable[[str], T], field: Field) -> T | None:
    if not field.has_default:
        return None
    text = str(field.default).upper().replace("Z", "+00:00")
    # Python 3.10 reads three or six digits of a second, and nothing else.
    text = re.sub(r"\.(\d+)", lambda match: f".{match[1][:6]:0<6}", text)
    try:
        return parse(text)
    except ValueError:  # a leap second, say: the person chooses another
        return None


def _moment_from_json(state: dict[str, int] | None, _: Any) -> datetime | None:
    """Read a moment as the page sends it, in UTC; ipywidgets 8.1 takes it for the kernel's local time."""
    if state is None:
        return None
    parts = (state[name] for name in ("date", "hours", "minutes", "seconds"))
    return datetime(state["year"], state["month"] + 1, *parts, int(state["milliseconds"] * 1000), timezone.utc)  # type: ignore[misc]


class _MomentPicker(ipywidgets.DatetimePicker):
    value = Datetime(None, allow_none=True).tag(sync=True, **datetime_serialization | {"from_json": _moment_from_json})
    offset = traitlets.Int(None, allow_none=True).tag(sync=True)
    """How many minutes east of UTC the person was at that moment: the guard sends it along."""


class _TimePicker(ipywidgets.TimePicker):
    offset = traitlets.Int(None, allow_none=True).tag(sync=True)
    """How many minutes east of UTC the person is: the guard sends it along."""
