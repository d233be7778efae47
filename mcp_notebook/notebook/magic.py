"""The `%mcp` magic: reads the line, dispatches to a verb, and shows errors without a traceback of its own inside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import Magics, line_cell_magic, magics_class, needs_local_scope, no_var_expand

from mcp_notebook.errors import McpNotebookError, UsageError
from mcp_notebook.notebook.failures import without_traceback
from mcp_notebook.notebook.line import Word, split
from mcp_notebook.notebook.verb import Api, Request, Verb, did_you_mean


@magics_class
class McpMagics(Magics):
    """`%mcp` and `%%mcp`.

    Args:
        shell: The IPython shell.
        api: Connects servers and knows those that are connected.
    """

    def __init__(self, shell: InteractiveShell, api: Api) -> None:
        super().__init__(shell)
        self._shell = shell
        self._api = api

    @no_var_expand
    @needs_local_scope
    @line_cell_magic
    def mcp(self, line: str, cell: str | None = None, local_ns: Mapping[str, Any] | None = None) -> Any:
        """Connect MCP servers and call their tools: `%mcp --help` tells how."""
        names = {**self._shell.user_ns, **(local_ns or {})}
        try:
            return _run(split(line, names), cell, names, self._api)
        except (McpNotebookError, KeyboardInterrupt) as error:
            without_traceback(error)
            raise


def _run(words: list[Word], body: str | None, names: Mapping[str, Any], api: Api) -> Any:
    from mcp_notebook.notebook.start import start
    from mcp_notebook.notebook.verbs import VERBS  # more than half of what loading the extension would take

    at = next((at for at, word in enumerate(words) if word == "--"), len(words))
    words, command = words[:at], tuple(words[at + 1 :])
    asks_help = any(word in ("--help", "-h") for word in words)
    words = [word for word in words if word not in ("--help", "-h")]
    if not words:
        return print(_help(VERBS.values()) if asks_help else start(api))
    name, *words = words
    verb = VERBS.get(name)
    if verb is None:
        raise UsageError(f"%mcp has no verb {name}{did_you_mean(name, VERBS) or '; %mcp --help lists them'}")
    parser = verb.parser()
    if asks_help:
        return print(parser.format_help())
    if command and not verb.takes_command:
        parser.error("it takes no command after --")
    if body is not None and not verb.takes_body:
        parser.error("it takes no cell body: write it with one %")
    options = parser.read(words)
    return verb.run(Request(options=options, command=command, body=body, namespace=names, api=api))


def _help(verbs: Iterable[Verb]) -> str:
    lines = "\n".join(f"  %mcp {verb.name:<11} {verb.summary}" for verb in verbs)
    return f"{lines}\n\n%mcp VERB --help tells more of each, with examples."
