"""Where a call is made from, as the servers' room needs it: how to wait there and whom to ask there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from mcp_notebook.notebook.waiting import Cell, install
from mcp_notebook.types import Answer, Place, Question


class CellPlace(Cell):
    """A `Place`: the running code, with its questions shown in its own cell."""

    async def ask(self, question: Question) -> Answer:
        """Answer a question: see `asking.ask`."""
        from mcp_notebook.notebook.asking import ask

        return await ask(self, question)


def places(submit: Callable[..., Any]) -> Callable[[], Place]:
    """Give the function that makes the place of the running code.

    Args:
        submit: Starts a coroutine on the background loop and returns its `concurrent.futures.Future`.
    """
    return partial(_here, submit)


def _here(submit: Callable[..., Any]) -> CellPlace:
    return CellPlace(submit, install())
