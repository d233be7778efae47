"""`%mcp ask`."""

from __future__ import annotations

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Parser, Request, Verb

_APPROVE = ("writes", "always", "never")


def _arguments(parser: Parser) -> None:
    parser.add_argument("prompt", metavar="PROMPT", nargs="*", help="what to ask; or in the cell's body")
    parser.add_argument("--model", metavar="NAME", help="the model: of the endpoint, ollama/NAME, or local")
    parser.add_argument("--servers", metavar="A,B", help="the servers whose tools it may call; all without this")
    parser.add_argument("--max-steps", metavar="N", type=int, help="how often it may call tools: 10")
    parser.add_argument("--approve", choices=_APPROVE, help="which calls you are asked about: those that may write")
    parser.add_argument("--new", action="store_true", help="forget what was said, and begin anew")


def _run(request: Request) -> None:
    options = request.options
    line = " ".join(options.prompt)
    if line and request.body:
        raise UsageError("the question is both on the line and in the cell's body: write it in one of them")
    prompt = line or (request.body or "").strip()
    if not prompt and not options.new:
        raise UsageError('say what to ask: in the body of a %%mcp ask cell, or as in %mcp ask "What can you do?"')
    request.api.ask_model(
        prompt,
        model=options.model,
        servers=[name.strip() for name in options.servers.split(",")] if options.servers else None,
        max_steps=options.max_steps,
        approve=options.approve,
        new=options.new,
    )


VERB = Verb(
    name="ask",
    summary="Ask a model, which may call the servers' tools; forms open here when they ask you.",
    examples="""\
  %mcp ask "What can your tools do?"
  %mcp ask --new --model ollama/llama3.2 "What can your tools do?"

  %%mcp ask --servers demo --approve always
  Book a table for four, and tell me the day.

The model: OPENAI_API_KEY for the OpenAI API, OPENAI_BASE_URL for an endpoint like it, MCP_NOTEBOOK_MODEL or --model for
its name; ollama/NAME for an Ollama on this computer; local for a tiny model that needs no key. The conversation goes on
from cell to cell; --model, --servers, --max-steps and --approve stay as they were given until --new.

Before a tool is called you are asked, unless it says that it only reads and you trust its server (%mcp trust NAME).

The same in Python:
  from mcp_notebook import Chat
  Chat().ask("Book a table for four").text""",
    arguments=_arguments,
    run=_run,
    takes_body=True,
)
