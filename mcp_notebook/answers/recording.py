"""What people answered, written to a file of answers as it happens, so that the next run asks nobody."""

from __future__ import annotations

import json
import os
import re
import tempfile
import threading
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from mcp_notebook.answers.entry import read_entry
from mcp_notebook.answers.script import read_book
from mcp_notebook.answers.secrets import secret_names
from mcp_notebook.errors import UsageError
from mcp_notebook.types import Answer, Question

_MAX_MESSAGE = 1000


class Recorder:
    """Writes answers to one file at a time. May be used from several threads."""

    def __init__(self) -> None:
        self._path: Path | None = None
        self._named: Path | None = None
        """The same, as it was named."""
        self._known: Counter[str] = Counter()
        """Entries that the file held before, and that this run has not given again."""
        self._lock = threading.Lock()

    def start(self, path: str | Path) -> None:
        """Record into a file from now on: a new one, or one with answers, which stay.

        Raises:
            UsageError: The file can't be written, or is no file of answers.
        """
        named, path = Path(path), Path(os.path.realpath(path))
        with self._lock:
            book = _book(path)
            for n, entry in enumerate(book["answers"], 1):
                read_entry(entry, f"{path}: answer {n}")
            _write(path, book)
            self._path, self._named, self._known = path, named, Counter(map(_key, book["answers"]))

    def stop(self) -> Path | None:
        """Record no longer.

        Returns:
            The file that was written to, if one was, as it was named.
        """
        with self._lock:
            named, self._path, self._named = self._named, None, None
        return named

    def add(self, question: Question, answer: Answer) -> None:
        """Write an answer down, if there is a recording and the answer is new to the file and not from a script.

        That a person has been to a URL is not written down: the next run can't do that for them.

        Raises:
            UsageError: The file can't be written.
        """
        with self._lock:
            if self._path is None or (question.mode == "url" and answer.action == "accept"):
                return
            entry = _entry(question, answer)
            if self._known[_key(entry)] > 0:
                self._known[_key(entry)] -= 1
            elif answer.source != "script":
                book = _book(self._path)
                book["answers"].append(entry)
                _write(self._path, book)


@cache
def recorder() -> Recorder:
    """The recorder of this process."""
    return Recorder()


def _entry(question: Question, answer: Answer) -> dict[str, Any]:
    """An entry for this very question: the same words, asked by the same tool."""
    entry: dict[str, Any] = {"server": question.server}
    if question.tool:
        entry["tool"] = question.tool
    start = re.sub(r"[\\.^$*+?{}\[\]|()]", r"\\\g<0>", question.message[:_MAX_MESSAGE])
    entry["message"] = f"^{start}{'$' if len(question.message) <= _MAX_MESSAGE else ''}"
    entry["action"] = answer.action
    if answer.action == "accept":
        content = answer.content or {}
        secrets = secret_names(question, content)
        entry["content"] = {name: value for name, value in content.items() if name not in secrets}
        if secrets:
            entry["secrets"] = secrets
    return entry


def _key(entry: Any) -> str:
    return json.dumps(entry, sort_keys=True)


def _book(path: Path) -> dict[str, Any]:
    return read_book(path) if path.exists() else {"version": 1, "answers": []}


def _write(path: Path, book: dict[str, Any]) -> None:
    """Write a file whole or not at all. Only its owner may read a new one: it says what a person answered."""
    # A lone surrogate, which only JSON's own escape can carry, becomes that.
    data = f"{json.dumps(book, indent=2, ensure_ascii=False)}\n".encode("utf-8", "backslashreplace")
    new = ""
    try:
        handle, new = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(new, path)
    except OSError as error:
        if new:
            Path(new).unlink(missing_ok=True)
        raise UsageError(f"{path}: can't be written: {error.strerror or error}") from None
