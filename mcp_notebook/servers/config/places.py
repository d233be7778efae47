"""Where configuration files are looked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

_IN_FOLDERS = (".mcp.json", "mcp.json", ".vscode/mcp.json", ".cursor/mcp.json")


def config_files() -> Iterator[tuple[Path, Path]]:
    """Give the files that there are, the nearest first.

    From the notebook's folder upward: `.mcp.json`, `mcp.json`, `.vscode/mcp.json`, `.cursor/mcp.json`. Then the user's
    own: mcp-notebook's, and those of Claude Code, Claude Desktop, Cursor, VS Code and Windsurf.

    Returns:
        Each file, with the folder that its commands run in.
    """
    here = notebook_folder()
    for folder in (here, *here.parents):
        for name in _IN_FOLDERS:
            if (folder / name).is_file():
                yield folder / name, folder
    for path in user_files():
        if path.is_file():
            yield path, Path.home()


def notebook_folder() -> Path:
    """The folder of the notebook, where the Jupyter server says which it is; else the working directory."""
    named = Path(os.environ.get("JPY_SESSION_NAME", ""))
    return named.parent if named.is_absolute() and named.is_file() else Path.cwd()


def user_files() -> list[Path]:
    """The user's own files, whether they exist or not; mcp-notebook's is the first."""
    from platformdirs import user_config_path

    home, apps = Path.home(), user_config_path(roaming=True)
    return [
        apps / "mcp-notebook" / "mcp.json",
        home / ".claude.json",
        apps / "Claude" / "claude_desktop_config.json",
        home / ".cursor" / "mcp.json",
        apps / "Code" / "User" / "mcp.json",
        home / ".codeium" / "windsurf" / "mcp_config.json",
    ]
