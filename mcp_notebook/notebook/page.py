"""What the magic shows: plain text for a console, and HTML in which every text is escaped and bounded.

The styles are inline and in the frontend's own colours, so that a page reads well in light and dark, in a saved
notebook without a kernel, and where styles are stripped.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Any

from mcp_notebook.answers.plain import one_line, plain

MAX_TEXT = 10_000
"""Characters of one text."""
MAX_ROWS = 100
"""Rows of one table."""
MAX_COLUMNS = 20
"""Columns of one table."""
MAX_CELL = 500
"""Characters of one cell, in HTML."""
MAX_PLAIN_CELL = 60
"""Characters of one cell, in plain text."""
MAX_PLAIN = 4_000
"""Characters of a whole page as plain text."""

IGNORE_MATH = "mathjax_ignore tex2jax_ignore"
"""Classes that keep a frontend from taking `$…$` in a server's text for a formula."""

_ROOT = f'<div class="{IGNORE_MATH}" style="max-width:100%;overflow-x:auto">'
_PRE = (
    "margin:0 0 6px;padding:0;background:none;white-space:pre-wrap;overflow-wrap:anywhere;"
    "font-family:var(--jp-code-font-family,monospace)"
)
_TABLE = "margin:0 0 6px"
_CELL = "vertical-align:top;white-space:pre-wrap;text-align:"  # the frontend has its own ideas
_LONG_WORD = 30
"""Characters of a word that may be broken, lest a table be too wide; others make their column as wide as they are."""
_FAINT = "margin:0 0 6px;color:var(--jp-ui-font-color2,#757575)"


class Page:
    """A page, built part by part from top to bottom.

    Args:
        whole: Where the rest is when something is too long to show, such as `.data`.
    """

    def __init__(self, whole: str = "") -> None:
        self._whole = f"; {whole} has all of it" if whole else ""
        self._text: list[str] = []
        self._html: list[str] = []

    def heading(self, text: str) -> Page:
        """Add a heading of one line."""
        shown = one_line(text)
        return self.add(shown, f'<div style="margin:0 0 4px;font-weight:600">{escape(shown)}</div>')

    def note(self, text: str) -> Page:
        """Add a line in a fainter colour: of ours, or of a server's in passing."""
        shown = plain(text)
        return self.add(shown, f'<div style="{_FAINT};white-space:pre-wrap">{escape(shown)}</div>')

    def text(self, text: str) -> Page:
        """Add a text as it is, line by line."""
        shown = plain(text, MAX_TEXT)
        self.add(shown, f'<pre style="{_PRE}">{escape(shown)}</pre>')
        return self.note_cut(len(text))

    def note_cut(self, characters: int) -> Page:
        """Say how much of a text is not shown, if any."""
        cut = characters > MAX_TEXT
        return self.note(f"{MAX_TEXT:,} of {characters:,} characters{self._whole}") if cut else self

    def table(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Page:
        """Add a table; a row has a value for each column."""
        shown = [[_cell(value) for value in row[:MAX_COLUMNS]] for row in rows[:MAX_ROWS]]
        heads = [one_line(column, MAX_PLAIN_CELL) for column in columns[:MAX_COLUMNS]]
        numeric = [bool(rows) and all(_is_number(row[i]) for row in rows[:MAX_ROWS]) for i in range(len(heads))]
        self.add(_plain_table(heads, shown, numeric), _html_table(heads, shown, numeric))
        left_out = [
            f"{shown:,} of {total:,} {what}"
            for what, shown, total in (("rows", MAX_ROWS, len(rows)), ("columns", MAX_COLUMNS, len(columns)))
            if total > shown
        ]
        return self.note(f"{' and '.join(left_out)}{self._whole}") if left_out else self

    def image(self, mime_type: str, base64: str, caption: str) -> Page:
        """Add an image; its type and data have been checked."""
        shown = one_line(caption)
        source = escape(f"data:{mime_type};base64,{base64}")
        return self.add(f"[{shown}]", f'<img src="{source}" alt="{escape(shown)}" style="max-width:100%">')

    def sound(self, mime_type: str, base64: str, caption: str) -> Page:
        """Add a player; its type and data have been checked. The caption stays where there are no players."""
        source = escape(f"data:{mime_type};base64,{base64}")
        self._html.append(f'<audio controls src="{source}" style="max-width:100%"></audio>')
        return self.note(caption)

    def add(self, text: str, html: str) -> Page:
        """Add a part that was made elsewhere.

        Args:
            text: As plain text.
            html: As HTML, with all in it escaped and bounded.
        """
        self._text.append(text)
        self._html.append(html)
        return self

    def __repr__(self) -> str:
        return plain("\n".join(self._text), MAX_PLAIN)

    def _repr_html_(self) -> str:
        return f"{_ROOT}{''.join(self._html)}</div>"


def compact(value: Any) -> str:
    """Write a value as JSON on one line."""
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except RecursionError:
        return "(nested too deep to show)"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return plain(value if isinstance(value, str) else compact(value), MAX_CELL)


def _html_table(heads: list[str], rows: list[list[str]], numeric: list[bool]) -> str:
    sides = ["right" if number else "left" for number in numeric]
    head = "".join(_html_cell("th", text, side) for text, side in zip(heads, sides, strict=True))
    body = "".join(
        f"<tr>{''.join(_html_cell('td', text, side) for text, side in zip(row, sides, strict=True))}</tr>"
        for row in rows
    )
    return f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _html_cell(tag: str, text: str, side: str) -> str:
    breaks = "anywhere" if any(len(word) > _LONG_WORD for word in text.split()) else "break-word"
    return f'<{tag} style="{_CELL}{side};overflow-wrap:{breaks}">{escape(text)}</{tag}>'


def _plain_table(heads: list[str], rows: list[list[str]], numeric: list[bool]) -> str:
    lines = [heads, *([one_line(cell, MAX_PLAIN_CELL) for cell in row] for row in rows)]
    widths = [max(_width(line[i]) for line in lines) for i in range(len(heads))]
    return "\n".join(
        "  ".join(
            " " * (width - _width(cell)) + cell if number else cell + " " * (width - _width(cell))
            for cell, width, number in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    )


def _width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
