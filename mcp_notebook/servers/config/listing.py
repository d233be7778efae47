"""What is configured, for people to read."""

from __future__ import annotations

from collections.abc import Collection

from mcp_notebook.errors import UsageError
from mcp_notebook.servers import shown
from mcp_notebook.servers.config.entries import Entry, entries
from mcp_notebook.types import ConfiguredServer


def listing(file: str | None, connected: Collection[str]) -> list[ConfiguredServer]:
    """List every server that is configured, the nearest file first.

    Args:
        file: The one file to list.
        connected: The names of the servers that are connected.

    Raises:
        UsageError: A file is no configuration.
    """
    seen: set[str] = set()
    found: list[ConfiguredServer] = []
    for entry in entries(file):
        found.append(_shown(entry, connected, is_hidden=entry.name in seen))
        seen.add(entry.name)
    return found


def _shown(entry: Entry, connected: Collection[str], *, is_hidden: bool) -> ConfiguredServer:
    state = "hidden" if is_hidden else "off" if entry.disabled else "connected" if entry.name in connected else ""
    try:
        target = shown.target(entry.outline())
    except UsageError as error:
        state, target = "faulty", str(error)
    return ConfiguredServer(name=entry.name, file=entry.document.path, target=target, state=state)
