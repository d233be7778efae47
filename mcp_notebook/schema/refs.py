"""References inside a schema: followed within the document, never out of it, never in a circle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import unquote

from mcp_notebook.schema.limits import MAX_REFS, in_line


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
        if isinstance(here, Mapping) and key in here:
            here = cast("Mapping[str, Any]", here)[key]
        elif isinstance(here, list) and key.isascii() and key.isdigit() and int(key) < len(cast("list[Any]", here)):
            here = cast("list[Any]", here)[int(key)]
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
        if not isinstance(schema, Mapping):
            msg = "its schema is not an object"
            raise BadReference(msg)
        here = dict(cast("Mapping[str, Any]", schema))
        nullable = _drop_null(here) or nullable
        step = next((key for key in ("$ref", "allOf", "anyOf", "oneOf") if _is_step(here, key)), None)
        if step is None:
            return here, nullable
        value = here.pop(step)
        inner = target_of(value, root) if step == "$ref" else value[0]
        if not isinstance(inner, Mapping):
            msg = "its schema is not an object"
            raise BadReference(msg)
        schema = {**cast("Mapping[str, Any]", inner), **here}
    msg = "it refers to itself"
    raise BadReference(msg)


def _is_step(schema: Mapping[str, Any], key: str) -> bool:
    value = schema.get(key)
    if key == "$ref":
        return key in schema
    return isinstance(value, list) and len(cast("list[Any]", value)) == 1 and not _is_const(value[0])


def _is_const(branch: Any) -> bool:
    return isinstance(branch, Mapping) and "const" in branch


def _drop_null(schema: dict[str, Any]) -> bool:
    """Take the null out of `type`, `anyOf`, `oneOf` and `enum`; tell whether all that the schema says allowed it."""
    kinds = schema.get("type")
    found: list[bool] = []
    if isinstance(kinds, list):
        rest = [kind for kind in cast("list[Any]", kinds) if kind != "null"]
        found.append(len(rest) < len(cast("list[Any]", kinds)))
        if rest:
            schema["type"] = rest[0] if len(rest) == 1 else rest
    elif kinds is not None:
        found.append(False)
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key)
        if isinstance(branches, list):
            rest = [branch for branch in cast("list[Any]", branches) if not _is_null(branch)]
            found.append(len(rest) < len(cast("list[Any]", branches)))
            if rest:
                schema[key] = rest
    values = schema.get("enum")
    if isinstance(values, list) and None in values:
        schema["enum"] = [value for value in cast("list[Any]", values) if value is not None]
        found.append(True)
    elif isinstance(values, list):
        found.append(False)
    return bool(found) and all(found)


def _is_null(branch: Any) -> bool:
    if not isinstance(branch, Mapping):
        return False
    branch = cast("Mapping[str, Any]", branch)
    return (
        branch.get("type") == "null" or ("const" in branch and branch["const"] is None) or branch.get("enum") == [None]
    )
