"""`%mcp config`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.types import ConfiguredServer

_COLUMNS = ("server", "from", "target", "")


def _arguments(parser: Parser) -> None:
    parser.add_argument("--config", metavar="FILE", help="list this file alone")
    parser.add_argument("--json", action="store_true", help="give it as text in JSON")


def _run(request: Request) -> Any:
    file = request.options.config
    found = request.api.configured(file and file.text)
    if request.options.json:
        return print(json.dumps([_as_json(server) for server in found], indent=2, ensure_ascii=False))
    if not found:
        return Page().note("No server is configured. Write them as other clients do, in .mcp.json beside the notebook.")
    page = Page().table(_COLUMNS, [(server.name, _place(server.file), server.target, server.state) for server in found])
    return page.note("Connect one by its name: %mcp connect NAME; or all of the nearest file: %mcp connect --all")


def _as_json(server: ConfiguredServer) -> dict[str, str]:
    return {"name": server.name, "file": str(server.file), "target": server.target, "state": server.state}


def _place(file: Path) -> str:
    for start, shown in ((Path.cwd(), ""), (Path.home(), "~/")):
        if file.is_relative_to(start):
            return f"{shown}{file.relative_to(start).as_posix()}"
    return str(file)


VERB = Verb(
    name="config",
    summary="List the servers of configuration files, where each comes from, secrets masked.",
    examples="""\
  %mcp config
  %mcp config --config other/.mcp.json

Looked for, from the notebook's folder upward: .mcp.json, mcp.json, .vscode/mcp.json,
.cursor/mcp.json; then your own of mcp-notebook, Claude, Cursor, VS Code and Windsurf.""",
    arguments=_arguments,
    run=_run,
)
