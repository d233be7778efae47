"""JSON values: what they are, and when two are the same, as JSON Schema has it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

_TYPES: dict[str, type] = {"string": str, "boolean": bool, "array": list, "object": dict, "null": type(None)}

_PLAIN = frozenset({str, int, float, bool, list, type(None)})


def as_object(value: Any) -> Mapping[str, Any] | None:
    """Return a JSON object, None for anything else."""
    # To ask for the type first is much faster for plain values, of which there are most.
    if isinstance(value, dict) or (value.__class__ not in _PLAIN and isinstance(value, Mapping)):
        return cast("Mapping[str, Any]", value)
    return None


def as_list(value: Any) -> list[Any] | None:
    """Return a JSON array, None for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else None


def is_type(value: Any, kind: Any) -> bool:
    """Tell whether a value is of a JSON Schema type: 3.0 is an integer, and true is no number."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return kind == "number" or (kind == "integer" and (isinstance(value, int) or value.is_integer()))
    return isinstance(value, _TYPES.get(str(kind), ()))


def key(value: Any) -> str:
    """Return a text that two values share when they are equal: 1 and 1.0 are, 1 and true are not."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if (items := as_list(value)) is not None:
        return [_plain(item) for item in items]
    return (
        {name: _plain(item) for name, item in entries.items()} if (entries := as_object(value)) is not None else value
    )
