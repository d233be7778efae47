"""`%mcp approve`."""

from __future__ import annotations

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="a pinned server")
    parser.add_argument("tool", metavar="TOOL", nargs="?", help="one of its tools (default: all of them)")


def _run(request: Request) -> None:
    server = request.api.registry().get(request.options.name.text)
    tool = request.options.tool and request.options.tool.text
    pins = request.api.pins()
    pins.approve(server, tool)
    what = f"{server.name}.{one_line(tool)}" if tool else server.name
    print(f"{what} is pinned as it is now, in {pins.shown_path}.")


VERB = Verb(
    name="approve",
    summary="Agree to what has become of a pinned server, or of one of its tools (see %mcp drift).",
    examples="  %mcp approve demo\n  %mcp approve demo book_table",
    arguments=_arguments,
    run=_run,
)
