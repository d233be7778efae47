"""What stays in the cell of a question once it is answered: text and HTML that need no widget and no kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.notebook.page import IGNORE_MATH
from mcp_notebook.schema.fields import Field
from mcp_notebook.schema.urls import RefusedUrl, link_of, masked_url
from mcp_notebook.types import Answer, Question

MESSAGE_CHARACTERS = 500
VALUE_CHARACTERS = 200
ADDRESS_CHARACTERS = 500
MASK = "••••••"


_BY_PERSON = {"accept": "✓ You answered", "decline": "✗ You declined", "cancel": "✗ You cancelled"}
_BY_HANDLER = {
    "accept": "✓ Answered by your handler",
    "decline": "✗ Declined by your handler",
    "cancel": "✗ Cancelled by your handler",
}
_BY_SCRIPT = {
    "accept": "✓ Answered from a script",
    "decline": "✗ Declined by a script",
    "cancel": "✗ Cancelled by a script",
}

_OPENED = {
    "person": "✓ You opened the page",
    "handler": "✓ Accepted by your handler, which may not have opened the page",
    "script": "✓ Accepted by a script: nobody has opened the page",
}

_APPROVED = {"accept": "✓ Run", "decline": "✗ Skipped", "cancel": "✗ Stopped: the answer ends here"}
_APPROVED_BY = {"person": "", "handler": " by your handler", "script": " from a script"}

_OUTCOMES = {"person": _BY_PERSON, "handler": _BY_HANDLER, "script": _BY_SCRIPT}

# Inline, since a saved notebook has no stylesheet of ours; in the frontend's colours, where it has any.
_BOX = "border-left: 3px solid var(--jp-border-color2, #8888); padding: 2px 12px; margin: 4px 0; font-size: 13px"
_FAINT = "opacity: 0.75"
_LIST = "display: grid; grid-template-columns: fit-content(40%) 1fr; gap: 1px 14px; margin: 4px 0 0"
_TERM = f"{_FAINT}; float: none; width: auto; font-weight: normal"  # JupyterLab floats the terms of a list
_VALUE = "margin: 0; overflow-wrap: anywhere"


def answered(question: Question, answer: Answer, fields: Sequence[Field]) -> dict[str, str]:
    """The receipt of an answer.

    Args:
        question: What was asked.
        answer: What was answered.
        fields: The form's fields; secret ones are masked.

    Returns:
        A MIME bundle of `text/plain` and `text/html`.
    """
    opened = question.mode == "url" and answer.action == "accept"
    outcome = _OPENED[answer.source] if opened else _OUTCOMES[answer.source][answer.action]
    if question.approval:
        outcome = (
            _APPROVED[answer.action] + _APPROVED_BY[answer.source] + (", and all like it" if answer.for_rest else "")
        )
    elif answer.for_rest:
        outcome += f", and for {question.rest:,} more calls"
    values = _values(answer.content or {}, fields)
    if question.mode == "url":
        # Nobody has been there, and often no two runs have the same page: the host says enough.
        values = {"Address": _address(question.url or "", whole=answer.source == "person")}
    return _receipt(question, outcome, values)


def unanswered(question: Question, reason: str) -> dict[str, str]:
    """The receipt of a question that nobody answered, with the reason: a sentence without its full stop."""
    values = {"Address": _address(question.url or "")} if question.mode == "url" else {}
    return _receipt(question, f"✗ {reason}", values)


def asked_by(question: Question) -> str:
    """Who asks and for what call, on one line of plain text."""
    if question.approval:
        return f"{one_line(question.server)}.{one_line(question.tool or '')}"
    call = f", to go on with {one_line(question.tool)}" if question.tool else ""
    return f"{one_line(question.server)} asks{call}"


def asked_by_html(question: Question) -> str:
    """Who asks and for what call, as escaped HTML."""
    if question.approval:
        return f"<b>{escape(asked_by(question))}</b>"
    call = f", to go on with <b>{escape(one_line(question.tool))}</b>" if question.tool else ""
    return f"<b>{escape(one_line(question.server))}</b> asks{call}"


def _address(url: str, *, whole: bool = True) -> str:
    try:
        shown = masked_url(url) if whole else link_of(url).host.address
    except RefusedUrl:
        shown = masked_url(url)
    return one_line(shown, ADDRESS_CHARACTERS)


def _values(content: Mapping[str, Any], fields: Sequence[Field]) -> dict[str, str]:
    by_name = {field.name: field for field in fields}
    return {
        by_name[name].title if name in by_name else name: _shown(value, by_name.get(name))
        for name, value in content.items()
    }


def _shown(value: Any, field: Field | None) -> str:
    if field is not None and field.secret:
        return MASK
    if isinstance(value, (list, tuple)):
        return ", ".join(_shown(each, field) for each in value) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    titles = {option.value: option.title for option in field.options} if field is not None else {}
    return one_line(str(titles.get(value, value)), VALUE_CHARACTERS)


def _receipt(question: Question, outcome: str, values: Mapping[str, str]) -> dict[str, str]:
    message = plain(question.message, MESSAGE_CHARACTERS)
    lines = [asked_by(question), message, outcome, *(f"  {title}: {value}" for title, value in values.items())]
    rows = "".join(
        f'<dt style="{_TERM}">{escape(title)}</dt><dd style="{_VALUE}">{escape(value)}</dd>'
        for title, value in values.items()
    )
    html = (
        f'<div class="mcp-receipt {IGNORE_MATH}" style="{_BOX}">'
        f'<div style="{_FAINT}; font-size: 12px">{asked_by_html(question)}</div>'
        f'<div style="white-space: pre-wrap; overflow-wrap: anywhere">{escape(message)}</div>'
        f"<div>{escape(outcome)}</div>" + (f'<dl style="{_LIST}">{rows}</dl>' if rows else "") + "</div>"
    )
    return {"text/plain": "\n".join(lines), "text/html": html}
