"""What a model is told of a tool's result: text, bounded; images where its API takes them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from mcp_notebook.chat.turns import Image
from mcp_notebook.results import ToolResult

MAX_TOLD = 20_000
"""Characters of one result that a model gets; the notebook has all of it."""
MAX_IMAGES = 4
MAX_IMAGE = 4_000_000
"""Characters of an image, in base64."""

_HEAD = 12_000
_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


def told_of(result: ToolResult) -> tuple[str, Sequence[Image]]:
    """Give what a model is told of a result.

    Args:
        result: What a tool gave back, an error too.

    Returns:
        Its text, cut in the middle where it is long, and its images.
    """
    images: list[Image] = []
    parts = [_part(block, images) for block in result.content]
    if result.structured is not None and not any(block.type == "text" for block in result.content):
        parts.append(json.dumps(result.structured, ensure_ascii=False, default=str))
    return shortened("\n".join(parts)) or ("(failed, without a reason)" if result.is_error else "(nothing)"), images


def shortened(text: str, limit: int = MAX_TOLD) -> str:
    """Keep the beginning and the end of a long text, and say how much is left out between."""
    if len(text) <= limit:
        return text
    head = limit * _HEAD // MAX_TOLD
    tail = limit - head
    return f"{text[:head]}\n[… {len(text) - limit:,} characters left out here …]\n{text[-tail:]}"


def _part(block: Any, images: list[Image]) -> str:
    match block.type:
        case "text":
            return block.text
        case "image":
            return _image(block, images)
        case "audio":
            return f"(a sound, {block.mime_type}: the person hears it in the notebook)"
        case "resource_link":
            return f"(a resource: {block.name}, {block.uri})"
        case "resource":
            text = getattr(block.resource, "text", None)
            return text if isinstance(text, str) else f"(a file: {block.resource.uri}, {block.resource.mime_type})"
        case _:
            return f"(a part of type {block.type})"


def _image(block: Any, images: list[Image]) -> str:
    if block.mime_type in _IMAGES and len(block.data) <= MAX_IMAGE and len(images) < MAX_IMAGES:
        images.append(Image(mime_type=block.mime_type, base64=block.data))
    return f"(an image, {block.mime_type}: the person sees it in the notebook)"
