"""`%mcp reconnect`."""

from __future__ import annotations

from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.notebook.verbs.connect import connected


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="a server that is or was connected")


def _run(request: Request) -> None:
    registry = request.api.registry()
    spec = registry.get(request.options.name.text).spec
    registry.disconnect(spec.name)
    print(connected(registry.connect(spec)))


VERB = Verb(
    name="reconnect",
    summary="Close the connection to a server and connect it anew in the same way.",
    examples="  %mcp reconnect demo",
    arguments=_arguments,
    run=_run,
)
