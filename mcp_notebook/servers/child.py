"""What a stdio server's process runs first: it ties its life to ours and becomes the server.

A script, not a module to import: run as `python -I -S child.py LIFELINE COMMAND ARG…`, it needs no more than the
standard library. `LIFELINE` is the reading end of a pipe whose writing end we hold: the system closes that with us,
however we end, kill -9 included. A small watcher waits for it, and ends the server with all that it has started.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

_GRACE = 1.0


def main(lifeline: int, command: list[str]) -> None:
    """Leave a watcher behind, and become `command`."""
    group = os.getpgid(0)
    if os.fork() == 0:
        watch(lifeline, group)
    os.close(lifeline)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot run {command[0]}: {error.strerror}\n".encode())
        os._exit(127)


def watch(lifeline: int, group: int) -> None:
    """Wait for the end of the pipe, then end a process group."""
    os.setsid()  # out of the group that it is to end
    nowhere = os.open(os.devnull, os.O_RDWR)
    for pipe in (0, 1, 2):  # the server's own, whose end must be seen when the server ends
        os.dup2(nowhere, pipe)
    while os.read(lifeline, 1):
        pass
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGTERM)
        end = time.monotonic() + _GRACE
        while time.monotonic() < end:
            os.killpg(group, 0)
            time.sleep(0.02)
        os.killpg(group, signal.SIGKILL)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
