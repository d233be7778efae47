"""`%mcp pin`."""

from __future__ import annotations

from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("names", metavar="NAME", nargs="*", help="the servers (default: all that are connected)")


def _run(request: Request) -> Page:
    names = request.options.names
    servers = [server for name in names for server in request.servers(name)] if names else request.servers(None)
    pins, page = request.api.pins(), Page()
    for server in servers:
        before = pins.pin(server)
        if before.drifted:
            page.note(
                f"{server.name} was pinned, and is not as it was: the pin stays. Look at it: %mcp drift {server.name}"
            )
        elif before.pinned:
            page.note(f"{server.name} is pinned, and all is as it was.")
        else:
            count = len(server.tools)
            page.note(f"{server.name}: {count} tool{'' if count == 1 else 's'} pinned in {pins.shown_path}.")
        for hidden in pins.hidden(server)[:20]:
            page.note(f"Hidden characters: {hidden}")
    return page.note("Commit that file beside the notebook.")


VERB = Verb(
    name="pin",
    summary="Write down the tools of servers, so that changes are told of, and kept from models.",
    examples="  %mcp pin\n  %mcp pin demo",
    arguments=_arguments,
    run=_run,
)
