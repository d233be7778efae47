r"""A `%mcp` line into words, with Python values in them. Pure.

- Words are divided by spaces; a quoted part (`"…"` or `'…'`) is taken as it is, backslashes and braces too.
- A value that begins with a JSON object or array is that JSON: `k={"a": 1}`.
- Elsewhere `{expression}` and `$name` are Python, and `{{`, `}}` and `$$` stand for `{`, `}` and `$`, as in IPython's
  own magics. A value that is nothing but one expression *is* its value, of whatever type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from mcp_notebook.errors import UsageError

_NAME = re.compile(r"\$([^\W\d]\w*(?:\.[^\W\d]\w*)*)")
_AS_IT_IS = "to send it as it is, put the whole value in quotes"
_decode = json.JSONDecoder().raw_decode


class Word(str):
    """One word, as a parser of options sees it: the quotes are off, the expressions still stand as they were written.

    So nothing that an expression gives is ever taken for an option.
    """

    key: str | None
    """What stands before the first `=` outside quotes; None without one."""
    value: Any
    """What stands after that `=`, or the whole word: text with its expressions filled in, or one expression's value."""
    evaluated: bool
    """Whether `value` is the value of an expression: not to be parsed any further."""

    @property
    def text(self) -> str:
        """The whole word as text, with its expressions filled in."""
        return str(self.value) if self.key is None else f"{self.key}={self.value}"


def split(line: str, namespace: Mapping[str, Any]) -> list[Word]:
    """Divide a line into words.

    Args:
        line: What follows `%mcp`.
        namespace: The names that its expressions may use.

    Raises:
        UsageError: A quote or bracket is never closed, or an expression fails.
    """
    reader = _Reader(line, dict(namespace))
    words: list[Word] = []
    while reader.skip_space():
        words.append(reader.word())
    return words


class _Value(NamedTuple):
    """What an expression gave."""

    value: Any


class _Reader:
    def __init__(self, line: str, namespace: dict[str, Any]) -> None:
        self.line = line
        self.namespace = namespace
        self.at = 0
        self.key: str | None = None  # of the word under way

    def skip_space(self) -> bool:
        """Go to the next word; whether there is one."""
        while self._inside() and self.line[self.at].isspace():
            self.at += 1
        return self._inside()

    def word(self) -> Word:
        written: list[str] = []
        parts: list[str | _Value] = []  # of the key or the value under way
        start, self.key = self.at, None
        opened: list[str] = []
        while self._inside() and (opened or not self.line[self.at].isspace()):
            char, begin = self.line[self.at], self.at
            if char == "=" and self.key is None and not opened:
                self.key, parts, start = _joined(parts), [], self.at + 1
                written.append(self._take(1))
                continue
            part = self._json() if begin == start else None
            part = self._part(char, opened) if part is None else part
            parts.append(part)
            written.append(self.line[begin : self.at] if isinstance(part, _Value) else part)
        if opened:
            raise UsageError(f"{opened[-1]}{self._where()} is never closed; {_AS_IT_IS}")
        word = Word("".join(written))
        word.key = self.key
        only = parts[0] if len(parts) == 1 else None
        word.evaluated = isinstance(only, _Value)
        word.value = only.value if isinstance(only, _Value) else _joined(parts)
        return word

    def _part(self, char: str, opened: list[str]) -> str | _Value:
        """Take the next part of a word, which begins with `char`, inside the brackets that are `opened`."""
        pair = self.line[self.at : self.at + 2]
        if char in "\"'":
            return self._quoted(keep=bool(opened))
        if pair in ("{{", "}}", "$$"):
            if char == "{":
                opened.append(char)
            elif char == "}" and opened:
                opened.pop()
            return self._take(2)[0]
        if char == "{" or (char == "$" and _NAME.match(self.line, self.at)):
            return _Value(self._expression())
        if char == "[":
            opened.append(char)
        elif char in "]}":
            if not opened:
                raise UsageError(f"{char}{self._where()} is never opened; {_AS_IT_IS}")
            opened.pop()
        return self._take(1)

    def _inside(self) -> bool:
        return self.at < len(self.line)

    def _take(self, length: int) -> str:
        self.at += length
        return self.line[self.at - length : self.at]

    def _json(self) -> str | None:
        """Take the JSON object or array that is the rest of the word, if it is one."""
        if self.line[self.at] not in "{[":
            return None
        try:
            _, end = _decode(self.line, self.at)
        except (ValueError, RecursionError):
            return None
        return self._take(end - self.at) if end == len(self.line) or self.line[end].isspace() else None

    def _quoted(self, *, keep: bool) -> str:
        """Take a quoted part; inside brackets the quotes stay and a backslash escapes, as in JSON and Python."""
        start, quote = self.at, self.line[self.at]
        end = _string_end(self.line, start) if keep else self.line.find(quote, start + 1)
        if end < 0:
            other = '"' if quote == "'" else "'"
            advice = f"to send a {quote} as it is, put the whole value in {other} quotes"
            raise UsageError(f"the quote {quote}{self._where()} is never closed; {advice}")
        part = self._take(end + 1 - start)
        return part if keep else part[1:-1]

    def _expression(self) -> Any:
        start = self.at
        if name := _NAME.match(self.line, start):
            self.at = name.end()
            return self._evaluate(name[1], name[0])
        depth = 0
        while self.at < len(self.line):
            char = self.line[self.at]
            if char in "\"'":
                end = _string_end(self.line, self.at)
                if end < 0:
                    break
                self.at = end
            depth += (char in "{[(") - (char in ")]}")
            self.at += 1
            if not depth:
                source = self.line[start : self.at]
                return self._evaluate(source[1:-1].strip(), source)
        raise UsageError(f"{{{self._where()} is never closed; {_AS_IT_IS}")

    def _evaluate(self, expression: str, source: str) -> Any:
        try:
            return eval(self._compile(expression, source), self.namespace)
        except Exception as error:
            reason = error.msg if isinstance(error, SyntaxError) else _cut(" ".join(str(error).split()), 200)
            failed = f"{type(error).__name__}: {reason}" if reason else type(error).__name__
            raise UsageError(f"{_cut(source)} is taken as Python, and failed: {failed}; {_AS_IT_IS}") from error

    def _compile(self, expression: str, source: str) -> Any:
        try:
            return compile(expression, "<%mcp>", "eval")
        except SyntaxError:
            if not source.startswith("{"):
                raise
        return compile(source, "<%mcp>", "eval")  # a dictionary as Python writes it: k={'a': n}

    def _where(self) -> str:
        return f" in {_cut(self.key)}=…" if self.key else ""  # never the value: it may be a secret


def _joined(parts: list[str | _Value]) -> str:
    return "".join(str(part.value) if isinstance(part, _Value) else part for part in parts)


def _string_end(line: str, start: int) -> int:
    """Where the string literal that begins at `start` has its closing quote; -1 if nowhere."""
    string = re.compile(r"""(["'])(?:\\.|(?!\1)[^\\])*\1""").match(line, start)
    return string.end() - 1 if string else -1


def _cut(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
