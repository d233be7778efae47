"""What a stdio server's process runs first: it ties its life to ours and becomes the server.

A script, not a module to import: run as `python -I -S child.py PARENT COMMAND ARG…`, it needs nothing but the standard
library. It writes its process id to stderr as the first line, since the SDK does not give it out.
"""

from __future__ import annotations

import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


def main(parent: int, command: list[str]) -> None:
    """Become `command`, to be killed by Linux when the thread that started us is gone, even by kill -9."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before the line above
            os._exit(1)
    os.write(2, f"{os.getpid()}\n".encode())
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot run {command[0]}: {error.strerror}\n".encode())
        os._exit(127)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
