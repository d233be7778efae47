"""A handler of the user's own runs where the call was made: on its thread, and on the loop where its objects live."""

from __future__ import annotations

import asyncio
import concurrent.futures
import inspect
import threading
from collections.abc import Awaitable
from typing import Any

from IPython.core.async_helpers import get_asyncio_loop
from IPython.core.getipython import get_ipython

from mcp_notebook.answers.handler import Handler, answer_from, handlers
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.waiting import Cell
from mcp_notebook.types import Answer, Question


async def handled(cell: Cell, question: Question) -> Answer | None:
    """Answer a question by the handler for its server.

    Returns:
        The answer; None where there is no handler, or it leaves the question to the person.

    Raises:
        NoAnswerError: The handler's answer is not valid.
        Exception: What the handler raised.
    """
    handler = handlers.of(question.server)
    if handler is None:
        return None
    run = _Run(cell, handler, question)
    try:
        returned = await cell.on_thread(run.begin)
        if run.rest is not None:
            returned = await asyncio.wrap_future(run.rest)
    finally:
        if run.rest is not None:
            run.rest.cancel()
    return answer_from(question, handler, returned)


class _Run:
    """One run of a handler."""

    def __init__(self, cell: Cell, handler: Handler, question: Question) -> None:
        self._cell = cell
        self._handler = handler
        self._question = question
        self.rest: concurrent.futures.Future[Any] | None = None
        """What is still to come of an async handler that runs on a loop of the user's."""

    def begin(self) -> Any:
        """Call the handler, on the thread that made the call, and give what it returned unless there is a `rest`."""
        try:
            returned = self._handler(self._question)
        except StopIteration as error:  # no future can hold one
            msg = "the handler raised StopIteration"
            raise RuntimeError(msg) from error
        if not inspect.isawaitable(returned):
            return returned
        loop = self._cell.loop or _loop_here()
        if loop is None:
            return asyncio.run(_awaited(returned))
        self.rest = asyncio.run_coroutine_threadsafe(_awaited(returned), loop)
        if self._cell.loop is None:  # nobody else runs it on: the call blocks this very thread
            _run_on(loop, self.rest)
        return None


def _loop_here() -> asyncio.AbstractEventLoop | None:
    """The loop of this thread: the one that IPython runs cells on, or one that is running."""
    if get_ipython() is not None and threading.current_thread() is threading.main_thread():
        return get_asyncio_loop()
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _run_on(loop: asyncio.AbstractEventLoop, work: concurrent.futures.Future[Any]) -> None:
    if loop.is_running():
        import nest_asyncio2  # patches asyncio for good, so not before it is needed

        try:
            nest_asyncio2.apply(loop)
        except ValueError:
            work.cancel()
            msg = f"an async handler can't run while a call blocks this {type(loop).__name__}: await server.acall(...)"
            raise UsageError(msg) from None
    loop.run_until_complete(asyncio.wait([asyncio.wrap_future(work, loop=loop)]))


async def _awaited(awaitable: Awaitable[Any]) -> Any:
    return await awaitable
