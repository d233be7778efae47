"""The web between us and a server: redirects, and certificates of an authority of one's own."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import trustme

from mcp_notebook.errors import ConnectError
from tests.protocol.conftest import Session
from tests.protocol.faulty import Faulty, faulty
from tests.protocol.places import Scripted, accept


class Onward(BaseHTTPRequestHandler):
    """Sends every request on."""

    goal = ""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(307)
        self.send_header("Location", self.goal)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def onward(demo_url: str) -> Iterator[str]:
    """A server that sends requests on to the demo server, which is of another origin."""
    kind = type("ToDemo", (Onward,), {"goal": demo_url})
    with ThreadingHTTPServer(("127.0.0.1", 0), kind) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/mcp"
        server.shutdown()


def test_requests_are_not_sent_on_to_another_origin_unasked(session: Session, onward: str, demo_url: str):
    with pytest.raises(ConnectError) as caught:
        session.connect("web", onward)
    assert f"sends requests on to {demo_url}, which is not followed" in caught.value.problem
    assert "allow_redirects" in caught.value.problem


def test_requests_are_sent_on_where_that_is_allowed(session: Session, onward: str):
    session.place = Scripted(lambda _: accept(name="Ada"))
    web = session.connect("web", onward, allow_redirects=True)
    assert web.call("greet").text == "Hello, Ada!"


def test_credentials_stay_behind_when_a_request_is_sent_on(session: Session):
    heard: list[str] = []

    class Listening(Onward):
        def do_POST(self) -> None:
            heard.extend(self.headers.values())
            self.send_error(404)

    with ThreadingHTTPServer(("127.0.0.1", 0), Listening) as goal:
        kind = type("There", (Onward,), {"goal": f"http://127.0.0.1:{goal.server_port}/mcp"})
        with ThreadingHTTPServer(("127.0.0.1", 0), kind) as start:
            for server in (goal, start):
                threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{start.server_port}/mcp"
            with pytest.raises(ConnectError):
                session.connect("web", url, headers={"X-Key": "s3cret"}, allow_redirects=True)
            for server in (goal, start):
                server.shutdown()
    assert heard
    assert "s3cret" not in heard


@pytest.fixture
def secure(tmp_path: Path) -> Iterator[tuple[Faulty, Path]]:
    """A server with a certificate of an authority that nobody knows, and the file with that authority's own."""
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    with faulty(context) as server:
        yield server, tmp_path / "ca.pem"


def test_an_authority_of_ones_own_is_trusted_where_the_system_is_told_so(
    session: Session, secure: tuple[Faulty, Path], monkeypatch: pytest.MonkeyPatch
):
    server, authority = secure
    with pytest.raises(ConnectError, match="certificate"):
        session.connect("web", server.url)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    session.place = Scripted()
    assert session.connect("web", server.url).call("hello").text == "hello"


def test_requests_go_by_the_proxy_that_the_system_names(session: Session, monkeypatch: pytest.MonkeyPatch):
    asked: list[str] = []

    class Proxy(Onward):
        def do_POST(self) -> None:
            asked.append(self.path)
            self.send_error(503)

        do_GET = do_POST  # noqa: N815 (a name of the base class)

    with ThreadingHTTPServer(("127.0.0.1", 0), Proxy) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.server_port}")
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.server_port}")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        with pytest.raises(ConnectError, match="HTTP 503"):
            session.connect("far", "http://mcp.invalid/mcp")
        proxy.shutdown()
    assert "http://mcp.invalid/mcp" in asked
