"""Results as data frames: tables found in what a server gave back, in whichever library is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.frames.columns import make
from mcp_notebook.frames.dates import with_dates
from mcp_notebook.frames.found import find


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
