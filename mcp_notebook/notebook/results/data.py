"""Structured content: a table where it is one, a tree otherwise."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import takewhile
from typing import Any

from mcp_notebook.frames.table import Table, table_of
from mcp_notebook.notebook.page import MAX_PLAIN, Page, compact
from mcp_notebook.notebook.results.tree import tree
from mcp_notebook.results import ToolResult

MAX_PARSED = 1_000_000
"""Characters of a text that is read as JSON or as a table, to be shown."""


def show_data(page: Page, data: Any) -> None:
    """Show a value as JSON has it: a table with what stands beside it, or a tree that folds.

    Args:
        page: Where to.
        data: Any value.
    """
    if isinstance(data, str):
        page.text(data)
    elif not isinstance(data, Mapping | list):
        page.text(compact(data))
    elif (table := table_of(data)) is not None and table.columns and table.rows:
        show_table(page, table)
    else:
        page.add(_json(data), tree(data))


def show_table(page: Page, table: Table) -> None:
    """Show a table, below what stands beside it."""
    facts = table.facts
    if any(isinstance(fact, Mapping | list) and fact for fact in facts.values()):
        page.add(_json(facts), tree(facts))
    elif facts:
        page.text(
            "\n".join(f"{name}: {fact if isinstance(fact, str) else compact(fact)}" for name, fact in facts.items())
        )
    page.table(table.columns, table.rows)


def repeats(result: ToolResult) -> bool:
    """Whether the text blocks only say again what the structured content holds, as servers do for older clients."""
    texts = [block.text for block in result.content if block.type == "text"]
    same = [result.structured, result.data]
    if len(texts) == 1:
        return texts[0] in same or _parsed(texts[0]) in same
    return isinstance(result.data, list) and [*map(_parsed, texts)] == result.data


def _parsed(text: str) -> Any:
    if len(text) > MAX_PARSED:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _json(data: Any) -> str:
    """Write as much of it as plain text has room for."""
    written = 0

    def fits(chunk: str) -> bool:
        nonlocal written
        written += len(chunk)
        return written <= 2 * MAX_PLAIN

    chunks = json.JSONEncoder(indent=2, ensure_ascii=False, default=str).iterencode(data)
    try:
        return "".join(takewhile(fits, chunks))
    except RecursionError:
        return compact(data)
