"""The options of a choice: `enum`, `const`, titled `oneOf` and `anyOf`, and `enumNames` from older servers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mcp_notebook.schema.limits import MAX_OPTIONS, MAX_TITLE, in_line
from mcp_notebook.schema.refs import plain
from mcp_notebook.schema.values import as_list, is_type, key

_Pair = tuple[Any, Any]


@dataclass(frozen=True)
class Option:
    """One of the values a choice offers."""

    value: Any
    """What is sent."""
    title: str
    """What is shown: untrusted text, told apart from the other options' titles."""


def options_of(schema: Mapping[str, Any], root: Mapping[str, Any]) -> tuple[Option, ...] | None:
    """Read the options that a schema allows.

    Args:
        schema: A plain schema.
        root: The whole schema.

    Returns:
        The options, each value once, without those of the wrong type and null; None where it is no choice.

    Raises:
        ValueError: There are too many, or none at all.
    """
    pairs = _pairs(schema, root)
    if pairs is None:
        return None
    types = types_of(schema)
    fitting: dict[str, _Pair] = {}
    for value, title in pairs:
        if value is not None and (not types or any(is_type(value, kind) for kind in types)):
            fitting.setdefault(key(value), (value, title))
    if not fitting:
        msg = "none of its options can be chosen"
        raise ValueError(msg)
    options = [Option(value, _shown(title) or _name(value)) for value, title in fitting.values()]
    times = Counter(option.title for option in options)
    return tuple(Option(o.value, f"{o.title} ({_name(o.value)})") if times[o.title] > 1 else o for o in options)


def types_of(schema: Mapping[str, Any]) -> list[str]:
    """Return the types that `type` allows: none where it says nothing."""
    kinds: Any = schema.get("type")
    return as_list(kinds) or ([] if kinds is None else [kinds])


def _pairs(schema: Mapping[str, Any], root: Mapping[str, Any]) -> list[_Pair] | None:
    """The values with their titles; None where the schema is more than a list of values."""
    if "const" in schema:
        return [(schema["const"], None)]
    if "enum" in schema:
        values, names = as_list(schema["enum"]) or [], as_list(schema.get("enumNames")) or []
        _require_few(len(values))
        return list(zip(values, names if len(names) == len(values) else [None] * len(values), strict=True))
    found: list[_Pair] = []
    for branch in as_list(schema.get("oneOf")) or as_list(schema.get("anyOf")) or []:
        inner, _ = plain(branch, root)
        pairs = _pairs(inner, root)
        if pairs is None:
            return None
        found += [(pairs[0][0], inner.get("title"))] if "const" in inner else pairs
        _require_few(len(found))
    return found or None


def _require_few(number: int) -> None:
    if number > MAX_OPTIONS:
        msg = f"it has more than {MAX_OPTIONS:,} options"
        raise ValueError(msg)


def _shown(title: Any) -> str:
    return in_line(title, MAX_TITLE) if isinstance(title, str) else ""


def _name(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return in_line(text, MAX_TITLE) or "(empty)"
