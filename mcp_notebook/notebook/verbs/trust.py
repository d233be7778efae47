"""`%mcp trust`."""

from __future__ import annotations

from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="a connected server")
    parser.add_argument("--no", action="store_true", help="trust it no more")


def _run(request: Request) -> None:
    server = request.api.registry().get(request.options.name.text)
    request.api.pins().trust(server, not request.options.no)
    if request.options.no:
        print(f"What {server.name} says of its tools (that they only read, say) does not count.")
    else:
        print(f"What {server.name} says of its tools (that they only read, say) counts, in this session.")


VERB = Verb(
    name="trust",
    summary="Take what a server says of its own tools, such as that they only read, for true in this session.",
    examples="  %mcp trust demo\n  %mcp trust demo --no",
    arguments=_arguments,
    run=_run,
)
