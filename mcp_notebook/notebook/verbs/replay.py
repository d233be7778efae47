"""`%mcp replay`."""

from __future__ import annotations

from mcp_notebook.answers.script import script
from mcp_notebook.notebook.verb import Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="a file of answers: recorded, or written by hand")


def _run(request: Request) -> None:
    path = request.options.file.text
    print(taken(script().load(path), path))


def taken(count: int, path: object) -> str:
    """Say how many answers were taken from a file."""
    return f"{count} answer{'' if count == 1 else 's'} taken from {path}."


VERB = Verb(
    name="replay",
    summary="Answer from a file that was recorded, or written by hand.",
    examples="""\
  %mcp replay answers.json

Each answer is used once, in the file's order, by the first question it is for; what is left
of an earlier replay of the same file is dropped. A question that none is for is put to you.
The environment variable MCP_NOTEBOOK_ANSWERS names a file to replay from the start. A secret
that the recording left out is taken from the environment, as MCP_NOTEBOOK_SECRET_PASSWORD
for the field password; without it, you are asked.""",
    arguments=_arguments,
    run=_run,
)
