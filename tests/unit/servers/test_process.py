"""The process behind a stdio server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mcp_notebook.servers.process import MAX_KEPT, ServerProcess, Tail
from mcp_notebook.types import ServerSpec

T = TypeVar("T")

BOUND = 20.0


def with_process(code: str, do: Callable[[ServerProcess], Awaitable[T]]) -> T:
    async def run() -> T:
        process = ServerProcess()
        await process.start(ServerSpec(name="x", command=(sys.executable, "-c", code)))
        try:
            return await do(process)
        finally:
            await process.stop()
            assert not process.alive

    return asyncio.run(run())


async def end_of(process: ServerProcess) -> str:
    await asyncio.wait_for(process.ended.wait(), BOUND)
    return await process.last_words()


def test_the_last_words_are_kept_and_no_more():
    words = with_process("import sys; sys.stderr.write('x' * 1_000_000 + 'the end')", end_of)
    assert len(words) == MAX_KEPT
    assert words.endswith("xthe end")


def test_bytes_that_are_no_text_are_written_as_such():
    assert with_process(r"import sys; sys.stderr.buffer.write(b'a\xffb')", end_of) == "a\N{REPLACEMENT CHARACTER}b"


def test_it_is_alive_until_it_ends():
    async def look(process: ServerProcess) -> tuple[bool, bool]:
        before = process.alive
        process.stdin.close()
        await end_of(process)
        return before, process.alive

    assert with_process("import sys; sys.stdin.read()", look) == (True, False)


def test_its_end_is_seen_though_what_it_started_holds_its_output_open():
    code = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(100)'])"

    async def look(process: ServerProcess) -> bool:
        await asyncio.wait_for(process.ended.wait(), BOUND)
        return process.alive

    assert with_process(code, look) is False


def test_one_that_ignores_all_that_can_be_ignored_is_killed():
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(1000)"

    async def look(process: ServerProcess) -> bytes:
        return await asyncio.wait_for(process.stdout.readline(), BOUND)

    assert with_process(code, look) == b"1\n"


def test_a_tail_keeps_whole_lines_with_their_times():
    tail = Tail()
    tail.add("one\ntwo")
    tail.add(" and a half\nthree")

    times, lines = zip(*tail.lines, strict=True)
    assert lines == ("one", "two and a half", "three")
    assert list(times) == sorted(times)
    assert str(tail) == "one\ntwo and a half\nthree"


def test_a_tail_does_not_grow():
    tail = Tail()
    for _ in range(100):
        tail.add("x" * 5000 + "\n")
    assert len(str(tail)) <= MAX_KEPT
    tail.add("y" * 10 * MAX_KEPT)
    assert str(tail).endswith("y")
    assert len(str(tail)) <= 2 * MAX_KEPT
