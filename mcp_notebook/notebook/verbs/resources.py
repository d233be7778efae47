"""`%mcp resources`."""

from __future__ import annotations

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.types import ResourceInfo


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one server (default: all that are connected)")


def _run(request: Request) -> Page:
    servers = request.servers(request.options.name)
    found = [info for server in servers for info in server.resources.values()]
    templates = [info for server in servers for info in server.resource_templates.values()]
    if not found and not templates:
        return Page().note("There are no resources.")
    page = Page(whole="server(NAME).resources in Python")
    page.table(("server", "resource", "type", "what it is"), [_row(info) for info in (*found, *templates)])
    if found:
        page.note(f"Read one: %mcp read {found[0].server} {one_line(found[0].uri, 100)}")
    if templates:
        uri = one_line(templates[0].uri, 100).replace("{", "{{").replace("}", "}}")
        page.note(f"Of one with braces, give what stands for them: %mcp read {templates[0].server} {uri} k=v")
    return page


def _row(info: ResourceInfo) -> tuple[str, str, str, str]:
    about = info.description.strip().partition("\n")[0] or info.title or info.name
    return info.server, info.uri, info.mime_type or "", one_line(about)


VERB = Verb(
    name="resources",
    summary="List the resources, and the templates of resources.",
    examples="  %mcp resources\n  %mcp resources demo",
    arguments=_arguments,
    run=_run,
)
