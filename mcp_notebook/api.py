"""The functions of the package, for Python and for the magic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from mcp_notebook.types import ProtocolMode

if TYPE_CHECKING:
    from mcp_notebook.servers.registry import Registry
    from mcp_notebook.servers.server import Server


def connect(
    name: str,
    target: str | Sequence[str] | Any = None,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    headers: Mapping[str, str] | None = None,
    transport: Literal["http", "sse"] | None = None,
    protocol: ProtocolMode = "auto",
    timeout: float = 60.0,
) -> Server:
    """Connect a server.

    Args:
        name: What to call it here. Alone it means a built-in server (`"demo"`).
        target: A URL; or a command as a list, `["npx", "-y", "…"]`; or an `MCPServer` object, to run in this process.
        env: For a command: variables added to its environment.
        cwd: For a command: its working directory.
        headers: For a URL: headers sent with every request.
        transport: For a URL: "http" (streamable HTTP, the default) or "sse".
        protocol: "auto" takes the newest that the server knows; "legacy" begins with `initialize`; "2026-07-28" is not
            negotiated at all.
        timeout: How long to wait for the server to come up, in seconds.

    Returns:
        The connected server. It closes itself at the end of a `with` block, and with the process.

    Raises:
        UsageError: The arguments don't fit together.
        ConnectError: The server can't be reached, or does not speak MCP.
    """
    from mcp_notebook.servers.specs import spec_for

    spec = spec_for(
        name, target, env=env, cwd=cwd, headers=headers, transport=transport, protocol=protocol, timeout=timeout
    )
    return registry().connect(spec)


def server(name: str) -> Server:
    """Give a server that is connected.

    Args:
        name: The name it was connected under.

    Raises:
        UsageError: None is; names those that are.
    """
    return registry().get(name)


@cache
def registry() -> Registry:
    """The servers of this process."""
    from mcp_notebook.notebook.place import places
    from mcp_notebook.servers import loop
    from mcp_notebook.servers.registry import Registry

    return Registry(places(loop.submit))


def close_all() -> None:
    """Close every server of this process."""
    if registry.cache_info().currsize:
        registry().close_all()
