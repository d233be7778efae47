r"""stdio: a server that is a process of its own, one message of JSON-RPC a line.

In place of the SDK's `stdio_client`, whose reader (mcp 2.3.0, `mcp/client/stdio.py`, `stdout_reader`) does
`lines = (buffer + chunk).split("\n")` for each chunk of at most 64 KiB: it copies and searches all that a line has so
far again with each chunk, so its time grows with the square of the line, and its loop does nothing else meanwhile. See
benchmarks/README.md for what that costs. A linear reader searches each chunk once and joins them at the line's end.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any

from mcp_notebook.servers.process import CHUNK, ServerProcess
from mcp_notebook.types import ServerSpec

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.shared.message import SessionMessage

MAX_LINE = 256 * 1024 * 1024
"""Bytes of one message."""

_LAST_ANSWER = 0.05
_LAST_OUTPUT = 0.5
_FLUSH = 0.5
_MAX_JUNK = 1000


@asynccontextmanager
async def stdio(spec: ServerSpec, process: ServerProcess) -> AsyncGenerator[Any, None]:
    """Start a server by its command, as one of the SDK's transports (MCP specification, basic/transports, "stdio").

    Args:
        spec: How to start it.
        process: What is started.
    """
    import anyio

    await process.start(spec)
    arrive, arrived = anyio.create_memory_object_stream["SessionMessage | Exception"](0)
    send, to_send = anyio.create_memory_object_stream["SessionMessage"](0)
    reading = asyncio.ensure_future(_read(process, arrive))
    writing = asyncio.ensure_future(_write(process, to_send, arrive))
    watching = asyncio.ensure_future(_watch(process, reading, arrive))
    try:
        yield arrived, send
    finally:
        send.close()
        try:
            with anyio.CancelScope(shield=True):
                await asyncio.wait({writing}, timeout=_FLUSH)
                await process.stop()
        finally:
            for task in (reading, writing, watching):
                task.cancel()
            for stream in (arrive, arrived, to_send):
                stream.close()


async def _read(process: ServerProcess, arrive: MemoryObjectSendStream[SessionMessage | Exception]) -> None:
    """Hand on what the server writes, message by message; what is no message is kept with its other words."""
    import anyio

    pieces: list[bytes] = []
    size = 0
    with arrive, suppress(anyio.BrokenResourceError, anyio.ClosedResourceError, ConnectionError):
        while chunk := await process.stdout.read(CHUNK):
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                message = _message(b"".join([*pieces, line]), process)
                pieces.clear()
                size = 0
                if message is not None:
                    await arrive.send(message)
            pieces.append(rest)
            size += len(rest)
            if size > MAX_LINE:
                process.fault = f"it wrote a message of more than {MAX_LINE >> 20} MiB"
                return


async def _write(
    process: ServerProcess,
    to_send: MemoryObjectReceiveStream[SessionMessage],
    arrive: MemoryObjectSendStream[SessionMessage | Exception],
) -> None:
    with suppress(OSError):
        async for sent in to_send:
            process.stdin.write(sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await process.stdin.drain()
        return
    if process.alive:
        process.fault = "it has closed its input"
    arrive.close()  # no answer can come to what could not be sent


async def _watch(
    process: ServerProcess, reading: asyncio.Task[None], arrive: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    """End the connection with the process, though something that it started may hold its output open."""
    await process.ended.wait()
    await asyncio.wait({reading}, timeout=_LAST_OUTPUT)
    await asyncio.sleep(_LAST_ANSWER)
    arrive.close()
    process.over.set()


def _message(line: bytes, process: ServerProcess) -> SessionMessage | None:
    from mcp.shared.message import SessionMessage
    from mcp.types import jsonrpc_message_adapter

    if not line.strip():
        return None
    try:
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            text = line.decode("utf-8", "replace")  # one bad byte must not lose a message
            if "\N{REPLACEMENT CHARACTER}" not in text:
                raise
            return SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError:
        process.said.add(f"{line[:_MAX_JUNK].decode('utf-8', 'replace').rstrip()}\n")
        return None
