"""What has changed between two definitions of a tool: texts word by word, schemas path by path."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any, cast

from mcp_notebook.servers.pins.hidden import visible
from mcp_notebook.types import PartDrift, Piece

MAX_PARTS = 100
"""Changed parts of one tool."""
MAX_WORDS = 1000
"""Words compared one by one, after what is the same before and behind them; more are shown as one change."""
MAX_PIECE = 2000
"""Characters of one piece."""


def changed_parts(before: Mapping[str, Any], now: Mapping[str, Any]) -> tuple[PartDrift, ...]:
    """Compare two definitions.

    Args:
        before: As it was pinned; empty for a tool that is new.
        now: As it is.

    Returns:
        What differs, with invisible characters written out; at most `MAX_PARTS`, and then one that says how many more.
    """
    old, new = _leaves(before), _leaves(now)
    paths = [
        path for path in dict.fromkeys((*old, *new)) if path not in old or path not in new or old[path] != new[path]
    ]
    parts = [
        PartDrift(where=visible(path)[:200], pieces=_pieces(old.get(path), new.get(path))) for path in paths[:MAX_PARTS]
    ]
    if len(paths) > MAX_PARTS:
        parts.append(PartDrift(where=f"and {len(paths) - MAX_PARTS} more", pieces=()))
    return tuple(parts)


def word_diff(before: str, now: str) -> tuple[Piece, ...]:
    """Compare two texts word by word."""
    old, new = _words(before), _words(now)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    head, tail = old[:start], old[len(old) - end :]
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if len(old) > MAX_WORDS or len(new) > MAX_WORDS:
        steps = [("replace", 0, len(old), 0, len(new))]
    else:
        steps = difflib.SequenceMatcher(None, old, new).get_opcodes()
    pieces = [_piece("same", head)]
    for kind, i, j, k, m in steps:
        if kind == "equal":
            pieces.append(_piece("same", old[i:j]))
        else:
            pieces += [_piece("removed", old[i:j]), _piece("added", new[k:m])]
    pieces.append(_piece("same", tail))
    return tuple(piece for piece in pieces if piece[1])


def _pieces(before: Any, now: Any) -> tuple[Piece, ...]:
    if isinstance(before, str) and isinstance(now, str):
        return word_diff(before, now)
    written = [("removed", before), ("added", now)]
    return tuple(_piece(kind, [_written(value)]) for kind, value in written if value is not None)


def _piece(kind: Any, words: list[str]) -> Piece:
    text = visible("".join(words))
    if len(text) <= MAX_PIECE:
        return kind, text
    half = MAX_PIECE // 2
    return kind, f"{text[:half]} … ({len(text) - MAX_PIECE:,} characters) … {text[-half:]}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else value[0]


def _words(text: str) -> list[str]:
    return re.findall(r"\s+|\w+|[^\w\s]", text)


def _leaves(value: Any, path: str = "") -> dict[str, str | tuple[str]]:
    """Give what a value holds by paths: texts as they are, others as JSON in a tuple, so that "1" is not 1."""
    if isinstance(value, Mapping) and value:
        found: dict[str, str | tuple[str]] = {}
        for key, part in cast("Mapping[str, Any]", value).items():
            found.update(_leaves(part, f"{path}.{_step(key)}" if path else _step(key)))
        return found
    if isinstance(value, list) and value:
        found = {}
        for i, part in enumerate(cast("list[Any]", value)):
            found.update(_leaves(part, f"{path}[{i}]"))
        return found
    if not path:
        return {}
    return {path: value if isinstance(value, str) else (json.dumps(value),)}


def _step(key: str) -> str:
    return key if re.fullmatch(r"[\w$-]+", key) else json.dumps(key, ensure_ascii=False)
