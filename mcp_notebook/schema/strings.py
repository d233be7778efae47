"""Patterns and formats of strings: judged by jsonschema-rs, worded for people.

A `pattern` is a regular expression in ECMA 262's dialect (JSON Schema, core 6.4) that an untrusted server wrote. Python's
`re` reads another dialect and can be made to run for years. jsonschema-rs translates the dialect, matches in linear time
where it can, and counts its steps where it can't.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mcp_notebook.schema.limits import MAX_PATTERN

if TYPE_CHECKING:
    from jsonschema_rs import Draft202012Validator

MAX_STEPS = 100_000
"""Steps back that one match may take: a few milliseconds."""

MEANT: dict[str, str] = {
    "email": "an email address",
    "uri": "an address like https://example.org",
    "uri-reference": "an address, or a part of one like /path",
    "uuid": "a UUID like 123e4567-e89b-12d3-a456-426614174000",
    "date": "a date like 2026-12-27",
    "time": "a time with its zone, like 14:30:00+09:00 or 14:30:00Z",
    "date-time": "a date and time with its zone, like 2026-12-27T14:30:00+09:00",
}
"""The formats that are enforced, in a person's words."""


def matches(pattern: Any, text: str) -> bool | None:
    """Tell whether `text` has a match of `pattern` somewhere in it.

    Returns:
        Yes or no, or None where it can't be told: the pattern is broken, too long, or takes too many steps.
    """
    validator = _pattern_validator(pattern) if isinstance(pattern, str) else None
    if validator is None:
        return None
    error = next(iter(validator.iter_errors(text)), None)
    return error is None or (False if error.kind.name == "pattern" else None)


def enforceable(pattern: Any) -> bool:
    """Tell whether `matches` can judge by this pattern at all."""
    return isinstance(pattern, str) and _pattern_validator(pattern) is not None


def format_problem(name: Any, text: str) -> str | None:
    """Judge `text` by a format.

    Returns:
        What is wrong ("is not …"), or None where it fits or the format is not one of `MEANT`.
    """
    if name not in MEANT or (_fits(name, text) and (name != "email" or not _email_problem(text))):
        return None
    problem = _email_problem(text) if name == "email" else None
    return f"is not {MEANT[name]}" + (f": {problem}" if problem else "")


@lru_cache(maxsize=256)
def _pattern_validator(pattern: str) -> Draft202012Validator | None:
    import jsonschema_rs

    if len(pattern) > MAX_PATTERN:
        return None
    options = jsonschema_rs.FancyRegexOptions(backtrack_limit=MAX_STEPS)
    try:
        return jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=options)
    except ValueError:  # ValidationError is one: not a regular expression, or one that grows too large
        return None


@lru_cache(maxsize=16)
def _format_validator(name: str) -> Draft202012Validator:
    import jsonschema_rs

    return jsonschema_rs.Draft202012Validator({"format": name}, validate_formats=True)


def _fits(name: str, text: str) -> bool:
    return _format_validator(name).is_valid(text)


def _email_problem(text: str) -> str | None:
    if text != text.strip():
        return "a space is at its beginning or end"
    local, at, domain = text.rpartition("@")
    if not at:
        return "an @ is missing"
    if not local:
        return "a name is missing before @"
    if not domain:
        return "a domain is missing after @"
    if any(character.isspace() for character in text):
        return "a space is in it"
    if "@" in local and not local.startswith('"'):
        return "it has more than one @"
    if domain.startswith(".") or domain.endswith(".") or ".." in text:
        return "a dot is out of place"
    return None
