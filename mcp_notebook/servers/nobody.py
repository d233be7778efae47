"""A place where nobody is: for what is done with no cell to ask in or to show anything in."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from mcp_notebook.errors import NoAnswerError
from mcp_notebook.servers import loop
from mcp_notebook.types import Answer, Question

T = TypeVar("T")


class Nobody:
    """A `Place` where nobody is.

    Args:
        why: Why there is nobody to ask, and what to do.
    """

    def __init__(self, why: str) -> None:
        self._why = why

    async def ask(self, question: Question) -> Answer:
        """Raise.

        Raises:
            NoAnswerError: Always.
        """
        raise NoAnswerError(question, f"{question.server}: it asks, and {self._why}")

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Block until it is done."""
        return loop.submit(work).result()

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        """Await it."""
        return await asyncio.wrap_future(loop.submit(work))

    def tell(self, notice: str) -> None:
        """Show nothing: nobody looks."""

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show nothing: nobody looks."""
