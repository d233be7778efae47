"""What a person should know before filling in a field: short, and nothing superfluous."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_notebook.schema.limits import MAX_HINT, cut, in_line
from mcp_notebook.schema.strings import MEANT, enforceable
from mcp_notebook.schema.words import plain_number


def hint_for(kind: str, schema: Mapping[str, Any], *, remark: str = "") -> str:
    """Compose a field's hint, like "3 to 20 characters" or "whole number, 1 to 10".

    Args:
        kind: The field's kind.
        schema: The field's plain schema.
        remark: What else is to be said, at the end.
    """
    if kind in ("integer", "number"):
        parts = _number(kind, schema)
    elif kind == "choices":
        parts = [_span("choose ", schema.get("minItems") or None, schema.get("maxItems"), "")]
    elif kind in ("choice", "boolean"):
        parts = []
    else:
        parts = _string(kind, schema)
    return cut(", ".join(part for part in (*parts, remark) if part), MAX_HINT)


def _string(kind: str, schema: Mapping[str, Any]) -> list[str]:
    meant = MEANT.get(kind) or MEANT.get(str(schema.get("format")), "")
    least, most = schema.get("minLength") or None, schema.get("maxLength")
    length = "" if least == 1 and most is None else _span("", least, most, "character")
    return [meant, length, _pattern(schema.get("pattern"))]


def _pattern(pattern: Any) -> str:
    if not isinstance(pattern, str):
        return ""
    shown = in_line(pattern, 60)
    return f"matching {shown}" if enforceable(pattern) else f"matching {shown} (not checked here)"


def _number(kind: str, schema: Mapping[str, Any]) -> list[str]:
    low, high, above, below, step = (
        plain_number(schema.get(keyword))
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
    )
    if isinstance(above, bool):  # draft 4
        low, above = (None, low) if above else (low, None)
    if isinstance(below, bool):
        high, below = (None, high) if below else (high, None)
    return [
        "whole number" if kind == "integer" else "",
        _span("", low, high, ""),
        f"more than {above}" if above is not None else "",
        f"less than {below}" if below is not None else "",
        f"a multiple of {step}" if step is not None and step != 1 else "",
    ]


def _span(before: str, low: Any, high: Any, noun: str) -> str:
    low, high = plain_number(low), plain_number(high)
    if low is None and high is None:
        return ""
    last = low if high is None else high
    ending = f" {noun}" if noun and last == 1 else f" {noun}s" if noun else ""
    if high is None:
        return f"{before}at least {low}{ending}"
    if low is None:
        return f"{before}at most {high}{ending}"
    return f"{before}{low}{ending}" if low == high else f"{before}{low} to {high}{ending}"
