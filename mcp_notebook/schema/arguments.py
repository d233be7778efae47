"""The `k=v` arguments of a tool call, typed and checked by the tool's input schema."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.bounds import Uncheckable, require_bounded
from mcp_notebook.schema.check import Problem, problems
from mcp_notebook.schema.limits import in_line
from mcp_notebook.schema.numbers import parse_number
from mcp_notebook.schema.options import types_of
from mcp_notebook.schema.refs import target_of
from mcp_notebook.schema.values import as_list, as_object, is_type, key
from mcp_notebook.schema.words import NOT_ASKED_FOR, dotted, kinds, one_of, sentence

_SHOWN_PROBLEMS = 5
_NO_JSON: Any = object()
_LIKE = {
    "string": "",
    "integer": "",
    "number": "",
    "boolean": "",
    "null": "",
    "array": '["a", "b"]',
    "object": '{"key": "value"}',
}
"""JSON Schema's types, with an example of those that people have to write as JSON."""


def parse_argument(input_schema: Mapping[str, Any], name: str, text: str) -> Any:
    """Give the text of one argument the type that the tool's schema asks for.

    Text stays as it is where nothing but text is wanted. Numbers and true or false are read strictly. An option is
    found by its value or its title. Lists, objects, and what may be of several types are read as JSON, and as text
    where text is allowed and it is no such JSON; so is all that the schema leaves open.

    Args:
        input_schema: The tool's input schema.
        name: The argument's name.
        text: What was typed after the equals sign.

    Raises:
        UsageError: There is no such argument, or the text can't be read as what it wants.
    """
    try:
        require_bounded(input_schema, {name: text})
        part = _described(input_schema, name)
        return _typed(_branches(part, input_schema), text)
    except Uncheckable:
        return _typed([{}], text)
    except ValueError as problem:
        raise UsageError(sentence(name, str(problem))) from None


def check_arguments(input_schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Check all arguments of a call against the tool's schema.

    Where the schema can't be worked with, the arguments pass: then the server judges.

    Args:
        input_schema: The tool's input schema, of any draft.
        arguments: By name.

    Raises:
        UsageError: One line that names each argument at fault and what it wants.
    """
    sent = {name: _as_sent(name, value) for name, value in arguments.items()}
    try:
        found = problems(input_schema, sent)
    except Uncheckable:
        return
    if found:
        told = dict.fromkeys(_told(problem, input_schema) for problem in found[:_SHOWN_PROBLEMS])
        raise UsageError("; ".join(told))


def _described(schema: Mapping[str, Any], name: str) -> Any:
    """Return what the schema says of an argument: {} where it leaves it open."""
    known = as_object(schema.get("properties")) or {}
    if name in known:
        return known[name]
    extra = schema.get("additionalProperties")
    if extra is True or as_object(extra) is not None:
        return extra
    if ("properties" not in schema and extra is None) or any(
        keyword in schema for keyword in ("$ref", "patternProperties", "allOf", "anyOf", "oneOf")
    ):
        return {}
    raise UsageError(_unknown(name, schema))


def _unknown(name: str, schema: Mapping[str, Any]) -> str:
    known = list(as_object(schema.get("properties")) or {})
    near = difflib.get_close_matches(name, known, n=1)
    meant = f"; did you mean {near[0]}?" if near else "."
    takes = f"It takes {in_line(', '.join(known), 500)}." if known else "It takes no arguments."
    return f"there is no argument {in_line(name, 60)}{meant} {takes}"


def _as_sent(name: str, value: Any) -> Any:
    """Return an argument as it arrives, after JSON."""
    if type(value) in (str, int, bool):
        return value
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"{in_line(name, 60)} can't be sent as JSON: {error}"
        raise UsageError(msg) from None


def _told(problem: Problem, schema: Mapping[str, Any]) -> str:
    if not problem.path:
        return "the tool takes no arguments" if problem.text == NOT_ASKED_FOR else f"the arguments: {problem.text}"
    if len(problem.path) == 1 and problem.text == NOT_ASKED_FOR:
        return _unknown(str(problem.path[0]), schema)
    return sentence(dotted(problem.path), problem.text)


def _branches(part: Any, root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """List the alternatives that a schema allows, each of one type or of none that is told."""
    rules = as_object(part) or {}
    if "$ref" in rules:
        return _branches(target_of(rules["$ref"], root), root)
    for keyword in ("anyOf", "oneOf", "allOf"):
        inner = as_list(rules.get(keyword)) or []
        if inner and (keyword != "allOf" or len(inner) == 1):
            return [branch for child in inner for branch in _branches(child, root)]
    types = types_of(rules)
    return [{**rules, "type": kind} for kind in types] if len(types) > 1 else [rules]


def _typed(branches: list[Mapping[str, Any]], text: str) -> Any:
    options = [option for branch in branches for option in _options(branch)]
    read = _json(text)
    for value, title in options:
        if text in (value, title) or (read is not _NO_JSON and not isinstance(value, str) and key(read) == key(value)):
            return value
    types = list(dict.fromkeys(str(branch.get("type", "any")) for branch in branches if not _options(branch)))
    if options and set(types) <= {"null"}:
        if types and text.strip() == "null":
            return None
        msg = f"must be {one_of(dict.fromkeys([*(str(value) for value, _ in options), *types]))}"
        raise ValueError(msg)
    return _read(types, text)


def _read(types: list[str], text: str) -> Any:
    """Read a text as one of several types; "any" is one of them where the schema leaves it open."""
    if types == ["string"]:
        return text
    value, free = _json(text), not set(types) <= set(_LIKE)
    allowed = [kind for kind in types if kind != "null" or "string" not in types]
    if value is not _NO_JSON and (free or any(is_type(value, kind) for kind in allowed)):
        return int(value) if isinstance(value, float) and "integer" in types and "number" not in types else value
    if free or "string" in types:
        return text
    match [kind for kind in types if kind != "null"]:
        case ["integer" | "number" as kind]:
            return parse_number(text, whole=kind == "integer")
        case ["boolean"] if text.strip().lower() in ("true", "false"):
            return text.strip().lower() == "true"
        case _:
            examples = [_LIKE[kind] for kind in types if _LIKE[kind]]
            msg = f"must be {kinds(types)}" + (f", written as JSON like {examples[0]}" if examples else "")
            raise ValueError(msg)


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return _NO_JSON


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        msg = f"{text} is no JSON"
        raise ValueError(msg)
    return number


def _options(branch: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    if "const" in branch:
        return [(branch["const"], branch.get("title"))]
    values, names = as_list(branch.get("enum")) or [], as_list(branch.get("enumNames")) or []
    return list(zip_longest(values, names[: len(values)]))
