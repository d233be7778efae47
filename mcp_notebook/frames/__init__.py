"""Results as data frames: tables found in what a server gave back, in whichever library is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.frames.columns import make
from mcp_notebook.frames.dates import with_dates
from mcp_notebook.frames.found import find
from mcp_notebook.frames.table import Table


def frame_of(
    parts: Sequence[Any], *, data: Any = None, schema: Mapping[str, Any] | None = None, library: str | None = None
) -> Any:
    """Make a data frame of a result.

    Args:
        parts: What the result holds, as the SDK gives it: content blocks, or parts of a resource.
        data: Its structured content; None where there is none.
        schema: What its JSON Schema says of `data`: which texts are dates, and what columns an empty table has.
        library: "pandas" or "polars"; None for pandas where it is installed, else polars.

    Returns:
        The frame, a row for each of the table's.

    Raises:
        UsageError: There is no table in it, or more than one, or no such library.
    """
    make_frame = make(library)
    table = with_dates(find(parts, data), schema)
    if len(set(table.columns)) < len(table.columns):
        raise UsageError(f"two columns have one name ({', '.join(table.columns)[:500]}): name them apart in the query")
    return make_frame(table)


def frame_of_records(
    records: Sequence[Mapping[str, Any]],
    *,
    index: Any = None,
    schema: Mapping[str, Any] | None = None,
    library: str | None = None,
) -> Any:
    """Make a data frame of records, a row for each.

    Args:
        records: By column; what one lacks is missing there.
        index: The index of a pandas frame, as long as the records are many; None for the rows' numbers.
        schema: The JSON Schema of one record: which texts are dates.
        library: "pandas" or "polars"; None for pandas where it is installed, else polars.

    Raises:
        UsageError: There is no such library.
    """
    make_frame = make(library)
    columns = tuple(dict.fromkeys(name for record in records for name in record))
    table = Table(columns=columns, rows=[[record.get(name) for name in columns] for record in records])
    frame = make_frame(with_dates(table, {"type": "array", "items": schema} if schema else None))
    return frame.set_axis(index, axis=0) if index is not None and hasattr(frame, "set_axis") else frame
