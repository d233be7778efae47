"""`%mcp record`."""

from __future__ import annotations

from pathlib import Path

from mcp_notebook.answers.recording import recorder
from mcp_notebook.answers.script import script
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.notebook.verbs.replay import taken


def _arguments(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="where to write the answers; those in it stay")
    parser.add_argument("--replay", action="store_true", help="first answer with what FILE already holds")
    parser.add_argument("--stop", action="store_true", help="record no longer")


def _run(request: Request) -> None:
    options = request.options
    if options.stop == bool(options.file):
        raise UsageError("%mcp record: name the file to record into, or --stop")
    if options.stop:
        path = recorder().stop()
        print(f"Recorded into {path}; now no longer." if path else "Nothing is being recorded.")
        return
    path = Path(options.file.text)
    recorder().start(path)
    if options.replay:
        print(taken(script().load(path), path))
    print(f"What you answer from now on is written to {path}, without secrets.")


VERB = Verb(
    name="record",
    summary="Write what you answer to a file, so that the next run need not ask you.",
    examples="""\
  %mcp record answers.json
  %mcp record answers.json --replay     (a first cell for every run: asks only what is new)
  %mcp record --stop

A value that looks like a secret is left out: its name stands under "secrets", and a replay
takes it from the environment, as MCP_NOTEBOOK_SECRET_PASSWORD for the field password.
An entry is for the same message of the same tool: where a message changes from run to run,
make its "message", a regular expression, wider. A visit to a URL is not recorded.""",
    arguments=_arguments,
    run=_run,
)
