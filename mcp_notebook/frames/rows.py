"""Rows of arguments for many calls, from frames, series, lists of objects, and lists of plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.sending import sendable

_MISSING = ("NAType", "NaTType")


@dataclass(frozen=True, kw_only=True)
class Rows:
    """The arguments of many calls, a row for each."""

    labels: Sequence[Any]
    """What each row is called: the index of a pandas frame or series, else numbers from 0 on."""
    values: Sequence[Mapping[str, Any]]
    """The arguments of each, by name."""
    index: Any = None
    """The index itself, where there is one."""


def rows_of(given: Any, single: str | None) -> Rows:
    """Read the rows that many calls are to be made with.

    What is missing in a frame (None, NaN, NaT) is left out of its row: the tool takes its own default then.

    Args:
        given: A frame or series of pandas or polars; or any iterable of mappings, dataclasses or pydantic models; or of
            plain values, where the tool has one argument.
        single: The name of that one argument; None where there are several.

    Raises:
        UsageError: It is none of these.
    """
    if isinstance(given, (str, bytes, Mapping)) or not isinstance(given, Iterable):
        raise UsageError(f"rows are a frame, or a list with the arguments of each call, not {type(given).__name__}")
    data: Any = given
    index = data.index if hasattr(data, "iloc") else None  # pandas
    if hasattr(data, "columns"):
        values = [_present(row) for row in (data.to_dicts() if index is None else data.to_dict("records"))]
    else:
        entries: Iterable[Any] = data.tolist() if hasattr(data, "tolist") else data
        values = [_row(entry, number, single) for number, entry in enumerate(entries)]
    return Rows(labels=range(len(values)) if index is None else index.tolist(), values=values, index=index)


def _row(entry: Any, number: int, single: str | None) -> Mapping[str, Any]:
    if isinstance(entry, Mapping):
        return {str(name): value for name, value in entry.items()}
    if hasattr(entry, "model_dump") or hasattr(entry, "__dataclass_fields__"):
        return sendable({"row": entry})["row"]
    if single is None:
        told = f"row {number} is of type {type(entry).__name__}"
        raise UsageError(f"{told}: this tool has several arguments, so each row is a mapping of them by name")
    return {single: entry}


def _present(row: Mapping[Any, Any]) -> Mapping[str, Any]:
    return {str(name): value for name, value in row.items() if not _is_missing(value)}


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ in _MISSING or (isinstance(value, float) and value != value)
