"""`%mcp prompt`."""

from __future__ import annotations

from mcp_notebook.notebook.verb import Parser, Request, Verb, owner_of, pairs
from mcp_notebook.results import PromptResult


def _arguments(parser: Parser) -> None:
    parser.add_argument("prompt", metavar="NAME.PROMPT", help="the server and its prompt")
    parser.add_argument("arguments", metavar="K=V", nargs="*", help="the prompt's arguments, by name")


def _run(request: Request) -> PromptResult:
    server, name = owner_of(request, request.options.prompt.text, "prompt", lambda server: server.prompts)
    return server.prompt(name, **pairs(request.options.arguments))


VERB = Verb(
    name="prompt",
    summary="Get a prompt: the messages that its server makes of it.",
    examples="""\
  %mcp prompt demo.invitation guest=Ada
  asked = %mcp prompt demo.invitation guest=Ada season=summer

asked.messages and asked.text hold what it is. In Python:
server("demo").prompt("invitation", guest="Ada").""",
    arguments=_arguments,
    run=_run,
)
