"""Texts that the output schema declares as dates and times become those; all others stay text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timezone
from typing import Any

from mcp_notebook.frames.table import Table
from mcp_notebook.schema.refs import BadReference, plain


def with_dates(table: Table, schema: Mapping[str, Any] | None) -> Table:
    """Read the dates of a table, and give an empty one the columns that its schema has.

    A column stays text as a whole if one of its values is not what it was declared as, or if only some of its times
    tell their zone.

    Args:
        table: As it was found in a result.
        schema: The JSON Schema of that result.
    """
    described = _columns(schema or {}, table.at)
    if not table.columns and not table.rows:
        return replace(table, columns=tuple(described))
    columns = [_read(table.column(name), described.get(name)) for name in dict.fromkeys(table.columns)]
    if len(columns) < len(table.columns):
        return table
    return replace(table, rows=list(zip(*columns, strict=True)))


def _read(values: list[Any], kind: Any) -> list[Any]:
    from pydantic import TypeAdapter, ValidationError

    types: dict[Any, Any] = {"date": list[date | None], "date-time": list[datetime | None]}
    if kind not in types or not all(value is None or isinstance(value, str) for value in values):
        return values
    try:
        read: list[Any] = TypeAdapter(types[kind]).validate_python(values)
    except ValidationError:
        return values
    times = [value for value in read if isinstance(value, datetime)]
    zones = {value.tzinfo is not None for value in times}
    if zones == {True}:  # a frame has one zone for a column
        return [value and value.astimezone(timezone.utc) for value in read]
    if len(zones) > 1:
        return values
    return read


def _columns(schema: Mapping[str, Any], at: Sequence[str]) -> dict[str, Any]:
    """The format of each column by its name, as far as the schema tells; None for what has none."""
    here = _plain(schema, schema)
    if [*_members(here)] == ["result"]:  # what servers put around a value that is no object
        here = _plain(_members(here)["result"], schema)
    for name in at:
        here = _plain(_members(here).get(name), schema)
    rows = _plain(here.get("items"), schema)
    if rows:
        return {name: _plain(part, schema).get("format") for name, part in _members(rows).items()}
    lists = {name: _plain(part, schema) for name, part in _members(here).items()}
    return {name: _plain(part["items"], schema).get("format") for name, part in lists.items() if "items" in part}


def _plain(part: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references within the schema, and take "or null" away; empty where that leads nowhere."""
    try:
        return plain(part, root)[0]
    except BadReference:
        return {}


def _members(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    members = schema.get("properties")
    return members if isinstance(members, Mapping) else {}
