"""Answers and arguments checked against a server's schema, in bounded time, with complaints worded for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from mcp_notebook.schema.limits import MAX_WORK, too_large
from mcp_notebook.schema.refs import BadReference, target_of
from mcp_notebook.schema.strings import MAX_STEPS, enforceable, format_problem

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError

_MAX_PROBLEMS = 100
_DATA = frozenset({"const", "enum", "default", "examples"})
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


class Uncheckable(Exception):  # noqa: N818 (says what it is)
    """The schema itself can't be worked with: broken, too large, or it leads out of the document."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a value."""

    path: tuple[str | int, ...]
    """Where: property names and list indexes, from the outside in."""
    text: str
    """What: a predicate, like "is required" or "must be at least 1"; never repeats the value."""


def check(schema: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, str]:
    """Check what a form would send.

    Args:
        schema: The requested schema, as the server sent it.
        content: The value of each field that has one.

    Returns:
        What is wrong, by field name, one complaint each; "" for the form as a whole. Empty when all is well.
    """
    errors: dict[str, str] = {}
    try:
        for problem in problems(schema, content):
            errors.setdefault(str(problem.path[0]) if problem.path else "", problem.text)
    except Uncheckable as broken:
        errors[""] = f"can't be checked, because the server's schema is at fault: {broken}"
    return errors


def problems(schema: Any, value: Any) -> Iterator[Problem]:
    """Find what is wrong with a value, by the draft that `$schema` names (2020-12 when it names none).

    A pattern that can't be run (see `strings`) is not enforced. Nothing is fetched.

    Raises:
        Uncheckable: Nothing can be said, because of the schema (or a value nested out of all proportion).
    """
    import jsonschema_rs

    if too_large(schema) or _too_much_work(schema, _depth(value)):
        msg = "it is too large or too entangled"
        raise Uncheckable(msg)
    try:
        validator = jsonschema_rs.validator_for(
            _workable(schema),
            validate_formats=True,
            retriever=_fetch_nothing,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=MAX_STEPS),
        )
        found = list(islice(validator.iter_errors(value), _MAX_PROBLEMS))
    except ValueError as error:
        raise Uncheckable(str(getattr(error, "message", error)).splitlines()[0][:200]) from None
    for error in found:
        yield from _worded(error)


def _fetch_nothing(uri: str) -> Any:
    msg = f"{uri} is another document, and nothing is fetched for a schema"
    raise LookupError(msg)


def _workable(schema: Any) -> Any:
    """Copy a schema without the patterns that can't be enforced, and without a `$schema` nobody knows."""
    if isinstance(schema, list):
        return [_workable(part) for part in cast("list[Any]", schema)]
    if not isinstance(schema, Mapping):
        return schema
    copy: dict[str, Any] = {}
    for key, part in cast("Mapping[str, Any]", schema).items():
        if key == "$schema" and isinstance(part, str) and "json-schema.org" not in part:
            continue
        if key == "pattern" and isinstance(part, str) and not enforceable(part):
            continue
        if key == "patternProperties" and isinstance(part, Mapping):
            part = {name: rule for name, rule in cast("Mapping[str, Any]", part).items() if enforceable(name)}
        copy[key] = part if key in _DATA else _workable(part)
    return copy


def _depth(value: Any) -> int:
    depth, level = 0, [value]
    while level and depth < 100:
        level = [
            child
            for part in level
            if isinstance(part, (dict, list))
            for child in (cast("dict[str, Any]", part).values() if isinstance(part, dict) else cast("list[Any]", part))
        ]
        depth += 1
    return depth


def _too_much_work(root: Any, depth: int) -> bool:
    """Estimate from above what a check would take: shared definitions are evaluated anew each time they are reached."""
    known: dict[tuple[int, int], int] = {}

    def work(part: Any, depth: int, steps: int) -> int:
        if not isinstance(part, (Mapping, list)):
            return 0
        key = (id(cast("Any", part)), depth)
        if key in known:
            return known[key]
        if steps > 300 or len(known) > MAX_WORK:
            return MAX_WORK + 1
        known[key] = 1  # a circle that goes nowhere deeper is cut by the validator
        total = 1
        for name, child in _subschemas(cast("Any", part)):
            if name == "$ref":
                total += work(_target(child, root), depth, steps + 1)
            elif name not in _INWARD:
                total += work(child, depth, steps + 1)
            elif depth:
                total += work(child, depth - 1, steps + 1)
        known[key] = min(total, MAX_WORK + 1)
        return known[key]

    return work(root, depth, 0) > MAX_WORK


def _subschemas(part: Mapping[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    if isinstance(part, list):
        return (("", child) for child in part)
    return ((name, child) for name, child in part.items() if name not in _DATA and name not in _APART)


def _target(ref: Any, root: Any) -> Any:
    try:
        return target_of(ref, root)
    except BadReference:
        return None


def _worded(error: ValidationError) -> Iterator[Problem]:
    path = tuple(error.instance_path)
    name, details = error.kind.name, cast("dict[str, Any]", error.kind.as_dict())
    if name == "required":
        yield Problem((*path, str(details["property"])), "is required")
    elif name in ("anyOf", "oneOf") and (inner := _nearest(details.get("context") or [])):
        for cause in inner:
            yield from _worded(cause)
    elif name == "pattern" and type(error.kind).__name__ != "Pattern":
        return  # it took too many steps: not enforced
    else:
        yield Problem(path, _complaint(name, details, error))


def _nearest(context: list[list[ValidationError]]) -> list[ValidationError]:
    """Pick the one alternative whose kind of value is right, so that its own complaints can be told."""
    near = [branch for branch in context if branch and not any(e.kind.name in ("type", "const") for e in branch)]
    return near[0] if len(near) == 1 else []


def _complaint(name: str, details: dict[str, Any], error: ValidationError) -> str:
    limit = details.get("limit")
    match name:
        case "type":
            return f"must be {_kinds(details.get('types') or [])}"
        case "minLength":
            return "must not be empty" if limit == 1 else f"is too short: at least {limit} characters"
        case "maxLength":
            return f"is too long: at most {_count(limit, 'character')}"
        case "minimum":
            return f"must be at least {limit}"
        case "maximum":
            return f"must be at most {limit}"
        case "exclusiveMinimum":
            return f"must be more than {limit}"
        case "exclusiveMaximum":
            return f"must be less than {limit}"
        case "multipleOf":
            return f"must be a multiple of {details.get('multiple_of')}"
        case "minItems":
            return f"choose at least {limit}"
        case "maxItems":
            return f"choose at most {limit}"
        case "uniqueItems":
            return "must not have the same item twice"
        case "enum" | "const" | "oneOf" | "anyOf":
            return "is not one of the options" if name != "const" else "is not the value that is asked for"
        case "pattern":
            return "does not have the form that is asked for"
        case "format":
            wanted = details.get("format")
            text = error.instance
            return (format_problem(wanted, text) if isinstance(text, str) else None) or f"is not a valid {wanted}"
        case "additionalProperties" | "unevaluatedProperties" | "falseSchema":
            return "is not asked for"
        case "minProperties":
            return f"fill in at least {_count(limit, 'field')}"
        case "maxProperties":
            return f"fill in at most {_count(limit, 'field')}"
        case _:
            return "does not fit what the server asks for"


def _count(number: Any, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def _kinds(names: list[Any]) -> str:
    return " or ".join(_KINDS.get(str(name), str(name)) for name in names)
