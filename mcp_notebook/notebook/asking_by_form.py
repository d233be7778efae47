"""Asking by a form in the cell: show it, judge what comes back, and leave a receipt in its place."""

from __future__ import annotations

import asyncio
from html import escape
from typing import TYPE_CHECKING

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.drafts import drafts
from mcp_notebook.notebook.form import Form
from mcp_notebook.notebook.page import IGNORE_MATH
from mcp_notebook.notebook.receipt import answered, unanswered
from mcp_notebook.notebook.rounds import Turn, silenced
from mcp_notebook.schema.entries import content_of
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.types import Answer, Question

if TYPE_CHECKING:
    from mcp_notebook.notebook.place import CellPlace

READY_SECONDS = 10.0
"""How long a page may take to show a form; after that the frontend has no widgets and is asked by `input()`."""


NO_WIDGETS = "This frontend shows no widgets, so the question follows as text"
STOPPED = "Stopped before you answered"


async def ask_by_form(place: CellPlace, question: Question) -> Answer | None:
    """Show a form in a cell and wait for its answer.

    Args:
        place: Where to show it.
        question: What the server asks.

    Returns:
        The answer, valid if it is an accept; None when no live page has shown the form.

    Raises:
        CancelledError: The question was taken back; its message, where it has one, says why.
    """
    fields, refusal = _drawable(question)
    loop, draft = asyncio.get_running_loop(), drafts.take(question)
    turn = await join_round(place, question)
    receipt, form = unanswered(question, STOPPED), None
    try:
        with place.showing(
            lambda: Form(question, fields, show=place.show, loop=loop, turn=turn, refusal=refusal, draft=draft)
        ) as form:
            answer = await _answer(form, question, fields)
            receipt = unanswered(question, NO_WIDGETS) if answer is None else answered(question, answer, fields)
            return answer
    except asyncio.CancelledError as taken_back:
        receipt = unanswered(question, *taken_back.args or (STOPPED,))
        raise
    finally:  # once nothing is routed to it any more: the kernel complains of messages to comms that are closed
        if form is not None:
            place.typed(question, form.draft())
            place.run(form.end, receipt, stays=place.is_captured)


async def join_round(place: CellPlace, question: Question) -> Turn:
    """Wait for the questions of the same round, put a heading over them, and give this one's place among them."""
    if question.rest is not None:
        return place.rounds.alone()
    turn = await place.rounds.join()
    if turn.number == 1 < turn.total:
        place.show(_heading(question, turn))
    return turn


def _heading(question: Question, turn: Turn) -> dict[str, str]:
    call = f", to go on with {one_line(question.tool)}" if question.tool else ""
    text = f"{one_line(question.server)} asks {turn.total} questions at once{call}; answer them in any order."
    return {"text/plain": text, "text/html": f'<div class="mcp-heading {IGNORE_MATH}">{escape(text)}</div>'}


def _drawable(question: Question) -> tuple[tuple[Field, ...], str | None]:
    """The question's fields, and why they can't be drawn where they can't."""
    try:
        return fields_of(question.schema), None
    except UnsupportedSchema as reason:
        return (), str(reason)


async def _answer(form: Form, question: Question, fields: tuple[Field, ...]) -> Answer | None:
    if not await form.is_seen(READY_SECONDS):
        return None
    while True:
        reply = await form.reply()
        if reply.action == "silence":
            silenced.add(question.server)
            return Answer(action="cancel")
        if reply.action != "accept":
            return Answer(action=reply.action, for_rest=reply.for_rest)
        content, errors = content_of(fields, reply.entries, question.schema)
        errors = errors or question.wrong_in({field.name: "" for field in fields} | content)
        if not errors:
            return Answer(action="accept", content=content, for_rest=reply.for_rest)
        form.refuse(reply, errors)
