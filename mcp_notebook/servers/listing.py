"""Lists that come page by page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

Page = TypeVar("Page")
Item = TypeVar("Item")

_MAX_PAGES = 1000


async def listed(fetch: Callable[..., Awaitable[Page]], items: Callable[[Page], Sequence[Item]]) -> list[Item]:
    """Fetch a list to its end (MCP specification, server/utilities/pagination).

    Args:
        fetch: One of the SDK client's `list_…` methods.
        items: Takes the items out of a page.

    Returns:
        All items, in the server's order; none from a server that knows no such method.

    Raises:
        RuntimeError: There is no end of pages.
        MCPError: The server answered with an error.
    """
    found: list[Item] = []
    cursors: set[str] = set()
    cursor: str | None = None
    for _ in range(_MAX_PAGES):
        page: Any = await fetch(cursor=cursor)
        found += items(page)
        cursor = page.next_cursor
        if cursor is None:
            return found
        if cursor in cursors:
            msg = "its list goes round in a circle: a page names as the next one that was there before"
            raise RuntimeError(msg)
        cursors.add(cursor)
    msg = f"its list has over {_MAX_PAGES:,} pages"
    raise RuntimeError(msg)
