"""Whether a schema can be worked with in bounded time, judged before anything evaluates it.

A few lines of shared definitions can ask for 2⁴⁰ steps, and the validator, which is native code, can't be interrupted.
So the steps are counted first, and what can't be counted is not evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mcp_notebook.schema.limits import MAX_DEPTH, MAX_WORK, depth_of, too_large
from mcp_notebook.schema.refs import BadReference, target_of
from mcp_notebook.schema.values import as_list, as_object

DATA = frozenset({"const", "enum", "default", "examples"})
"""Keywords that hold plain data and no schemas."""
NAMED = frozenset({"properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "dependencies"})
"""Keywords that hold schemas under names which are no keywords."""
_APART = frozenset({"$defs", "definitions"})
_INWARD = frozenset(
    {
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "items",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "contains",
    }
)
_DYNAMIC = ("$dynamicRef", "$recursiveRef")
_MAX_STEPS = 150


class Uncheckable(ValueError):  # noqa: N818 (says what it is)
    """A schema that can't be worked with; the message says why, fit to show a person."""


def require_bounded(schema: Any, value: Any) -> None:
    """Make sure that `value` can be checked against `schema` in bounded time.

    Raises:
        Uncheckable: It can't, or its references lead out of the document, in a circle, or nowhere.
    """
    depth = depth_of(value)
    if too_large(schema) or depth > MAX_DEPTH:
        msg = "it is too large"
        raise Uncheckable(msg)
    try:
        total = _Count(schema).steps(schema, depth, 0)
    except BadReference as bad:
        raise Uncheckable(str(bad)) from None
    if total > MAX_WORK:
        msg = "it is too entangled"
        raise Uncheckable(msg)


class _Count:
    """Counts the steps of a check from above: a shared definition counts each time it is reached."""

    def __init__(self, root: Any) -> None:
        self.root = root
        draft_4 = "draft-04" in str((as_object(root) or {}).get("$schema"))
        self.moving = ("$id", "id") if draft_4 else ("$id",)
        self.known: dict[tuple[int, int], int | None] = {}

    def steps(self, schema: Any, depth: int, nesting: int) -> int:
        """Count the steps of evaluating a schema on a value that nests `depth` levels deep."""
        rules = as_object(schema)
        if rules is None:
            return 1
        key = (id(rules), depth)
        if key in self.known:
            if (known := self.known[key]) is None:
                msg = "it refers to itself in a circle"
                raise BadReference(msg)
            return known
        if nesting > _MAX_STEPS or len(self.known) > MAX_WORK:
            return MAX_WORK + 1
        if any(keyword in rules for keyword in _DYNAMIC) or (
            nesting and any(isinstance(rules.get(keyword), str) for keyword in self.moving)
        ):
            msg = "its references can't be followed"
            raise BadReference(msg)
        self.known[key] = None
        total = 1
        for keyword, inner in _subschemas(rules):
            deeper = depth - (keyword in _INWARD)
            if deeper >= 0:
                inner = target_of(inner, self.root) if keyword == "$ref" else inner
                total = min(total + self.steps(inner, deeper, nesting + 1), MAX_WORK + 1)
        self.known[key] = total
        return total


def _subschemas(schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for keyword, part in schema.items():
        if keyword in DATA or keyword in _APART:
            continue
        named, listed = as_object(part), as_list(part)
        if named is not None and keyword in NAMED:
            yield from ((keyword, inner) for inner in named.values())
        elif listed is not None:
            yield from ((keyword, inner) for inner in listed)
        elif named is not None or keyword == "$ref":
            yield keyword, part
