"""References inside a schema: followed within the document, never out of it, never in a circle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

from mcp_notebook.schema.limits import MAX_REFS, in_line
from mcp_notebook.schema.values import as_list, as_object


class BadReference(ValueError):  # noqa: N818 (says what it is)
    """A `$ref` that is not followed; the message says why, fit to show a person."""


def target_of(ref: Any, root: Mapping[str, Any]) -> Any:
    """Return what a `$ref` points to.

    Args:
        ref: The reference; only JSON pointers into the same document ("#/$defs/Color") are followed.
        root: The whole schema.

    Raises:
        BadReference: It points elsewhere, or nowhere.
    """
    shown = in_line(str(ref), 80)
    if not isinstance(ref, str) or not ref.startswith("#"):
        msg = f"it refers to another document ({shown}), and nothing is fetched for a schema"
        raise BadReference(msg)
    if ref[1:] and not ref.startswith("#/"):
        msg = f"it refers to {shown}, a way that is not followed"
        raise BadReference(msg)
    here: Any = root
    for part in unquote(ref[1:]).split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        named, listed = as_object(here), as_list(here)
        if named is not None and key in named:
            here = named[key]
        elif listed is not None and key.isascii() and key.isdigit() and int(key) < len(listed):
            here = listed[int(key)]
        else:
            msg = f"it refers to {shown}, which is not there"
            raise BadReference(msg)
    return here


def plain(schema: Any, root: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Say in one schema what is said through `$ref`, a lone `allOf`, and "or null".

    What stands beside a `$ref` or a lone `allOf` or `anyOf` goes before what it leads to, as people who write
    `{"$ref": "#/$defs/Color", "title": "Colour"}` mean it.

    Args:
        schema: One field's schema.
        root: The whole schema.

    Returns:
        The plain schema, and whether it allows null.

    Raises:
        BadReference: A `$ref` in it can't be followed, or the steps never end.
    """
    nullable = False
    for _ in range(MAX_REFS):
        rules = as_object(schema)
        if rules is None:
            msg = "its schema is not an object"
            raise BadReference(msg)
        here = dict(rules)
        nullable = _drop_null(here) or nullable
        step = next((keyword for keyword in ("$ref", "allOf", "anyOf", "oneOf") if _is_step(here, keyword)), None)
        if step is None:
            return here, nullable
        value = here.pop(step)
        inner = target_of(value, root) if step == "$ref" else value[0]
        schema = {**inner, **here} if as_object(inner) is not None else inner
    msg = "it refers to itself"
    raise BadReference(msg)


def _is_step(schema: Mapping[str, Any], keyword: str) -> bool:
    if keyword == "$ref":
        return keyword in schema
    branches = as_list(schema.get(keyword)) or []
    return len(branches) == 1 and "const" not in (as_object(branches[0]) or {})


def _drop_null(schema: dict[str, Any]) -> bool:
    """Take null out of `type`, `anyOf`, `oneOf` and `enum`; tell whether all of these that are there allowed it."""
    allowed: list[bool] = []
    for keyword, is_null in _NULL.items():
        if keyword in schema:
            values = as_list(schema[keyword]) or []
            rest = [value for value in values if not is_null(value)]
            allowed.append(len(rest) < len(values))
            if rest:
                schema[keyword] = rest[0] if keyword == "type" and len(rest) == 1 else rest
    return bool(allowed) and all(allowed)


def _is_null_schema(branch: Any) -> bool:
    rules = as_object(branch) or {}
    return rules.get("type") == "null" or rules.get("const", ...) is None or rules.get("enum") == [None]


_NULL: dict[str, Callable[[Any], bool]] = {
    "type": lambda kind: kind == "null",
    "anyOf": _is_null_schema,
    "oneOf": _is_null_schema,
    "enum": lambda value: value is None,
}
