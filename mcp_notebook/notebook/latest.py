"""Something in a cell that changes often: shown as it is now, at most ten times a second."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable

from mcp_notebook.notebook.waiting import Display

EVERY_SECONDS = 0.1
"""How often it is drawn anew, at most."""

Bundle = dict[str, str]


class Latest:
    """A part of a cell's output. Its methods may be called from any thread.

    Args:
        show: Shows a MIME bundle in the cell.
    """

    def __init__(self, show: Callable[[Bundle], Display]) -> None:
        self._show = show
        self._display: Display | None = None
        self._make: Callable[[], Bundle] | None = None
        self._drawn = -math.inf
        self._due: threading.Timer | None = None
        self._over = False
        self._lock = threading.Lock()

    def draw(self, make: Callable[[], Bundle]) -> None:
        """Show something, now or in a moment, unless it is over.

        Args:
            make: Makes what is to be shown, if it comes to that.
        """
        with self._lock:
            if self._over:
                return
            self._make = make
            wait = self._drawn + EVERY_SECONDS - time.monotonic()
            if wait <= 0:
                self._draw()
            elif self._due is None:
                self._due = threading.Timer(wait, self._draw_late)
                self._due.daemon = True
                self._due.start()

    def end(self, last: Bundle | None = None) -> None:
        """Leave what was drawn last, or something else in its place where anything was shown; no more comes."""
        with self._lock:
            self._over = True
            if self._due is not None:
                self._due.cancel()
            if last is not None and self._display is not None:
                self._display.update(last)
            elif last is None:
                self._draw()

    def _draw_late(self) -> None:
        with self._lock:
            self._due = None
            if not self._over:
                self._draw()

    def _draw(self) -> None:
        make, self._make = self._make, None
        if make is None:  # drawn already
            return
        self._drawn = time.monotonic()
        if self._display is None:
            self._display = self._show(make())
        else:
            self._display.update(make())
