"""Functions of the user's own that answer what servers ask, and what may come of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, Literal, cast

from mcp_notebook.answers.unfit import unfit, unopened
from mcp_notebook.errors import NoAnswerError, UsageError
from mcp_notebook.schema.check import check
from mcp_notebook.types import Answer, Question


class AskPerson(Enum):
    """The type of `ask_person`."""

    ASK_PERSON = "ask_person"

    def __repr__(self) -> str:
        return self.value


ask_person: Final = AskPerson.ASK_PERSON
"""What a handler returns to leave a question to the written answers and the person."""

Handler = Callable[[Question], Any]
"""Takes a question and returns, now or awaited: an `Answer`, a mapping (an accept with that content), "decline",
"cancel", or `ask_person`."""

_RETURNS = 'an Answer, a mapping of values, "decline", "cancel" or ask_person'


class Handlers:
    """Who answers for which server."""

    def __init__(self) -> None:
        self._by_server: dict[str | None, Handler] = {}

    def set(self, handler: Handler | None, server: str | None = None) -> None:
        """Let a function answer what a server asks, or all servers that have none of their own; None for nobody.

        Raises:
            UsageError: It is no function.
        """
        if handler is None:
            self._by_server.pop(server, None)
        else:
            self._by_server[server] = require_handler(handler)

    def own(self, server: str) -> Handler | None:
        """The handler of this one server's own."""
        return self._by_server.get(server)

    def of(self, server: str) -> Handler | None:
        """The handler for what a server asks."""
        return self._by_server.get(server) or self._by_server.get(None)

    def clear(self) -> None:
        """Forget them all."""
        self._by_server.clear()


def require_handler(handler: Handler) -> Handler:
    """Give a handler back.

    Raises:
        UsageError: It is no function.
    """
    if callable(handler):
        return handler
    msg = f"a handler is a function that takes a Question, not {type(handler).__name__}"
    raise UsageError(msg)


handlers: Final = Handlers()
"""The handlers of this process."""


def answer_from(question: Question, handler: Handler, returned: Any) -> Answer | None:
    """Take what a handler returned as an answer.

    Returns:
        The answer, valid against the question's schema; None to ask the person.

    Raises:
        NoAnswerError: It is no answer, or not a valid one. Nothing is sent then.
    """
    name = getattr(handler, "__name__", type(handler).__name__)
    if returned is ask_person:
        return None
    match returned:
        case Answer(action="accept"):
            content: Mapping[str, Any] = returned.content or {}
        case Answer(action=action) | (("decline" | "cancel") as action):
            return Answer(action=cast("Literal['decline', 'cancel']", action), source="handler")
        case Mapping():
            content = cast("Mapping[str, Any]", returned)
        case _:
            got = repr(returned) if returned is None or isinstance(returned, bool) else type(returned).__name__
            problem = f"the handler {name} returned {got}, so nothing was sent; it returns {_RETURNS}"
            raise NoAnswerError(question, f"{question.server}: {problem}")
    content = dict(content)
    if question.mode == "url":
        if error := unopened(question, f"what the handler {name} returned"):
            raise error
        errors = {"": "an accept of a URL has no content"} if content and not question.own else {}
    else:
        errors = check(question.schema, content) or question.wrong_in(content)
    if errors:
        raise unfit(question, f"what the handler {name} returned", errors)
    has_content = question.mode == "form" or bool(content)
    for_rest = question.approval and isinstance(returned, Answer) and returned.for_rest
    return Answer(action="accept", content=content if has_content else None, source="handler", for_rest=for_rest)
