"""Markdown that a server declares, as HTML of our own: no markup of its own, no link, nothing fetched.

The parser is markdown-it-py, which makes no HTML of what it reads here: it gives tokens, of which the ones below are
shown. Links and images are their text with their address in brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.notebook.page import MAX_TEXT, Page

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_TAGS = {
    "blockquote": '<blockquote style="margin:0 0 6px;padding-left:.8em;border-left:3px solid #8888">',
    "bullet_list": '<ul style="margin:0 0 6px">',
    "em": "<em>",
    "list_item": "<li>",
    "ordered_list": '<ol style="margin:0 0 6px">',
    "paragraph": '<p style="margin:0 0 6px">',
    "s": "<s>",
    "strong": "<strong>",
    "table": '<table style="margin:0 0 6px">',
    "tbody": "<tbody>",
    "thead": "<thead>",
    "tr": "<tr>",
}
_BEGINS = re.compile(r"(\\*)([<\[])")
"""What HTML, an address in brackets, a link and an image begin with."""
_SIZES = {"h1": "1.4em", "h2": "1.25em", "h3": "1.1em"}
_PRE = '<pre style="margin:0 0 6px;padding:6px;background:#8882;white-space:pre-wrap;overflow-wrap:anywhere">'
_SIDES = {"text-align:left": "left", "text-align:center": "center", "text-align:right": "right"}


def show_markdown(page: Page, text: str) -> None:
    """Show Markdown; as plain text it is what the server wrote."""
    page.add(plain(text, MAX_TEXT), html_of(text[:MAX_TEXT]))
    page.note_cut(len(text))


def html_of(text: str) -> str:
    """Turn Markdown (CommonMark with tables and strikethrough) into harmless HTML."""
    return "".join(_blocks(_parser().parse(plain(text, len(text)))))


def markdown_of(text: str) -> str:
    """Give Markdown as Markdown, for frontends that render it themselves: without HTML, images and links.

    What stands in blocks of code stays as it is; elsewhere a backslash takes the meaning from what would begin one.
    """
    safe = plain(text, len(text))
    lines = safe.split("\n")
    code = {
        number
        for token in _parser().parse(safe)
        if token.type in ("fence", "code_block") and token.map is not None
        for number in range(*token.map)
    }
    return "\n".join(line if number in code else _BEGINS.sub(_escaped, line) for number, line in enumerate(lines))


def _escaped(match: re.Match[str]) -> str:
    return match[0] if len(match[1]) % 2 else f"{match[1]}\\{match[2]}"


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])


def _blocks(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        name, _, end = token.type.rpartition("_")
        if token.type == "inline":
            yield "".join(_inline(token.children or []))
        elif token.type in ("fence", "code_block"):
            yield f"{_PRE}<code>{_safe(token.content)}</code></pre>"
        elif token.type == "hr":
            yield "<hr>"
        elif token.hidden:  # the paragraphs of a list whose items are one line each
            yield "" if end == "open" else "\n"
        elif name == "heading":  # no <h1>: it would stand in the notebook's table of contents
            size = _SIZES.get(token.tag, "1em")
            opening = f'<p style="margin:8px 0 6px;font-size:{size}"><strong>'
            yield opening if end == "open" else "</strong></p>"
        elif name in ("td", "th"):
            side = _SIDES.get(str(token.attrGet("style")), "left")
            yield f'<{name} style="text-align:{side}">' if end == "open" else f"</{name}>"
        else:
            yield _tag(name, end, token.content)


def _inline(tokens: list[Token]) -> Iterator[str]:
    links: list[tuple[Any, int]] = []
    said = ""
    for token in tokens:
        if token.type in ("text", "code_inline"):
            said += token.content
            safe = _safe(token.content)
            yield safe if token.type == "text" else f"<code>{safe}</code>"
        elif token.type in ("softbreak", "hardbreak"):
            yield "\n" if token.type == "softbreak" else "<br>"
        elif token.type == "image":
            yield f"[image: {_safe(token.content)}{_address(token.attrGet('src'))}]"
        elif token.type == "link_open":
            links.append((token.attrGet("href"), len(said)))
        elif token.type == "link_close":
            address, start = links.pop()
            yield "" if said[start:] == address else _address(address)
        else:
            name, _, end = token.type.rpartition("_")
            yield _tag(name, end, token.content)


def _tag(name: str, end: str, content: str) -> str:
    opening = _TAGS.get(name)
    if opening is None:
        return _safe(content)
    return opening if end == "open" else f"</{opening.strip('<>').partition(' ')[0]}>"


def _safe(text: str) -> str:
    return escape(plain(text, len(text)))  # `&#x202e;` is such a character only now


def _address(address: Any) -> str:
    return f" ({escape(one_line(str(address), 200))})" if address else ""
