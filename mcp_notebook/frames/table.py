"""Which values are tables: rows, columns, or rows beside the names of their columns; also one level down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table that was found in a value."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    """Each with a value for each column, None where there is none."""
    at: tuple[str, ...] = ()
    """Under which member of the value it stands."""
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """What stands beside it, by name."""

    def column(self, name: str) -> list[Any]:
        """Give the values of a column."""
        index = self.columns.index(name)
        return [row[index] for row in self.rows]


def table_of(value: Any) -> Table | None:
    """Find the table that a value is, or the only one that it has as a member; None where that is none or several.

    Args:
        value: As JSON has it: `[{"a": 1}, …]`, `{"a": [1, …]}`, or `{"columns": ["a"], "rows": [[1], …]}`.
    """
    if (table := _direct(value)) is not None:
        return table
    tables = inner_tables(value)
    if len(tables) != 1:
        return None
    ((name, table),) = tables.items()
    beside = {other: fact for other, fact in value.items() if other != name}
    return replace(table, at=(name, *table.at), facts={**beside, **table.facts})


def inner_tables(value: Any) -> dict[str, Table]:
    """Find the tables that an object has as members. An empty list is one where there is no other."""
    if not isinstance(value, Mapping):
        return {}
    found = {str(name): table for name, member in value.items() if (table := _direct(member)) is not None}
    return {name: table for name, table in found.items() if table.rows} or found


def _direct(value: Any) -> Table | None:
    if isinstance(value, list):
        return _records(value)
    if isinstance(value, Mapping):
        return _split(value) or _columns(value)
    return None


def _records(rows: list[Any]) -> Table | None:
    if not all(isinstance(row, Mapping) for row in rows):
        return None
    columns = dict.fromkeys(name for row in rows for name in row)
    if rows and not columns:
        return None
    return Table(columns=tuple(map(str, columns)), rows=[[row.get(name) for name in columns] for row in rows])


def _split(value: Mapping[str, Any]) -> Table | None:
    """Names of columns beside rows, as servers of databases have it: `{"columns": […], "rows": [[…], …]}`."""
    names, key = value.get("columns"), next((key for key in ("rows", "data") if key in value), "")
    rows = value.get(key)
    if not isinstance(names, list) or not isinstance(rows, list):
        return None
    columns = tuple(str(name.get("name", "")) if isinstance(name, Mapping) else str(name) for name in names)
    if all(isinstance(row, Mapping) for row in rows):
        rows = [[row.get(name) for name in columns] for row in rows]
    elif not all(isinstance(row, list) and len(row) == len(columns) for row in rows):
        return None
    facts = {name: fact for name, fact in value.items() if name not in ("columns", key)}
    return Table(columns=columns, rows=rows, at=(key,), facts=facts)


def _columns(value: Mapping[str, Any]) -> Table | None:
    columns = list(value.values())
    if not columns or not all(isinstance(column, list) for column in columns):
        return None
    if len({len(column) for column in columns}) > 1 or (len(columns) == 1 and not columns[0]):
        return None  # {"hits": []} is a table with no rows rather than a column with no values
    if any(isinstance(entry, Mapping) for column in columns for entry in column):
        return None
    return Table(columns=tuple(map(str, value)), rows=list(zip(*columns, strict=True)))
