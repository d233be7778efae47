"""From a `ServerSpec` to what the SDK's `Client` connects to."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp_notebook.servers.process import ServerProcess, wrapped
from mcp_notebook.types import ServerSpec

if TYPE_CHECKING:
    import httpx2

_CONNECT_SECONDS = 30.0
_MAX_EVENT_BYTES = 256 * 1024 * 1024  # the SDK's default of 1 MiB fails on ordinary images


class HttpNotes:
    """What HTTP said last that the SDK's errors leave out.

    Args:
        on_refused: Called when a message was refused, where the SDK lets the request wait for ever (SSE).
    """

    def __init__(self, on_refused: Callable[[], None] | None = None) -> None:
        self._on_refused = on_refused
        self.status: int | None = None
        """The last status of 400 or more."""
        self.content_type = ""
        """The type of the last answer that was not an error."""

    async def note(self, response: httpx2.Response) -> None:
        """Response hook for the HTTP client."""
        if response.status_code >= 400:
            self.status = response.status_code
            if self._on_refused is not None and response.request.method == "POST":
                self._on_refused()
        else:
            self.content_type = response.headers.get("content-type", "").partition(";")[0].strip()


def transport(spec: ServerSpec, process: ServerProcess | None, notes: HttpNotes) -> Any:
    """Give what `mcp.Client` takes as its server.

    Args:
        spec: How to reach the server.
        process: stdio: takes the child's stderr.
        notes: HTTP: takes what the answers said.
    """
    quiet_sdk()
    if spec.transport == "in-process":
        return spec.server
    if process is not None:
        return _stdio(spec, process)
    return _http(spec, notes)


@asynccontextmanager
async def _stdio(spec: ServerSpec, process: ServerProcess) -> AsyncGenerator[Any, None]:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    command, *arguments = wrapped(spec.command)
    parameters = StdioServerParameters(
        command=command,
        args=arguments,
        env=dict(spec.env),
        cwd=spec.cwd,
        encoding_error_handler="replace",  # "strict" ends the reader, and the connection hangs
    )
    async with stdio_client(parameters, errlog=process.stderr) as streams:
        process.stderr.close()  # the child has it now
        yield streams


@asynccontextmanager
async def _http(spec: ServerSpec, notes: HttpNotes) -> AsyncGenerator[Any, None]:
    import httpx2
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client

    url = spec.url or ""
    http = httpx2.AsyncClient(
        headers=dict(spec.headers),
        timeout=httpx2.Timeout(_CONNECT_SECONDS, read=None),  # no clock runs while a person fills in a form
        event_hooks={"response": [notes.note]},
    )
    if spec.transport == "sse":
        async with sse_client(url, httpx_client_factory=lambda headers=None, timeout=None, auth=None: http) as streams:
            yield streams
        return
    async with http, streamable_http_client(url, http_client=http, max_sse_event_size=_MAX_EVENT_BYTES) as streams:
        yield streams


def quiet_sdk() -> None:
    """Keep the SDK's client logs, tracebacks among them, out of cells, unless the user has set a level for them."""
    for name in ("mcp.client", "mcp.shared"):
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.CRITICAL)
    logging.getLogger("client").addFilter(_not_from_sdk)  # mcp/client/session.py logs under this bare name


def _not_from_sdk(record: logging.LogRecord) -> bool:
    return record.module != "session" or record.levelno >= logging.CRITICAL
