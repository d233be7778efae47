"""The servers that a kernel has started end with it, however it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

from tests.kernel.client import Frontend
from tests.protocol.conftest import script, until

STUBBORN = """
import os, runpy, signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1], "w").write(str(os.getpid()))
sys.argv = ["raw", "--stubborn"]
runpy.run_path({raw!r}, run_name="__main__")
"""


def _shut_down(kernel: KernelManager) -> None:
    kernel.shutdown_kernel()


def _restart(kernel: KernelManager) -> None:
    kernel.restart_kernel(stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _kill(kernel: KernelManager) -> None:
    kernel.signal_kernel(signal.SIGKILL)


def _crash(kernel: KernelManager) -> None:
    kernel.signal_kernel(signal.SIGSEGV)


@pytest.mark.newest_kernel
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # jupyter_client's sockets at a restart
@pytest.mark.parametrize("end", [_shut_down, _restart, _kill, _crash], ids=lambda end: end.__name__)
@pytest.mark.parametrize("behind_a_shell", [False, True], ids=["itself", "behind a shell"])
def test_a_server_that_ignores_its_end_ends_with_the_kernel(
    frontend: Frontend, tmp_path: Path, behind_a_shell: bool, end: Callable[[KernelManager], None]
):
    server, told = tmp_path / "stubborn.py", tmp_path / "pid"
    server.write_text(STUBBORN.format(raw=script("raw")[1]))
    command = f"{sys.executable} {server} {told}"
    line = f"sh -c '{command}; true'" if behind_a_shell else command
    assert "is connected" in frontend.run(f"%load_ext mcp_notebook\n%mcp connect stubborn -- {line}").text
    pid = int(told.read_text())
    assert _runs(pid)

    end(frontend.manager)

    until(lambda: not _runs(pid), "the server has ended")


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()
