"""Results of tens of megabytes: whole, in time, and with the loop free for other calls."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from mcp_notebook.errors import ConnectionLost
from mcp_notebook.servers import stdio
from mcp_notebook.servers.server import Server
from tests.protocol.conftest import Session
from tests.protocol.places import BOUND, Scripted

CODE = """
import sys
from mcp.server.mcpserver import MCPServer, Image

server = MCPServer("big")

@server.tool(structured_output=False)
def text(mebibytes: int) -> str:
    return "é" * (mebibytes << 19)

@server.tool()
def picture() -> Image:
    return Image(data=bytes(5 << 20), format="png")

@server.tool()
def noise(mebibytes: int) -> str:
    for _ in range(mebibytes):
        print("x" * (1 << 20), flush=True)
        print("y" * (1 << 20), file=sys.stderr, flush=True)
    return "done"

server.run("streamable-http", port=int(sys.argv[1])) if sys.argv[1:] else server.run()
"""


@pytest.fixture(scope="module")
def big_url(serve: Callable[[Sequence[str]], str]) -> str:
    return serve([sys.executable, "-c", CODE, "PORT"]) + "/mcp"


@pytest.fixture(params=["stdio", "http"])
def big(request: pytest.FixtureRequest, session: Session) -> Server:
    target = [sys.executable, "-c", CODE] if request.param == "stdio" else request.getfixturevalue("big_url")
    return session.connect("big", target)


def test_fifty_megabytes_arrive_whole_while_other_servers_are_heard(session: Session, big: Server):
    small = session.connect("small", [sys.executable, "-c", CODE])
    with ThreadPoolExecutor(1) as pool:
        whole = pool.submit(session.call_at, Scripted(), big, "text", mebibytes=50)
        waits: list[float] = []
        while not whole.done():
            begin = time.monotonic()
            assert session.call_at(Scripted(), small, "text", mebibytes=0) == ""
            waits.append(time.monotonic() - begin)
        assert whole.result(BOUND) == "é" * (50 << 19)
    assert len(waits) > 10
    assert max(waits) < BOUND / 2


def test_an_image_of_five_megabytes_arrives(session: Session, big: Server):
    session.place = Scripted()
    (image,) = big.call("picture").content
    assert image.mime_type == "image/png"
    assert len(image.data) == (5 << 20) * 4 // 3 + 2


def test_megabytes_of_noise_on_its_output_do_no_harm(session: Session):
    session.place = Scripted()
    noisy = session.connect("noisy", [sys.executable, "-c", CODE])
    assert noisy.call("noise", mebibytes=5).text == "done"


def test_a_message_without_end_ends_the_connection_and_says_so(session: Session, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stdio, "MAX_LINE", 3 << 20)
    session.place = Scripted()
    big = session.connect("big", [sys.executable, "-c", CODE])
    with pytest.raises(ConnectionLost, match=r"big: it wrote a message of more than 3 MiB\. The next"):
        big.call("text", mebibytes=5)
    assert big.call("text", mebibytes=0).text == ""
