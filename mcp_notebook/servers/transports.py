"""From a `ServerSpec` to what the SDK's `Client` connects to."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from mcp_notebook.servers.auth.provider import Ask
from mcp_notebook.servers.http import HttpNotes, http
from mcp_notebook.servers.lenient import lenient
from mcp_notebook.servers.process import ServerProcess
from mcp_notebook.servers.stdio import stdio
from mcp_notebook.types import ServerSpec


def transport(
    spec: ServerSpec, process: ServerProcess | None, notes: HttpNotes, may_repeat: Callable[[str], bool], ask: Ask
) -> Any:
    """Give what `mcp.Client` takes as its server.

    Args:
        spec: How to reach the server.
        process: stdio: takes the child's stderr.
        notes: HTTP: takes what the answers said.
        may_repeat: HTTP: whether a tool of that name may be called again, though it may have run.
        ask: HTTP: puts a question to the person.
    """
    quiet_sdk()
    if spec.transport == "in-process":
        return spec.server
    if process is not None:
        return lenient(stdio(spec, process))
    return lenient(http(spec, notes, may_repeat, ask))


def quiet_sdk() -> None:
    """Keep the SDK's client logs, tracebacks among them, out of cells, unless the user has set a level for them."""
    for name in ("mcp.client", "mcp.shared"):
        logger = logging.getLogger(name)
        if logger.level == logging.NOTSET:
            logger.setLevel(logging.CRITICAL)
    logging.getLogger("client").addFilter(_not_from_sdk)  # mcp/client/session.py logs under this bare name


def _not_from_sdk(record: logging.LogRecord) -> bool:
    return record.module != "session" or record.levelno >= logging.CRITICAL
