"""What a call costs: ours beside the bare SDK, the FastMCP client and langchain-mcp-adapters, in the same run.

    python benchmarks/calls.py [CALLS]

One trivial tool, over stdio and in process where that can be; calls in turns of twenty by each client, so that all see
the same machine; the median, its ratio to the bare SDK's, and the slowest twentieth. The bare SDK stands there three
times: awaited on its own loop; and as a cell must use it, whose loop is not the client's: blocking, and awaited. Then a
thousand calls, eight at a time: `map` beside `asyncio.gather` over the bare SDK. The other clients live in an
environment of their own, which is made at first (their requirements are not ours).
"""

from __future__ import annotations

import asyncio
import gc
import json
import queue
import random
import statistics
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__)
OTHERS = Path(sys.prefix) / "benchmarks"
REQUIREMENTS = {"fastmcp": ("fastmcp",), "langchain": ("langchain-mcp-adapters",)}
COMMAND = [sys.executable, str(HERE), "--serve"]
TURN = 20
MANY, AT_ONCE, ROUNDS = 1000, 8, 5

Call = Callable[[int], object]
AsyncCall = Callable[[int], Awaitable[object]]


def make_server() -> Any:
    """Make the server of one trivial tool."""
    from mcp.server.mcpserver import MCPServer

    server = MCPServer("adding")

    @server.tool()
    def add(a: int, b: int = 1) -> int:
        return a + b

    return server


async def turn(call: AsyncCall, count: int) -> list[float]:
    """Make calls one after the other, and give the seconds of each."""
    times: list[float] = []
    for number in range(count):
        began = time.perf_counter()
        await call(number)
        times.append(time.perf_counter() - began)
    return times


class Loop:
    """A client on a loop of its own, in a thread of its own, that takes its turns when told."""

    def __init__(self, client: Callable[[asyncio.Future[AsyncCall]], Awaitable[None]]) -> None:
        self._up = threading.Event()
        self._times: queue.Queue[list[float]] = queue.Queue()
        threading.Thread(target=lambda: asyncio.run(self._run(client)), daemon=True).start()

    async def _run(self, client: Any) -> None:
        self._loop, self._turns = asyncio.get_running_loop(), asyncio.Queue[int]()
        self._up.set()
        ready: asyncio.Future[AsyncCall] = asyncio.get_running_loop().create_future()
        running = asyncio.ensure_future(client(ready))
        await asyncio.wait({ready, running}, return_when=asyncio.FIRST_COMPLETED)
        self._call = ready.result()
        while True:
            count = await self._turns.get()
            self._times.put(await turn(self._call, count))

    def turn(self, count: int) -> list[float]:
        """Take a turn."""
        self._up.wait()
        self._loop.call_soon_threadsafe(self._turns.put_nowait, count)
        return self._times.get(timeout=120)

    def blocking(self, count: int) -> list[float]:
        """Take a turn, each call of which blocks this thread."""
        times: list[float] = []
        for number in range(count):
            began = time.perf_counter()
            self._submit(number).result()
            times.append(time.perf_counter() - began)
        return times

    def awaited(self, count: int) -> list[float]:
        """Take a turn, each call of which is awaited on a loop of this thread."""
        return asyncio.run(turn(lambda number: asyncio.wrap_future(self._submit(number)), count))

    def _submit(self, number: int) -> Future[object]:
        async def call() -> object:
            return await self._call(number)

        return asyncio.run_coroutine_threadsafe(call(), self._loop)


class Program:
    """A client in another environment, that takes its turns when told by a line."""

    def __init__(self, name: str, way: str) -> None:
        python = environment(name)
        command = [str(python), str(HERE), "--client", name, way, sys.executable]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def turn(self, count: int) -> list[float]:
        """Take a turn."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(count, file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("that client has ended: see what it said above")
        return json.loads(line)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def environment(name: str) -> Path:
    """Give the Python of another client's environment, made at first."""
    folder = OTHERS / name
    python = folder / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        print(f"installing {name} into an environment of its own", file=sys.stderr)
        venv.create(folder, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "-qq", *REQUIREMENTS[name]], check=True)
        done.touch()
    return python


async def bare(target: Any, ready: asyncio.Future[AsyncCall]) -> None:
    """Be the SDK's own client."""
    from mcp import Client

    async with Client(target) as client:
        ready.set_result(lambda number: client.call_tool("add", {"a": number}))
        await asyncio.get_running_loop().create_future()


def sdk_target(way: str) -> Any:
    """Give what the SDK's client connects to."""
    from mcp import StdioServerParameters
    from mcp.client.stdio import stdio_client

    if way == "stdio":
        return stdio_client(StdioServerParameters(command=COMMAND[0], args=COMMAND[1:]))
    return make_server()


def measure(way: str, calls: int) -> None:
    """Print the table of one transport."""
    from mcp_notebook import connect
    from mcp_notebook.servers import loop

    with connect("adding", COMMAND if way == "stdio" else make_server()) as server:
        tool: Any = server.tools["add"]

        def ours(count: int) -> list[float]:
            times: list[float] = []
            for number in range(count):
                began = time.perf_counter()
                tool(a=number)
                times.append(time.perf_counter() - began)
            return times

        async def on_the_loop(number: int) -> object:
            place: Any = server._places()
            return await server.call_for_model(place, "add", {"a": number})

        sdk = Loop(lambda ready: bare(sdk_target(way), ready))
        takers: dict[str, Callable[[int], list[float]]] = {
            "bare SDK": sdk.turn,
            "bare SDK, blocking another thread": sdk.blocking,
            "ours, `tools.add(a=1)`": ours,
            "bare SDK, awaited in another thread": sdk.awaited,
            "ours, `await tools.add.acall(a=1)`": lambda count: asyncio.run(turn(lambda a: tool.acall(a=a), count)),
            "ours, on its own loop": lambda count: loop.submit(turn(on_the_loop, count)).result(),
        }
        programs: list[Program] = []
        for name, shown in (("fastmcp", "FastMCP client"), ("langchain", "langchain-mcp-adapters")):
            if way == "stdio" or name == "fastmcp":
                programs.append(Program(name, way))
                takers[shown] = programs[-1].turn
        times: dict[str, list[float]] = {name: [] for name in takers}
        for name, take in [*takers.items()]:
            try:
                take(TURN)  # warm
            except RuntimeError:
                print(f"{name}: not to be had here", file=sys.stderr)
                del takers[name], times[name]
        for _ in range(max(calls // TURN, 1)):
            for name in random.sample([*takers], len(takers)):  # who comes after whom makes a difference
                times[name] += takers[name](TURN)
        for program in programs:
            program.close()
    base = statistics.median(times["bare SDK"])
    print(f"\n| {way} | median | to the SDK | slowest 5 % |\n|:--|--:|--:|--:|")
    for name, taken in times.items():
        median, slow = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
        print(f"| {name} | {1e3 * median:.2f} ms | {median / base:.2f} | {1e3 * slow:.2f} ms |", flush=True)


def measure_many(way: str) -> None:
    """Print how `map` does beside `asyncio.gather`: the best of some of each, in turns."""
    from mcp_notebook import connect

    async def gathered() -> float:
        from mcp import Client

        async with Client(sdk_target(way)) as client:
            await client.call_tool("add", {"a": 0})
            width = asyncio.Semaphore(AT_ONCE)

            async def one(number: int) -> object:
                async with width:
                    return await client.call_tool("add", {"a": number})

            began = time.perf_counter()
            await asyncio.gather(*map(one, range(MANY)))
            return time.perf_counter() - began

    with connect("adding", COMMAND if way == "stdio" else make_server()) as server:
        theirs: list[float] = []
        ours: list[float] = []
        for _ in range(ROUNDS):
            gc.collect()
            theirs.append(asyncio.run(gathered()))
            gc.collect()
            began = time.perf_counter()
            server.tools["add"].map(range(MANY), concurrency=AT_ONCE)
            ours.append(time.perf_counter() - began)
    rate = MANY / min(theirs), MANY / min(ours)
    print(f"| {way} | {rate[0]:,.0f} | {rate[1]:,.0f} | {rate[1] / rate[0]:.0%} |", flush=True)


async def other(name: str, way: str, python: str) -> None:
    """Be one of the other clients: for each line on stdin, take that many calls, and print the seconds of each."""
    command = [python, str(HERE), "--serve"]
    if name == "fastmcp":
        from fastmcp import Client, FastMCP
        from fastmcp.client.transports import StdioTransport

        inside: Any = FastMCP("adding")

        @inside.tool
        def add(a: int, b: int = 1) -> int:
            return a + b

        target: Any = StdioTransport(command=command[0], args=command[1:]) if way == "stdio" else inside
        async with Client(target) as client:
            await serve_turns(lambda number: client.call_tool("add", {"a": number}))
    else:
        from langchain_mcp_adapters.client import MultiServerMCPClient
        from langchain_mcp_adapters.tools import load_mcp_tools

        client = MultiServerMCPClient({"adding": {"transport": "stdio", "command": command[0], "args": command[1:]}})
        async with client.session("adding") as session:
            (tool,) = await load_mcp_tools(session)
            await serve_turns(lambda number: tool.ainvoke({"a": number}))


async def serve_turns(call: AsyncCall) -> None:
    """Take turns until stdin ends."""
    while line := await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(await turn(call, int(line))), flush=True)


def main(calls: int) -> None:
    """Print the tables."""
    for way in ("stdio", "in process"):
        measure(way, calls)
    print(f"\n| {MANY:,} calls, {AT_ONCE} at a time | `gather`, a second | `map`, a second | map / gather |")
    print("|:--|--:|--:|--:|")
    for way in ("stdio", "in process"):
        measure_many(way)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["--serve"]:
            with suppress(KeyboardInterrupt):
                make_server().run()
        case ["--client", name, way, python]:
            asyncio.run(other(name, way, python))
        case arguments:
            main(int(arguments[0]) if arguments else 400)
