"""The parts of a result: its text, its images and sounds, links to resources, and resources within it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from mcp_notebook.answers.plain import one_line
from mcp_notebook.frames.found import kind_of
from mcp_notebook.frames.text import json_of, table_of_text
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.results.data import MAX_PARSED, show_data, show_table
from mcp_notebook.notebook.results.markdown import show_markdown
from mcp_notebook.notebook.results.media import Media, told

MAX_BLOCKS = 20
"""Parts of one result that are shown; links in a row are one."""

_SIMPLE = re.compile(r"[A-Za-z][\w.+-]*:[\w:/.~%+@-]*", re.ASCII)
"""Addresses that `%mcp read` takes as they are."""


def show_blocks(page: Page, server: str, blocks: Iterable[tuple[str, Any]], media: Media) -> None:
    """Show content blocks.

    Args:
        page: Where to.
        server: The name of the server that they come from.
        blocks: Where in the result each is, as in ".content[0]", and the block as the SDK gives it.
        media: The room for images and sounds.
    """
    groups = groupby(blocks, key=lambda each: each[1].type == "resource_link")
    parts = [part for is_link, group in groups for part in ([[*group]] if is_link else ([each] for each in group))]
    for part in parts[:MAX_BLOCKS]:
        where, block = part[0]
        if block.type == "resource_link":
            _show_links(page, server, [link for _, link in part])
        else:
            _show_block(page, block, media, where)
    if len(parts) > MAX_BLOCKS:
        page.note(f"{MAX_BLOCKS} of {len(parts):,} parts; its .content has them all")


def show_file(page: Page, file: Any, media: Media, where: str) -> None:
    """Show a resource as what it is declared as; undeclared text as it is.

    Args:
        page: Where to.
        file: Its `.uri`, `.mime_type`, and `.text` or `.blob`.
        media: The room for images and sounds.
        where: Where in the result it is.
    """
    kind, text = kind_of(file.mime_type), getattr(file, "text", None)
    if not isinstance(text, str):
        if kind.startswith(("image/", "audio/")):
            media.show(page, file.mime_type, file.blob, f"{where}.blob")
        else:
            page.note(f"{told(file.mime_type, file.blob)}; its {where}.blob has them, in base64")
    elif kind in ("text/markdown", "text/x-markdown"):
        show_markdown(page, text)
    elif len(text) > MAX_PARSED:
        page.text(text)
    elif "json" in kind and (data := json_of(text)) is not None:
        show_data(page, data)
    elif kind in ("text/csv", "text/tab-separated-values") and (table := table_of_text(text, kind)) is not None:
        show_table(page, table)
    else:
        page.text(text)


def _show_block(page: Page, block: Any, media: Media, where: str) -> None:
    if block.type == "text":
        data = json_of(block.text) if len(block.text) <= MAX_PARSED else None
        page.text(block.text) if data is None else show_data(page, data)
    elif block.type in ("image", "audio"):
        media.show(page, block.mime_type, block.data, f"{where}.data")
    elif block.type == "resource":
        page.note(f"resource {one_line(str(block.resource.uri), 500)}")
        show_file(page, block.resource, media, f"{where}.resource")
    else:
        page.note(f"a part of type {one_line(str(block.type))}: not shown here; its {where} has it")


def _show_links(page: Page, server: str, links: list[Any]) -> None:
    rows = [
        [link.title or link.name, link.description, kind_of(link.mime_type), link.size, _command(server, str(link.uri))]
        for link in links
    ]
    names = ["resource", "description", "type", "bytes", "read it with"]
    kept = [i for i in range(len(names)) if any(row[i] not in (None, "") for row in rows)]
    page.table([names[i] for i in kept], [[row[i] for i in kept] for row in rows])


def _command(server: str, uri: str) -> str:
    """Write what reads a resource, so that nothing in its address is more than its address."""
    if len(uri) > 300:
        return "its .uri, which is long"
    if _SIMPLE.fullmatch(uri):
        return f"%mcp read {server} {uri}"
    return f"server({json.dumps(server)}).resource({json.dumps(uri)})"
