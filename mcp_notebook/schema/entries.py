"""What people put into a form's controls, as the content of an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, timezone
from typing import Any, cast

from mcp_notebook.schema.check import check
from mcp_notebook.schema.fields import Field
from mcp_notebook.schema.numbers import parse_number
from mcp_notebook.schema.strings import format_problem
from mcp_notebook.schema.values import key

_ABSENT: Any = object()
_YES = ("yes", "y", "true", "on")
_NO = ("no", "n", "false", "off")


def content_of(
    fields: tuple[Field, ...], entries: Mapping[str, Any], schema: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """Turn entries into content, and judge it.

    Empty means absent: no text, no choice, None. Spaces alone are empty too, but not as plain text, which is kept as
    typed. A required field that is empty sends null where null is allowed, and no choices where it is a list of them.

    Args:
        fields: The form's fields.
        entries: By field name, what its control holds: text for strings and numbers; True, False or None for a boolean;
            an option's index or None for a choice; indexes for choices; a date, an aware datetime, a time, their ISO
            text, or None. A missing name is empty. Or the ValueError that says why a control could not be read.
        schema: The requested schema, as the server sent it.

    Returns:
        The content, and what is wrong with it by field name, "" for the form as a whole. With no errors the content is
        valid against the schema.
    """
    content: dict[str, Any] = {}
    errors: dict[str, str] = {}
    for field in fields:
        try:
            value = _value(field, entries.get(field.name))
        except ValueError as problem:
            errors[field.name] = str(problem)
            continue
        if value is not _ABSENT:
            content[field.name] = value
        elif field.required and field.nullable:
            content[field.name] = None
    return content, _in_order(fields, check(schema, content), errors)


def _in_order(fields: tuple[Field, ...], found: dict[str, str], unread: dict[str, str]) -> dict[str, str]:
    """Put complaints in the fields' order; those about no field go to the form as a whole.

    A rule for the form as a whole can't be judged while a field could not be read, so it is left for the next time.
    """
    found = found | unread
    ordered = {field.name: found.pop(field.name) for field in fields if field.name in found}
    if found and not unread:
        name, problem = next(iter(found.items()))
        ordered[""] = f"{name} {problem}".strip()
    return ordered


def entry_of(field: Field, value: Any) -> Any:
    """Return the entry that gives a JSON value, as `content_of` takes it: what a control is filled in with.

    Args:
        field: The field.
        value: A value that fits the field, such as its default.
    """
    if value is None:
        return () if field.kind == "choices" else None if field.kind in ("boolean", "choice") else ""
    if field.kind == "choice":
        return _index(field, value)
    if field.kind == "choices":
        return tuple(_index(field, item) for item in value)
    return value if field.kind == "boolean" else str(value)


def entry_from_text(field: Field, text: str) -> Any:
    """Read one line, typed at a prompt, as an entry for `content_of`.

    A boolean takes yes or no. A choice takes an option's title, its value, or its place counted from 1; where one text
    could be either, the title goes first. Choices take several of them with commas between.

    Args:
        field: The field asked for.
        text: The line; empty for nothing.

    Raises:
        ValueError: It is no answer to this field; the message says what is wrong ("must be …").
    """
    if field.kind not in ("boolean", "choice", "choices"):
        return text
    text = text.strip()
    if field.kind == "choices":
        return _picked_many(field, text) if text else ()
    if not text:
        return None
    if field.kind == "choice":
        return _picked(field, text)
    if text.lower() in _YES or text.lower() in _NO:
        return text.lower() in _YES
    msg = "must be yes or no"
    raise ValueError(msg)


def _index(field: Field, value: Any) -> int:
    return next(index for index, option in enumerate(field.options) if key(option.value) == key(value))


def _picked_many(field: Field, text: str) -> tuple[int, ...]:
    try:
        return (_picked(field, text),)  # a title may hold a comma itself
    except ValueError:
        return tuple(_picked(field, part.strip()) for part in text.split(",") if part.strip())


def _picked(field: Field, text: str) -> int:
    titles = [option.title for option in field.options]
    values = [v if isinstance(v, str) else json.dumps(v) for v in (option.value for option in field.options)]
    for names, name in ((titles, text), (values, text), ([title.lower() for title in titles], text.lower())):
        if names.count(name) == 1:
            return names.index(name)
    if text.isascii() and text.isdigit() and 1 <= int(text) <= len(titles):
        return int(text) - 1
    msg = f"is not one of the options: give a number from 1 to {len(titles)}, or an option's name"
    raise ValueError(msg)


def _value(field: Field, entry: Any) -> Any:
    if isinstance(entry, ValueError):
        raise entry
    if entry is None or entry == "":
        return _ABSENT
    match field.kind:
        case "boolean":
            return _truth(entry)
        case "choice":
            return _option(field, entry)
        case "choices":
            chosen = [_option(field, index) for index in cast("tuple[Any, ...]", entry)]
            return chosen if chosen or field.required else _ABSENT
        case "integer" | "number":
            text = str(entry)
            return parse_number(text, whole=field.kind == "integer") if text.strip() else _ABSENT
        case "date" | "date-time" | "time":
            return _moment(field, entry)
        case _:
            return _sendable(str(entry))


def _truth(entry: Any) -> bool:
    if not isinstance(entry, bool):
        msg = "must be yes or no"
        raise ValueError(msg)
    return entry


def _option(field: Field, index: Any) -> Any:
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(field.options):
        msg = "is not one of the options"
        raise ValueError(msg)
    return field.options[index].value


def _moment(field: Field, entry: Any) -> Any:
    if isinstance(entry, datetime) and field.kind == "date-time":
        text = _whole_minutes(entry).isoformat()
    elif isinstance(entry, (date, time)):
        text = entry.isoformat()
    else:
        text = str(entry).strip()
    if not text:
        return _ABSENT
    if problem := format_problem(field.kind, _sendable(text)):
        raise ValueError(problem)
    return text


def _whole_minutes(moment: datetime) -> datetime:
    """Move to UTC where the zone's offset has seconds, as zones of old have: RFC 3339 can't say it."""
    offset = moment.utcoffset()
    return moment.astimezone(timezone.utc) if offset and offset % timedelta(minutes=1) else moment


def _sendable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        msg = "has a broken character in it"
        raise ValueError(msg) from None
    return text
