"""How much of a server's schema is looked at. A schema is untrusted: beyond these it is refused or cut."""

from __future__ import annotations

from typing import Any, cast

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
MAX_DEFAULT = 10_000
"""Characters of a default: a longer one is ignored."""
MAX_PATTERN = 1_000
"""Characters of a pattern: a longer one is not enforced."""
MAX_WORK = 200_000
"""Steps of a check, as estimated beforehand: what would take more is not checked."""


def cut(text: str, limit: int) -> str:
    """Return `text`, or its first characters and an ellipsis where it is longer than `limit`."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def too_large(schema: Any) -> bool:
    """Tell whether a schema has too many parts or nests too deep; never recurses itself."""
    seen, level = 0, [schema]
    for _ in range(MAX_DEPTH):
        seen += len(level)
        if seen > MAX_NODES:
            return True
        level = [child for part in level for child in _children(part)]
        if not level:
            return False
    return True


def _children(part: Any) -> list[Any]:
    if isinstance(part, dict):
        return list(cast("dict[str, Any]", part).values())
    return cast("list[Any]", part) if isinstance(part, list) else []
