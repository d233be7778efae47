"""The process behind a stdio server: its last words, whether it lives, and its end with ours."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

_KEPT = 16_384
_GRACE = 1.0
_CAN_WRAP = os.name == "posix" and bool(sys.executable)
_groups: set[int] = set()


def wrapped(command: Sequence[str]) -> list[str]:
    """Put `child.py` before a command, where a process can be tied to ours."""
    if not _CAN_WRAP:
        return list(command)
    child = str(Path(__file__).with_name("child.py"))
    return [sys.executable, "-I", "-S", child, str(os.getpid()), *command]


class ServerProcess:
    """A stdio server's process as seen through its stderr, of which the last 16 KiB are kept.

    Args:
        on_end: Called on a thread of its own when stderr has ended, which is most often the process's end.
    """

    def __init__(self, on_end: Callable[[], None]) -> None:
        self._kept = bytearray()
        self._pid: int | None = None
        self._pid_expected = _CAN_WRAP
        self._on_end = on_end
        self._read, write = os.pipe()
        self.stderr: TextIO = os.fdopen(write, "w")
        """To be given to the SDK for the child, then closed."""
        self._thread = threading.Thread(target=self._drain, name="mcp-notebook stderr", daemon=True)
        self._thread.start()

    @property
    def alive(self) -> bool:
        """Whether the process may still be running (true as well where its id is unknown)."""
        if self._pid is None:
            return True
        try:
            os.kill(self._pid, 0)
        except ProcessLookupError:
            return False
        return True

    @property
    def stderr_so_far(self) -> str:
        """What the process has written to stderr of late."""
        return self._kept.decode("utf-8", "replace").strip()

    async def last_words(self) -> str:
        """`stderr_so_far`, once the process has ended or half a second has passed."""
        await asyncio.to_thread(self._thread.join, 0.5)
        return self.stderr_so_far

    def forget(self) -> None:
        """Leave the process alone from now on: it has been ended."""
        self.stderr.close()
        if self._pid is not None:
            _groups.discard(self._pid)

    def _drain(self) -> None:
        with open(self._read, "rb", buffering=0) as stderr:
            while chunk := stderr.read(65_536):
                self._kept += chunk
                if self._pid_expected and b"\n" in self._kept:
                    self._take_pid()
                del self._kept[:-_KEPT]
        self._on_end()

    def _take_pid(self) -> None:
        first, _, self._kept = self._kept.partition(b"\n")
        self._pid_expected = False
        self._pid = int(first)
        _groups.add(self._pid)


@atexit.register
def _end_all() -> None:
    _signal_all(signal.SIGTERM)
    deadline = time.monotonic() + _GRACE
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
        except ProcessLookupError:
            _groups.discard(group)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_groups.clear)  # a fork's exit must not end our servers
