"""`%mcp disconnect`."""

from __future__ import annotations

from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="a connected server")


def _run(request: Request) -> None:
    name = request.options.name.text
    request.api.registry().disconnect(name)
    print(f"{name} is disconnected.")


VERB = Verb(
    name="disconnect",
    summary="Close the connection to a server, and end the server if it was started here.",
    examples="  %mcp disconnect demo",
    arguments=_arguments,
    run=_run,
)
