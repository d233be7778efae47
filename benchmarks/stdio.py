"""Big results: our stdio beside the SDK's own, and beside streamable HTTP, in the same run.

    python benchmarks/stdio.py [MEBIBYTES …]

For each size: how long one tool call takes that returns that much text, and the longest time in which the event loop
did nothing else meanwhile. The best of three; the SDK's own is given up after a minute.
"""

from __future__ import annotations

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, cast

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.server.mcpserver import MCPServer

from mcp_notebook import connect
from mcp_notebook.servers import loop
from mcp_notebook.servers.elicitation import Call as Running

LIMIT = 60.0
TRIES = 3

server = MCPServer("big")


@server.tool(structured_output=False)
def big(mebibytes: int) -> str:
    """Return that much text."""
    return "x" * (mebibytes << 20)


Call = Callable[[str, dict[str, int]], Awaitable[object]]


async def measured(call: Call, mebibytes: int) -> tuple[float, float]:
    """Seconds for one big call, and the longest time in which the loop did nothing else."""
    stalls = [0.0]

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.005)
            stalls.append(time.perf_counter() - before - 0.005)

    ticking = asyncio.ensure_future(tick())
    await asyncio.sleep(0)
    try:
        before = time.perf_counter()
        await asyncio.wait_for(call("big", {"mebibytes": mebibytes}), LIMIT)
        return time.perf_counter() - before, max(stalls)
    finally:
        ticking.cancel()


async def by_the_sdk(mebibytes: int) -> tuple[float, float]:
    """Measure the SDK's client over its own stdio."""
    parameters = StdioServerParameters(command=sys.executable, args=[__file__, "--serve"])
    async with Client(stdio_client(parameters)) as client:
        return min([await measured(client.call_tool, mebibytes) for _ in range(TRIES)])


def by_ours(target: object, mebibytes: int) -> tuple[float, float]:
    """Measure ours, on the loop where it all happens: without the way between threads."""
    with connect("big", target) as big_server:
        session: Any = big_server._session

        async def once(tool: str, arguments: dict[str, int]) -> object:
            return await session.run(Running(tool, cast("Any", None)), lambda client: client.call_tool(tool, arguments))

        return min(loop.submit(measured(once, mebibytes)).result() for _ in range(TRIES))


def main(sizes: list[int]) -> None:
    """Print a table."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    web = subprocess.Popen([sys.executable, __file__, "--serve", str(port)], stderr=subprocess.DEVNULL)
    try:
        print("| MiB | ours, stdio | ours, HTTP | SDK's stdio | SDK / ours | ours stalls | SDK stalls |")
        print("|--:|--:|--:|--:|--:|--:|--:|")
        for size in sizes:
            ours = by_ours([sys.executable, __file__, "--serve"], size)
            http = by_ours(f"http://127.0.0.1:{port}/mcp", size)
            sdk: tuple[float, float] | None = None
            with suppress(asyncio.TimeoutError):
                sdk = asyncio.run(asyncio.wait_for(by_the_sdk(size), TRIES * LIMIT))
            theirs = f"{sdk[0]:.2f} s | {sdk[0] / ours[0]:.1f}" if sdk else f"over {LIMIT:.0f} s | –"
            stalls = f"{sdk[1]:.2f} s" if sdk else "–"
            print(f"| {size} | {ours[0]:.2f} s | {http[0]:.2f} s | {theirs} | {ours[1]:.2f} s | {stalls} |", flush=True)
    finally:
        web.kill()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        server.run("streamable-http", port=int(sys.argv[2])) if sys.argv[2:] else server.run()
    else:
        main([int(size) for size in sys.argv[1:]] or [1, 10, 50])
