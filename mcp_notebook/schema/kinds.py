"""What kind of field a schema asks for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from mcp_notebook.schema.options import Option, options_of, types_of
from mcp_notebook.schema.refs import plain
from mcp_notebook.schema.values import as_object

Kind = Literal["string", "integer", "number", "boolean", "choice", "choices", "date", "date-time", "time"]

_TEMPORAL: tuple[Kind, ...] = ("date", "date-time", "time")


def kind_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> tuple[Kind, tuple[Option, ...]]:
    """Tell what kind of field a schema asks for.

    Args:
        schema: The field's plain schema.
        root: The whole schema.

    Returns:
        The kind, and the options it offers.

    Raises:
        ValueError: It can't be drawn; the message says why.
    """
    if options := options_of(schema, root):
        return "choice", options
    types = types_of(schema) or guessed(schema)
    if (len(types) > 1 and set(types) != {"integer", "number"}) or (not types and combined(schema)):
        msg = "it may be of several kinds"
        raise ValueError(msg)
    match types[-1] if types else None:
        case "string":
            form = schema.get("format")
            return form if form in _TEMPORAL else "string", ()
        case "integer" | "number" | "boolean" as kind:
            return ("number" if len(types) > 1 else kind), ()
        case "array":
            items = as_object(schema.get("items"))
            if items is not None and (options := options_of(plain(items, root)[0], root)):
                return "choices", options
            msg = "it is a list of something other than options"
        case "object":
            msg = "it has fields of its own"
        case "null":
            msg = "it allows nothing but null"
        case _:
            msg = "it does not say what kind of value it wants"
    raise ValueError(msg)


def combined(schema: Mapping[str, Any]) -> bool:
    """Tell whether a schema is put together of others."""
    return any(keyword in schema for keyword in ("anyOf", "oneOf", "allOf"))


def guessed(schema: Mapping[str, Any]) -> list[str]:
    """Tell what a schema without `type` is about by the keywords it uses."""
    for kind, keywords in (
        ("string", ("minLength", "maxLength", "pattern", "format")),
        ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
        ("array", ("items", "minItems", "maxItems", "uniqueItems")),
        ("object", ("properties", "additionalProperties")),
    ):
        if any(keyword in schema for keyword in keywords):
            return [kind]
    return []
