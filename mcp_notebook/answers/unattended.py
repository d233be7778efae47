"""What is said when nobody answers a server: who asks what, and how to answer beforehand, ready to paste."""

from __future__ import annotations

import json
import re
from typing import Any

from mcp_notebook.answers.plain import escaped, one_line, plain
from mcp_notebook.answers.script import ANSWERS_VARIABLE, script
from mcp_notebook.errors import NoAnswerError
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.schema.urls import masked_url, refusal_of
from mcp_notebook.types import Question

_PLACEHOLDERS: dict[str, Any] = {
    "boolean": True,
    "date": "2026-12-27",
    "date-time": "2026-12-27T14:30:00Z",
    "time": "14:30:00Z",
}


def refusal(question: Question) -> NoAnswerError:
    """Make the error for a question that nobody can answer here.

    Args:
        question: What the server asks. It is answered neither with a made-up decline nor with a made-up accept.
    """
    name = question.server if re.fullmatch(r"[\w.-]+", question.server) else f'"{question.server}"'
    entry = _entry(question)
    given = f"'{_json(entry['content'])}'" if "content" in entry else f"--action {entry['action']}"
    lines = [
        *_asked(question, "nobody is here to answer"),
        "Give the answer beforehand, in a cell above:",
        f"  %mcp answer {name} {given}",
        f"or in the file that the environment variable {ANSWERS_VARIABLE} names:",
        f"  {_json({'version': 1, 'answers': [entry]})}",
    ]
    if question.own and question.mode == "url":
        lines.append("To sign in with nobody there: a token by --bearer-env, or --client-credentials with --client-id.")
    if question.approval:
        lines.append("Or let the model call tools without asking: --approve never.")
    if withheld := script().withheld(question):
        lines.append(f"An answer is written down without its secrets: set {' and '.join(withheld)} to have it given.")
    return NoAnswerError(question, "\n".join(lines))


def unscripted(question: Question) -> NoAnswerError:
    """Make the error for a question that no answer of a `with answering(...)` block is for."""
    lines = [
        *_asked(question, "no answer in `with answering(...)` is for this"),
        "This one would be, in the list that it takes:",
        f"  {_json(_entry(question))}",
    ]
    return NoAnswerError(question, "\n".join(lines))


def _asked(question: Question, problem: str) -> list[str]:
    asks = f"{one_line(question.server)} asks{f' for {one_line(question.tool)}' if question.tool else ''}"
    lines = [f"{asks}, and {problem}:", f"  {plain(question.message, 500)}".replace("\n", "\n  ")]
    if question.mode == "url":
        lines.append(f"  It wants a person to go to {one_line(masked_url(question.url or ''), 2000)}")
    return lines


def _entry(question: Question) -> dict[str, Any]:
    """An entry that answers a question, to be filled in."""
    entry: dict[str, Any] = {"server": question.server}
    if question.tool:
        entry["tool"] = question.tool
    if question.mode == "url":
        entry["action"] = "accept" if refusal_of(question.url or "") is None else "decline"
    elif (content := _example(question)) is None:
        entry["action"] = "decline"
    else:
        entry["content"] = content
    return entry


def _example(question: Question) -> dict[str, Any] | None:
    try:
        return {field.name: _value(field) for field in fields_of(question.schema)}
    except UnsupportedSchema:
        return None


def _value(field: Field) -> Any:
    if field.has_default:
        return field.default
    match field.kind:
        case "choice":
            return field.options[0].value
        case "choices":
            return [option.value for option in field.options[: field.min_items or 1]]
        case "integer" | "number":
            return field.schema.get("minimum", 1)
        case kind:
            return _PLACEHOLDERS.get(kind, "…")


def _json(value: Any) -> str:
    return escaped(json.dumps(value, ensure_ascii=False))
