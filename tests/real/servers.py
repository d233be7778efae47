"""Real servers that nobody here wrote, each in an environment of its own: what they stand on differs from ours."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from pathlib import Path

from tests import everything

HOME = Path(sys.prefix) / "servers"
PACKAGES = everything.NODE / "node_modules" / "@modelcontextprotocol"

NEW = ("mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19", "mcp-server-motherduck==1.1.0")
"""Servers on the SDK of today."""
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


def from_npm(name: str) -> list[str]:
    """Give the command of a server of tests/node/package.json."""
    everything.command()
    return [str(everything.BIN / "node"), str(PACKAGES / name / "dist" / "index.js")]
