"""Where a conversation is shown: a cell, or nowhere."""

from __future__ import annotations

from typing import Protocol

from mcp_notebook.chat.turns import Call, CallTurn, Reply


class Stage(Protocol):
    """What shows an answer while it comes. All is called on the background loop, and must not block it."""

    def text(self, whole: str) -> None:
        """Show what the model has said so far in this turn: Markdown, untrusted."""
        ...

    def turn_over(self) -> None:
        """Take it that the turn's text is whole: what comes now stands below."""
        ...

    def call_started(self, call: Call) -> None:
        """Show that a call is on its way, or waits for the person."""
        ...

    def call_over(self, turn: CallTurn) -> None:
        """Show what became of a call."""
        ...

    def note(self, text: str) -> None:
        """Say something of ours, such as that a tool is kept back."""
        ...

    def over(self, reply: Reply) -> None:
        """Take it that the answer is whole."""
        ...


class Nowhere:
    """A stage that shows nothing: the answer is a value all the same."""

    def text(self, whole: str) -> None:
        """Show nothing."""

    def turn_over(self) -> None:
        """Show nothing."""

    def call_started(self, call: Call) -> None:
        """Show nothing."""

    def call_over(self, turn: CallTurn) -> None:
        """Show nothing."""

    def note(self, text: str) -> None:
        """Show nothing."""

    def over(self, reply: Reply) -> None:
        """Show nothing."""
