"""Places without a notebook: they wait on the future, and answer from a function."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from mcp_notebook.servers import loop
from mcp_notebook.types import Answer, Question

T = TypeVar("T")

BOUND = 20.0
"""Seconds after which a test has failed rather than waits on."""


class Scripted:
    """Answers each question by a function, and keeps the questions."""

    def __init__(self, answer: Callable[[Question], Answer] | None = None) -> None:
        self.questions: list[Question] = []
        self.notices: list[str] = []
        self.progressed: list[tuple[str, float, float | None, str | None]] = []
        self._answer = answer

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        assert self._answer is not None, f"nothing was to be asked, but: {question}"
        return self._answer(question)

    def tell(self, notice: str) -> None:
        self.notices.append(notice)

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        self.progressed.append((what, done, total, message))

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        return loop.submit(work).result(BOUND)

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        return await asyncio.wait_for(asyncio.wrap_future(loop.submit(work)), BOUND)


class Pondering(Scripted):
    """Keeps each question open until the test lets go of it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()
        """Set when a question is open."""
        self.withdrawn = threading.Event()
        """Set when a question was taken back."""
        self._answers: asyncio.Queue[Answer] = asyncio.Queue()

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        self.asked.set()
        try:
            return await self._answers.get()
        except asyncio.CancelledError:
            self.withdrawn.set()
            raise

    def answer(self, answer: Answer) -> None:
        """Answer the question that is open."""
        loop.submit(self._answers.put(answer)).result(BOUND)


class StoppedError(Exception):
    """The user pressed Stop."""


class Stoppable(Scripted):
    """A place where the test can press Stop while a call runs."""

    def __init__(self) -> None:
        super().__init__()
        self._works: list[Future[Any]] = []
        self._lock = threading.Lock()

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        with self._lock:  # the work may have come far before `submit` returns
            future = loop.submit(work)
            self._works.append(future)
        try:
            return future.result(BOUND)
        except CancelledError:
            raise StoppedError from None

    def stop(self) -> None:
        with self._lock:
            for work in self._works:
                work.cancel()


class Raising(Scripted):
    """Raises when it is asked."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        raise self._error


class Cancelling(Scripted):
    """Cancels its own task when it is asked."""

    async def ask(self, question: Question) -> Answer:
        raise asyncio.CancelledError


def accept(**content: Any) -> Answer:
    return Answer(action="accept", content=content)


DECLINE = Answer(action="decline")
CANCEL = Answer(action="cancel")
