"""A TCP proxy that delays both ways: between browser and Jupyter it makes a loopback as slow as a distant hub."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from types import TracebackType


class DelayProxy:
    """Forwards connections to a port on loopback, late.

    Args:
        target: The port to forward to.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.delay = 0.0
        """How late each byte arrives, in seconds, each way. May be changed at any time."""
        self.port = 0
        self._listening = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="delay-proxy", daemon=True)

    def __enter__(self) -> DelayProxy:
        self._thread.start()
        assert self._listening.wait(10), "the delay proxy did not start"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None):
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join(10)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._closing = asyncio.Event()
        server = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._listening.set()
        await self._closing.wait()
        server.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        beyond_reader, beyond_writer = await asyncio.open_connection("127.0.0.1", self.target)
        await asyncio.gather(self._forward(reader, beyond_writer), self._forward(beyond_reader, writer))

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Read at once and write later, so that the delay limits no throughput."""
        due: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def read() -> None:
            data = b"more"
            while data:
                with contextlib.suppress(ConnectionError):
                    data = b""
                    data = await reader.read(65536)
                due.put_nowait((self._loop.time() + self.delay, data))

        async def write() -> None:
            with contextlib.suppress(ConnectionError):
                while True:
                    when, data = await due.get()
                    await asyncio.sleep(when - self._loop.time())
                    if not data:
                        break
                    writer.write(data)
                    await writer.drain()
            writer.close()

        await asyncio.gather(read(), write())
