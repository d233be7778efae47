"""Connecting: what works, and what is said when it does not, in bounded time."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.errors import ConnectError, UsageError
from mcp_notebook.types import ProtocolMode
from tests.protocol.conftest import Session, free_port, script
from tests.protocol.places import Scripted, accept

PROTOCOLS: list[ProtocolMode] = ["auto", "legacy", "2026-07-28"]


@pytest.fixture(scope="module")
def website() -> Iterator[str]:
    """A web server that knows no MCP: it answers with a page, or with the status that the path names."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            status = self.path.partition("?")[0].strip("/")
            self.send_response(int(status) if status.isdigit() else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(b"<h1>Welcome</h1>")

        do_GET = do_POST = do_DELETE = answer  # noqa: N815 (names of the base class)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def fault(session: Session, target: Any, **options: Any) -> str:
    """Connect what cannot be connected, and give what is said."""
    with pytest.raises(ConnectError) as caught:
        session.connect("x", target, **options)
    assert caught.value.server == "x"
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    with pytest.raises(UsageError):
        session.registry.get("x")
    return caught.value.problem


def test_demo_needs_no_target(session: Session):
    demo = session.connect("demo")
    session.place = Scripted(lambda _: accept(name="Ada"))

    assert demo.call("greet").text == "Hello, Ada!"
    assert repr(demo) == f"<server demo: connected, {sys.executable} -m mcp_notebook.demo, 9 tools>"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_command_that_is_not_there(session: Session, protocol: ProtocolMode):
    problem = fault(session, ["no-such-command-anywhere", "-y"], protocol=protocol)
    assert problem == "cannot run no-such-command-anywhere: No such file or directory. Is it installed, and on PATH?"


def test_a_command_that_may_not_be_run(session: Session, tmp_path: Path):
    (tmp_path / "server").touch(0o644)
    assert "Permission denied" in fault(session, ["./server"], cwd=str(tmp_path))


def test_a_working_directory_that_is_not_there(session: Session):
    problem = fault(session, [sys.executable], cwd="/no/such/folder")
    assert "No such file or directory" in problem
    assert "working directory" in problem


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_command_that_ends_at_once_is_told_with_its_last_words(session: Session, protocol: ProtocolMode):
    code = "import sys; print('x' * 9000, 'no \\x1b[31mmodule named SECRET-123', file=sys.stderr); sys.exit(1)"
    problem = fault(session, [sys.executable, "-c", code], env={"KEY": "SECRET-123"}, protocol=protocol)

    assert "ended before it spoke MCP" in problem
    assert problem.endswith("no \\x1b[31mmodule named •••")
    assert len(problem) < 1000


def test_a_command_that_ends_without_a_word(session: Session):
    assert fault(session, ["true"]) == "true ended before it spoke MCP."


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ('"error": {"code": -32000, "message": "no licence"}', "no licence"),
        ('"result": {"protocolVersion": 7}', "Field required"),
        ('"result": {"tools": 7}', ""),
    ],
)
def test_a_command_that_answers_with_something_else(session: Session, answer: str, told: str, protocol: ProtocolMode):
    code = f"""
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print('{{"jsonrpc": "2.0", "id": ' + json.dumps(message["id"]) + ', {answer}}}', flush=True)
"""
    problem = fault(session, [sys.executable, "-c", code], protocol=protocol)
    assert "did not answer as an MCP server does (" in problem
    assert told in problem or protocol == "2026-07-28"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("command", [["sleep", "100"], ["yes"]], ids=" ".join)
def test_a_command_that_never_answers_is_given_up_in_time(
    session: Session, command: Sequence[str], protocol: ProtocolMode
):
    begin = time.monotonic()
    problem = fault(session, command, timeout=0.5, protocol=protocol)

    assert time.monotonic() - begin < 5
    assert f"no answer from {' '.join(command)} within 0.5 seconds" in problem


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_port_where_nothing_listens(session: Session, transport: str, protocol: ProtocolMode):
    url = f"http://127.0.0.1:{free_port()}/mcp"
    problem = fault(session, url, transport=transport, protocol=protocol)
    assert problem.startswith(f"nothing can be reached at {url}")
    assert problem.endswith("Is the server running?")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("transport", ["http", "sse"])
def test_a_web_page_instead_of_mcp(session: Session, website: str, transport: str, protocol: ProtocolMode):
    problem = fault(session, website, transport=transport, protocol=protocol)
    assert problem == f"{website} answered with text/html, which is not MCP. Check the URL."


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "or pass a token with bearer"),
        (403, "Pass them with bearer or headers"),
        (404, "HTTP 404"),
        (500, "HTTP 500"),
    ],
)
def test_an_http_status_is_told(session: Session, website: str, status: int, advice: str, protocol: ProtocolMode):
    problem = fault(session, f"{website}/{status}?token=SECRET-123", protocol=protocol)
    assert advice in problem
    assert "?token=•••" in problem
    assert "SECRET" not in problem


def test_headers_and_environment_reach_the_server_and_are_shown_nowhere(session: Session, tmp_path: Path):
    code = f"import os; open({str(tmp_path / 'env')!r}, 'w').write(os.environ['API_KEY'])"
    fault(session, [sys.executable, "-c", code, "--token", "SECRET-1"], env={"API_KEY": "SECRET-2"})
    assert (tmp_path / "env").read_text() == "SECRET-2"


def test_a_server_gets_no_more_of_the_environment_than_it_needs(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_API_KEY", "SECRET")
    code = f"import os; open({str(tmp_path / 'env')!r}, 'w').write(' '.join(os.environ))"
    fault(session, [sys.executable, "-c", code])
    names = (tmp_path / "env").read_text().split()
    assert "PATH" in names
    assert "OPENAI_API_KEY" not in names


def test_sse_of_older_servers_is_spoken_too(session: Session, serve: Callable[[Sequence[str]], str]):
    code = "import sys; from mcp_notebook.demo.everyday import server; server.run('sse', port=int(sys.argv[1]))"
    url = serve([sys.executable, "-c", code, "PORT"]) + "/sse"
    demo = session.connect("old", url, transport="sse")
    session.place = Scripted(lambda _: accept(name="Ada"))

    assert demo.call("greet").text == "Hello, Ada!"
    assert demo.transport == "sse"


def test_an_sse_server_that_refuses_messages_is_not_waited_for(session: Session):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b"event: endpoint\ndata: /messages\n\n")
            self.wfile.flush()
            refused.wait(20)

        def do_POST(self) -> None:
            self.send_error(503)
            refused.set()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    refused = threading.Event()
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        assert "HTTP 503" in fault(session, f"http://127.0.0.1:{server.server_port}/sse", transport="sse")
        server.shutdown()


def test_bad_bytes_and_junk_on_stdout_do_no_harm(session: Session, tmp_path: Path, caplog: pytest.LogCaptureFixture):
    noisy = tmp_path / "noisy.py"
    raw = Path(script("raw")[1]).read_text()
    noisy.write_text(raw.replace("import sys\n", "import sys\nsys.stdout.buffer.write(b'\\xff\\xfe junk\\n\\n')\n", 1))

    server = session.connect("noisy", [sys.executable, str(noisy)])

    assert server.call("heard").data == []
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_the_processes_of_failed_connects_are_gone(session: Session):
    fault(session, ["sleep", "1234.5"], timeout=0.2)
    deadline = time.monotonic() + 20
    while _running("1234.5"):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _running(argument: str) -> bool:
    commands = [Path(f"/proc/{pid}/cmdline") for pid in os.listdir("/proc") if pid.isdigit()]
    return any(argument.encode() in command.read_bytes().split(b"\0") for command in commands if command.exists())
