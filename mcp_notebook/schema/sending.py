"""What JSON can carry, checked before it goes out: the SDK loses the connection over a value that it cannot encode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.python import Reader, Unsendable
from mcp_notebook.schema.values import as_object


def sendable(values: Mapping[str, Any], schema: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Turn values into what JSON has, as the schema would have it.

    Dates become text, dataclasses and pydantic models objects; frames become a list of objects, an object of lists, or
    a list of lists; series and arrays lists, in which missing values are null.

    Args:
        values: By name, the arguments of a call or the content of an answer.
        schema: The JSON Schema that they are for.

    Raises:
        UsageError: A value cannot be carried by JSON; names it.
    """
    reader = _reader(schema or {})
    parts = as_object(reader.rules(schema).get("properties")) or {}
    return {name: _sendable(reader, name, value, parts.get(name)) for name, value in values.items()}


def _reader(schema: Mapping[str, Any]) -> Reader:
    """Give the reader of a schema, which each call of a tool asks for: the last one is kept."""
    global _last
    reader = _last  # once: other threads change it
    if reader.root is not schema:
        _last = reader = Reader(schema)
    return reader


_last = Reader({})


def _sendable(reader: Reader, name: str, value: Any, part: Any) -> Any:
    if type(value) in (int, bool):  # most of what tools take, and nothing can be wrong with it
        return value
    where = name
    try:
        plain = reader.plain(value, part, name)
        json.dumps(plain, allow_nan=False, ensure_ascii=False).encode()
    except Unsendable as error:
        where, problem = error.where, str(error)
    except UnicodeEncodeError:
        problem = "it holds half of a surrogate pair, which is no text"
    except (ValueError, RecursionError):
        problem = "JSON has no infinity, no NaN, no bytes and nothing that holds itself"
    else:
        return plain
    msg = f"{where} cannot be sent: {problem}"
    raise UsageError(msg)
