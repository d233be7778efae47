"""Real servers that nobody here wrote, each in an environment of its own: what they stand on differs from ours."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from pathlib import Path

from mcp_notebook.servers.server import Server
from tests import everything
from tests.protocol.conftest import Session, free_port, wait_for_port
from tests.protocol.places import BOUND

HOME = Path(sys.prefix) / "servers"
PACKAGES = everything.NODE / "node_modules" / "@modelcontextprotocol"

NEW = ("mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19", "mcp-server-motherduck==1.1.0")
"""Servers on the SDK of today."""
NAMES = ("mcp-server-time", "mcp-server-git", "mcp-server-motherduck")
"""Their programs."""
OLD = ("mcp<2", "mcp-server-sqlite==2025.4.25")
"""A server on the SDK of before."""


def from_pypi(program: str, requirements: tuple[str, ...]) -> str:
    """Give the path of a server's program; installs it at first, once for all who ask at the same time."""
    folder = HOME / ("old" if requirements is OLD else "new")
    folder.parent.mkdir(exist_ok=True)
    told = folder / "requirements.txt"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not told.exists() or told.read_text() != "\n".join(requirements):
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", "--disable-pip-version-check"]
            subprocess.run([*pip, *requirements], check=True)
            told.write_text("\n".join(requirements))
    return str(folder / "bin" / program)


def link_programs() -> Path:
    """Install every server that a notebook starts by its name, and give the folder in which their programs are."""
    folder = HOME / "bin"
    folder.mkdir(parents=True, exist_ok=True)
    programs = {name: from_pypi(name, NEW) for name in NAMES}
    everything.command()
    programs["mcp-server-filesystem"] = str(everything.NODE / "node_modules" / ".bin" / "mcp-server-filesystem")
    for name, program in programs.items():
        link = folder / name
        if not link.is_symlink():
            link.symlink_to(program)
    return folder


def from_npm(name: str) -> list[str]:
    """Give the command of a server of tests/node/package.json."""
    everything.command()
    return [everything.PROGRAM, str(PACKAGES / name / "dist" / "index.js")]


class Everything:
    """server-everything, connected by one of its transports.

    Args:
        session: Connects it.
        transport: "stdio", "http" or "sse".
    """

    def __init__(self, session: Session, transport: str) -> None:
        mode = {"stdio": "stdio", "http": "streamableHttp", "sse": "sse"}[transport]
        self._command = [*from_npm("server-everything"), mode]
        self._process: subprocess.Popen[bytes] | None = None
        self._port = free_port()
        if transport == "stdio":
            self.server = session.connect("everything", self._command)
            return
        self.start()
        url = f"http://127.0.0.1:{self._port}/{'mcp' if transport == 'http' else 'sse'}"
        self.server = session.connect("everything", url, transport=transport)

    def start(self) -> None:
        """Start it, where nobody else does; where it was if it was there before."""
        environment = os.environ | {"PORT": str(self._port)}
        self._process = subprocess.Popen(self._command, env=environment, stderr=subprocess.DEVNULL)
        wait_for_port(self._port)

    def kill(self) -> None:
        """Kill it."""
        if self._process is None:
            kill(self.server)
            return
        self._process.kill()
        self._process.wait(BOUND)

    def revive(self) -> None:
        """Start it again; a stdio server is started again by its connection."""
        if self._process is not None:
            self.start()


def kill(server: Server) -> None:
    """Kill the process of a stdio server."""
    os.kill(server._session._connection._process._child.pid, signal.SIGKILL)  # type: ignore[union-attr]


if __name__ == "__main__":
    print(link_programs())
