"""`%mcp read`."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Connection, Parser, Request, Verb, pairs
from mcp_notebook.results import ResourceResult


def _arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s [NAME] URI [K=V ...]"
    parser.add_argument("words", metavar="URI", nargs="+", help="the resource, after its server's name where several "
                        "have it; of a template, what stands for its variables")  # fmt: skip


def _run(request: Request) -> ResourceResult:
    first, *rest = request.options.words
    connected = {server.name: server for server in request.api.registry().all()}
    if first.text in connected and rest:
        server, uri, variables = connected[first.text], rest[0].text, pairs(rest[1:])
    else:
        uri, variables = first.text, pairs(rest)
        server = _owner([*connected.values()], uri)
    return server.resource(uri, **variables)


def _owner(connected: Sequence[Connection], uri: str) -> Connection:
    """Give the one server that is connected, or has the resource."""
    having = connected
    if len(connected) > 1:
        having = [each for each in connected if uri in each.resources or uri in each.resource_templates]
    if len(having) > 1:
        told = ", ".join(server.name for server in having)
        raise UsageError(f"several servers have it ({told}): say whose, as in %mcp read {having[0].name} …")
    if not having:
        names = ", ".join(server.name for server in connected) or "none"
        raise UsageError(f"say whose it is: %mcp read NAME URI (connected: {names})")
    return having[0]


VERB = Verb(
    name="read",
    summary="Read a resource.",
    examples="""\
  %mcp read demo restaurant://hours
  menu = %mcp read demo restaurant://menu/{{season}} season=winter

menu.text and menu.data hold what it is. In Python: server("demo").resource("restaurant://hours").""",
    arguments=_arguments,
    run=_run,
)
