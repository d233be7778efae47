"""`%mcp read`."""

from __future__ import annotations

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Parser, Request, Verb, pairs
from mcp_notebook.types import ResourceResult


def _arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s [NAME] URI [K=V ...]"
    parser.add_argument("words", metavar="URI", nargs="+", help="the resource, after its server's name where several "
                        "have it; of a template, what stands for its variables")  # fmt: skip


def _run(request: Request) -> ResourceResult:
    first, *rest = request.options.words
    registry = request.api.registry()
    names = [server.name for server in registry.all()]
    if first.text in names and rest:
        server, uri, variables = registry.get(first.text), rest[0].text, pairs(rest[1:])
        return server.resource(uri, **variables)
    uri, variables = first.text, pairs(rest)
    having = [each for each in registry.all() if uri in each.resources or uri in each.resource_templates]
    if len(having) > 1:
        told = ", ".join(server.name for server in having)
        raise UsageError(f"several servers have it ({told}): say whose, as in %mcp read {having[0].name} …")
    if not having and len(names) != 1:
        raise UsageError(f"say whose it is: %mcp read NAME URI (connected: {', '.join(names) or 'none'})")
    return (having[0] if having else registry.get(names[0])).resource(uri, **variables)


VERB = Verb(
    name="read",
    summary="Read a resource.",
    examples="""\
  %mcp read docs file:///guide.md
  guide = %mcp read docs file:///guide.md
  %mcp read weather weather://{{country}}/{{city}} country=no city=Oslo

guide.text and guide.data hold what it is. In Python: server("docs").resource("file:///guide.md").""",
    arguments=_arguments,
    run=_run,
)
