"""The pin file: JSON to commit beside the notebook, sorted, so that its diffs read well."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.pins.fingerprints import ai_sdk_fingerprint, fingerprint
from mcp_notebook.servers.pins.hidden import is_hiding

VERSION = 1


@dataclass(frozen=True, kw_only=True)
class Pinned:
    """A server as it was pinned."""

    identity: str
    """Its command or URL without secrets: see `shown.identity`."""
    tools: Mapping[str, Mapping[str, Any]]
    """The tools' definitions by name: see `fingerprints.definition`."""
    fingerprints: Mapping[str, str]


def pinned(identity: str, tools: Mapping[str, Mapping[str, Any]]) -> Pinned:
    """Make a pin. Raises UsageError when a schema is nested too deep."""
    fingerprints = {name: fingerprint(defined) for name, defined in tools.items()}
    return Pinned(identity=identity, tools=tools, fingerprints=fingerprints)


def read(path: Path) -> dict[str, Pinned]:
    """Read a pin file.

    Args:
        path: Where it is.

    Returns:
        The pinned servers by name.

    Raises:
        UsageError: It is faulty, which a merge may have made it; names the line and column where that is known.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        msg = f"{path.name}, line {error.lineno}, column {error.colno}: {error.msg}. Take an older one from git"
        raise UsageError(msg) from None
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        msg = f"{path.name} cannot be read: {error}"
        raise UsageError(msg) from None
    version = found.get("version") if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if version != VERSION:
        msg = f'{path.name}, line 1, column 1: it is an object with "version": {VERSION}, as %mcp pin writes it'
        raise UsageError(msg)
    servers = cast("dict[str, Any]", found).get("servers")
    if not isinstance(servers, dict):
        msg = f'{path.name}, line 1, column 1: "servers" is an object, as %mcp pin writes it'
        raise UsageError(msg)
    return {name: _server(path, name, part) for name, part in cast("dict[str, Any]", servers).items()}


def write(path: Path, servers: Mapping[str, Pinned]) -> None:
    """Write a pin file, whole or not at all.

    Raises:
        UsageError: It cannot be written.
    """
    content = {"version": VERSION, "servers": {name: _written(server) for name, server in servers.items()}}
    text = json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True)
    text = "".join(_escaped(character) if is_hiding(character) else character for character in text) + "\n"
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o644)  # to be committed and read by others: there is no secret in it
        Path(temporary).replace(path)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        msg = f"{path.name} cannot be written: {error.strerror or error}"
        raise UsageError(msg) from None


def _server(path: Path, name: str, part: Any) -> Pinned:
    try:
        tools = {str(tool): dict(each["definition"]) for tool, each in part["tools"].items()}
        told = {str(tool): str(each["fingerprint"]) for tool, each in part["tools"].items()}
        identity = part["identity"]
    except (AttributeError, KeyError, TypeError, ValueError):
        tools, told, identity = {}, {}, None
    line, column = _place(path, name)
    if not isinstance(identity, str):
        msg = f"{path.name}, line {line}, column {column}: the pin of {name} is not as %mcp pin writes it. Pin it anew"
        raise UsageError(msg)
    found = pinned(identity, tools)
    for tool, given in told.items():
        if found.fingerprints[tool] != given:
            line, column = _place(path, name, tool)
            msg = (
                f"{path.name}, line {line}, column {column}: the fingerprint of {name}.{tool} is not that of its "
                "definition: the file was edited, or merged. Take an older one from git, or delete it and pin anew"
            )
            raise UsageError(msg)
    return found


def _place(path: Path, *keys: str) -> tuple[int, int]:
    """Find where a key stands, as near as a search for one after the other comes."""
    text, at = path.read_text(encoding="utf-8"), 0
    for key in keys:
        found = re.compile(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:").search(text, at)
        at = found.start() if found else at
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _written(server: Pinned) -> dict[str, Any]:
    return {
        "identity": server.identity,
        "tools": {
            name: {
                "fingerprint": server.fingerprints[name],
                "aiSdkFingerprint": ai_sdk_fingerprint(defined),
                "definition": defined,
            }
            for name, defined in server.tools.items()
        },
    }


def _escaped(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
