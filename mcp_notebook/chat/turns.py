"""What a conversation is made of, apart from any model's API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mcp_notebook.results import ToolResult

CallState = Literal["done", "failed", "skipped", "refused", "stopped"]
"""What became of a call: the tool gave a result; it failed; the person skipped it; it was not made, for a reason that
the model is told; or the person ended the answer before it was done."""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What an answer took, in tokens."""

    input_tokens: int
    output_tokens: int

    def __add__(self, other: Usage | None) -> Usage:
        if other is None:
            return self
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens, output_tokens=self.output_tokens + other.output_tokens
        )


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A call as a model asks for it: untrusted throughout."""

    id: str
    name: str
    """The name that the model was given for the tool, or one that it made up."""
    arguments: str
    """JSON, or what the model takes for it."""


@dataclass(frozen=True, kw_only=True)
class ModelTurn:
    """What a model said in one go."""

    text: str = ""
    calls: Sequence[Asked] = ()
    finish: str = "stop"
    """Why it ended: "stop", "calls", "length", "filter"."""
    usage: Usage | None = None
    """None where the endpoint does not say."""
    items: Sequence[Mapping[str, Any]] = ()
    """Responses API: what it sent, to be sent back as it is; reasoning is among it, encrypted."""
    model: str = ""
    """The model that said it, where `items` came from."""


@dataclass(frozen=True, kw_only=True)
class Image:
    """An image that a tool gave back."""

    mime_type: str
    base64: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of a tool that a model asked for."""

    id: str
    name: str
    server: str
    """The server's name; empty where the model made the tool up."""
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class CallTurn:
    """A call, and what the model is told of it."""

    call: Call
    state: CallState
    told: str
    images: Sequence[Image] = ()
    result: ToolResult | None = None
    seconds: float = 0.0
    """How long it took, questions to the person included."""


@dataclass(frozen=True, kw_only=True)
class UserTurn:
    """What the person said."""

    text: str


@dataclass(frozen=True, kw_only=True)
class FormTurn:
    """What the person was asked meanwhile, by a tool or for a call: the model hears of it what the tool tells."""

    server: str
    tool: str | None
    message: str
    action: str
    approval: bool = False
    """Whether it was asked whether a call is to be made."""
    content: Mapping[str, Any] | None = None
    """With accept, with secrets masked."""


Turn = UserTurn | ModelTurn | CallTurn | FormTurn


@dataclass(frozen=True, kw_only=True)
class Reply:
    """What a model answered."""

    text: str
    """Markdown, as the model wrote it: untrusted."""
    model: str
    """The model and where it is."""
    calls: Sequence[Mapping[str, Any]] = ()
    """The calls of tools, as `Chat.messages` has them."""
    usage: Usage | None = None
    """What it took, where the endpoint says it."""
    note: str = ""
    """Why it ended early, if it did."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        tokens = f", {self.usage.input_tokens + self.usage.output_tokens:,} tokens" if self.usage else ""
        note = f"; {self.note}" if self.note else ""
        return f"<reply of {self.model}: {len(self.text):,} characters, {len(self.calls)} calls{tokens}{note}>"
