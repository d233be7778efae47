"""`%mcp servers`."""

from __future__ import annotations

from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Connection, Parser, Request, Verb


def _arguments(_: Parser) -> None:
    pass


def _run(request: Request) -> Page:
    servers = request.api.registry().all()
    if not servers:
        return Page().note("No server is connected. Try: %mcp connect demo")
    return Page().table(("server", "state", "protocol", "transport", "tools"), [_row(server) for server in servers])


def _row(server: Connection) -> tuple[str, ...]:
    if server.state != "connected":
        return (server.name, server.state, "", server.transport, "")
    protocol = f"{server.protocol_version} ({server.era})"
    return (server.name, server.state, protocol, server.transport, str(len(server.tools)))


VERB = Verb(
    name="servers",
    summary="List the connected servers.",
    examples="  %mcp servers",
    arguments=_arguments,
    run=_run,
)
