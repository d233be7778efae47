"""What there is one of in a process."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mcp_notebook.servers.registry import Registry


@cache
def registry() -> Registry:
    """The servers of this process."""
    from mcp_notebook.notebook.place import places
    from mcp_notebook.servers import loop
    from mcp_notebook.servers.registry import Registry

    return Registry(places(loop.submit))
