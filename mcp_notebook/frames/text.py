"""Tables in text: JSON, JSON lines, and values separated by commas, semicolons or tabs."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from typing import Any

from mcp_notebook.frames.table import Table, table_of

_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]*)")  # what begins with more zeros is a code, not a number
_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]+)?")
_MISSING = ("", "nan", "NaN", "NA", "null", "NULL")
"""What stands for a missing value in a column of numbers or of true and false."""


def table_of_text(text: str, kind: str = "") -> Table | None:
    """Find the table in a text; None where there is none.

    Args:
        text: JSON, JSON lines, or lines of separated values below a line of names.
        kind: The MIME type that it was declared as. Without one, separated values are recognised by lines that all
            have the same number of values, two at least.
    """
    text = text.removeprefix("\ufeff")
    if kind in ("text/csv", "text/tab-separated-values"):
        return _separated(text, "\t" if kind.startswith("text/tab") else _separator(text), declared=True)
    value = json_of(text)
    if value is not None:
        return table_of(value)
    if kind not in ("", "text/plain"):
        return None
    return next(filter(None, (_separated(text, separator, declared=False) for separator in "\t,;")), None)


def json_of(text: str) -> Any:
    """Read JSON, or JSON lines as the list of their objects. None where it is neither."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    except (ValueError, RecursionError):
        return None
    return rows if all(isinstance(row, dict) for row in rows) else None


def _separator(text: str) -> str:
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def _separated(text: str, separator: str, *, declared: bool) -> Table | None:
    try:
        lines = [line for line in csv.reader(text.splitlines(keepends=True), delimiter=separator, strict=True) if line]
    except csv.Error:
        return None
    if not lines:
        return None
    names, rows = [name.strip() for name in lines[0]], lines[1:]
    if any(len(row) != len(names) for row in rows):
        return None
    if not declared and (len(names) < 2 or not rows or not all(names) or len(set(names)) < len(names)):
        return None
    columns = [_typed([row[index] for row in rows]) for index in range(len(names))]
    return Table(columns=tuple(names), rows=list(zip(*columns, strict=True)))


def _typed(texts: list[str]) -> list[Any]:
    """Read a column as numbers, or as true and false, if all of it can be; else it stays text, None where empty."""
    there = [text for text in texts if text not in _MISSING]
    read = next((read for fits, read in _READERS if there and all(map(fits, there))), None)
    if read is None:
        return [text or None for text in texts]
    return [None if text in _MISSING else read(text) for text in texts]


_READERS: list[tuple[Callable[[str], Any], Callable[[str], Any]]] = [
    (_INTEGER.fullmatch, int),
    (lambda text: _NUMBER.fullmatch(text) and any(map(str.isdigit, text.lower().partition("e")[0])), float),
    (lambda text: text.lower() in ("true", "false"), lambda text: text.lower() == "true"),
]
