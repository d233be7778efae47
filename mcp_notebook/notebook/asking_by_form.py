"""Asking by a form in the cell: show it, judge what comes back, and leave a receipt in its place."""

from __future__ import annotations

import asyncio

from mcp_notebook.notebook.form import Form
from mcp_notebook.notebook.receipt import answered, unanswered
from mcp_notebook.notebook.waiting import Cell
from mcp_notebook.schema.entries import content_of
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.types import Answer, Question

READY_SECONDS = 10.0
"""How long a page may take to show a form; after that the frontend has no widgets and is asked by `input()`."""


async def ask_by_form(cell: Cell, question: Question) -> Answer | None:
    """Show a form in a cell and wait for its answer.

    Returns:
        The answer, valid if it is an accept; None when no live page has shown the form.
    """
    fields, unsupported = _drawable(question)
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


def _drawable(question: Question) -> tuple[tuple[Field, ...], str | None]:
    """The question's fields, and why they can't be drawn where they can't."""
    try:
        return fields_of(question.schema), None
    except UnsupportedSchema as reason:
        return (), str(reason)


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
