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

from mcp_notebook.answers.plain import one_line
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import Word
from mcp_notebook.results import PromptResult, ResourceResult, ToolResult
from mcp_notebook.types import (
    Answer,
    Auth,
    ConfiguredServer,
    LogRecord,
    PromptInfo,
    Question,
    ResourceInfo,
    ServerDrift,
    ServerSpec,
    ToolInfo,
)


class Hints(Protocol):
    """What is known of a server for completion, at once or in a moment."""

    @property
    def resources(self) -> Mapping[str, ResourceInfo]: ...
    @property
    def templates(self) -> Mapping[str, ResourceInfo]: ...
    @property
    def prompts(self) -> Mapping[str, PromptInfo]: ...
    def values(
        self, argument: str, value: str, *, prompt: str | None = None, template: str = "", context: Mapping[str, str]
    ) -> Sequence[str]: ...


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
    def known_tools(self) -> Mapping[str, Tool]: ...
    @property
    def hints(self) -> Hints: ...
    @property
    def calls(self) -> int: ...
    @property
    def last_error(self) -> str | None: ...
    @property
    def resources(self) -> Mapping[str, ResourceInfo]: ...
    @property
    def resource_templates(self) -> Mapping[str, ResourceInfo]: ...
    @property
    def prompts(self) -> Mapping[str, PromptInfo]: ...
    @property
    def logs(self) -> Sequence[LogRecord]: ...
    def resource(self, uri: str, /, **variables: str) -> ResourceResult: ...
    def prompt(self, name: str, /, **arguments: Any) -> PromptResult: ...
    def call_with(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult: ...


class Connections(Protocol):
    """All that are connected."""

    def ask(self, question: Question) -> Answer: ...
    def all(self) -> Sequence[Connection]: ...
    def get(self, name: str) -> Connection: ...
    def connect(self, spec: ServerSpec) -> Connection: ...
    def disconnect(self, name: str) -> None: ...


class Pins(Protocol):
    """What servers' tools were when a person agreed to them."""

    @property
    def shown_path(self) -> str: ...
    def pinned(self) -> Sequence[str]: ...
    def pin(self, server: Connection) -> ServerDrift: ...
    def drift(self, server: Connection) -> ServerDrift: ...
    def hidden(self, server: Connection) -> Sequence[str]: ...
    def approve(self, server: Connection, tool: str | None = None) -> None: ...
    def trust(self, server: Connection, counts: bool = True) -> None: ...


class Api(Protocol):
    """`mcp_notebook.api`."""

    def pins(self) -> Pins: ...

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
        auth: Auth | None = None,
        allow_redirects: bool = False,
        roots: Sequence[str] = (),
        config: str | None = None,
    ) -> Connection: ...
    def ask_model(
        self,
        prompt: str,
        *,
        model: str | None = None,
        servers: Sequence[str] | None = None,
        max_steps: int | None = None,
        approve: Any = None,
        new: bool = False,
    ) -> None: ...
    def sign_out(self, name: str) -> bool: ...
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

    def servers(self, name: Word | None) -> Sequence[Connection]:
        """Give the server of a name, or all that are connected.

        Raises:
            UsageError: There is none of that name, or none at all.
        """
        if name is not None:
            return [self.api.registry().get(name.text)]
        found = [server for server in self.api.registry().all() if server.state == "connected"]
        if not found:
            raise UsageError("no server is connected. Try: %mcp connect demo")
        return found


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

    @property
    def option_strings(self) -> list[str]:
        """All options, as they are written."""
        return list(self._option_string_actions)

    def choices_of(self, option: str) -> list[str]:
        """What may follow an option, where that is one of a few."""
        action = self._option_string_actions.get(option)
        return list(action.choices or []) if action is not None else []

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


def pairs(words: Iterable[Word]) -> dict[str, str]:
    """Read words of the form NAME=VALUE.

    Raises:
        UsageError: One is not of that form, or a name is given twice.
    """
    found: dict[str, str] = {}
    for word in words:
        if not word.key:
            raise UsageError(f"{one_line(word, 60)}: write NAME=VALUE, with quotes around a value that has spaces")
        if word.key in found:
            raise UsageError(f"{word.key} is given twice")
        found[word.key] = str(word.value)
    return found


def owner_of(
    request: Request, name: str, kind: str, things: Callable[[Connection], Mapping[str, Any]]
) -> tuple[Connection, str]:
    """Find whose a thing is that is written as `SERVER.NAME`.

    Args:
        request: The line that names it.
        name: What is written.
        kind: What it is, "tool" or "prompt".
        things: Gives those of a server, by name.

    Returns:
        The server, and the thing's own name.

    Raises:
        UsageError: It is not written so, or there is no such server or thing.
    """
    registry = request.api.registry()
    owners = [server for server in registry.all() if name.startswith(f"{server.name}.")]  # names may have dots too
    server_name = max((server.name for server in owners), key=len, default=name.partition(".")[0])
    own = name[len(server_name) + 1 :]
    if not own:
        having = [server.name for server in registry.all() if name in things(server)]
        meant = f"; did you mean {having[0]}.{name}?" if having else ""
        raise UsageError(f"{name}: say whose {kind}, as in SERVER.{kind.upper()}{meant}")
    server = registry.get(server_name)
    known = things(server)
    if own not in known:
        hint = did_you_mean(own, known) or f"; %mcp {kind}s {server_name} lists them"
        raise UsageError(f"{server_name} has no {kind} {own}{hint}")
    return server, own


def tool_of(request: Request, name: str) -> tuple[Connection, ToolInfo]:
    """Find a tool by `SERVER.TOOL`.

    Raises:
        UsageError: It is not written so, or there is no such server or tool.
    """
    server, own = owner_of(request, name, "tool", lambda server: server.tools)
    return server, server.tools[own].info
