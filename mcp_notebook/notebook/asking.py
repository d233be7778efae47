"""How a question gets its answer: by a handler of the user's, from a script, by a form in the cell, or in text."""

from __future__ import annotations

import asyncio
import builtins
import getpass
import json
import sys
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from mcp_notebook.answers.block import scripted
from mcp_notebook.answers.history import history
from mcp_notebook.answers.prompt import prompt
from mcp_notebook.answers.recording import recorder
from mcp_notebook.answers.unattended import refusal
from mcp_notebook.errors import NoAnswerError, UsageError
from mcp_notebook.notebook.handlers import handled
from mcp_notebook.notebook.receipt import answered, unanswered
from mcp_notebook.notebook.rounds import silenced
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.types import Answer, Question

if TYPE_CHECKING:
    from mcp_notebook.notebook.place import CellPlace

BLOCKED = (
    "the question can't be answered: it comes from a thread, and the cell blocks the main thread, which ipykernel 6 "
    "needs for the answer. Await the thread (await asyncio.to_thread(...)), or update to ipykernel 7."
)

MAX_RECEIPTS = 5
"""Receipts in a cell of what nobody saw a form of, in a `map`: it may ask as often as it has rows."""

_text_clients: set[str] = set()
"""Clients that turned out to have no widgets: they need not be waited for again."""


async def ask(cell: CellPlace, question: Question) -> Answer:
    """Answer a question asked for `cell`, leave a receipt in it, and keep both in the history.

    Args:
        cell: The code that waits for the answer.
        question: What the server asks.

    Raises:
        NoAnswerError: No answer written down or made by a handler fits, or there is nobody to ask.
    """
    when = datetime.now(timezone.utc)
    try:
        answer = await _answer(cell, question)
    except BaseException as error:
        history().add(when, question, _why(error))
        raise
    if question.own and question.mode == "url":  # what was pasted may hold a code
        history().add(when, question, replace(answer, content=None))
        return answer
    history().add(when, question, answer)
    try:
        recorder().add(question, answer)
    except UsageError as error:  # what was answered goes out all the same
        cell.run(print, f"This answer is not recorded: {error}", file=sys.stderr)
    return answer


async def _answer(cell: CellPlace, question: Question) -> Answer:
    answer = await handled(cell, question) or scripted(question)
    if answer is None:
        if (same := cell.for_rest.get(_same(question))) is not None:
            return same
        answer = await _ask_person(cell, question)
        if answer.for_rest:
            cell.for_rest[_same(question)] = answer
        return answer
    cell.unseen += question.rest is not None
    if cell.unseen <= MAX_RECEIPTS:
        cell.show(answered(question, answer, _fields(question)))
    elif cell.unseen == MAX_RECEIPTS + 1:
        cell.tell("What the rest of the calls ask is answered likewise; %mcp history tells of each.")
    return answer


async def _ask_person(cell: CellPlace, question: Question) -> Answer:
    if not cell.attended:
        raise refusal(question)
    if question.server in silenced:
        cell.show(unanswered(question, f"Cancelled: you silenced {question.server} for this session"))
        return Answer(action="cancel")
    if cell.has_widgets and cell.client not in _text_clients:
        from mcp_notebook.notebook.asking_by_form import ask_by_form
        from mcp_notebook.notebook.asking_by_url import ask_by_url

        if not await cell.can_be_reached():
            raise NoAnswerError(question, BLOCKED)
        answer = await (ask_by_url if question.mode == "url" else ask_by_form)(cell, question)
        if answer is not None:
            return answer
        _text_clients.add(cell.client)
    answer = await cell.on_thread(prompt, question, _read, print, _read_secret)
    cell.show(answered(question, answer, _fields(question)))
    return answer


def _same(question: Question) -> str:
    """What questions share of which one answer may do for all: their words may differ from row to row."""
    return json.dumps([question.server, question.tool, question.mode, question.schema], sort_keys=True, default=str)


def _why(error: BaseException) -> str:
    """Why nobody answered, for the history: an error of the user's own may hold what is private."""
    match error:
        case asyncio.CancelledError():  # may say why the question was taken back
            return str(error) or "stopped before it was answered"
        case NoAnswerError():
            return str(error).partition("\n")[0].rstrip(":")
        case _:
            return f"ended by {type(error).__name__}"


def _fields(question: Question) -> tuple[Field, ...]:
    try:
        return fields_of(question.schema)
    except UnsupportedSchema:
        return ()


def _read(text: str) -> str:
    return builtins.input(text)  # looked up at each call: the kernel puts its own in place while a cell runs


def _read_secret(text: str) -> str:
    return getpass.getpass(text)  # likewise
