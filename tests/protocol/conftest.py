"""Servers to connect to, over every transport and in both eras, and places to call them from."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from mcp_notebook.servers.registry import Registry
from mcp_notebook.servers.server import Server
from mcp_notebook.servers.specs import spec_for
from mcp_notebook.types import Place, ProtocolMode
from tests.protocol.places import BOUND, Scripted
from tests.protocol.servers import tricky as tricky_module

SERVERS = Path(__file__).with_name("servers")
Way = Literal["stdio", "http", "in-process"]
WAYS: list[tuple[Way, ProtocolMode]] = [
    (way, protocol) for way in ("stdio", "http", "in-process") for protocol in ("auto", "legacy")
]
TrickyBy = Callable[[Way, ProtocolMode], Server]


class Session:
    """What a user has before them: a registry, and the place that their code runs at, which a test may change."""

    def __init__(self) -> None:
        self.place: Place = Scripted()
        self.registry = Registry(lambda: getattr(self._thread, "place", self.place))
        self._thread = threading.local()

    def connect(self, name: str, target: Any = None, **options: Any) -> Server:
        return self.registry.connect(spec_for(name, target, **options))

    def call_at(self, place: Place, server: Server, tool: str, /, **arguments: Any) -> str:
        """Call from a place that only this thread is at."""
        self._thread.place = place
        try:
            return server.call(tool, **arguments).text
        finally:
            del self._thread.place


@pytest.fixture
def session() -> Iterator[Session]:
    session = Session()
    yield session
    session.registry.close_all()


@pytest.fixture(scope="session")
def long_session() -> Iterator[Session]:
    """A session for servers that many tests share."""
    session = Session()
    yield session
    session.registry.close_all()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Sequence[str]], str]]:
    """Start an HTTP server by a command, "PORT" standing for its port, and give where it listens, for the session."""
    processes: list[subprocess.Popen[bytes]] = []

    def start(command: Sequence[str]) -> str:
        port = free_port()
        filled = [part.replace("PORT", str(port)) for part in command]
        processes.append(subprocess.Popen(filled, stderr=subprocess.DEVNULL))
        wait_for_port(port)
        return f"http://127.0.0.1:{port}"

    yield start
    for process in processes:
        process.kill()
        process.wait(BOUND)


@pytest.fixture(scope="session")
def demo_url(serve: Callable[[Sequence[str]], str]) -> str:
    return serve([sys.executable, "-m", "mcp_notebook.demo", "--http", "PORT"]) + "/mcp"


@pytest.fixture(scope="session")
def tricky_url(serve: Callable[[Sequence[str]], str]) -> str:
    return serve([*script("tricky"), "PORT"]) + "/mcp"


@pytest.fixture
def tricky_by(request: pytest.FixtureRequest, long_session: Session) -> TrickyBy:
    """Give the server of `servers/tricky.py`, reached in one of the ways, connected once for all tests."""

    def give(way: Way, protocol: ProtocolMode) -> Server:
        name = f"tricky-{way}-{protocol}"
        for server in long_session.registry.all():
            if server.name == name:
                return server
        targets = {"stdio": lambda: script("tricky"), "in-process": lambda: tricky_module.server}
        target = targets.get(way, lambda: request.getfixturevalue("tricky_url"))()
        return long_session.connect(name, target, protocol=protocol)

    long_session.place = Scripted()
    return give


@pytest.fixture(params=WAYS, ids="-".join)
def tricky(request: pytest.FixtureRequest, tricky_by: TrickyBy) -> Server:
    """The server of `servers/tricky.py`, in every way it can be reached."""
    return tricky_by(*request.param)


def script(name: str) -> list[str]:
    """The command of one of the servers in `servers/`."""
    return [sys.executable, str(SERVERS / f"{name}.py")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for_port(port: int) -> None:
    deadline = time.monotonic() + BOUND
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    msg = f"nothing listens on port {port}"
    raise AssertionError(msg)


def until(condition: Callable[[], bool], what: str) -> None:
    """Wait for something that happens in another process or thread."""
    deadline = time.monotonic() + BOUND
    while not condition():
        assert time.monotonic() < deadline, f"it never came to this: {what}"
        time.sleep(0.01)
