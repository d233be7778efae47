"""JSON Schema's keywords in a person's words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from mcp_notebook.schema.limits import in_line
from mcp_notebook.schema.strings import format_problem

NOT_ASKED_FOR = "is not asked for"

_KINDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def dotted(path: Iterable[str | int]) -> str:
    """Write a path from the outside in, like "days[0].celsius"."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")


def sentence(name: str, problem: str) -> str:
    """Say what is wrong with something, from its name and a `complaint`."""
    verb = problem.split(" ", 1)[0] in ("is", "must", "has", "does")
    return f"{in_line(name, 100)}{' ' if verb else ': '}{problem}"


def complaint(keyword: str, details: Mapping[str, Any], value: Any) -> str:
    """Say what is wrong as a predicate, like "must be at least 1".

    Args:
        keyword: The keyword that is violated.
        details: What jsonschema-rs tells of it.
        value: The value at fault; never repeated in the complaint, for it may be a secret.
    """
    limit = plain_number(details.get("limit"))
    match keyword:
        case "type":
            return f"must be {kinds(details['types'])}"
        case "enum":
            return f"must be {one_of(details['options'])}"
        case "const":
            return f"must be {one_of([details['expected_value']])}"
        case "oneOf" | "anyOf" if consts := _consts(details.get("context") or []):
            return f"must be {one_of(consts)}"
        case "minLength":
            return f"is too short: at least {count(limit, 'character')}"
        case "maxLength":
            return f"is too long: at most {count(limit, 'character')}"
        case "minimum":
            return f"must be at least {limit}"
        case "maximum":
            return f"must be at most {limit}"
        case "exclusiveMinimum":
            return f"must be more than {limit}"
        case "exclusiveMaximum":
            return f"must be less than {limit}"
        case "multipleOf":
            return f"must be a multiple of {plain_number(details['multiple_of'])}"
        case "minItems":
            return f"choose at least {limit}"
        case "maxItems":
            return f"choose at most {limit}"
        case "uniqueItems":
            return "has the same item twice"
        case "pattern":
            return f"must match {in_line(str(details['pattern']), 60)}"
        case "format":
            name = details["format"]
            return (format_problem(name, value) if isinstance(value, str) else None) or f"is not a valid {name}"
        case "falseSchema":
            return NOT_ASKED_FOR
        case "minProperties":
            return f"fill in at least {count(limit, 'field')}"
        case "maxProperties":
            return f"fill in at most {count(limit, 'field')}"
        case _:
            return "does not fit what the server asks for"


def kinds(names: Iterable[str]) -> str:
    """Name types of values: "text or null"."""
    return " or ".join(dict.fromkeys(_KINDS.get(name, str(name)) for name in names))


def one_of(values: Iterable[Any]) -> str:
    """Name the values allowed: "one of: a, b"."""
    shown = [value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values]
    return in_line(shown[0] if len(shown) == 1 else f"one of: {', '.join(shown)}", 500)


def count(number: Any, noun: str) -> str:
    """Name a number of things: "1 character", "3 characters"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def plain_number(number: Any) -> Any:
    """Return a number as people write it: 3 for 3.0."""
    return int(number) if isinstance(number, float) and number.is_integer() and abs(number) < 1e15 else number


def _consts(context: list[list[Any]]) -> list[Any]:
    kinds = [cause.kind for branch in context for cause in branch]
    return [kind.as_dict()["expected_value"] for kind in kinds] if all(kind.name == "const" for kind in kinds) else []
