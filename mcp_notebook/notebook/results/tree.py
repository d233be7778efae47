"""A value as a tree that folds, in HTML alone: it needs no kernel, and is a list where styles are stripped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from itertools import islice
from typing import Any

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.notebook.page import compact

MAX_ENTRIES = 100
"""Entries of one object or list."""
MAX_ALL = 1_000
"""Entries of the whole tree."""
MAX_DEPTH = 10
MAX_VALUE = 500
"""Characters of one value."""
OPEN = 40
"""A tree of so many entries is open as a whole; of a larger one, the first level is."""

_LIST = "list-style:none;margin:0 0 6px;padding-left:"
_NAME = "color:var(--jp-ui-font-color2,#757575)"
_VALUE = "white-space:pre-wrap;overflow-wrap:anywhere"


def tree(value: Mapping[Any, Any] | list[Any]) -> str:
    """Write an object or a list as HTML."""
    return _Tree(is_open=_size(value, OPEN + 1) <= OPEN).written(value)


class _Tree:
    def __init__(self, *, is_open: bool) -> None:
        self._fold = f'<details class="mcp-fold"{" open" if is_open else ""}>'
        self._left = MAX_ALL

    def written(self, value: Any, depth: int = 0) -> str:
        entries = value.items() if isinstance(value, Mapping) else enumerate(value)
        shown: list[str] = []
        for name, entry in islice(entries, MAX_ENTRIES):
            if self._left <= 0:
                break
            self._left -= 1
            shown.append(f"<li>{self._entry(one_line(str(name), 100), entry, depth)}</li>")
        if more := len(value) - len(shown):
            shown.append(f'<li style="{_NAME}">… {more:,} more of {len(value):,}</li>')
        return f'<ul style="{_LIST}{"1.2em" if depth else 0}">{"".join(shown) or "(empty)"}</ul>'

    def _entry(self, name: str, entry: Any, depth: int) -> str:
        label = f'<span style="{_NAME}">{escape(name)}:</span> '
        if isinstance(entry, Mapping | list) and entry and depth < MAX_DEPTH:
            return f"{self._fold}<summary>{label}{_told(entry)}</summary>{self.written(entry, depth + 1)}</details>"
        shown = plain(entry if isinstance(entry, str) else compact(entry), MAX_VALUE)
        return f'{label}<span style="{_VALUE}">{escape(shown)}</span>'


def _told(value: Any) -> str:
    return f"{{{len(value):,}}}" if isinstance(value, Mapping) else f"[{len(value):,}]"


def _size(value: Any, limit: int) -> int:
    """How many entries a value has, with those within; no more than the limit are counted."""
    return sum(1 for _ in islice(_entries(value), limit))


def _entries(value: Any) -> Iterator[Any]:
    waiting = [value]
    while waiting:
        here = waiting.pop()
        for entry in here.values() if isinstance(here, Mapping) else here:
            yield entry
            if isinstance(entry, Mapping | list):
                waiting.append(entry)
