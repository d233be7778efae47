"""Columns in pandas and in polars, each of the narrowest type that holds its values as they are."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from importlib.util import find_spec
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.frames.table import Table

LIBRARIES = ("pandas", "polars")


def make(library: str | None) -> Callable[[Table], Any]:
    """Give the function that makes a frame of a table.

    Args:
        library: "pandas" or "polars"; None for the first of them that is installed.

    Raises:
        UsageError: It is neither, or not installed.
    """
    if library not in (None, *LIBRARIES):
        raise UsageError(f"library must be 'pandas' or 'polars', not {library!r}")
    wanted = [library] if library else [*LIBRARIES]
    there = next((name for name in wanted if find_spec(name)), None)
    if there is None:
        raise UsageError(f"{' or '.join(wanted)} is not installed here: %pip install {wanted[0]}")
    return _pandas if there == "pandas" else _polars


def _pandas(table: Table) -> Any:
    import pandas as pd

    columns = {name: _pandas_column(table.column(name)) for name in table.columns}
    return pd.DataFrame(columns, index=range(len(table.rows)))


def _pandas_column(values: list[Any]) -> Any:
    import pandas as pd

    kinds = {type(value) for value in values if value is not None}
    try:
        if kinds in ({int}, {bool}) and None in values:  # else integers become floats, and true an object
            return pd.array(values, dtype="Int64" if kinds == {int} else "boolean")
        if kinds == {date}:
            return pd.Series(pd.to_datetime(values))
        if kinds <= {int, float} or len(kinds) == 1:
            return pd.Series(values) if kinds else pd.Series(values, dtype=object)
    except (OverflowError, ValueError):  # integers of more than 64 bits, years beyond nanoseconds
        pass
    return pd.Series(values, dtype=object)


def _polars(table: Table) -> Any:
    import polars as pl

    return pl.DataFrame([_polars_column(name, table.column(name)) for name in table.columns])


def _polars_column(name: str, values: list[Any]) -> Any:
    import polars as pl

    kinds = {type(value) for value in values if value is not None}
    if kinds == {int, float}:
        return pl.Series(name, values, dtype=pl.Float64)
    try:
        column = pl.Series(name, values)
        if column.to_list() == values:
            return column
    except (TypeError, OverflowError, pl.exceptions.PolarsError):
        pass
    return pl.Series(name, values, dtype=pl.Object)  # texts among numbers, objects of different members
