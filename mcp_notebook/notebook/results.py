"""How a `ToolResult` shows in a cell: its text, its images, and its structured content as a table or as JSON.

All of it is untrusted: text is escaped, of images only the kinds that can't hold a script are shown, and everything is
bounded in the page and whole in the value.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.page import Page
from mcp_notebook.types import PromptResult, ResourceResult, ToolResult

IMAGE_TYPES = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""The images that are shown: never SVG, which can hold scripts."""
MAX_IMAGES = 10_000_000
"""Characters of all images together, in base64."""
MAX_BLOCKS = 20
"""Content blocks of one result that are shown."""


def bundle(result: ToolResult) -> dict[str, Any]:
    """Make the MIME bundle of a result: what IPython's display system shows.

    Args:
        result: What a tool gave back.

    Returns:
        The data by MIME type: the plain image where the result is one image and nothing else; HTML otherwise.
    """
    page = _page(result)
    shown: dict[str, Any] = {"text/plain": repr(page)}
    if len(result.content) == 1 and result.structured is None and (image := _image(result.content[0], MAX_IMAGES)):
        shown[image[0]] = image[1]
    else:
        shown["text/html"] = page._repr_html_()
    return shown


def resource_bundle(result: ResourceResult) -> dict[str, Any]:
    """Make the MIME bundle of what a resource holds."""
    page = Page(whole="its .contents")
    for part in result.contents[:MAX_BLOCKS]:
        _show_part(page, part)
    if not result.contents:
        page.note("it is empty")
    return {"text/plain": repr(page), "text/html": page._repr_html_()}


def prompt_bundle(result: PromptResult) -> dict[str, Any]:
    """Make the MIME bundle of a prompt's messages."""
    page = Page(whole="its .messages")
    if result.description:
        page.note(result.description)
    for message in result.messages[:MAX_BLOCKS]:
        page.heading(message.role)
        if image := _image(message.content, MAX_IMAGES):
            page.image(*image, caption=_binary(message.content))
        else:
            _show_block(page, message.content)
    return {"text/plain": repr(page), "text/html": page._repr_html_()}


def _show_part(page: Page, part: Any) -> None:
    """Show a part of a resource: its text, or its image, or how large it is."""
    text, kind = getattr(part, "text", None), part.mime_type or ""
    if isinstance(text, str):
        parsed = _parsed(text) if "json" in kind else text
        _show_structured(page, parsed)
    elif image := _pixels(kind, part.blob, MAX_IMAGES):
        page.image(*image, caption=one_line(str(part.uri), 200))
    else:
        page.note(f"{one_line(str(part.uri), 500)}: {one_line(kind) or 'bytes'}, {_size(part.blob):,} bytes")


def _page(result: ToolResult) -> Page:
    page = Page(whole="its .content")
    repeated = result.structured is not None and _repeats(result)
    room = MAX_IMAGES
    for block in result.content[:MAX_BLOCKS]:
        if image := _image(block, room):
            page.image(*image, caption=_binary(block))
            room -= len(image[1])
        elif block.type != "text" or not repeated:
            _show_block(page, block)
    if len(result.content) > MAX_BLOCKS:
        page.note(f"{MAX_BLOCKS} of {len(result.content):,} parts; its .content has them all")
    if result.structured is not None:
        _show_structured(page, result.data)
    elif not result.content:
        page.note(f"{result.tool} gave nothing back")
    return page


def _repeats(result: ToolResult) -> bool:
    """Whether the text blocks only say again what the structured content holds, as servers do for older clients."""
    texts = [block.text for block in result.content if block.type == "text"]
    same = [result.structured, result.data]
    if len(texts) == 1:
        return texts[0] in same or _parsed(texts[0]) in same
    return isinstance(result.data, list) and [*map(_parsed, texts)] == result.data


def _parsed(text: str) -> Any:
    if len(text) > 1_000_000:
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _show_structured(page: Page, data: Any) -> None:
    if isinstance(data, str):
        page.text(data)
    elif _is_table(data):
        columns = list(dict.fromkeys(name for row in data for name in row))
        page.table(columns, [[row.get(name) for name in columns] for row in data])
    elif _is_table_with_facts(data):
        page.text("\n".join(f"{name}: {value}" for name, value in data.items() if not _is_table(value)))
        _show_structured(page, next(filter(_is_table, data.values())))
    else:
        page.text(json.dumps(data, indent=2, ensure_ascii=False, default=str))


def _is_table_with_facts(data: Any) -> bool:
    """Whether it is an object of plain values and one table, as in `{"city": "Oslo", "days": [{…}, {…}]}`."""
    if not isinstance(data, Mapping):
        return False
    facts = {name: value for name, value in data.items() if not _is_table(value)}
    return len(data) == len(facts) + 1 and _is_flat(facts)


def _is_table(data: Any) -> bool:
    return isinstance(data, list) and bool(data) and all(_is_flat(row) for row in data)


def _is_flat(row: Any) -> bool:
    return isinstance(row, Mapping) and bool(row) and not any(isinstance(v, Mapping | list) for v in row.values())


def _show_block(page: Page, block: Any) -> None:
    if block.type == "text":
        page.text(block.text)
    elif block.type in ("image", "audio"):
        page.note(f"{_binary(block)}: not shown here; its .content has the data")
    elif block.type == "resource_link":
        page.note(f"a link to a resource: {one_line(block.name)} ({one_line(str(block.uri), 500)})")
    elif block.type == "resource":
        page.note(f"a resource: {one_line(str(block.resource.uri), 500)}")
        if isinstance(text := getattr(block.resource, "text", None), str):
            page.text(text)
    else:
        page.note(f"a part of type {one_line(str(block.type))}: not shown here; its .content has it")


def _image(block: Any, room: int) -> tuple[str, str] | None:
    """An image block's type and data, if it is one that may be shown and has room."""
    return _pixels(block.mime_type, block.data, room) if block.type == "image" else None


def _pixels(mime_type: str, data: str, room: int) -> tuple[str, str] | None:
    """An image's type and data, if it is one that may be shown and has room."""
    if mime_type not in IMAGE_TYPES or len(data) > room:
        return None
    try:
        decoded = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None
    return mime_type, base64.b64encode(decoded).decode()


def _binary(block: Any) -> str:
    return f"{block.type}, {one_line(str(block.mime_type))}, {_size(block.data):,} bytes"


def _size(base64_text: str) -> int:
    return len(base64_text) * 3 // 4 - base64_text[-2:].count("=")
