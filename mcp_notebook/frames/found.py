"""The one table of a result: in its structured content, else in what it declares as data, else in its texts."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.frames.table import Table, inner_tables, table_of
from mcp_notebook.frames.text import json_of, table_of_text


def find(parts: Sequence[Any], data: Any) -> Table:
    """Find the table of a result.

    Args:
        parts: Content blocks, or parts of a resource.
        data: The structured content; None where there is none.

    Raises:
        UsageError: There is none, or more than one; says what there is instead.
    """
    if data is not None and (table := table_of(data)) is not None:
        return table
    texts = [part.text for part in parts if getattr(part, "type", "") == "text"]
    records = [json_of(text) for text in texts] if len(texts) > 1 else []
    if records and all(isinstance(record, Mapping) for record in records) and (table := table_of(records)):
        return table  # as servers without structured content give a list
    files = [getattr(part, "resource", part) for part in parts if getattr(part, "type", "resource") == "resource"]
    found = [table for file in files if (table := _table_of_file(file)) is not None]
    found = found or [table for text in texts if (table := table_of_text(text)) is not None]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"there are {len(found)} tables in it: take one of its parts, and make a frame of that")
    raise UsageError(_told(parts, texts, data))


def kind_of(mime_type: str | None) -> str:
    """Give a MIME type without its parameters, in lower case."""
    return (mime_type or "").partition(";")[0].strip().lower()


def _table_of_file(file: Any) -> Table | None:
    kind, text = kind_of(file.mime_type), getattr(file, "text", None)
    if text is None and (kind.startswith("text/") or kind.endswith("json")):
        text = base64.b64decode(file.blob).decode("utf-8", "replace")
    return None if text is None else table_of_text(text, kind)


def _told(parts: Sequence[Any], texts: list[str], data: Any) -> str:
    if data is None and len(texts) == 1:
        data = json_of(texts[0])
    tables = inner_tables(data)
    if tables:
        first = next(iter(tables))
        return f"there are {len(tables)} tables in it ({_names(tables)}): take one, as in .data[{first!r}]"
    if data is not None:
        what = _described(data)
    else:
        files = [str(getattr(part, "type", None) or kind_of(part.mime_type) or "bytes") for part in parts]
        what = f"a text of {len(texts[0]):,} characters" if texts and len(parts) == 1 else _names(files) or "nothing"
    return f"this is no table but {what}: .data has it"


def _described(data: Any) -> str:
    if isinstance(data, Mapping):
        return f"one object ({_names(data)})" if data else "an empty object"
    if isinstance(data, list):
        return f"a list of {len(data):,}, not all of them objects"
    return "a text" if isinstance(data, str) else f"one value ({data!r})"


def _names(names: Any) -> str:
    shown = ", ".join("".join(filter(str.isprintable, str(name)[:60])) for name in list(names)[:10])
    return shown + (f" and {len(names) - 10} more" if len(names) > 10 else "")
