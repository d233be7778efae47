"""Whether a call that a model asks for is made: what only reads is, for the rest the person decides."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from mcp_notebook.chat.offered import Function
from mcp_notebook.errors import UsageError
from mcp_notebook.schema.arguments import check_arguments
from mcp_notebook.schema.limits import MAX_DEFAULT
from mcp_notebook.types import Answer, Question

Approve = Literal["writes", "always", "never"]
"""Which calls the person is asked about: those that may write, all, or none."""

FIELD = "arguments"


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the person decided."""

    run: bool
    arguments: Mapping[str, Any]
    stop: bool = False
    """Whether the whole answer is to end here."""


class Approvals:
    """What the person has agreed to in a conversation.

    Args:
        allowed: Tools whose calls need no more asking.
    """

    def __init__(self, allowed: set[tuple[str, str]] | None = None) -> None:
        self.allowed = set[tuple[str, str]](allowed or ())
        """Server and tool of what is run without asking, since the person chose "Run all like this"."""

    def needed(self, function: Function, approve: Approve) -> bool:
        """Whether the person is to be asked about a call of a tool."""
        if approve == "never":
            return False
        if approve == "always":
            return True
        return not function.only_reads and (function.server.name, function.info.name) not in self.allowed

    def judge(self, function: Function, arguments: Mapping[str, Any], answer: Answer) -> Verdict:
        """Give what the person decided with an answer, and keep what they agreed to for all such calls."""
        if answer.action != "accept":
            return Verdict(run=False, arguments=arguments, stop=answer.action == "cancel")
        if answer.for_rest:
            self.allowed.add((function.server.name, function.info.name))
        edited = (answer.content or {}).get(FIELD)
        return Verdict(run=True, arguments=arguments if edited is None else _read(str(edited)))


def question_of(function: Function, arguments: Mapping[str, Any], model: str) -> Question:
    """Give the question that a call is put to the person with.

    Args:
        function: The tool.
        arguments: What the model wants to call it with; the person may change them.
        model: The model's name.
    """

    def wrong(content: Mapping[str, Any]) -> dict[str, str]:
        try:
            check_arguments(function.info.input_schema, _read(str(content.get(FIELD, shown))))
        except UsageError as error:
            return {FIELD: str(error)}
        return {}

    shown = json.dumps(arguments, indent=2, ensure_ascii=False)
    message = f"{model} wants to call this tool."
    field = {"type": "string", "title": "Arguments", "format": "textarea", "default": shown}
    if len(shown) > MAX_DEFAULT:  # a form leaves out so long a default
        message, field = f"{message} Its arguments, too long to be changed here:\n{shown}", None
    return Question(
        server=function.server.name,
        tool=function.info.name,
        message=message,
        schema={"type": "object", "properties": {FIELD: field} if field else {}},
        own=True,
        approval=True,
        wrong=wrong,
    )


def _read(text: str) -> dict[str, Any]:
    if not text.strip():
        raise UsageError("is empty: write {} for no arguments")
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        msg = f"is not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        raise UsageError(msg) from None
    if not isinstance(value, dict):
        raise UsageError("must be a JSON object of arguments")
    return cast("dict[str, Any]", value)
