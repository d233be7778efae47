"""A Python signature from a tool's input schema. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from inspect import Parameter, Signature
from typing import Any, Literal, get_args, get_origin

from mcp_notebook.schema.bounds import Uncheckable, require_bounded
from mcp_notebook.schema.kinds import guessed
from mcp_notebook.schema.limits import MAX_REFS
from mcp_notebook.schema.names import python_names
from mcp_notebook.schema.options import types_of
from mcp_notebook.schema.refs import BadReference, plain
from mcp_notebook.schema.values import as_list, as_object

MAX_LITERALS = 30
"""Options that are written out as a `Literal`; where there are more, the type is named."""
MAX_LITERAL = 100
"""Characters of such an option."""

_TYPES: dict[Any, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
    "null": type(None),
}


class _NotGiven:
    """The default of an argument that may be left out."""

    def __repr__(self) -> str:
        return "..."


NOT_GIVEN: Any = _NotGiven()


def signature_of(input_schema: Mapping[str, Any]) -> tuple[Signature, dict[str, str]]:
    """Make the signature of a function that takes what a tool takes.

    All parameters are keyword-only, the required ones first, each kind in the schema's order. A default is the
    schema's own; one that has none but may be left out shows `...`. Types come from the schema: `Literal` for a few
    options, `X | None` where null is allowed, `Any` where it is open or can't be read.

    Args:
        input_schema: The tool's input schema, of any draft.

    Returns:
        The signature, and the arguments' own names by those of its parameters.
    """
    try:
        require_bounded(input_schema, {})
    except Uncheckable:
        return Signature([_rest("more")]), {}
    properties = as_object(input_schema.get("properties")) or {}
    names = python_names(str(name) for name in properties)
    required = as_list(input_schema.get("required")) or []
    parameters = [
        _parameter(python, properties[name], input_schema, required=name in required) for python, name in names.items()
    ]
    parameters.sort(key=lambda parameter: parameter.default is not Parameter.empty)
    if takes_more(input_schema):
        (rest,) = python_names(["more"], names)
        parameters.append(_rest(rest))
    return Signature(parameters), names


def takes_more(input_schema: Mapping[str, Any]) -> bool:
    """Tell whether a tool takes arguments that its schema does not name one by one."""
    extra = input_schema.get("additionalProperties")
    if extra is True or as_object(extra) is not None:
        return True
    return ("properties" not in input_schema and extra is None) or any(
        keyword in input_schema for keyword in ("$ref", "patternProperties", "allOf", "anyOf", "oneOf")
    )


def type_of(schema: Any, root: Mapping[str, Any], depth: int = 0) -> Any:
    """Give the Python type of what a schema allows, `Any` where it is open or can't be read.

    Args:
        schema: Any part of a schema that `require_bounded` has passed.
        root: The whole schema.
        depth: How deep in lists and objects it stands.
    """
    if depth > MAX_REFS:
        return Any
    try:
        rules, nullable = plain(schema, root)
    except BadReference:
        return Any
    found = _type_of(rules, root, depth)
    return found | None if nullable and found is not Any else found


def _type_of(rules: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    values = [rules["const"]] if "const" in rules else as_list(rules.get("enum"))
    branches = as_list(rules.get("oneOf")) or as_list(rules.get("anyOf"))
    if values and len(values) <= MAX_LITERALS and all(map(_is_short, values)):
        return Literal[tuple(values)]  # pyright: ignore[reportReturnType]
    if branches and len(branches) <= MAX_LITERALS:
        return _union([type_of(branch, root, depth + 1) for branch in branches])
    return _union([_named(kind, rules, root, depth) for kind in types_of(rules) or guessed(rules)])


def _named(kind: Any, rules: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    items = type_of(rules.get("items", {}), root, depth + 1) if kind == "array" else Any
    return _TYPES.get(kind, Any) if items is Any else list[items]


def _union(types: list[Any]) -> Any:
    if not types or Any in types:
        return Any
    if all(get_origin(each) is Literal for each in types):
        return Literal[tuple(value for each in types for value in get_args(each))]  # pyright: ignore[reportReturnType]
    return reduce(lambda one, other: one | other, types)


def _is_short(value: Any) -> bool:
    return value is None or isinstance(value, int) or (isinstance(value, str) and len(value) <= MAX_LITERAL)


def _rest(name: str) -> Parameter:
    return Parameter(name, Parameter.VAR_KEYWORD, annotation=Any)


def _parameter(name: str, schema: Any, root: Mapping[str, Any], *, required: bool) -> Parameter:
    rules = as_object(schema) or {}
    default = Parameter.empty if required else rules.get("default", NOT_GIVEN)
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=type_of(schema, root))
