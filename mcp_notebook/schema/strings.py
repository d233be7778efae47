"""Patterns and formats of strings: judged by jsonschema-rs, worded for people.

A `pattern` is a regular expression in ECMA 262's dialect (JSON Schema, core 6.4), written by an untrusted server.
Python's `re` reads another dialect, and can be made to run for years. jsonschema-rs reads this one; it matches in
linear time where it can, and counts its steps where it can't.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from mcp_notebook.schema.limits import MAX_PATTERN

if TYPE_CHECKING:
    from jsonschema_rs import FancyRegexOptions

MEANT: dict[str, str] = {
    "email": "an email address",
    "uri": "an address like https://example.org",
    "uri-reference": "an address, or a part of one like /path",
    "uuid": "a UUID like 123e4567-e89b-12d3-a456-426614174000",
    "date": "a date like 2026-12-27",
    "time": "a time with its zone, like 14:30:00+09:00 or 14:30:00Z",
    "date-time": "a date and time with its zone, like 2026-12-27T14:30:00+09:00",
    "duration": "a duration like P1DT2H30M",
    "hostname": "a host name like example.org",
    "ipv4": "an address like 192.0.2.1",
    "ipv6": "an address like 2001:db8::1",
}
"""The formats that are enforced and told in a person's words."""


def pattern_options() -> FancyRegexOptions:
    """Bound how long one match may take (a few milliseconds) and how large a compiled pattern may grow."""
    import jsonschema_rs

    return jsonschema_rs.FancyRegexOptions(backtrack_limit=100_000, size_limit=1_000_000)


def in_every_draft() -> dict[str, Callable[[str], bool]]:
    """Give the checks of the formats in `MEANT`, for drafts that don't know them all, such as draft 7 with `uuid`."""
    return {name: partial(_fits, name) for name in MEANT}


@lru_cache(maxsize=256)
def enforceable(pattern: str) -> bool:
    """Tell whether text can be judged by a pattern: not when it is broken, too long, or grows too large."""
    import jsonschema_rs

    if len(pattern) > MAX_PATTERN:
        return False
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=pattern_options())
    except ValueError:  # its ValidationError is one
        return False
    return True


def format_problem(name: str, text: str) -> str | None:
    """Judge `text` by a format.

    Returns:
        What is wrong ("is not …"), or None where it fits, or the format is not one of `MEANT`.
    """
    if name not in MEANT or _fits(name, text):
        return None
    why = _email_fault(text) if name == "email" else ""
    return f"is not {MEANT[name]}{why and ': '}{why}"


def _fits(name: str, text: str) -> bool:
    import jsonschema_rs

    if name in ("email", "hostname"):
        text = text.lower()  # case never matters in these, but jsonschema-rs 0.61 takes XN-- for a fault
    return jsonschema_rs.is_valid({"format": name}, text, validate_formats=True)


def _email_fault(text: str) -> str:
    local, at, domain = text.rpartition("@")
    if any(character.isspace() for character in text):
        return "there is a space in it"
    if not at:
        return "an @ is missing"
    if not local:
        return "a name is missing before @"
    if not domain:
        return "a domain is missing after @"
    if "@" in local:
        return "there is more than one @"
    if ".." in text or any(part.startswith(".") or part.endswith(".") for part in (local, domain)):
        return "a dot is out of place"
    return "" if text.isascii() else "it has letters beyond a to z"
