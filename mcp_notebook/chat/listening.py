"""The place of a conversation: what servers ask there is asked as ever, and becomes a part of the conversation."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from mcp_notebook.answers.secrets import MASK, secret_names
from mcp_notebook.chat.turns import FormTurn
from mcp_notebook.types import Answer, Place, Question

T = TypeVar("T")


class ListeningPlace:
    """A `Place` that tells of what is asked there.

    Args:
        place: The place of the running code.
        heard: Is called with each question that has been answered.
    """

    def __init__(self, place: Place, heard: Callable[[FormTurn], None]) -> None:
        self._place = place
        self._heard = heard

    async def ask(self, question: Question) -> Answer:
        """Answer a question: see `Asker.ask`."""
        answer = await self._place.ask(question)
        content = None
        if answer.content is not None:
            hidden = secret_names(question, answer.content)
            content = {name: MASK if name in hidden else value for name, value in answer.content.items()}
        self._heard(
            FormTurn(
                server=question.server,
                tool=question.tool,
                message=question.message,
                action=answer.action,
                approval=question.approval,
                content=content,
            )
        )
        return answer

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and block until it is done: see `Place.wait`."""
        return self._place.wait(work)

    async def wait_async(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the background loop and await its result: see `Place.wait_async`."""
        return await self._place.wait_async(work)

    def tell(self, notice: str) -> None:
        """Show a notice: see `Place.tell`."""
        self._place.tell(notice)

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show how far a call has come: see `Place.progress`."""
        self._place.progress(what, done, total, message)
