"""`%mcp drift`."""

from __future__ import annotations

from html import escape

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.page import MAX_ROWS, Page
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.types import PartDrift, Piece

_CONTEXT = 160
"""Characters of what is the same, on each side of a change."""
_INS = "text-decoration:underline;font-weight:600;background:rgba(46,160,67,.22);color:inherit"
_DEL = "text-decoration:line-through;background:rgba(248,81,73,.22);color:inherit"
_TEXT = "margin:0 0 6px;white-space:pre-wrap;overflow-wrap:anywhere"


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one server (default: all that are pinned)")


def _run(request: Request) -> Page:
    pins, name = request.api.pins(), request.options.name
    pinned = pins.pinned()
    if not pinned:
        raise UsageError("nothing is pinned. %mcp pin writes down the tools of what is connected")
    servers = [server for server in request.servers(name) if name is not None or server.name in pinned]
    page = Page()
    for server in servers:
        found = pins.drift(server)
        if not found.pinned:
            raise UsageError(f"{server.name} is not pinned: %mcp pin {server.name}")
        if not found.drifted:
            page.note(f"{server.name}: all is as it was pinned.")
        if found.identity:
            page.heading(f"{server.name} is another server than the pinned one")
            _add(page, PartDrift(where="", pieces=(("removed", found.identity[0]), ("added", found.identity[1]))))
        for tool in found.tools[:MAX_ROWS]:
            page.heading(f"{server.name}.{plain(tool.name)}: {tool.kind}")
            for part in tool.parts:
                _add(page, part)
        if len(found.tools) > MAX_ROWS:
            page.note(f"and {len(found.tools) - MAX_ROWS} more tools")
        for hidden in pins.hidden(server)[:20]:
            page.note(f"Hidden characters: {hidden}")
        if found.drifted:
            page.note(f"If that is what you want: %mcp approve {server.name}")
    return page if servers else page.note("No pinned server is connected.")


def _add(page: Page, part: PartDrift) -> None:
    count = len(part.pieces)
    pieces: list[Piece] = [
        (kind, _shortened(text, i, count) if kind == "same" else text) for i, (kind, text) in enumerate(part.pieces)
    ]
    where = one_line(part.where)
    label = f"{where}: " if where and pieces else where
    text = label + "".join(_plain(piece) for piece in pieces)
    html = escape(label) + "".join(_html(piece) for piece in pieces)
    page.add(text, f'<div style="{_TEXT}">{html}</div>')


def _plain(piece: Piece) -> str:
    kind, text = piece[0], plain(piece[1], 3000)
    return {"same": text, "removed": f"[-{text}-]", "added": f"{{+{text}+}}"}[kind]


def _html(piece: Piece) -> str:
    kind, text = piece[0], escape(plain(piece[1], 3000))
    return {
        "same": text,
        "removed": f'<del style="{_DEL}">{text}</del>',
        "added": f'<ins style="{_INS}">{text}</ins>',
    }[kind]


def _shortened(text: str, place: int, count: int) -> str:
    """Leave out what is far from a change: before the first, behind the last, and between two."""
    if len(text) <= 2 * _CONTEXT:
        return text
    head = "" if place == 0 else text[:_CONTEXT]
    tail = "" if place == count - 1 else text[-_CONTEXT:]
    return f"{head}…{tail}"


VERB = Verb(
    name="drift",
    summary="Show what has become of pinned servers: tools added, removed, and changed, word by word.",
    examples="  %mcp drift\n  %mcp drift demo",
    arguments=_arguments,
    run=_run,
)
