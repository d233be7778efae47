"""The clock that stands still while a person is at work."""

from __future__ import annotations

import asyncio

from mcp_notebook.servers.deadline import Deadline

BOUND = 20.0


def test_it_passes_when_its_time_is_over():
    async def run() -> bool:
        return await _passes(Deadline(0.01), within=BOUND)

    assert asyncio.run(run())


def test_it_stands_still_while_any_block_holds_it_and_goes_on_with_what_was_left():
    async def run() -> tuple[bool, bool]:
        deadline = Deadline(0.05)
        with deadline.held():
            with deadline.held():
                pass
            while_held = await _passes(deadline, within=0.2)
        return while_held, await _passes(deadline, within=BOUND)

    assert asyncio.run(run()) == (False, True)


def test_a_sign_of_life_starts_it_anew():
    async def run() -> bool:
        deadline = Deadline(1.0)
        passed = deadline.over
        for _ in range(4):
            await asyncio.wait({passed}, timeout=0.3)
            deadline.restart()
        over = passed.done()
        await asyncio.wait({passed}, timeout=BOUND)
        return over or not passed.done()

    assert not asyncio.run(run())


async def _passes(deadline: Deadline, *, within: float) -> bool:
    done, _ = await asyncio.wait({deadline.over}, timeout=within)
    return bool(done)
