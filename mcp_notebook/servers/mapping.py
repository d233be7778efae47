"""Many calls of one tool, so many at a time, at one place. The tasks are asyncio's, and elsewhere an executor's."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mcp_notebook.errors import ConnectError, McpNotebookError, UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.servers.doing import Outcome
from mcp_notebook.servers.mapped import How, Mapped
from mcp_notebook.servers.shown import escaped
from mcp_notebook.types import Answer, Place, Question

T = TypeVar("T")

_DRAW_SECONDS = 0.05
"""How long a bar may be behind."""

One = Callable[[Place, Mapping[str, Any]], Awaitable[Outcome[ToolResult]]]
"""Makes one call at a place, on the background loop."""


class _Shared:
    """What the calls of a map share.

    Args:
        place: Where they are made from.
        numbers: The rows to do.
    """

    def __init__(self, place: Place, numbers: Sequence[int]) -> None:
        self.place = place
        self.turn = asyncio.Lock()
        self.ahead = set(numbers)
        """The rows that have neither ended nor asked anything yet."""
        self.told: set[str] = set()


class RowPlace:
    """The place of one call of many: what they ask comes one by one, and their own progress is not shown.

    Args:
        shared: What it shares with the others.
        number: The row.
    """

    def __init__(self, shared: _Shared, number: int) -> None:
        self._shared = shared
        self._place = shared.place
        self._number = number

    async def ask(self, question: Question) -> Answer:
        """Answer a question, after those that came before: see `Asker.ask`."""
        async with self._shared.turn:
            self._shared.ahead.discard(self._number)
            return await self._place.ask(replace(question, rest=len(self._shared.ahead)))

    def tell(self, notice: str) -> None:
        """Show a notice, each once."""
        if notice not in self._shared.told:
            self._shared.told.add(notice)
            self._place.tell(notice)

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show nothing: one bar tells of all the calls."""

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait as the place does."""
        return self._place.wait(work)

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait as the place does."""
        return await self._place.wait_async(work)


async def make_calls(mapped: Mapped, numbers: Sequence[int], how: How, place: Place, one: One) -> BaseException | None:
    """Make the calls of some rows, on the background loop, and keep what comes of each.

    Args:
        mapped: Holds the rows, and takes the outcomes.
        numbers: The rows to do.
        how: How many at a time, and what becomes of errors.
        place: Where they are made from.
        one: Makes one of them.

    Returns:
        Why it ended early: the first error, unless errors are kept; that the server can't be reached; or what the place
        raised. None when all is done.
    """
    todo = iter(numbers)
    bar = _Bar(mapped, place, len(numbers))
    shared = _Shared(place, numbers)
    width = min(how.concurrency or len(numbers), len(numbers))
    workers = [asyncio.ensure_future(_work(mapped, todo, how, shared, one, bar)) for _ in range(width)]
    if not workers:
        return None
    bar.draw()
    try:
        ended: set[asyncio.Task[BaseException | None]] = set()
        waiting = set(workers)
        while waiting:
            ended, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            reasons = [task.result() for task in ended]
            if reason := next((each for each in reasons if each is not None), None):
                return reason
        return None
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.wait(workers)
        bar.end()


async def _work(
    mapped: Mapped, todo: Iterator[int], how: How, shared: _Shared, one: One, bar: _Bar
) -> BaseException | None:
    for number in todo:
        sent = mapped.sent[number]
        assert not isinstance(sent, Exception)
        try:
            result, failure = await one(RowPlace(shared, number), sent)
        except ConnectError as error:  # so it would go with all the rest
            return error
        except McpNotebookError as error:
            result, failure = None, error
        if failure is not None and not isinstance(failure, Exception):
            return failure
        mapped.outcomes[number] = failure or result
        shared.ahead.discard(number)
        bar.count(failed=failure is not None)
        if failure is not None and how.errors == "raise":
            return failure
    return None


class _Bar:
    """Tells how far the calls have come, how fast they go and how long the rest will take."""

    def __init__(self, mapped: Mapped, place: Place, total: int) -> None:
        self._due: asyncio.TimerHandle | None = None
        self._what = mapped.tool.name
        self._place = place
        self._total = total
        self._began = time.monotonic()
        self._failed = 0
        self._done = 0

    def count(self, *, failed: bool) -> None:
        """Take note of a call that has ended."""
        self._done += 1
        self._failed += failed
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(_DRAW_SECONDS, self.draw)

    def draw(self) -> None:
        """Show it."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._place.progress(self._what, self._done, self._total, " · ".join(self._words()))

    def end(self) -> None:
        """Show what has not been shown yet."""
        if self._due is not None:
            self.draw()

    def _words(self) -> Iterator[str]:
        yield f"{self._done:,} of {self._total:,}"
        seconds = time.monotonic() - self._began
        if self._failed:
            yield f"{self._failed:,} failed"
        if self._done and seconds > 1:
            rate = self._done / seconds
            yield f"{rate:,.0f} a second" if rate >= 1 else f"{60 * rate:,.0f} a minute"
            yield f"{told_seconds((self._total - self._done) / rate)} left"


def told_seconds(seconds: float) -> str:
    """Say how long something takes, for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"


def sent_of(tool: str, rows: Sequence[Mapping[str, Any]], read: Callable[[Mapping[str, Any]], dict[str, Any]],
            called: Callable[[int], str], *, keep: bool) -> list[Mapping[str, Any] | Exception]:  # fmt: skip
    """Turn rows into what the tool takes, before anything is sent.

    Args:
        tool: The tool's name.
        rows: The arguments of each call, by the names of Python.
        read: Turns those of one into what the tool takes.
        called: Says which row it is.
        keep: Whether what is wrong with a row is kept in its place.

    Raises:
        TypeError: An argument of a row is missing or unknown; with `keep` too, if that goes for all of them.
        UsageError: A value of a row is not what the schema asks for; names the row.
    """
    sent: list[Mapping[str, Any] | Exception] = []
    for number, row in enumerate(rows):
        try:
            sent.append(read(row))
        except (TypeError, UsageError) as error:
            if not keep:
                raise type(error)(f"{called(number)}: {error}") from None
            sent.append(error)
    if sent and isinstance(sent[0], TypeError) and all(isinstance(each, TypeError) for each in sent):
        msg = f"no row fits {escaped(tool, 100)}: {sent[0]}"
        raise TypeError(msg)
    return sent
