from __future__ import annotations

import asyncio
import subprocess
import sys
import threading

from mcp_notebook.servers.process import ServerProcess, wrapped

BOUND = 10.0


def run(code: str) -> tuple[ServerProcess, subprocess.Popen[bytes]]:
    ended = threading.Event()
    process = ServerProcess(ended.set)
    child = subprocess.Popen(
        wrapped([sys.executable, "-c", code]), stderr=process.stderr, stdin=subprocess.PIPE, start_new_session=True
    )
    process.stderr.close()
    assert child.stdin is not None
    child.stdin.close()
    assert ended.wait(BOUND)
    return process, child


def test_the_last_words_are_kept_and_no_more():
    process, child = run("import sys; sys.stderr.write('x' * 1_000_000 + 'the end')")

    words = asyncio.run(process.last_words())
    assert len(words) == 16_384
    assert words.endswith("xthe end")
    child.wait(BOUND)


def test_a_number_on_the_first_line_of_stderr_is_the_servers_own():
    process, child = run("import sys; sys.stderr.write('42\\n')")

    assert asyncio.run(process.last_words()) == "42"
    child.wait(BOUND)


def test_it_is_alive_until_it_has_been_waited_for():
    process, child = run("pass")

    assert process.alive
    child.wait(BOUND)
    assert not process.alive
    process.forget()
