"""What goes wrong over stdio: named, in bounded time, and the next call to a healthy server works."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_notebook.errors import ConnectError, ConnectionLost, ServerError, ServerTimeout
from mcp_notebook.servers.server import Server
from tests.protocol.conftest import Session, script
from tests.protocol.places import Scripted

SECONDS = 3.0

FAULTY = """
import json, os, sys, time

def answer(of, result):
    print(json.dumps({"jsonrpc": "2.0", "id": of, "result": result}), flush=True)

if sys.argv[1:] == ["slow"]:
    time.sleep(1)
for line in sys.stdin:
    message = json.loads(line)
    method, of = message["method"], message.get("id")
    if method == "initialize":
        answer(of, {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                    "serverInfo": {"name": "faulty", "version": "0"}})
    elif method == "tools/list":
        names = ("hello", "half", "other_id", "no_input", "no_output", "flood", "traceback", "silent", "bytes")
        answer(of, {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]})
    elif method == "tools/call":
        name, hello = message["params"]["name"], {"content": [{"type": "text", "text": "hello"}]}
        if name == "hello":
            answer(of, hello)
        elif name == "half":
            print('{"jsonrpc": "2.0", "id"', end="", flush=True)
        elif name == "other_id":
            answer("another", hello)
        elif name == "no_input":
            os.close(0)
            time.sleep(60)
        elif name == "no_output":
            os.close(1)
            time.sleep(60)
        elif name == "flood":
            for _ in range(20_000):
                print("y" * 100)
            answer(of, hello)
        elif name == "traceback":
            raise RuntimeError("cannot go on")
        elif name == "bytes":
            sys.stdout.buffer.write(b'\\xff\\xfe\\n{"jsonrpc": "2.0", "id": %d, "result": {"content": ' % of)
            sys.stdout.buffer.write(b'[{"type": "text", "text": "a\\xffb"}]}}\\n')
            sys.stdout.flush()
    elif of is not None:
        print(json.dumps({"jsonrpc": "2.0", "id": of, "error": {"code": -32601, "message": "no"}}), flush=True)
"""


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "faulty.py").write_text(FAULTY)
    return [sys.executable, str(tmp_path / "faulty.py")]


@pytest.fixture
def healthy(session: Session) -> Iterator[Server]:
    session.place = Scripted()
    server = session.connect("healthy", script("raw"))
    yield server
    assert server.call("heard").data == []


TOLD: list[tuple[str, type[ServerError], str]] = [
    ("half", ServerTimeout, "no answer within 3 seconds"),
    ("other_id", ServerTimeout, "no answer within 3 seconds"),
    ("silent", ServerTimeout, "Connect the server with a longer timeout"),
    ("no_input", ServerTimeout, "no answer within 3 seconds"),
    ("no_output", ConnectionLost, "its process has ended, or has closed its output"),
    ("traceback", ConnectionLost, "RuntimeError: cannot go on"),
]


@pytest.mark.parametrize(("tool", "kind", "told"), TOLD, ids=[row[0] for row in TOLD])
def test_a_fault_in_a_call_is_named_and_bounded(
    session: Session, healthy: Server, command: list[str], tool: str, kind: type[ServerError], told: str
):
    server = session.connect("faulty", command, timeout=SECONDS)
    begin = time.monotonic()
    with pytest.raises(kind) as caught:
        server.call(tool)
    assert time.monotonic() - begin < 3 * SECONDS
    assert caught.value.server == "faulty"
    assert told in caught.value.problem
    assert healthy.call("heard").data == []


@pytest.mark.parametrize(("tool", "text"), [("flood", "hello"), ("bytes", "a\N{REPLACEMENT CHARACTER}b")])
def test_a_flood_of_junk_and_bytes_that_are_no_text_do_no_harm(
    session: Session, healthy: Server, command: list[str], tool: str, text: str
):
    server = session.connect("faulty", command)
    assert server.call(tool).text == text
    assert server.call("hello").text == "hello"


def test_a_server_that_is_stopped_is_given_up_and_goes_on_when_it_may(
    session: Session, healthy: Server, command: list[str]
):
    server = session.connect("faulty", command, timeout=SECONDS)
    pid = server._session._connection._process._child.pid  # type: ignore[union-attr]
    os.kill(pid, signal.SIGSTOP)
    with pytest.raises(ServerTimeout, match="hello: no answer within 3 seconds"):
        server.call("hello")
    os.kill(pid, signal.SIGCONT)
    assert server.call("hello").text == "hello"


def test_a_slow_start_is_waited_for(session: Session, healthy: Server, command: list[str]):
    assert session.connect("slow", [*command, "slow"]).call("hello").text == "hello"


def test_a_start_that_takes_too_long_is_given_up(session: Session, healthy: Server, command: list[str]):
    with pytest.raises(ConnectError, match=r"no answer from .* within 0\.3 seconds"):
        session.connect("slow", [*command, "slow"], timeout=0.3)
