"""Questions that come together are shown together, and a server that asks on and on is slowed and can be silenced."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

GATHER_SECONDS = 0.02
"""How long to wait for questions of the same round: the SDK asks all of them at once."""

PATIENCE = 5
"""After so many questions in one call the form offers to silence the server."""

SLOW_AFTER = 10
"""After so many questions in one call each comes a second later than the one before, up to `SLOWEST_SECONDS`."""

SLOWEST_SECONDS = 10.0

silenced: set[str] = set()
"""The servers that the person wants to hear no more of in this session."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A question's place among the others of its call."""

    number: int
    """Counted from 1 within its round."""
    total: int
    """How many questions the round has."""
    asked: int
    """How many questions the call has asked so far, this one included."""

    @property
    def may_silence(self) -> bool:
        """Whether to offer to silence the server."""
        return self.asked > PATIENCE


class Rounds:
    """The questions of one call."""

    def __init__(self) -> None:
        self._asked = 0
        self._round: list[int] = []

    def alone(self) -> Turn:
        """Give the place of a question that comes by itself, such as one of a `map`'s, which come one by one."""
        self._asked += 1
        return Turn(number=1, total=1, asked=self._asked)

    async def join(self) -> Turn:
        """Wait for the questions of the same round, and give this one's place among them."""
        self._asked += 1
        asked = self._asked
        together = self._round
        together.append(asked)
        await asyncio.sleep(max(GATHER_SECONDS, min(asked - SLOW_AFTER, SLOWEST_SECONDS)))
        if self._round is together:
            self._round = []
        return Turn(number=together.index(asked) + 1, total=len(together), asked=asked)
