"""What servers have asked in this process and what came of it, kept in memory, without secrets."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal

from mcp_notebook.answers.secrets import MASK, secret_names
from mcp_notebook.schema.urls import RefusedUrl, link_of
from mcp_notebook.types import Action, Answer, Question, Source

MAX_ASKED = 1000
"""How many questions are kept: the newest."""
MAX_MESSAGE = 2000
"""Characters of a message that are kept."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A question that was put, and what came of it."""

    when: datetime
    """When it was put: UTC."""
    server: str
    tool: str | None
    message: str
    mode: Literal["form", "url"]
    host: str | None
    """URL mode: where the person was asked to go; the rest of a URL may hold secrets."""
    action: Action | None
    """None when nobody answered."""
    source: Source | None
    content: Mapping[str, Any] | None
    """What was sent, with secrets masked."""
    unanswered: str | None
    """Why nobody answered."""

    def plain(self) -> dict[str, Any]:
        """Give it as JSON has it; what does not apply is left out."""
        when = self.when.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {name: value for name, value in {**vars(self), "when": when}.items() if value is not None}


class History:
    """The questions of this process, oldest first. May be used from several threads."""

    def __init__(self) -> None:
        self._asked: deque[Asked] = deque(maxlen=MAX_ASKED)
        self._lock = threading.Lock()

    def add(self, when: datetime, question: Question, outcome: Answer | str) -> None:
        """Keep a question.

        Args:
            when: When it was put: UTC.
            question: What was asked.
            outcome: The answer, or why there was none.
        """
        answer = outcome if isinstance(outcome, Answer) else None
        asked = Asked(
            when=when,
            server=question.server,
            tool=question.tool,
            message=question.message[:MAX_MESSAGE],
            mode=question.mode,
            host=_host(question.url) if question.url else None,
            action=answer and answer.action,
            source=answer and answer.source,
            content=_masked(question, answer),
            unanswered=outcome if isinstance(outcome, str) else None,
        )
        with self._lock:
            self._asked.append(asked)

    def of(self, server: str | None = None) -> list[Asked]:
        """Give what one server has asked, or all of them."""
        with self._lock:
            return [asked for asked in self._asked if server in (None, asked.server)]


@cache
def history() -> History:
    """The questions of this process."""
    return History()


def _host(url: str) -> str | None:
    try:
        return link_of(url).host.address
    except RefusedUrl:
        return None


def _masked(question: Question, answer: Answer | None) -> Mapping[str, Any] | None:
    if answer is None or answer.content is None:
        return None
    return {**answer.content, **dict.fromkeys(secret_names(question, answer.content), MASK)}
