"""The `k=v` arguments of a tool call, typed and checked by the tool's input schema."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from typing import Any, cast

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.check import Problem, Uncheckable, problems
from mcp_notebook.schema.limits import MAX_REFS, cut
from mcp_notebook.schema.numbers import parse_number
from mcp_notebook.schema.refs import BadReference, target_of

_SIMPLE = ("string", "integer", "number", "boolean", "null")


def parse_argument(input_schema: Mapping[str, Any], name: str, text: str) -> Any:
    """Give the text of one argument the type that the tool's schema asks for.

    Text stays as it is where text is wanted; numbers and true or false are read strictly; lists and objects are JSON;
    an option is found by its value or its title. Where the schema doesn't say, JSON is taken as JSON and else as text.

    Args:
        input_schema: The tool's input schema.
        name: The argument's name.
        text: What was typed after the equals sign.

    Raises:
        UsageError: There is no such argument, or the text can't be read as what it wants.
    """
    properties = _properties(input_schema)
    if name in properties:
        part: Any = properties[name]
    elif (extra := input_schema.get("additionalProperties")) or (not properties and extra is None):
        part = extra
    else:
        raise UsageError(_unknown(name, list(properties)))
    try:
        return _typed(_branches(part, input_schema), text)
    except ValueError as problem:
        msg = f"{name} {problem}"
        raise UsageError(msg) from None


def check_arguments(input_schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Check all arguments of a call against the tool's schema.

    Where the schema can't be worked with, the arguments pass: then the server judges.

    Args:
        input_schema: The tool's input schema, of any draft.
        arguments: By name.

    Raises:
        UsageError: One line that names each argument at fault and what it wants.
    """
    try:
        found = list(problems(input_schema, arguments))
    except Uncheckable:
        return
    if found:
        properties = _properties(input_schema)
        lines = dict.fromkeys(_told(problem, properties) for problem in found[:5])
        raise UsageError("; ".join(lines))


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    properties = schema.get("properties")
    return cast("Mapping[str, Any]", properties) if isinstance(properties, Mapping) else {}


def _unknown(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"no argument is named {cut(name, 60)}.{meant} It takes: {cut(', '.join(known) or 'none', 500)}"


def _told(problem: Problem, properties: Mapping[str, Any]) -> str:
    if not problem.path:
        return f"the arguments: {problem.text}"
    name = str(problem.path[0])
    if len(problem.path) == 1 and problem.text == "is not asked for":
        return _unknown(name, list(properties))
    inside = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in problem.path[1:])
    return f"{cut(name + inside, 100)} {problem.text}"


def _branches(part: Any, root: Mapping[str, Any], steps: int = MAX_REFS) -> list[Mapping[str, Any]]:
    """The plain alternatives a schema allows; none where it can't be told."""
    if not isinstance(part, Mapping) or not steps:
        return []
    part = cast("Mapping[str, Any]", part)
    if "$ref" in part:
        try:
            return _branches(target_of(part["$ref"], root), root, steps - 1)
        except BadReference:
            return []
    for key in ("anyOf", "oneOf", "allOf"):
        inner = part.get(key)
        if isinstance(inner, list) and inner and (key != "allOf" or len(cast("list[Any]", inner)) == 1):
            return [
                branch for child in cast("list[Any]", inner) for branch in _branches(child, root, steps - 1) or [{}]
            ]
    kinds = part.get("type")
    if isinstance(kinds, list):
        return [{**part, "type": kind} for kind in cast("list[Any]", kinds)]
    return [part]


def _typed(branches: list[Mapping[str, Any]], text: str) -> Any:
    values = [value for branch in branches for value in _choices(branch)]
    for value, title in values:
        if text == title or text == (value if isinstance(value, str) else json.dumps(value)):
            return value
    kinds = [branch.get("type") for branch in branches if not _choices(branch)]
    if values and not kinds:
        shown = ", ".join(dict.fromkeys(str(value) for value, _ in values))
        msg = f"must be one of: {cut(shown, 500)}"
        raise ValueError(msg)
    if kinds == ["string"]:
        return text
    if len(kinds) == 1 and kinds[0] in _SIMPLE:
        return _simple(str(kinds[0]), text)
    return _one_of(kinds, text)


def _choices(branch: Mapping[str, Any]) -> list[tuple[Any, Any]]:
    values = branch.get("enum")
    if isinstance(values, list):
        names = branch.get("enumNames")
        titles = cast("list[Any]", names if isinstance(names, list) else [])
        return [(value, titles[i] if i < len(titles) else None) for i, value in enumerate(cast("list[Any]", values))]
    return [(branch["const"], branch.get("title"))] if "const" in branch else []


def _simple(kind: str, text: str) -> Any:
    match kind:
        case "string":
            return text
        case "integer" | "number":
            return parse_number(text, whole=kind == "integer")
        case "boolean":
            if text.strip().lower() in ("true", "false"):
                return text.strip().lower() == "true"
            msg = "must be true or false"
        case _:
            if text.strip() == "null":
                return None
            msg = "must be null"
    raise ValueError(msg)


def _one_of(kinds: list[Any], text: str) -> Any:
    """Read a text that may be of several kinds: the strictest reading that holds, text last."""
    for kind in ("boolean", "integer", "number"):
        if kind in kinds:
            try:
                return _simple(kind, text)
            except ValueError:
                continue
    if "null" in kinds and "string" not in kinds and text.strip() == "null":
        return None
    unsure = not kinds or any(kind not in (*_SIMPLE, "array", "object") for kind in kinds)
    value = _json(text)
    if value is not _NO_JSON:
        if unsure or (isinstance(value, list) and "array" in kinds) or (isinstance(value, dict) and "object" in kinds):
            return value
    if "string" in kinds or unsure:
        return text
    wanted = " or ".join(str(kind) for kind in dict.fromkeys(kinds))
    msg = f"must be {wanted}, written as JSON"
    raise ValueError(msg)


_NO_JSON: Any = object()


def _json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return _NO_JSON


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)
