"""A deadline for what a machine does, which stands still while a person does something."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager


class Deadline:
    """A clock that runs down. Made and used on the background loop.

    Args:
        seconds: How long it runs, while nothing holds it.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._loop = asyncio.get_running_loop()
        self._end = self._loop.time() + seconds
        self._held_since = 0.0
        self._holds = 0
        self.over: asyncio.Future[None] = self._loop.create_future()
        """Is done when it has run down, or there is nothing more to wait for: the one thing that a call awaits."""
        self._timer = self._loop.call_at(self._end, self._look)

    def restart(self) -> None:
        """Begin anew: there was a sign of life."""
        self._end = (self._held_since if self._holds else self._loop.time()) + self.seconds

    @contextmanager
    def held(self) -> Generator[None]:
        """Stand still while the block runs; blocks may overlap."""
        if not self._holds:
            self._held_since = self._loop.time()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._end += self._loop.time() - self._held_since
                if self._timer.when() <= self._loop.time():  # it looked meanwhile
                    self._timer = self._loop.call_at(self._end, self._look)

    def end(self, _: object = None) -> None:
        """Wait no more. Takes what `add_done_callback` gives."""
        self._timer.cancel()
        if not self.over.done():
            self.over.set_result(None)

    def _look(self) -> None:
        if self._holds or self.over.done():
            return
        if self._loop.time() < self._end:
            self._timer = self._loop.call_at(self._end, self._look)
        else:
            self.over.set_result(None)
