"""Answers written down beforehand: by `%mcp answer`, by code, or in a file."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, cast

from mcp_notebook.answers.entry import Entry, read_entry
from mcp_notebook.answers.unfit import unfit, unopened
from mcp_notebook.errors import UsageError
from mcp_notebook.types import Answer, Question

ANSWERS_VARIABLE = "MCP_NOTEBOOK_ANSWERS"
"""The environment variable that names a file of answers."""


class Script:
    """A list of entries, tried in order. May be used from several threads."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries = list(entries)
        self._loaded: dict[str, list[Entry]] = {}
        self._used: dict[int, Entry] = {}
        """The entries that have answered, by identity."""
        self._lock = threading.Lock()

    def add(self, entry: Entry) -> None:
        """Put an entry behind the others."""
        with self._lock:
            self._entries.append(entry)

    def load(self, path: str | Path) -> int:
        """Add the entries of a file. What is left of them from the last time is dropped first.

        Args:
            path: A JSON file: `{"version": 1, "answers": [{"server": "demo", "content": {…}}, …]}`.

        Returns:
            How many entries it holds.

        Raises:
            UsageError: The file can't be read, or holds something else; says where and what. Nothing is added.
        """
        entries = [read_entry(data, f"{path}: answer {n}") for n, data in enumerate(read_book(path)["answers"], 1)]
        with self._lock:
            stale = {id(entry) for entry in self._loaded.get(os.path.realpath(path), ())}
            self._entries = [entry for entry in self._entries if id(entry) not in stale] + entries
            self._loaded[os.path.realpath(path)] = entries
        return len(entries)

    def clear(self, server: str | None = None) -> None:
        """Drop all entries, or those for one server."""
        with self._lock:
            self._entries = [entry for entry in self._entries if server is not None and entry.server != server]

    def waiting(self, server: str) -> int:
        """How many entries name this server."""
        with self._lock:
            return sum(entry.server == server for entry in self._entries)

    def answer(self, question: Question) -> Answer | None:
        """Answer by the first entry that matches and has its secrets; it is used up, unless it says `repeat`.

        Args:
            question: What a server asks.

        Returns:
            The answer, valid against the question's schema; or None when no entry is for this question.

        Raises:
            NoAnswerError: The entry's content is not valid, or nobody may open the URL. Nothing is sent then.
        """
        with self._lock:
            usable = (entry for entry in self._entries if entry.matches(question) and not entry.withheld())
            entry = next(usable, None)
            if entry is None:
                return None
            self._used[id(entry)] = entry
            if not entry.repeat:
                self._entries.remove(entry)
        if entry.action == "accept" and question.mode == "url" and (error := unopened(question, "the scripted answer")):
            raise error
        if entry.action != "accept" or question.mode == "url":
            return Answer(action=entry.action, source="script")
        content, errors = entry.content_for(question)
        errors = errors or question.wrong_in(content)
        if errors:
            raise unfit(question, "the scripted answer", errors)
        return Answer(action="accept", content=content, source="script")

    def left(self) -> list[str]:
        """Tell of the entries that have answered nothing, each in a few words."""
        with self._lock:
            return [entry.told for entry in self._entries if id(entry) not in self._used]

    def withheld(self, question: Question) -> list[str]:
        """The environment variables that would let an entry answer `question`, if they were set."""
        with self._lock:
            entry = next((entry for entry in self._entries if entry.matches(question)), None)
        return entry.withheld() if entry is not None else []


@cache
def script() -> Script:
    """The answers of this process: what `%mcp answer` adds to, begun with the file that MCP_NOTEBOOK_ANSWERS names.

    Raises:
        UsageError: That file is no file of answers.
    """
    answers = Script()
    if path := os.environ.get(ANSWERS_VARIABLE):
        answers.load(path)
    return answers


def read_book(path: str | Path) -> dict[str, Any]:
    """Read a file of answers: an object with "version" 1 and "answers", a list whose entries are not looked at.

    Raises:
        UsageError: The file can't be read, or holds something else; says where and what.
    """
    try:
        data: Any = json.loads(Path(path).read_text("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: can't be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"{path}: line {error.lineno}, column {error.colno}: {error.msg}") from None
    if not isinstance(data, dict):
        raise UsageError(f'{path}: must hold an object: {{"version": 1, "answers": […]}}')
    book = cast("dict[str, Any]", data)
    if book.get("version") != 1:
        raise UsageError(f'{path}: "version" must be 1, which is the only one this release reads')
    if not isinstance(book.get("answers"), list):
        raise UsageError(f'{path}: "answers" must be a list of entries')
    return book
