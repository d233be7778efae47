"""`%mcp login`."""

from __future__ import annotations

from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.notebook.verbs.connect import connected


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="a server that is connected or configured")


def _run(request: Request) -> None:
    name = request.options.name.text
    registry = request.api.registry()
    spec = next((server.spec for server in registry.all() if server.name == name), None)
    request.api.sign_out(name)
    print(connected(request.api.connect(name) if spec is None else registry.connect(spec)))


VERB = Verb(
    name="login",
    summary="Sign in to a server anew.",
    examples="  %mcp login api",
    arguments=_arguments,
    run=_run,
)
