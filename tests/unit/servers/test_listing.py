"""Lists that come page by page."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_notebook.servers.listing import listed


def pages(*following: str | None) -> Any:
    """A server's list: each page names its successor, and holds its own number."""

    async def fetch(cursor: str | None) -> Any:
        number = 0 if cursor is None else int(cursor)
        return SimpleNamespace(items=[number], next_cursor=following[number % len(following)])

    return fetch


def items_of(fetch: Any) -> list[int]:
    return asyncio.run(listed(fetch, lambda page: page.items))


def test_every_page_is_fetched_in_order():
    assert items_of(pages("1", "2", None)) == [0, 1, 2]


def test_a_list_that_goes_round_in_a_circle_is_an_error():
    with pytest.raises(RuntimeError, match="goes round in a circle"):
        items_of(pages("1", "2", "1"))


def test_a_list_without_end_is_an_error():
    async def fetch(cursor: str | None) -> Any:
        return SimpleNamespace(items=[0], next_cursor=str(int(cursor or 0) + 1))

    with pytest.raises(RuntimeError, match="over 1,000 pages"):
        items_of(fetch)
