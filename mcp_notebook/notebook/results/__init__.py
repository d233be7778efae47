"""How results show in a cell: text, Markdown, images, sound, resources, and structured content as a table or a tree.

All of it is untrusted: text is escaped, no address is a link and none is fetched, of images and sounds only kinds that
can't hold a script are shown, and everything is bounded in the page and whole in the value.
"""

from __future__ import annotations

from typing import Any

from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.results.data import repeats, show_data
from mcp_notebook.notebook.results.media import MAX_CHARACTERS, Media, image_of
from mcp_notebook.notebook.results.parts import MAX_BLOCKS, show_blocks, show_file
from mcp_notebook.results import PromptResult, ResourceResult, ToolResult


def bundle(result: ToolResult) -> dict[str, Any]:
    """Make the MIME bundle of a result: what IPython's display system shows.

    Args:
        result: What a tool gave back.

    Returns:
        The data by MIME type: the plain image where the result is one image and nothing else; HTML otherwise.
    """
    if len(result.content) == 1 and result.content[0].type == "image" and result.structured is None:
        block = result.content[0]
        if image := image_of(block.mime_type, block.data, MAX_CHARACTERS):
            return {"text/plain": f"[{image.told}]", image.mime_type: image.base64}
    page = Page(whole="its .content")
    hidden = "text" if result.structured is not None and repeats(result) else ""
    blocks = ((f".content[{i}]", block) for i, block in enumerate(result.content) if block.type != hidden)
    show_blocks(page, result.server, blocks, Media())
    if result.structured is not None:
        show_data(page, result.data)
    elif not result.content:
        page.note(f"{result.tool} gave nothing back")
    return _bundle(page)


def resource_bundle(result: ResourceResult) -> dict[str, Any]:
    """Make the MIME bundle of what a resource holds."""
    page, media = Page(whole="its .contents"), Media()
    for i, part in enumerate(result.contents[:MAX_BLOCKS]):
        show_file(page, part, media, f".contents[{i}]")
    if len(result.contents) > MAX_BLOCKS:
        page.note(f"{MAX_BLOCKS} of {len(result.contents):,} parts; its .contents has them all")
    if not result.contents:
        page.note("it is empty")
    return _bundle(page)


def prompt_bundle(result: PromptResult) -> dict[str, Any]:
    """Make the MIME bundle of a prompt's messages."""
    page, media = Page(whole="its .messages"), Media()
    if result.description:
        page.note(result.description)
    for i, message in enumerate(result.messages[:MAX_BLOCKS]):
        page.heading(message.role)
        show_blocks(page, result.server, [(f".messages[{i}].content", message.content)], media)
    if len(result.messages) > MAX_BLOCKS:
        page.note(f"{MAX_BLOCKS} of {len(result.messages):,} messages; its .messages has them all")
    return _bundle(page)


def is_more_than_text(result: ToolResult) -> bool:
    """Whether a result holds what its text alone does not tell."""
    is_structured = result.structured is not None and not repeats(result)
    return is_structured or any(block.type != "text" for block in result.content)


def _bundle(page: Page) -> dict[str, Any]:
    return {"text/plain": repr(page), "text/html": page._repr_html_()}
