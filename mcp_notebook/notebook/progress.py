"""How far a call has come, as a bar in its cell, which is gone when the call ends."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from html import escape

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.page import IGNORE_MATH
from mcp_notebook.notebook.waiting import Display

EVERY_SECONDS = 0.1
"""How often the bar is drawn anew, at most."""
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
        self._show = show
        self._display: Display | None = None
        self._latest: dict[str, str] = {}
        self._drawn = -math.inf
        self._due: threading.Timer | None = None
        self._over = False
        self._lock = threading.Lock()

    def draw(self, what: str, done: float, total: float | None, message: str | None) -> None:
        """Show how far a call has come, now or in a moment: see `Place.progress`."""
        with self._lock:
            if self._over:
                return
            self._latest = _bundle(what, done, total, message)
            wait = self._drawn + EVERY_SECONDS - time.monotonic()
            if wait <= 0:
                self._draw()
            elif self._due is None:
                self._due = threading.Timer(wait, self._draw_late)
                self._due.daemon = True
                self._due.start()

    def end(self) -> None:
        """Take it away: a saved notebook holds what a call gave, not how it went."""
        with self._lock:
            self._over = True
            if self._due is not None:
                self._due.cancel()
            if self._display is not None:
                self._display.update(_GONE)

    def _draw_late(self) -> None:
        with self._lock:
            self._due = None
            if not self._over:
                self._draw()

    def _draw(self) -> None:
        self._drawn = time.monotonic()
        if self._display is None:
            self._display = self._show(self._latest)
        else:
            self._display.update(self._latest)


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
