"""A model's answer in a cell: its text as it comes, a line for each call, and what calls gave that is to be looked at.

All of it is untrusted. The text is Markdown: what is shown is HTML of our own making, without links and images, and
what other frontends may render of the Markdown itself has neither markup nor images in it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.chat.conversation import Reply
from mcp_notebook.chat.turns import Call, CallTurn
from mcp_notebook.notebook.latest import Bundle, Latest
from mcp_notebook.notebook.page import IGNORE_MATH, Page
from mcp_notebook.notebook.results import bundle
from mcp_notebook.notebook.results.markdown import html_of, markdown_of
from mcp_notebook.notebook.waiting import Display
from mcp_notebook.results import ToolResult

if TYPE_CHECKING:
    from mcp_notebook.notebook.place import CellPlace

MAX_ANSWER = 50_000
"""Characters of one text that are shown."""
MAX_LINE = 120
"""Characters of a call's arguments on its line."""

_MARKS = {"done": "✓", "failed": "✗", "skipped": "✗", "refused": "✗", "stopped": "✗"}
_WORDS = {"failed": "failed", "skipped": "skipped", "refused": "not made", "stopped": "stopped"}


class CellStage:
    """A `Stage`: the cell in which a model is asked.

    Args:
        place: The cell.
    """

    def __init__(self, place: CellPlace) -> None:
        self._place = place
        self._streams = place.is_live
        self._text: Latest | None = None
        self._whole = ""
        self._lines: dict[str, Display] = {}

    def text(self, whole: str) -> None:
        """Show what the model has said so far: see `Stage.text`."""
        self._whole = whole
        if self._streams:
            self._text = self._text or Latest(self._place.show)
            self._text.draw(lambda: _answer(whole))

    def turn_over(self) -> None:
        """Leave the text as it is now."""
        if self._text is not None:
            self._text.end()
        elif self._whole:
            self._place.show(_answer(self._whole))
        self._text, self._whole = None, ""

    def call_started(self, call: Call) -> None:
        """Show that a call is on its way."""
        if self._streams:
            self._lines[call.id] = self._place.show(_line("…", call, ""))

    def call_over(self, turn: CallTurn) -> None:
        """Show what became of a call, and what it gave where that is more than text."""
        took = f"{turn.seconds:.1f} s" if turn.seconds and self._place.attended else ""  # else no two runs are the same
        words = " · ".join(filter(None, (_WORDS.get(turn.state, ""), took)))
        line = _line(_MARKS[turn.state], turn.call, words, _opened(turn))
        if (display := self._lines.pop(turn.call.id, None)) is not None:
            display.update(line)
        else:
            self._place.show(line)
        if turn.result is not None and turn.state == "done" and _is_to_see(turn.result):
            self._place.show(bundle(turn.result))

    def note(self, text: str) -> None:
        """Say something of ours."""
        self._place.tell(text)

    def over(self, reply: Reply) -> None:
        """Say who has answered."""
        used = reply.usage if self._place.attended else None
        tokens = f"{used.input_tokens + used.output_tokens:,} tokens" if used else ""
        who = reply.model if self._place.attended else reply.model.partition(",")[0]
        self._place.tell(" · ".join(filter(None, (one_line(who), tokens))))


def _answer(text: str) -> Bundle:
    shown = text[:MAX_ANSWER]
    cut = f"\n\n({MAX_ANSWER:,} of {len(text):,} characters)" if len(text) > MAX_ANSWER else ""
    return {
        "text/plain": plain(shown, MAX_ANSWER) + cut,
        "text/markdown": markdown_of(shown) + cut,
        "text/html": f'<div class="mcp-answer {IGNORE_MATH}">{html_of(shown + cut)}</div>',
    }


def _line(mark: str, call: Call, words: str, opened: Page | None = None) -> Bundle:
    name = f"{one_line(call.server, 60)}.{one_line(call.tool, 60)}" if call.server else one_line(call.tool, 60)
    arguments = ", ".join(f"{one_line(key, 40)}={_shown(value)}" for key, value in call.arguments.items())
    told = f"{name}({one_line(arguments, MAX_LINE)})"
    text = " ".join(filter(None, (mark, told, f"· {words}" if words else "")))
    if opened is None:
        return {"text/plain": text, "text/html": f'<div class="mcp-call {IGNORE_MATH}">{escape(text)}</div>'}
    html = f"<details><summary>{escape(text)}</summary>{opened._repr_html_()}</details>"
    return {"text/plain": text, "text/html": f'<div class="mcp-call {IGNORE_MATH}">{html}</div>'}


def _opened(turn: CallTurn) -> Page:
    page = Page()
    page.note("Arguments").text(json.dumps(turn.call.arguments, indent=2, ensure_ascii=False))
    return page.note("What the model was told").text(turn.told)


def _shown(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False, default=str), MAX_LINE)


def _is_to_see(result: ToolResult) -> bool:
    """Whether a result is an image, a sound or a table."""
    if any(block.type in ("image", "audio") for block in result.content):
        return True
    data = result.data if result.structured is not None else None
    return _is_table(data) or (isinstance(data, Mapping) and any(_is_table(value) for value in data.values()))


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)
