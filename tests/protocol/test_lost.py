"""Servers that go away: seen, said, and connected again on the next use."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mcp_notebook.errors import ConnectError, ConnectionLost, UsageError
from mcp_notebook.servers.server import Server
from mcp_notebook.servers.specs import spec_for
from tests.protocol.conftest import Session, free_port, script, until, wait_for_port
from tests.protocol.places import BOUND, Pondering, Scripted, accept


@pytest.fixture
def raw(session: Session) -> Server:
    return session.connect("raw", script("raw"))


def process_of(server: Server) -> int:
    return int(server.call("process_id").text)


def test_a_server_that_dies_in_a_call_is_lost_with_its_last_words_and_then_rebuilt(raw: Server):
    first = process_of(raw)

    with pytest.raises(ConnectionLost) as caught:
        raw.call("die")

    assert caught.value.server == "raw"
    assert "its process has ended" in caught.value.problem
    assert "raw: cannot \\x1b[31mgo on" in caught.value.problem
    assert raw.state == "gone"
    assert process_of(raw) != first
    assert raw.state == "connected"


def test_a_server_that_died_while_idle_is_seen_and_rebuilt_without_an_error(raw: Server):
    first = process_of(raw)
    os.kill(first, signal.SIGKILL)

    until(lambda: raw.state == "gone", "the death is seen")
    assert process_of(raw) != first
    assert raw.state == "connected"


def test_the_tools_can_still_be_read_when_the_server_is_gone(raw: Server):
    os.kill(process_of(raw), signal.SIGKILL)
    until(lambda: raw.state == "gone", "the death is seen")

    assert "ask" in raw.tools


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_a_server_killed_while_it_asks_takes_its_question_back_and_ends_the_call(session: Session, protocol: str):
    tricky = session.connect("tricky", script("tricky"), protocol=protocol)
    place = Pondering()
    pid = process_of(tricky)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(session.call_at, place, tricky, "ask", ticket="t")
        assert place.asked.wait(BOUND)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(ConnectionLost, match="tricky"):
            call.result(BOUND)

    assert place.withdrawn.wait(BOUND)
    session.place = Scripted(lambda _: accept(word="again"))
    assert tricky.call("ask", ticket="t").text == "t: again"


def test_all_calls_of_a_server_that_dies_are_lost(session: Session, raw: Server):
    with ThreadPoolExecutor(2) as pool:
        calls = [pool.submit(session.call_at, Scripted(), raw, "hang") for _ in range(2)]
        until(lambda: raw.call("heard").data == ["hang", "hang"], "both run")
        os.kill(process_of(raw), signal.SIGKILL)
        for call in calls:
            with pytest.raises(ConnectionLost):
                call.result(BOUND)


def test_an_http_server_that_stops_is_lost_and_found_again_when_it_is_back(session: Session):
    port = free_port()
    command = [*script("tricky"), str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        server = session.connect("web", f"http://127.0.0.1:{port}/mcp")
        first = server.call("process_id").text
        process.kill()
        process.wait(BOUND)

        with pytest.raises(ConnectionLost, match=r"web: the connection to http://127\.0\.0\.1"):
            server.call("process_id")
        with pytest.raises(ConnectError, match="web: nothing can be reached"):
            server.call("process_id")

        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        wait_for_port(port)
        assert server.call("process_id").text != first
    finally:
        process.kill()
        process.wait(BOUND)


def test_a_legacy_http_session_that_a_restart_has_ended_is_taken_up_again(session: Session):
    port = free_port()
    command = [*script("tricky"), str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        server = session.connect("web", f"http://127.0.0.1:{port}/mcp", protocol="legacy")
        process.kill()
        process.wait(BOUND)
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        wait_for_port(port)

        assert process_of(server) == process.pid
    finally:
        process.kill()
        process.wait(BOUND)


def test_a_closed_server_is_not_connected_again(session: Session, raw: Server):
    pid = process_of(raw)

    raw.close()
    raw.close()

    assert raw.state == "closed"
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    with pytest.raises(UsageError, match="connect it again"):
        raw.call("process_id")
    with pytest.raises(UsageError, match="none is"):
        session.registry.get("raw")


def test_closing_a_server_that_is_still_connecting_leaves_nothing_behind():
    """It was gone, and a call was connecting it again."""
    place = Scripted()
    server = Server(spec_for("slow", [sys.executable, "-c", SLOW, script("raw")[1]]), lambda: place)
    with ThreadPoolExecutor(1) as pool:
        opening = pool.submit(server.open)
        until(lambda: server._session._connecting.locked(), "it is connecting")  # pyright: ignore[reportPrivateUsage]
        server.close()
        with pytest.raises(UsageError, match="connect it again"):
            opening.result(BOUND)
    assert server.state == "closed"


def test_a_block_closes_the_server_it_opened(raw: Server):
    def fail() -> None:
        with raw:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert raw.state == "closed"


def test_an_async_block_closes_the_server_it_opened(raw: Server):
    async def use() -> None:
        async with raw:
            await raw.acall("process_id")

    asyncio.run(use())
    assert raw.state == "closed"


def test_connecting_a_name_again_replaces_the_server_and_a_failure_leaves_it(session: Session, raw: Server):
    with pytest.raises(ConnectError):
        session.connect("raw", ["false"])
    assert session.registry.get("raw") is raw
    assert raw.state == "connected"

    second = session.connect("raw", script("raw"))

    assert session.registry.all() == [second]
    assert raw.state == "closed"


SLOW = "import runpy, sys, time; time.sleep(0.3); runpy.run_path(sys.argv[1])"

KERNEL = """
import sys
from mcp_notebook.servers.registry import Registry
from mcp_notebook.servers.specs import spec_for
from tests.protocol.places import Scripted
registry = Registry(Scripted)
print(registry.connect(spec_for("raw", sys.argv[1:])).call("process_id").text, flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("end", ["exit", "kill -9"])
def test_a_server_that_ignores_its_stdin_ends_with_the_process_that_started_it(end: str):
    command = [sys.executable, "-c", KERNEL, *script("raw"), "--stubborn"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as kernel:
        assert kernel.stdin is not None
        assert kernel.stdout is not None
        pid = int(kernel.stdout.readline())
        if end == "exit":
            kernel.stdin.write("\n")
            kernel.stdin.flush()
        else:
            kernel.kill()
        kernel.wait(BOUND)

    until(lambda: not _runs(pid), "the server has ended")


def _runs(pid: int) -> bool:
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
