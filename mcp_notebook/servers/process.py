"""The process behind a stdio server: its start, its last words, whether it lives, and its end with ours."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import signal
import sys
import time
from asyncio.subprocess import SubprocessStreamProtocol
from collections import deque
from contextlib import suppress
from pathlib import Path

from mcp_notebook.types import ServerSpec

MAX_KEPT = 65_536
"""Characters that are kept of what a process writes to stderr."""
CHUNK = 65_536
"""Bytes that are read at once."""

_GRACE = 2.0
_FLOOD_PAUSE = 0.01
_IS_POSIX = os.name == "posix"
_INHERITED = (
    ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
    if _IS_POSIX
    else (
        *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
    )
)
"""Variables that a server gets without being given them: the SDK's list, none of which holds a secret."""

_groups: set[int] = set()


class Tail:
    """The last lines of a text that comes in pieces."""

    def __init__(self) -> None:
        self._lines: deque[tuple[float, str]] = deque()
        self._size = 0
        self._rest = ""

    @property
    def lines(self) -> list[tuple[float, str]]:
        """Each line, with the time it was begun, in seconds since the epoch."""
        return [*self._lines, *([(time.time(), self._rest)] if self._rest else [])]

    def add(self, text: str) -> None:
        """Take in the next piece."""
        *whole, self._rest = (self._rest + text).split("\n")
        self._rest = self._rest[-MAX_KEPT:]
        for line in whole:
            self._lines.append((time.time(), line[-MAX_KEPT:]))
            self._size += len(self._lines[-1][1]) + 1
        while self._size > MAX_KEPT:
            self._size -= len(self._lines.popleft()[1]) + 1

    def __str__(self) -> str:
        return "\n".join(line for _, line in self.lines).strip()


class ServerProcess:
    """A stdio server's process. Made on the background loop."""

    def __init__(self) -> None:
        self.said = Tail()
        """What it has written to stderr of late, and to stdout without speaking MCP."""
        self.fault: str | None = None
        """What it did that its connection was ended for."""
        self.ended = asyncio.Event()
        """Set when it has ended; what it wrote before may still be on its way."""
        self.over = asyncio.Event()
        """Set when that has been taken in as well."""
        self._child: asyncio.subprocess.Process | None = None
        self._stderr: asyncio.Task[None] | None = None
        self._lifeline: int | None = None

    @property
    def alive(self) -> bool:
        """Whether it runs, or is yet to start."""
        return not self.ended.is_set()

    @property
    def stdin(self) -> asyncio.StreamWriter:
        """What it reads."""
        assert self._child is not None
        assert self._child.stdin is not None
        return self._child.stdin

    @property
    def stdout(self) -> asyncio.StreamReader:
        """What it writes."""
        assert self._child is not None
        assert self._child.stdout is not None
        return self._child.stdout

    async def start(self, spec: ServerSpec) -> None:
        """Start it, in a process group of its own, with no more of our environment than it needs.

        Raises:
            OSError: The command or its working directory cannot be used.
        """
        loop = asyncio.get_running_loop()
        inherited = {name: os.environ[name] for name in _INHERITED if name in os.environ}
        command, read = list(spec.command), None
        if _IS_POSIX:
            read, self._lifeline = os.pipe()
            command = [sys.executable, "-I", "-S", str(Path(__file__).with_name("child.py")), str(read), *command]
        else:
            command[0] = shutil.which(command[0]) or command[0]  # npx is npx.cmd there
        try:
            transport, protocol = await loop.subprocess_exec(
                lambda: _Protocol(CHUNK, loop, self.ended),
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=inherited | dict(spec.env),
                cwd=spec.cwd,
                start_new_session=_IS_POSIX,
                pass_fds=() if read is None else (read,),
            )
        except BaseException:
            self.forget()
            raise
        finally:
            if read is not None:
                os.close(read)
        self._child, self._transport = asyncio.subprocess.Process(transport, protocol, loop), transport
        if _IS_POSIX:
            _groups.add(self._child.pid)
        self._stderr = asyncio.ensure_future(self._listen())

    async def last_words(self) -> str:
        """What it has said of late, once it has said all or half a second has passed."""
        if self._stderr is not None:
            await asyncio.wait({self._stderr}, timeout=0.5)
        return str(self.said)

    async def stop(self) -> None:
        """End it with all that it has started: by closing its stdin, then by SIGTERM, then by SIGKILL.

        The order is the specification's (basic/lifecycle, "Shutdown", stdio).
        """
        if self._child is None:
            return
        self.stdin.close()
        try:
            for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
                if await self._ends_by_itself():
                    break
                self._signal(number)
            await self._ends_by_itself()
        finally:
            self.forget()
            assert self._stderr is not None
            self._stderr.cancel()
            self._transport.close()  # what it has started may hold on to its pipes
        await asyncio.wait({self._stderr})

    def forget(self) -> None:
        """Let go of it: its watcher ends what is left of it."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        if self._child is not None:
            _groups.discard(self._child.pid)

    async def _ends_by_itself(self) -> bool:
        ended = asyncio.ensure_future(self.ended.wait())
        await asyncio.wait({ended}, timeout=_GRACE)
        ended.cancel()
        return self.ended.is_set()

    def _signal(self, number: int) -> None:
        assert self._child is not None
        with suppress(ProcessLookupError, PermissionError):  # macOS denies what is a zombie
            if _IS_POSIX:
                os.killpg(self._child.pid, number)
            else:
                self._child.terminate()

    async def _listen(self) -> None:
        assert self._child is not None
        assert self._child.stderr is not None
        while chunk := await self._child.stderr.read(CHUNK):
            self.said.add(chunk.decode("utf-8", "replace"))
            if len(chunk) >= CHUNK // 2:
                await asyncio.sleep(_FLOOD_PAUSE)  # a flood must not take all of the loop's time


class _Protocol(SubprocessStreamProtocol):
    """Tells of a process's end when it has ended, and not only once its pipes have."""

    def __init__(self, limit: int, loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
        super().__init__(limit, loop)
        self._ended = ended

    def process_exited(self) -> None:
        super().process_exited()
        self._ended.set()


@atexit.register
def _end_all() -> None:
    _signal_all(signal.SIGTERM)
    deadline = time.monotonic() + _GRACE / 2
    while _groups and time.monotonic() < deadline:
        _signal_all(0)
        time.sleep(0.01)
    if _groups:
        _signal_all(signal.SIGKILL)


def _signal_all(number: int) -> None:
    """Signal every server's process group, and forget the groups that are gone."""
    for group in tuple(_groups):
        try:
            os.killpg(group, number)
        except (ProcessLookupError, PermissionError):
            _groups.discard(group)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_groups.clear)  # a fork's exit must not end our servers
