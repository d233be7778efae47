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
        self._released = asyncio.Event()

    def restart(self) -> None:
        """Begin anew: there was a sign of life."""
        self._end = (self._held_since if self._holds else self._loop.time()) + self.seconds

    @contextmanager
    def held(self) -> Generator[None]:
        """Stand still while the block runs; blocks may overlap."""
        if not self._holds:
            self._held_since = self._loop.time()
            self._released.clear()
        self._holds += 1
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self._end += self._loop.time() - self._held_since
                self._released.set()

    async def passed(self) -> None:
        """Wait until it has run down."""
        while True:
            if self._holds:
                await self._released.wait()
            elif (left := self._end - self._loop.time()) > 0:
                await asyncio.sleep(left)
            else:
                return
