"""`%mcp stubs`."""

from __future__ import annotations

from pathlib import Path

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.schema.stubs import class_of, stubs_of


def _arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s NAME [> FILE]"
    parser.add_argument("name", metavar="NAME", help="the server")
    parser.add_argument("into", metavar="> FILE", nargs="*", help="the file to write, which ends in .pyi")


def _run(request: Request) -> None:
    server = request.api.registry().get(request.options.name.text)
    tools = [(name, tool.__doc__ or "", tool.info.input_schema) for name, tool in server.tools.items()]
    stubs = stubs_of(server.name, tools, dir(type(server.tools)))
    into = " ".join(word.text for word in request.options.into)
    if not into:
        return print(stubs)
    if not into.startswith(">") or not into.endswith(".pyi"):
        raise UsageError(f"write > FILE.pyi after the name, as in %mcp stubs {server.name} > {server.name}.pyi")
    path = Path(into[1:].strip()).expanduser()
    try:
        path.write_text(stubs, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from None
    name = class_of(server.name)
    return print(
        f"{path} has the types of {len(tools)} tools. For your editor, where you connect it:\n\n"
        f"  from typing import TYPE_CHECKING, cast\n"
        f"  if TYPE_CHECKING:\n"
        f"      from {path.stem} import {name}\n"
        f'  {path.stem} = cast("{name}", connect("{server.name}"))'
    )


VERB = Verb(
    name="stubs",
    summary="Write the types of a server's tools to a file, for editors and type checkers.",
    examples="  %mcp stubs demo > demo.pyi\n  %mcp stubs demo                  (shows them)",
    arguments=_arguments,
    run=_run,
)
