"""`with answering(...)`: answers for the questions of one block of code, as a test wants them."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from typing import Any

from mcp_notebook.answers.entry import read_entry
from mcp_notebook.answers.script import Script, script
from mcp_notebook.answers.unattended import unscripted
from mcp_notebook.types import Answer, Question

_blocks: list[Script] = []
_lock = threading.Lock()


@contextmanager
def answering(answers: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> Generator[None]:
    """Answer what servers ask while the block runs, in whatever thread or task they are called.

    Nobody is asked in the block: a question that none of its answers is for is an error, which shows the entry that
    would answer it. Answers wait for their question in the order given, each is used once, and those left over are
    dropped at the end. In a block within a block the inner one is asked first. Handlers go before both.

        with answering({"username": "ada", "email": "ada@example.org"}):
            server("demo").call("register_user")

        with answering([{"tool": "greet", "action": "decline"}, {"server": "demo", "content": "defaults"}]):
            ...

    Args:
        answers: The value of each field, as the answer to one question; or a list of entries as a file of answers has
            them, each with any of "server", "tool", "message" (a regular expression), "fields", "action", "content"
            and "repeat".

    Raises:
        UsageError: An entry is not right; says which and how.
    """
    entries: Iterable[Any] = [{"content": answers}] if isinstance(answers, Mapping) else answers
    block = Script(read_entry(entry, f"answering: answer {n}") for n, entry in enumerate(entries, 1))
    with _lock:
        _blocks.append(block)
    try:
        yield
    finally:
        with _lock:
            _blocks[:] = [each for each in _blocks if each is not block]


def scripted(question: Question) -> Answer | None:
    """Answer by the blocks that run, else by the answers of the process.

    Returns:
        The answer, valid against the question's schema; None when nothing written down is for this question.

    Raises:
        NoAnswerError: The answer is not valid; or a block runs, and has none for this question.
    """
    with _lock:
        blocks = _blocks[::-1]
    for block in blocks:
        if (answer := block.answer(question)) is not None:
            return answer
    if blocks:
        raise unscripted(question)
    return script().answer(question)
