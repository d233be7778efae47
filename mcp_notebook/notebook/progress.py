"""How far a call has come, as a bar in its cell, which is gone when the call ends."""

from __future__ import annotations

import math
from collections.abc import Callable
from html import escape

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.latest import Latest
from mcp_notebook.notebook.page import IGNORE_MATH
from mcp_notebook.notebook.waiting import Display

MAX_MESSAGE = 120

_TRACK = "display:inline-block;width:160px;height:8px;border-radius:4px;background:var(--jp-border-color2,#ddd)"
_DONE = "display:block;height:8px;border-radius:4px;background:var(--jp-brand-color1,#1976d2)"
_GONE = {"text/plain": "", "text/html": ""}


class Bar:
    """The bar of one call. Its methods may be called from any thread.

    Args:
        show: Shows a MIME bundle in the cell.
    """

    def __init__(self, show: Callable[[dict[str, str]], Display]) -> None:
        self._latest = Latest(show)

    def draw(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show how far a call has come, now or in a moment: see `Place.progress`."""
        self._latest.draw(lambda: _bundle(what, done, total, message))

    def end(self) -> None:
        """Take it away: a saved notebook holds what a call gave, not how it went."""
        self._latest.end(_GONE)


def _bundle(what: str, done: float, total: float | None, message: str | None) -> dict[str, str]:
    share = _share(done, total)
    told = f"{share:.0%}" if share is not None else f"{done:g}" if math.isfinite(done) else ""
    words = " · ".join(filter(None, (one_line(what, 60), told, one_line(message or "", MAX_MESSAGE))))
    bar = "" if share is None else f'<span style="{_TRACK}"><span style="{_DONE};width:{share:.0%}"></span></span> '
    return {
        "text/plain": words,
        "text/html": f'<div class="mcp-progress {IGNORE_MATH}">{bar}<span>{escape(words)}</span></div>',
    }


def _share(done: float, total: float | None) -> float | None:
    """How much is done, from 0 to 1; None where the server's numbers do not tell."""
    if total is None or not math.isfinite(done) or not math.isfinite(total) or total <= 0:
        return None
    return min(max(done / total, 0.0), 1.0)
