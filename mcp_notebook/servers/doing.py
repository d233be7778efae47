"""From a place to the background loop and back: something is done there, for the code that waits here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from mcp_notebook.errors import UsageError
from mcp_notebook.servers import loop
from mcp_notebook.servers.elicitation import Call, Unanswered
from mcp_notebook.types import Answer, Place, Question

R = TypeVar("R")

Outcome: TypeAlias = tuple[R, None] | tuple[None, BaseException]
"""What came of something: its result, or what the place raised when it was asked meanwhile."""


def do_at(place: Place, what: str, work: Callable[[Call], Awaitable[R]], *, tool: str | None = None) -> R:
    """Do something at a server, and block until it is done.

    Args:
        place: Where it is done from: what the server asks meanwhile is asked there.
        what: What it is, for people.
        work: Does it, on the background loop.
        tool: The tool's name, if it is a tool call.

    Raises:
        BaseException: What `work` or the place raised.
    """
    return settled(place.wait(outcome_at(place, what, work, tool=tool)))


async def ado_at(place: Place, what: str, work: Callable[[Call], Awaitable[R]], *, tool: str | None = None) -> R:
    """Do the same as `do_at`, awaited."""
    return settled(await place.wait_async(outcome_at(place, what, work, tool=tool)))


def ask_at(place: Place, question: Question) -> Answer:
    """Put a question to whoever is at a place. Raises what `Place.ask` and `Place.wait` do."""
    return settled(place.wait(asked_at(place, question)))


async def asked_at(place: Place, question: Question) -> Outcome[Answer]:
    """Put a question to whoever is at a place, on the background loop; what that raised is returned."""

    async def ask(call: Call) -> Answer:
        answer = await call.ask(question)
        if answer is None:
            raise Unanswered
        return answer

    return await outcome_at(place, "connect", ask)


def not_on_the_loop() -> None:
    """See to it that this is not the background loop's own thread, which nobody may block.

    Raises:
        UsageError: It is.
    """
    if loop.is_here():
        msg = "this would wait for itself: inside a server's own code use `await server.acall(...)`"
        raise UsageError(msg)


async def outcome_at(
    place: Place, what: str, work: Callable[[Call], Awaitable[R]], *, tool: str | None = None
) -> Outcome[R]:
    """Do something on the background loop, for code that waits at a place.

    What the place raised when it was asked is returned, as a task cannot let out a KeyboardInterrupt. The arguments are
    those of `do_at`. Raises what `work` does.
    """
    call = Call(what, place, tool=tool)
    try:
        return await work(call), None
    except Unanswered:
        assert call.failure is not None
        return None, call.failure


def settled(outcome: Outcome[R]) -> R:
    """Give the result, or raise what was raised."""
    if outcome[1] is not None:
        raise outcome[1]
    return outcome[0]
