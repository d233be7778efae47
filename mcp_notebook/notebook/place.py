"""Where a call is made from, as the servers' room needs it: how to wait there and whom to ask there."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar

from mcp_notebook.notebook.drafts import Draft, drafts
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.progress import Bar
from mcp_notebook.notebook.rounds import Rounds
from mcp_notebook.notebook.router import Router, install
from mcp_notebook.notebook.waiting import Cell, Submit
from mcp_notebook.types import Answer, Place, Question

T = TypeVar("T")


class CellPlace(Cell):
    """A `Place`: the running code, with its questions shown in its own cell."""

    def __init__(self, submit: Submit[Any], router: Router | None) -> None:
        super().__init__(submit, router)
        self.rounds = Rounds()
        self.visited: set[str | None] = set()
        """URL mode: the URLs that the person has opened for this call."""
        self.for_rest: dict[str, Answer] = {}
        """Answers that the person has given to all further calls of a `map`: see `asking`."""
        self.unseen = 0
        """How many questions of a `map` were answered with nobody looking."""
        self._bar = Bar(self.show)
        self._typed: list[tuple[Question, Draft]] = []

    @property
    def is_live(self) -> bool:
        """Whether what is shown here can be changed, and somebody may look; else all is shown once, when it is whole.

        With nobody there it would only be in the way: nbval takes what was shown first for all that was.
        """
        return self.has_widgets and self.attended and not self.is_captured

    async def ask(self, question: Question) -> Answer:
        """Answer a question: see `asking.ask`."""
        from mcp_notebook.notebook.asking import ask

        return await ask(self, question)

    def tell(self, notice: str) -> None:
        """Show a notice in the cell."""
        page = Page().note(notice)
        self.show({"text/plain": repr(page), "text/html": page._repr_html_()})

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show how far a call has come."""
        if self.is_live:
            self._bar.draw(what, done, total, message)

    def typed(self, question: Question, draft: Draft) -> None:
        """Take note of what was typed: should the call fail, it is filled in when it is made again."""
        self._typed.append((question, draft))

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and block this thread until it is done: see `Cell.wait`."""
        try:
            return super().wait(work)
        except BaseException:
            self._keep()
            raise
        finally:
            self._bar.end()

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and await its result: see `Cell.wait_async`."""
        try:
            return await super().wait_async(work)
        except BaseException:
            self._keep()
            raise
        finally:
            self._bar.end()

    def _keep(self) -> None:
        for question, draft in self._typed:
            drafts.keep(question, draft)


def places(submit: Callable[..., Any]) -> Callable[[], Place]:
    """Give the function that makes the place of the running code.

    Args:
        submit: Starts a coroutine on the background loop and returns its `concurrent.futures.Future`.
    """
    return partial(_here, submit)


def _here(submit: Callable[..., Any]) -> CellPlace:
    return CellPlace(submit, install())
