"""A configuration file as data: JSON with comments and trailing commas, and where each part of it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from mcp_notebook.errors import UsageError

_STRAY = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*")
      | /\*.*?\*/ | //[^\n]*                                  # comments
      | ,(?=(?:\s|/\*.*?\*/|//[^\n]*)*[\]}])                  # a comma before a closing bracket
    """,
    re.DOTALL | re.VERBOSE,
)
_SPACE = re.compile(r"\s*")
_decode = json.JSONDecoder().raw_decode


class Document:
    """One configuration file.

    Args:
        path: Where it is.

    Raises:
        UsageError: It can't be read, or is no JSON; says where.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._text = _STRAY.sub(_blank, path.read_text("utf-8-sig"))
            self.data: Any = json.loads(self._text)
        except OSError as error:
            msg = f"{path} cannot be read: {error.strerror}"
            raise UsageError(msg) from None
        except json.JSONDecodeError as error:
            msg = f"{path}, line {error.lineno}, column {error.colno}: {error.msg}"
            raise UsageError(msg) from None
        except (UnicodeDecodeError, RecursionError):
            msg = f"{path} is not UTF-8 text, or no configuration"
            raise UsageError(msg) from None

    def fault(self, at: Sequence[str | int], problem: str) -> UsageError:
        """Make the error that says what is wrong with a part.

        Args:
            at: The way to the part: names and positions, from the outside in.
            problem: What is wrong with it.
        """
        before = self._text[: self._offset(at)]
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        where = ".".join(str(step) for step in at)
        return UsageError(f"{self.path}, line {line}, column {column}: {f'{where}: ' if where else ''}{problem}")

    def _offset(self, at: Sequence[str | int]) -> int:
        """Where a part begins, or the innermost one around it that there is."""
        here = self._space(0)
        for step in at:
            inner = self._child(here, step)
            if inner is None:
                break
            here = inner
        return here

    def _child(self, here: int, step: str | int) -> int | None:
        opening, here = self._text[here], self._space(here + 1)
        number, found = 0, None
        while self._text[here] not in "]}":
            name: Any = number
            if opening == "{":
                name, here = _decode(self._text, here)
                here = self._space(self._space(here) + 1)
            if name == step:
                found = here
            here = self._space(_decode(self._text, here)[1])
            here = self._space(here + 1) if self._text[here] == "," else here
            number += 1
        return found

    def _space(self, here: int) -> int:
        return cast("re.Match[str]", _SPACE.match(self._text, here)).end()


def _blank(match: re.Match[str]) -> str:
    """Put spaces for what JSON does not know, so that lines and columns stay as they are."""
    return match["text"] or re.sub(r"[^\n]", " ", match[0])
