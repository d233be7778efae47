"""The servers of a session, by name."""

from __future__ import annotations

import asyncio
import threading

from mcp_notebook.errors import UsageError
from mcp_notebook.servers import loop
from mcp_notebook.servers.doing import ask_at
from mcp_notebook.servers.server import Server
from mcp_notebook.types import Answer, Places, Question, ServerSpec


class Registry:
    """The servers that are connected. May be used from any thread.

    Args:
        places: Gives the place of the running code, whenever something is to be waited for or asked there.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._servers: dict[str, Server] = {}
        self._lock = threading.Lock()

    def connect(self, spec: ServerSpec) -> Server:
        """Connect a server, in place of the one of that name if there is one.

        Args:
            spec: How to reach it.

        Returns:
            The server, connected.

        Raises:
            ConnectError: It cannot be reached, or does not speak MCP. One of that name stays connected.
        """
        server = Server(spec, self._places)
        server.open()
        with self._lock:
            replaced = self._servers.get(spec.name)
            self._servers[spec.name] = server
        if replaced is not None:
            replaced.close()
        return server

    def ask(self, question: Question) -> Answer:
        """Put a question of this package's own to whoever is at the place of the running code.

        Raises:
            NoAnswerError: Nobody can answer there.
            KeyboardInterrupt: The user pressed Stop.
        """
        return ask_at(self._places(), question)

    def get(self, name: str) -> Server:
        """Give a server that is connected.

        Args:
            name: The name it was connected under.

        Raises:
            UsageError: There is none of that name.
        """
        for server in self.all():
            if server.name == name:
                return server
        names = ", ".join(server.name for server in self.all())
        msg = f"no server {name!r} is connected ({f'there are: {names}' if names else 'none is'}): connect it first"
        raise UsageError(msg)

    def all(self) -> list[Server]:
        """Give every server that has not been closed, in the order they were connected."""
        with self._lock:
            return [server for server in self._servers.values() if server.state != "closed"]

    def disconnect(self, name: str) -> None:
        """Close a server and forget it.

        Raises:
            UsageError: There is none of that name.
        """
        server = self.get(name)
        with self._lock:
            del self._servers[name]
        server.close()

    def close_all(self) -> None:
        """Close every server, all at the same time."""
        servers = self.all()
        with self._lock:
            self._servers.clear()
        loop.submit(_close(servers)).result()


async def _close(servers: list[Server]) -> None:
    await asyncio.gather(*(server.aclose() for server in servers))
