"""Servers from the configuration files of other clients: `.mcp.json` and `.vscode/mcp.json`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from mcp_notebook.errors import UsageError
from mcp_notebook.types import ServerSpec

_PLACES = (".mcp.json", ".vscode/mcp.json")
_STRAY = re.compile(
    r"""(?P<text>"(?:\\.|[^"\\])*")
      | /\*.*?\*/ | //[^\n]*                                  # comments
      | ,(?=(?:\s|/\*.*?\*/|//[^\n]*)*[\]}])                  # a comma before a closing bracket
    """,
    re.DOTALL | re.VERBOSE,
)
_VARIABLE = re.compile(r"\$\{(?P<kind>env:|input:)?(?P<name>[^}:]+)(?P<default>:-[^}]*)?\}")


def configured(name: str) -> ServerSpec:
    """Find a server in the configuration files of the working directory and those above it, the nearest first.

    Read are the keys `mcpServers` and `servers`, comments and trailing commas, and `${VAR}`, `${env:VAR}` and
    `${VAR:-default}` in every text.

    Args:
        name: The server's name there.

    Returns:
        How to reach it. A command runs in the directory of the configuration, as other clients have it.

    Raises:
        UsageError: No file has it, or the file is faulty: then with the line and the column.
    """
    seen: list[str] = []
    for folder in (Path.cwd(), *Path.cwd().parents):
        for place in _PLACES:
            path = folder / place
            if not path.is_file():
                continue
            servers = _servers(path)
            if name in servers:
                return _Entry(path, folder, name, servers[name]).spec()
            seen.append(f"{path} has {', '.join(servers) or 'none'}")
    found = "; ".join(seen) if seen else f"there is no {' or '.join(_PLACES)} here or above"
    msg = f"no server {name!r} is configured ({found}): give a URL or a command, or write it there"
    raise UsageError(msg)


def _servers(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(_STRAY.sub(_blank, path.read_text("utf-8-sig")))
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}"
        raise UsageError(msg) from None
    except json.JSONDecodeError as error:
        msg = f"{path}, line {error.lineno}, column {error.colno}: {error.msg}"
        raise UsageError(msg) from None
    except UnicodeDecodeError:
        msg = f"{path} is not UTF-8 text"
        raise UsageError(msg) from None
    servers: dict[str, Any] = {}
    for key in ("servers", "mcpServers"):
        part = cast("dict[str, Any]", document).get(key, {}) if isinstance(document, dict) else None
        if not isinstance(part, dict):
            msg = f'{path}: it must be an object with "mcpServers" or "servers", an object of servers by name'
            raise UsageError(msg)
        servers.update(cast("dict[str, Any]", part))
    return servers


def _blank(match: re.Match[str]) -> str:
    """Put spaces for what JSON does not know, so that lines and columns stay as they are."""
    return match["text"] or re.sub(r"[^\n]", " ", match[0])


class _Entry:
    """One server as a file has it."""

    def __init__(self, path: Path, folder: Path, name: str, entry: Any) -> None:
        self._where = f"{path}, server {name!r}"
        self._folder = folder
        self._name = name
        if not isinstance(entry, dict):
            raise self._fault("must be an object")
        self._entry = cast("dict[str, Any]", entry)

    def spec(self) -> ServerSpec:
        url, command = self._text("url"), self._text("command")
        if url is not None:
            kind = self._text("type")
            return ServerSpec(
                name=self._name, url=url, headers=self._texts("headers"), transport="sse" if kind == "sse" else "http"
            )
        if command is None:
            raise self._fault('needs a "command" or a "url"')
        arguments = self._entry.get("args", [])
        if not isinstance(arguments, list):
            raise self._fault('"args" must be a list of texts')
        parts = cast("list[Any]", arguments)
        return ServerSpec(
            name=self._name,
            command=(command, *(self._expanded("args", part) for part in parts)),
            env=self._texts("env"),
            cwd=str(self._folder / (self._text("cwd") or "")),
        )

    def _text(self, key: str) -> str | None:
        value = self._entry.get(key)
        return None if value is None else self._expanded(key, value)

    def _texts(self, key: str) -> Mapping[str, str]:
        values = self._entry.get(key, {})
        if not isinstance(values, dict):
            raise self._fault(f'"{key}" must be an object of texts')
        return {name: self._expanded(key, value) for name, value in cast("dict[str, Any]", values).items()}

    def _expanded(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise self._fault(f'"{key}" must be text')
        return _VARIABLE.sub(self._value, value)

    def _value(self, variable: re.Match[str]) -> str:
        kind, name, default = variable["kind"], variable["name"], variable["default"]
        if kind == "input:":
            raise self._fault(f"${{input:{name}}} is not supported: put the value in a variable and write ${{{name}}}")
        if name == "workspaceFolder" and kind is None:
            return str(self._folder)
        value = os.environ.get(name, None if default is None else default[2:])
        if value is None:
            raise self._fault(f"the variable {name} is not set: set it, or write ${{{name}:-default}}")
        return value

    def _fault(self, problem: str) -> UsageError:
        return UsageError(f"{self._where}: {problem}")
