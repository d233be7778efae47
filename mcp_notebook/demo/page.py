"""A page on loopback where a password is entered: open for one person, once, and only as long as it is needed."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from functools import partial
from html import escape
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from typing import Any
from urllib.parse import parse_qs

import anyio.to_thread

_OPEN_SECONDS = 3600.0
_SHORTEST = 8
_LONGEST_BODY = 4096
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
}
_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Set a password</title>
<style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }}
main {{ max-width: 24rem; margin: 12vh auto; padding: 0 1rem }}
label, input, button {{ display: block; width: 100%; box-sizing: border-box; font: inherit }}
input, button {{ margin-top: .5rem; padding: .5rem }}
</style></head><body><main>{body}</main></body></html>"""
_FORM = """<h1>Set a password</h1><form method="post"><label for="password">A new password for {user}</label>
<input id="password" name="password" type="password" autocomplete="new-password" required autofocus>
<p role="alert">{problem}</p><button>Set it</button></form>"""
_DONE = "<h1>The password was set</h1><p>You can close this page and go back to your notebook.</p>"
_GONE = "<h1>There is nothing here</h1>"


class PasswordPage:
    """A page that listens on loopback from the moment it is made until it is closed. A context manager that closes it.

    Args:
        user: Whose password it is.
    """

    def __init__(self, user: str) -> None:
        self.token = secrets.token_urlsafe(16)
        self.is_set = False
        """Whether a password was set. What it is, this demo forgets at once."""
        self._user = user
        self._ended = threading.Event()
        self._closing = threading.Lock()
        self._server = ThreadingTCPServer(("127.0.0.1", 0), partial(_Handler, self))
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        self._timer = threading.Timer(_OPEN_SECONDS, self.close)
        self._timer.daemon = True
        self._timer.start()

    @property
    def url(self) -> str:
        """Where it is: nobody can guess the path."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/{self.token}"

    @property
    def is_closed(self) -> bool:
        """Whether it listens no longer."""
        return self._ended.is_set()

    async def ended(self) -> None:
        """Wait until the password is set, or the page is closed."""
        await anyio.to_thread.run_sync(self._ended.wait, abandon_on_cancel=True)

    def show(self) -> str:
        """The page, as HTML."""
        return _DONE if self.is_set else _FORM.format(user=escape(self._user), problem="")

    def take(self, password: str) -> str:
        """Set the password; returns the page that says so, or what is wrong with it."""
        if len(password) < _SHORTEST:
            return _FORM.format(user=escape(self._user), problem=f"It must have {_SHORTEST} characters or more.")
        self.is_set = True
        return _DONE

    def close(self) -> None:
        """Stop listening. More than once does no harm."""
        with self._closing:
            if not self._ended.is_set():
                self._timer.cancel()
                self._server.shutdown()
                self._server.server_close()
                self._ended.set()

    def __enter__(self) -> PasswordPage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Handler(BaseHTTPRequestHandler):
    timeout = 10

    def __init__(self, page: PasswordPage, *args: Any) -> None:
        self._page = page
        super().__init__(*args)

    def do_GET(self) -> None:
        self._answer(self._page.show)

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(min(int(length), _LONGEST_BODY)) if length.isdecimal() else b""
        password = parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        self._answer(lambda: self._page.take(password))
        if self._page.is_set:
            self._page.close()

    def log_message(self, format: str, *args: Any) -> None:
        """Write nothing to stderr: the path is a secret."""

    def _answer(self, show: Callable[[], str]) -> None:
        known = secrets.compare_digest(self.path.encode(), f"/{self._page.token}".encode())
        data = _PAGE.format(body=show() if known else _GONE).encode()
        self.send_response(200 if known else 404)
        for name, value in {**_HEADERS, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)
