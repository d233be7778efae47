"""How a question gets its answer in a notebook: from a script, by a form in the cell, or else by a text prompt."""

from __future__ import annotations

import builtins
import getpass

from IPython.display import display

from mcp_notebook.answers.prompt import prompt
from mcp_notebook.answers.script import script
from mcp_notebook.answers.unattended import refusal
from mcp_notebook.notebook.receipt import answered
from mcp_notebook.notebook.waiting import Cell
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.types import Answer, Question

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
    answer = script().answer(question)
    if answer is not None:
        cell.run(_show_receipt, question, answer)
        return answer
    if not cell.attended:
        raise refusal(question)
    if cell.has_widgets and cell.client not in _text_clients:
        from mcp_notebook.notebook.asking_by_form import ask_by_form

        answer = await ask_by_form(cell, question)
        if answer is not None:
            return answer
        _text_clients.add(cell.client)
    answer = await cell.on_thread(prompt, question, _read, print, _read_secret)
    cell.run(_show_receipt, question, answer)
    return answer


def _show_receipt(question: Question, answer: Answer) -> None:
    display(answered(question, answer, _fields(question)), raw=True)


def _fields(question: Question) -> tuple[Field, ...]:
    try:
        return fields_of(question.schema)
    except UnsupportedSchema:
        return ()


def _read(text: str) -> str:
    return builtins.input(text)  # looked up at each call: the kernel puts its own in place while a cell runs


def _read_secret(text: str) -> str:
    return getpass.getpass(text)  # likewise
