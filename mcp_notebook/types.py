"""The data that rooms hand to each other, all of it frozen, and the two protocols where they meet.

`Asker` is whoever answers a server's question: a form, a text prompt, a script, a recording.
`Place` is where a call is made from: it knows how to wait there and whom to ask there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

T = TypeVar("T")

Action = Literal["accept", "decline", "cancel"]
"""What a person does with a question: MCP specification, client/elicitation, "Response Actions"."""

ProtocolMode = Literal["auto", "legacy", "2026-07-28"]
"""Which protocol to speak: probe for the newest, `initialize` only, or the modern one unprobed."""

Era = Literal["legacy", "modern"]
"""A generation of the protocol: up to 2025-11-25 (`initialize`), or from 2026-07-28 on (no handshake)."""

Source = Literal["person", "script", "handler"]
"""Who answered: a person at the notebook, an answer written down beforehand, or a function of the user's own."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a server asks of the person (an *elicitation*) in the middle of a tool call."""

    server: str
    """The name the server is connected under."""
    message: str
    """The server's own words: untrusted text."""
    schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Form mode: the requested schema, as the server sent it."""
    tool: str | None = None
    """The tool whose call is waiting for the answer, where that is known."""
    mode: Literal["form", "url"] = "form"
    """Form mode, or URL mode."""
    url: str | None = field(default=None, repr=False)
    """URL mode: where the person is asked to go. Hidden in the repr: it may let anybody in."""
    rest: int | None = None
    """How many more calls of a `map` are to come, for which the same answer may do; None for a call by itself."""
    own: bool = False
    """Asked by this package, for the server's sake: it never reaches the server."""
    approval: bool = False
    """Whether it puts a call that a model wants to make to the person: run, skip, or stop."""
    wrong: Callable[[Mapping[str, Any]], dict[str, str]] | None = field(default=None, repr=False, compare=False)
    """Says what else is wrong with an answer's content, by field, beyond what the schema says. From a form it gets a
    field that was emptied as "", since one that is absent is as it was asked."""
    visit: Visit | None = field(default=None, repr=False, compare=False)
    """URL mode: what is known of the way there."""

    def wrong_in(self, content: Mapping[str, Any]) -> dict[str, str]:
        """Say what is wrong with an answer's content that is valid against the schema, by field."""
        return self.wrong(content) if self.wrong is not None else {}


class Visit:
    """A person's way to a page that a server asks to open. Used on the background loop alone.

    Args:
        server_waits: Whether the server takes "accept" for the consent and waits for the page by itself, as it does up
            to 2025-11-25; later ones are asked again once the person has been there.
    """

    def __init__(self, *, server_waits: bool = False) -> None:
        self.server_waits = server_waits
        self.consented = asyncio.Event()
        """Set by whoever answers, once the person has agreed to open the page and may have opened it."""
        self.completed = asyncio.Event()
        """Set when the server says that all is done there (`notifications/elicitation/complete`)."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What goes back to the server for a `Question`."""

    action: Action
    content: Mapping[str, Any] | None = None
    """With accept, in form mode: the value of each field that has one. Hidden in the repr: it may be private."""
    source: Source = "person"
    for_rest: bool = False
    """Whether it is to be given to the same question of all further calls of a `map`."""

    def __repr__(self) -> str:
        return f"Answer(action={self.action!r}, source={self.source!r})"


class Asker(Protocol):
    """Whoever answers questions."""

    async def ask(self, question: Question) -> Answer:
        """Answer a question.

        Args:
            question: What the server asks.

        Returns:
            The answer, valid against the question's schema when it is an accept.

        Raises:
            NoAnswerError: Nobody can answer here. Never answered with a made-up decline.
        """
        ...


class Place(Asker, Protocol):
    """Where a call is made from: a cell, a thread, a plain script."""

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and block until it is done.

        Raises:
            KeyboardInterrupt: The user pressed Stop; `work` has been cancelled.
        """
        ...

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and await its result here; cancelling this cancels `work`."""
        ...

    def tell(self, notice: str) -> None:
        """Show a notice where the call is made, from any thread: words of ours, with a server's escaped in them."""
        ...

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show how far a call has come, from any thread.

        Args:
            what: The call, such as the tool's name.
            done: How much is done, in the server's own unit.
            total: How much there is to do, where that is known.
            message: What the server says of it: untrusted text.
        """
        ...


Places = Callable[[], Place]
"""Gives the place of the running code. Called once for each call, in the caller's own thread and context."""


@dataclass(frozen=True, kw_only=True)
class Auth:
    """How to sign in to an HTTP server, where its own way is not enough."""

    client_id: str | None = None
    """The client that was registered beforehand; without, one is registered as the server allows."""
    client_secret: str | None = field(default=None, repr=False)
    private_key: str | None = field(default=None, repr=False)
    """PEM: signs for the client, in place of a secret, with client credentials."""
    assertion: str | None = field(default=None, repr=False)
    """A JWT that vouches for the client, to be exchanged for a token (RFC 7523, section 2.1)."""
    scope: str | None = None
    """The scopes to ask for, with spaces between."""
    client_credentials: bool = False
    """Sign in as the client itself, with nobody there (OAuth 2.1, section 4.2)."""
    client_metadata_url: str | None = None
    """Where the client's metadata document is, for servers that take its URL for the client's id."""


@dataclass(frozen=True, kw_only=True)
class ServerSpec:
    """How to reach a server. Picklable, except with an in-process server."""

    name: str
    """The name it is connected under."""
    command: tuple[str, ...] = field(default=(), repr=False)
    """stdio: the program and its arguments. Hidden in the repr: they may hold secrets; `target` shows them masked."""
    env: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """stdio: variables added to the child's environment. Hidden in the repr: they hold secrets."""
    cwd: str | None = None
    """stdio: the child's working directory."""
    url: str | None = field(default=None, repr=False)
    """HTTP: the endpoint. Hidden in the repr: it may carry a token; `target` shows it masked."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """HTTP: headers sent with every request. Hidden in the repr: they hold secrets."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Texts that are secret wherever they stand in it."""
    transport: Literal["stdio", "http", "sse", "in-process"] = "stdio"
    server: Any = field(default=None, repr=False)
    """In-process: the SDK's `MCPServer` (or low-level `Server`) object."""
    protocol: ProtocolMode = "auto"
    timeout: float | None = None
    """How long to wait for the server to come up, and for each of its answers, in seconds; None for the defaults."""
    auth: Any = field(default=None, repr=False)
    """HTTP: how to sign in: an `Auth`, or an `httpx2.Auth` of the user's own; None for the server's own way."""
    allow_redirects: bool = False
    """HTTP: whether to go where the server sends requests, on another origin too; credentials stay behind."""
    roots: tuple[str, ...] = ()
    """The folders that it may know of, where it is of the older era and asks."""
    on_sample: Any = field(default=None, repr=False)
    """Answers for a model, where it is of the older era and asks: see `api.connect`."""
    max_retries: int = 0
    """HTTP: how many times a tool call is sent again after a transient fault of HTTP or the network."""
    force_retries: bool = False
    """HTTP: whether also tools are called again that say of themselves that it makes a difference."""
    elicit: bool = True
    """Whether it may ask: without, elicitation is not declared and its questions are refused."""

    @property
    def connect_seconds(self) -> float:
        """How long the server may take to come up."""
        return 60.0 if self.timeout is None else self.timeout

    @property
    def answer_seconds(self) -> float:
        """How long it may take over one answer: a tool may have much to do, but must not hang for ever."""
        return 600.0 if self.timeout is None else self.timeout


@dataclass(frozen=True, kw_only=True)
class ConfiguredServer:
    """A server as a configuration file has it, to be shown."""

    name: str
    file: Path
    target: str
    """Where it is, in one line, with secrets masked and variables as they are written; or what is wrong with it."""
    state: Literal["", "connected", "off", "hidden", "faulty"]
    """Whether it is connected, turned off, hidden by one of its name in a nearer file, or can't be read."""


@dataclass(frozen=True, kw_only=True)
class ToolInfo:
    """A tool as its server describes it: untrusted text throughout."""

    server: str
    name: str
    title: str | None = None
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=dict[str, Any])
    output_schema: Mapping[str, Any] | None = None
    annotations: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Hints from the server (`readOnlyHint` …): never to be trusted."""


@dataclass(frozen=True, kw_only=True)
class ResourceInfo:
    """A resource, or a template of resources, as its server describes it: untrusted text throughout."""

    server: str
    uri: str
    """Its URI; of a template, with variables in braces (RFC 6570)."""
    name: str
    title: str | None = None
    description: str = ""
    mime_type: str | None = None
    size: int | None = None
    """In bytes, where the server says it."""


@dataclass(frozen=True, kw_only=True)
class PromptInfo:
    """A prompt as its server describes it: untrusted text throughout."""

    server: str
    name: str
    title: str | None = None
    description: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict[str, str])
    """What each argument is, by name."""
    required: tuple[str, ...] = ()
    """The arguments that must be given."""


@dataclass(frozen=True, kw_only=True)
class LogRecord:
    """Something that a server has said of its work."""

    time: float
    """When it arrived, in seconds since the epoch."""
    level: str
    """One of `LOG_LEVELS`; "stderr" for what its process wrote there."""
    text: str
    """Untrusted text."""
    logger: str = ""


@dataclass(frozen=True, kw_only=True)
class SamplingRequest:
    """What a server of the older era asks a model: untrusted text throughout."""

    server: str
    messages: tuple[tuple[str, str], ...]
    """Each message's role, "user" or "assistant", and its text."""
    system: str = ""
    max_tokens: int = 0


LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""From the least to the most severe: MCP specification, server/utilities/logging."""


Piece = tuple[Literal["same", "removed", "added"], str]
"""A piece of a text that was compared with another, with invisible characters written out."""


@dataclass(frozen=True, kw_only=True)
class PartDrift:
    """What has changed in one part of a tool's definition."""

    where: str
    """The part's path, such as `inputSchema.properties.party.description`."""
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, kw_only=True)
class ToolDrift:
    """What has become of a tool since it was pinned: untrusted text throughout, bounded."""

    name: str
    kind: Literal["added", "removed", "changed"]
    parts: tuple[PartDrift, ...] = ()
    """What has changed in it; of a tool that was added, all of it."""


@dataclass(frozen=True, kw_only=True)
class ServerDrift:
    """What has become of a server since it was pinned."""

    server: str
    pinned: bool
    identity: tuple[str, str] | None = None
    """What was pinned under its name and what is connected under it, where these are two."""
    tools: tuple[ToolDrift, ...] = ()

    @property
    def drifted(self) -> bool:
        """Whether anything is other than it was pinned."""
        return bool(self.identity or self.tools)
