"""`%mcp prompts`."""

from __future__ import annotations

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.types import PromptInfo


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one server (default: all that are connected)")


def _run(request: Request) -> Page:
    found = [info for server in request.servers(request.options.name) for info in server.prompts.values()]
    if not found:
        return Page().note("There are no prompts.")
    page = Page(whole="server(NAME).prompts in Python")
    page.table(("prompt", "arguments", "what it is"), [_row(info) for info in found])
    return page.note(f"Get one: %mcp prompt {found[0].server}.{one_line(found[0].name)}")


def _row(info: PromptInfo) -> tuple[str, str, str]:
    arguments = ", ".join(f"{name}*" if name in info.required else name for name in info.arguments)
    about = info.description.strip().partition("\n")[0] or info.title or ""
    return f"{info.server}.{info.name}", arguments, one_line(about)


VERB = Verb(
    name="prompts",
    summary="List the prompts, with their arguments (* marks the required ones).",
    examples="  %mcp prompts\n  %mcp prompts demo",
    arguments=_arguments,
    run=_run,
)
