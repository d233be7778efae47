"""What is said of an answer that nobody will see before it is sent, and that does not fit its question."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_notebook.errors import NoAnswerError
from mcp_notebook.schema.urls import refusal_of
from mcp_notebook.types import Question


def unopened(question: Question, whose: str) -> NoAnswerError | None:
    """Make the error for an accept of a URL that nobody may open; None where it may be opened."""
    refusal = refusal_of(question.url or "")
    return None if refusal is None else unfit(question, whose, {"": f"its address is not opened, since it {refusal}"})


def unfit(question: Question, whose: str, errors: Mapping[str, str]) -> NoAnswerError:
    """Make the error for an answer that is not valid.

    Args:
        question: What was asked.
        whose: Which answer it is, such as "the scripted answer".
        errors: What is wrong with it, by field name; "" for the whole.
    """
    wrong = "; ".join(f"{name}: {error}" if name else error for name, error in errors.items())
    problem = f"{whose} does not fit the question, and nothing was sent: {wrong}"
    return NoAnswerError(question, f"{question.server}: {problem}")
