"""What a verb of `%mcp` is, and what it works with.

The connections come from above (`mcp_notebook.api`): this room does not know the protocol, and says here what it needs.
"""

# ruff: noqa: D102 (the protocols' members are told of where they are made: servers/server.py, servers/registry.py, api.py)

from __future__ import annotations

import argparse
import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import Word
from mcp_notebook.types import Answer, ConfiguredServer, Question, ServerSpec, ToolInfo, ToolResult


class Tool(Protocol):
    """A tool of a connected server, as the verbs see it."""

    @property
    def info(self) -> ToolInfo: ...


class Connection(Protocol):
    """A connected server, as the verbs see it."""

    @property
    def name(self) -> str: ...
    @property
    def spec(self) -> ServerSpec: ...
    @property
    def state(self) -> str: ...
    @property
    def protocol_version(self) -> str: ...
    @property
    def era(self) -> str: ...
    @property
    def transport(self) -> str: ...
    @property
    def tools(self) -> Mapping[str, Tool]: ...
    @property
    def calls(self) -> int: ...
    @property
    def last_error(self) -> str | None: ...
    def call_with(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult: ...


class Connections(Protocol):
    """All that are connected."""

    def ask(self, question: Question) -> Answer: ...
    def all(self) -> Sequence[Connection]: ...
    def get(self, name: str) -> Connection: ...
    def connect(self, spec: ServerSpec) -> Connection: ...
    def disconnect(self, name: str) -> None: ...


class Api(Protocol):
    """`mcp_notebook.api`."""

    def registry(self) -> Connections: ...
    def connect(
        self,
        name: str,
        target: Any = None,
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        headers: Mapping[str, str] | None = None,
        transport: Any = None,
        protocol: Any = "auto",
        timeout: float | None = None,
        max_retries: int = 0,
        force_retries: bool = False,
        elicit: bool = True,
        bearer: str | None = None,
        config: str | None = None,
    ) -> Connection: ...
    def configured(self, file: str | None = None) -> Sequence[ConfiguredServer]: ...


@dataclass(frozen=True, kw_only=True)
class Request:
    """One line of `%mcp`, read."""

    options: argparse.Namespace
    command: tuple[Word, ...]
    """What stands after `--`."""
    body: str | None
    """The rest of the cell, with `%%mcp`."""
    namespace: Mapping[str, Any]
    """The names that the line may use."""
    api: Api


class Parser(argparse.ArgumentParser):
    """A parser of options that raises `UsageError`, and neither prints nor exits."""

    def __init__(self, name: str, summary: str, examples: str) -> None:
        super().__init__(
            prog=f"%mcp {name}",
            description=summary,
            epilog=f"examples:\n{examples}",
            formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, width=88),
            add_help=False,
            allow_abbrev=False,
        )
        self.color = False  # Python 3.14 would colour the help where it takes the cell for a terminal

    def read(self, words: Iterable[Word]) -> argparse.Namespace:
        """Read options and words in any order."""
        options, extra = self.parse_known_intermixed_args(list(words))
        unknown = [word.partition("=")[0] for word in extra if word.startswith("-")]
        if unknown:
            self.error(f"there is no option {unknown[0]}")
        if extra:  # not shown: it may be half of a secret
            self.error("too many words; put a value with spaces in quotes")
        return options

    def error(self, message: str) -> NoReturn:
        """Raise what argparse would print."""
        raise UsageError(f"{self.prog}: {message} (see {self.prog} --help)")


@dataclass(frozen=True, kw_only=True)
class Verb:
    """A verb of `%mcp`."""

    name: str
    summary: str
    examples: str
    arguments: Callable[[Parser], None]
    """Declares its options and words."""
    run: Callable[[Request], Any]
    """Does it; what it returns is the cell's result."""
    takes_command: bool = False
    takes_body: bool = False

    def parser(self) -> Parser:
        """Make the parser of its line."""
        parser = Parser(self.name, self.summary, self.examples)
        self.arguments(parser)
        return parser


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Suggest the nearest known name; empty if none is near."""
    near = difflib.get_close_matches(wrong, list(known), 1)
    return f"; did you mean {near[0]}?" if near else ""


def tool_of(request: Request, name: str) -> tuple[Connection, ToolInfo]:
    """Find a tool by `SERVER.TOOL`.

    Raises:
        UsageError: It is not written so, or there is no such server or tool.
    """
    registry = request.api.registry()
    owners = [server for server in registry.all() if name.startswith(f"{server.name}.")]  # names may have dots too
    server_name = max((server.name for server in owners), key=len, default=name.partition(".")[0])
    tool = name[len(server_name) + 1 :]
    if not tool:
        having = [server.name for server in registry.all() if name in server.tools]
        meant = f"; did you mean {having[0]}.{name}?" if having else ""
        raise UsageError(f"{name}: say whose tool, as in SERVER.TOOL{meant}")
    server = registry.get(server_name)
    tools = server.tools
    if tool not in tools:
        hint = did_you_mean(tool, tools) or f"; %mcp tools {server_name} lists them"
        raise UsageError(f"{server_name} has no tool {tool}{hint}")
    return server, tools[tool].info
