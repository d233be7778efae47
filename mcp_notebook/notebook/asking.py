"""How a question gets its answer in a notebook: from a script, by a form in the cell, or else by a text prompt."""

from __future__ import annotations

import asyncio
import builtins
import getpass
from collections.abc import Sequence
from typing import TYPE_CHECKING

from IPython.display import display

from mcp_notebook.answers.prompt import prompt
from mcp_notebook.answers.script import script
from mcp_notebook.answers.unattended import refusal
from mcp_notebook.notebook.receipt import answered, unanswered
from mcp_notebook.notebook.waiting import Cell
from mcp_notebook.schema.entries import content_of
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.types import Answer, Question

if TYPE_CHECKING:
    from mcp_notebook.notebook.form import Form

READY_SECONDS = 10.0
"""How long a page may take to show a form; after that the frontend has no widgets and is asked by `input()`."""

_text_clients: set[str] = set()
"""Clients that turned out to have no widgets: they need not be waited for again."""


async def ask(cell: Cell, question: Question) -> Answer:
    """Answer a question asked for `cell`, and leave a receipt in it.

    Args:
        cell: The code that waits for the answer.
        question: What the server asks.

    Raises:
        NoAnswerError: No scripted answer fits, and there is nobody to ask.
    """
    fields, unsupported = _fields(question)
    answer = script().answer(question)
    if answer is not None:
        cell.run(_show, answered(question, answer, fields))
        return answer
    if not cell.attended:
        raise refusal(question)
    if not cell.has_widgets or cell.client in _text_clients:
        return await _ask_by_text(cell, question, fields)
    answer = await _ask_by_form(cell, question, fields, unsupported)
    if answer is None:
        _text_clients.add(cell.client)
        answer = await _ask_by_text(cell, question, fields)
    return answer


def _fields(question: Question) -> tuple[tuple[Field, ...], str | None]:
    try:
        return fields_of(question.schema), None
    except UnsupportedSchema as reason:
        return (), str(reason)


async def _ask_by_form(
    cell: Cell, question: Question, fields: tuple[Field, ...], unsupported: str | None
) -> Answer | None:
    """Show a form and wait for its answer; None when no live page has shown it."""
    from mcp_notebook.notebook.form import Form

    loop = asyncio.get_running_loop()
    receipt = unanswered(question, "Stopped before you answered")
    with cell.showing(lambda: Form(question, fields, unsupported, loop)) as form:
        try:
            answer = await _answer(form, question, fields)
            receipt = (
                unanswered(question, "This frontend shows no widgets, so the question follows as text")
                if answer is None
                else answered(question, answer, fields)
            )
            return answer
        finally:
            cell.run(form.end, receipt)


async def _answer(form: Form, question: Question, fields: tuple[Field, ...]) -> Answer | None:
    try:
        await asyncio.wait_for(form.alive(), READY_SECONDS)
    except asyncio.TimeoutError:
        return None
    while True:
        reply = await form.reply()
        if reply.action != "accept":
            return Answer(action=reply.action)
        content, errors = content_of(fields, reply.entries, question.schema)
        if not errors:
            return Answer(action="accept", content=content)
        form.refuse(reply, errors)


async def _ask_by_text(cell: Cell, question: Question, fields: Sequence[Field]) -> Answer:
    answer = await cell.on_thread(prompt, question, _read, print, _read_secret)
    cell.run(_show, answered(question, answer, fields))
    return answer


def _read(text: str) -> str:
    return builtins.input(text)  # looked up at each call: the kernel puts its own in place while a cell runs


def _read_secret(text: str) -> str:
    return getpass.getpass(text)  # likewise


def _show(bundle: dict[str, str]) -> None:
    display(bundle, raw=True)
