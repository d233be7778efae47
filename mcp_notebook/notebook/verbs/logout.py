"""`%mcp logout`."""

from __future__ import annotations

from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="a server that is connected or configured")


def _run(request: Request) -> None:
    name = request.options.name.text
    if request.api.sign_out(name):
        print(f"The sign-in to {name} is forgotten, and {name} is disconnected.")
    else:
        print(f"There was no sign-in to {name}.")


VERB = Verb(
    name="logout",
    summary="Forget the sign-in to a server: its tokens, and the client registered for it.",
    examples="  %mcp logout api",
    arguments=_arguments,
    run=_run,
)
