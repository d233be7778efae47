"""Where an authorization server sends the browser back to: a page on loopback, or what the person pastes."""

from __future__ import annotations

import asyncio
import socket
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from mcp.client.auth import AuthorizationCodeResult

PATH = "/callback"

_DONE = b"You are signed in. Close this page, and go back to the notebook."
_MAX_REQUEST = 16_384


class Redirect:
    """Takes the browser's return on a port of loopback (RFC 8252, section 7.3). Made on the background loop.

    Args:
        port: The port to use if it is free: that of the last time, which a registered client is bound to.
    """

    def __init__(self, port: int = 0) -> None:
        self._socket = socket.socket()
        try:
            self._socket.bind(("127.0.0.1", port))
        except OSError:
            self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self._server: asyncio.Server | None = None
        self._arrived: asyncio.Future[str] | None = None

    @property
    def uri(self) -> str:
        """Where the browser is to be sent."""
        return f"http://127.0.0.1:{self.port}{PATH}"

    async def arrived(self) -> str:
        """Wait for the browser; give the address that it came to."""
        if self._server is None:
            self._server = await asyncio.start_server(self._take, sock=self._socket, limit=_MAX_REQUEST)
        self._arrived = asyncio.get_running_loop().create_future()
        return await self._arrived

    def close(self) -> None:
        """Give the port back."""
        if self._server is not None:
            self._server.close()
        self._socket.close()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            words = (await asyncio.wait_for(reader.readline(), 10)).decode("latin-1").split()
            if len(words) > 1 and words[1].startswith(f"{PATH}?") and self._arrived and not self._arrived.done():
                self._arrived.set_result(words[1])
                status, body = "200 OK", _DONE
            else:
                status, body = "404 Not Found", b"There is nothing here."
            fields = f"Content-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close"
            head = f"HTTP/1.1 {status}\r\n{fields}\r\n\r\n"
            writer.write(head.encode() + body)
            await writer.drain()
        except (OSError, ValueError, asyncio.TimeoutError):
            return  # a browser that goes away in the middle comes back, or its person pastes the address
        finally:
            writer.close()


def result_of(address: str) -> AuthorizationCodeResult:
    """Read what an authorization server sent along with the browser.

    Args:
        address: The address that the browser ended on, whole or from the path on.

    Raises:
        OAuthFlowError: It refused, or that is no such address.
    """
    from mcp.client.auth import AuthorizationCodeResult, OAuthFlowError

    values = {name: found[0] for name, found in parse_qs(urlsplit(address.strip()).query).items()}
    if "error" in values:
        reason = ": ".join(filter(None, (values["error"], values.get("error_description"))))
        msg = f"it was refused ({reason})"
        raise OAuthFlowError(msg)
    if "code" not in values:
        msg = "the address has no code in it: paste the whole address of the page that you ended on"
        raise OAuthFlowError(msg)
    return AuthorizationCodeResult(code=values["code"], state=values.get("state"), iss=values.get("iss"))
