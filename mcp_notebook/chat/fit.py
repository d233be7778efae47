"""Which tools' schemas a model's API can take: one that it refuses spoils the whole request."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, cast

from mcp_notebook.schema.limits import too_large
from mcp_notebook.schema.refs import BadReference, target_of
from mcp_notebook.schema.values import as_list, as_object

MAX_EXPANDED = 2_000
"""Subschemas in one schema, with what references lead to counted wherever they stand."""
MAX_DEPTH = 30
MAX_BOUND = 1_000
"""The largest length or number of items: servers of models unfold these into grammars. Larger maxima are left out."""

_ONE = ("items", "not", "if", "then", "else", "contains", "propertyNames")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_MAPS = ("properties", "patternProperties", "dependentSchemas")
_MINIMA = ("minItems", "minLength", "minProperties", "minContains")
_MAXIMA = ("maxItems", "maxLength", "maxProperties", "maxContains")


class Unfit(ValueError):  # noqa: N818 (says what it is)
    """A schema that a model can't be given; the message says why."""


def parameters_of(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give a tool's input schema as the parameters of a function.

    Args:
        schema: The input schema, untrusted.

    Returns:
        The same, as an object's schema that names its properties, without what is for validators alone.

    Raises:
        Unfit: A model's API would refuse it, or it is too large.
    """
    if too_large(schema):
        raise Unfit("its schema is too large")
    found = {name: copy.deepcopy(value) for name, value in schema.items() if name not in ("$schema", "$id")}
    if found.get("type", "object") != "object":
        raise Unfit("its arguments are not an object")
    found["type"] = "object"
    if as_object(found.setdefault("properties", {})) is None:
        raise Unfit("its properties are not an object")
    _Walk(found).take(found, 0, ())
    return found


class _Walk:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._count = 0

    def take(self, schema: Any, depth: int, refs: tuple[str, ...]) -> None:
        """Walk a subschema and what it refers to."""
        rules = cast("dict[str, Any] | None", schema if isinstance(schema, dict) else None)
        if rules is None:
            raise Unfit("a part of its schema is true or false, not an object")
        self._count += 1
        if self._count > MAX_EXPANDED or depth > MAX_DEPTH:
            raise Unfit("its schema grows too large when its references are followed")
        for name in _MINIMA:
            if _is_over(bound := rules.get(name)):
                raise Unfit(f"its schema has {name} {bound:g}")
        for name in _MAXIMA:
            if _is_over(rules.get(name)):
                del rules[name]
        if "$ref" in rules and str(rules["$ref"]) not in refs:  # a circle is as large as one round of it
            try:
                target = target_of(rules["$ref"], self._root)
            except BadReference as problem:
                raise Unfit(f"its schema can't be followed: {problem}") from None
            self.take(target, depth + 1, (*refs, str(rules["$ref"])))
        for child in _children(rules):
            self.take(child, depth + 1, refs)


def _is_over(bound: Any) -> bool:
    return isinstance(bound, int | float) and bound > MAX_BOUND


def _children(rules: Mapping[str, Any]) -> list[Any]:
    found = [rules[name] for name in _ONE if name in rules]
    found += [part for name in _LISTS for part in as_list(rules.get(name)) or []]
    found += [part for name in _MAPS for part in (as_object(rules.get(name)) or {}).values()]
    extra = rules.get("additionalProperties")
    return found if extra is None or isinstance(extra, bool) else [*found, extra]
