"""How the results of many calls show in a cell: the first of them as a table, with what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from mcp_notebook.notebook.page import Page
from mcp_notebook.results import ToolResult

MAX_SHOWN = 20


class Many(Protocol):
    """The results of a `map`, as this room sees them."""

    @property
    def labels(self) -> Sequence[Any]: ...  # noqa: D102
    @property
    def outcomes(self) -> Sequence[ToolResult | Exception | None]: ...  # noqa: D102


def many_bundle(mapped: Many) -> dict[str, Any]:
    """Make the MIME bundle of the results of many calls."""
    shown = mapped.outcomes[:MAX_SHOWN]
    records = [_record(outcome) for outcome in shown]
    columns = list(dict.fromkeys(name for record in records for name in record))
    told = repr(mapped)
    page = Page(whole=".to_frame()").note(told.strip("<>"))
    rows = [
        (str(label), *(record.get(name) for name in columns))
        for label, record in zip(_first(mapped.labels), records, strict=True)
    ]
    if rows:
        page.table(("row", *columns), rows)
    if len(mapped.outcomes) > MAX_SHOWN:
        page.note(f"{MAX_SHOWN} of {len(mapped.outcomes):,} rows; .to_frame() has them all, .data the values")
    return {"text/plain": told, "text/html": page._repr_html_()}


def _first(labels: Iterable[Any]) -> list[Any]:
    return [label for label, _ in zip(labels, range(MAX_SHOWN), strict=False)]


def _record(outcome: ToolResult | Exception | None) -> Mapping[str, Any]:
    if isinstance(outcome, ToolResult):
        return outcome.data if isinstance(outcome.data, Mapping) else {"result": outcome.data}
    return {} if outcome is None else {"error": str(outcome)}
