"""A web server, written by hand, that speaks just enough MCP for each of its tools to fail in a way of its own."""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INFO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "faulty", "version": "0"},
}
HELLO = {"content": [{"type": "text", "text": "hello"}]}
STATUSES = (401, 403, 404, 413, 429, 500, 503)

Respond = Callable[["Handler", Any], None]


class Faulty(ThreadingHTTPServer):
    """The server; `calls` counts the calls of each tool, and `released` lets those go that hang."""

    daemon_threads = True

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.scheme = "http" if context is None else "https"
        if context is not None:
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.calls: Counter[str] = Counter()
        self.released = threading.Event()
        self.tools: list[dict[str, Any]] = [{"name": name, "inputSchema": {"type": "object"}} for name in FAULTS]
        for tool in self.tools:
            if tool["name"] == "once_only":
                tool["annotations"] = {"idempotentHint": False}

    @property
    def url(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.server_port}/mcp"


class Handler(BaseHTTPRequestHandler):
    server: Faulty  # pyright: ignore[reportIncompatibleVariableOverride]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        method, of = request.get("method"), request.get("id")
        if method is None:  # somebody wants to register
            self.reply(404, b"")
        elif of is None:
            self.reply(202, b"")
        elif method == "initialize":
            self.answer(of, INFO)
        elif method == "tools/list":
            self.answer(of, {"tools": self.server.tools})
        elif method == "tools/call":
            name = request["params"]["name"]
            self.server.calls[name] += 1
            FAULTS[name](self, of)
        else:
            self.reply(
                400, json.dumps({"jsonrpc": "2.0", "id": of, "error": {"code": -32601, "message": "no"}}).encode()
            )

    def do_GET(self) -> None:
        self.reply(405, b"")

    def do_DELETE(self) -> None:
        self.reply(200, b"")

    def answer(self, of: Any, result: Any, **headers: str) -> None:
        self.reply(200, json.dumps({"jsonrpc": "2.0", "id": of, "result": result}).encode(), **headers)

    def reply(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, body: bytes) -> None:
        """Begin an event stream that never comes to its end."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(body), body))
        self.wfile.flush()

    def cut(self) -> None:
        """Cut the connection."""
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def hang(self) -> None:
        """Say no more until the test is over."""
        self.server.released.wait(30)
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _status(status: int) -> Respond:
    return lambda handler, of: handler.reply(status, b"<h1>No</h1>", "text/html", Retry_After="7")


def _transient(handler: Handler, of: Any) -> None:
    """Refuse the first two of each three calls."""
    name = "once_only" if handler.server.calls["once_only"] else "transient"
    if handler.server.calls[name] % 3:
        handler.reply(503, b"", Retry_After="0")
    else:
        handler.answer(of, HELLO)


def _cut_first(handler: Handler, of: Any) -> None:
    if handler.server.calls["cut_first"] % 2:
        handler.cut()
    else:
        handler.answer(of, HELLO)


def _half(handler: Handler, of: Any) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"jsonrpc": "2.0", ')
    handler.cut()


def _error(handler: Handler, of: Any) -> None:
    handler.reply(200, json.dumps({"jsonrpc": "2.0", "id": of, "error": {"code": -7, "message": "no more"}}).encode())


def _stream_cut(handler: Handler, of: Any) -> None:
    handler.stream(b": to be continued\n\n")
    handler.cut()


def _stream_silent(handler: Handler, of: Any) -> None:
    handler.stream(b": wait\n\n")
    handler.hang()


FAULTS: dict[str, Respond] = {
    "hello": lambda handler, of: handler.answer(of, HELLO),
    **{f"status_{status}": _status(status) for status in STATUSES},
    "html": lambda handler, of: handler.reply(200, b"<h1>Welcome</h1>", "text/html"),
    "not_json": lambda handler, of: handler.reply(200, b"{oops"),
    "accepted": lambda handler, of: handler.reply(202, b""),
    "malformed": lambda handler, of: handler.answer(of, {"content": "not a list"}),
    "other_id": lambda handler, of: handler.answer("another", HELLO),
    "half": _half,
    "cut": lambda handler, of: handler.cut(),
    "silent": lambda handler, of: handler.hang(),
    "stream_cut": _stream_cut,
    "stream_silent": _stream_silent,
    "error": _error,
    "transient": _transient,
    "once_only": _transient,
    "cut_first": _cut_first,
    "busy": lambda handler, of: handler.reply(429, b"", Retry_After="900"),
}
"""What each tool does: `respond(handler, id of the request)`."""


@contextmanager
def faulty(context: ssl.SSLContext | None = None) -> Iterator[Faulty]:
    """Run the server in this process, over TLS where a context is given."""
    with Faulty(context) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.released.set()
        server.shutdown()
