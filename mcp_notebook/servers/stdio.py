"""stdio: a server that is a process of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp_notebook.servers.process import ServerProcess, wrapped
from mcp_notebook.types import ServerSpec


@asynccontextmanager
async def stdio(spec: ServerSpec, process: ServerProcess) -> AsyncGenerator[Any, None]:
    """Start a server by its command, as one of the SDK's transports.

    Args:
        spec: How to start it.
        process: Takes its stderr.
    """
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
