"""`%mcp servers`."""

from __future__ import annotations

from typing import Any

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Connection, Parser, Request, Verb

_COLUMNS = ("server", "state", "protocol", "transport", "tools", "calls")


def _arguments(_: Parser) -> None:
    pass


def _run(request: Request) -> Page:
    servers = request.api.registry().all()
    if not servers:
        return Page().note("No server is connected. Try: %mcp connect demo")
    page = Page().table(_COLUMNS, [_row(server) for server in servers])
    for server in servers:
        if server.state == "gone":
            page.note(f"{server.name} is gone; its next use connects it again.")
        if server.last_error is not None:
            page.note(f"{server.name}, last error: {one_line(server.last_error, 300)}")
    return page


def _row(server: Connection) -> tuple[Any, ...]:
    protocol = f"{server.protocol_version} ({server.era})"
    return (server.name, server.state, protocol, server.transport, len(server.tools), server.calls)


VERB = Verb(
    name="servers",
    summary="List the servers: state, protocol, what they have, what went wrong.",
    examples="  %mcp servers",
    arguments=_arguments,
    run=_run,
)
