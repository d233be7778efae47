"""How much of a server's schema is looked at. A schema is untrusted: beyond these it is refused or cut."""

from __future__ import annotations

import sys
from typing import Any

from mcp_notebook.schema.values import as_list, as_object

MAX_NODES = 50_000
"""Values in one schema, counting every object, list and scalar."""
MAX_DEPTH = 64
"""How deep a schema may nest."""
MAX_FIELDS = 100
"""Fields in one form."""
MAX_OPTIONS = 1_000
"""Options of one choice."""
MAX_REFS = 16
"""`$ref`, `allOf` and `anyOf` steps from a field to what describes it."""
MAX_TITLE = 200
"""Characters shown of a title or an option."""
MAX_DESCRIPTION = 2_000
"""Characters shown of a description."""
MAX_DEFAULT = 4_000
"""Characters of a default: a longer one is left out."""
MAX_NUMBER = sys.float_info.max
"""Numbers go up to this: what is larger, many a server can't read."""
MAX_HINT = 400
"""Characters of a hint."""
MAX_PATTERN = 1_000
"""Characters of a pattern: a longer one is not enforced."""
MAX_PATTERNS = 100
"""Patterns in one schema."""
MAX_WORK = 50_000
"""Steps of a check, as estimated beforehand: what would take more is not checked."""


def cut(text: str, limit: int) -> str:
    """Return `text`, or its first characters and an ellipsis where it is longer than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def in_line(text: str, limit: int) -> str:
    """Return `text` on one line, each run of white space a single space, cut to `limit`."""
    return cut(" ".join(text[: 4 * limit].split()), limit)


def too_large(schema: Any) -> bool:
    """Tell whether a schema has too many parts or nests too deep; never recurses itself."""
    seen, level = 0, [schema]
    for _ in range(MAX_DEPTH):
        seen += len(level)
        if seen > MAX_NODES:
            return True
        level = [child for part in level for child in children(part)]
        if not level:
            return False
    return True


def depth_of(value: Any) -> int:
    """Return how many levels of lists and objects a value has, at most `MAX_DEPTH` and one more."""
    depth, level = 0, children(value)
    while level and depth <= MAX_DEPTH:
        level = [child for part in level for child in children(part)]
        depth += 1
    return depth


def children(part: Any) -> list[Any]:
    """Return what a list or an object holds; nothing for other values."""
    named = as_object(part)
    return list(named.values()) if named is not None else as_list(part) or []
