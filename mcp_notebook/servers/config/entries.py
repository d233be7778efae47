"""Servers from configuration files: `mcpServers` of most clients, `servers` of VS Code."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.values import as_list, as_object
from mcp_notebook.servers.config.document import Document
from mcp_notebook.servers.config.inputs import Ask, given, passwords
from mcp_notebook.servers.config.places import config_files, user_files
from mcp_notebook.types import ServerSpec

KEYS = ("servers", "mcpServers")

_VARIABLE = re.compile(r"\$\{(?P<kind>env:|input:)?(?P<name>[^}:]+)(?P<default>:-[^}]*)?\}")


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A server as a file has it."""

    name: str
    document: Document
    folder: Path
    """Where its command runs: the folder that the file is for."""
    key: str
    data: Mapping[str, Any]

    @property
    def disabled(self) -> bool:
        """Whether the file has it turned off."""
        return self.data.get("disabled") is True

    def spec(self, ask: Ask | None = None) -> ServerSpec:
        """Say how to reach it, with every variable filled in.

        Args:
            ask: Asks the person for inputs; without, they must be in the environment or have been given before.

        Raises:
            UsageError: The entry is faulty, or a value that it needs is missing; says where.
        """
        text = str([self.data.get(key) for key in ("command", "args", "env", "cwd", "url", "serverUrl", "headers")])
        names = [match["name"] for match in _VARIABLE.finditer(text) if match["kind"] == "input:"]
        inputs = given(self.document, self.name, list(dict.fromkeys(names)), ask) if names else dict[str, str]()
        return replace(self._spec(inputs), secrets=passwords(self.document, inputs))

    def outline(self) -> ServerSpec:
        """Say how to reach it, with its variables as they are written: to be shown.

        Raises:
            UsageError: The entry is faulty; says where.
        """
        return self._spec(None)

    def _spec(self, inputs: Mapping[str, str] | None) -> ServerSpec:
        url = self._text("url", inputs) or self._text("serverUrl", inputs)
        command = self._text("command", inputs)
        if url is not None:
            is_sse = self._text("type", inputs) == "sse"
            return ServerSpec(
                name=self.name, url=url, headers=self._texts("headers", inputs), transport="sse" if is_sse else "http"
            )
        if command is None:
            raise self._fault((), 'needs a "command" or a "url"')
        parts = as_list(self.data.get("args", []))
        if parts is None:
            raise self._fault(("args",), "must be a list of texts")
        return ServerSpec(
            name=self.name,
            command=(command, *(self._filled(("args", n), part, inputs) for n, part in enumerate(parts))),
            env={**self._env_file(inputs), **self._texts("env", inputs)},
            cwd=str(self.folder / (self._text("cwd", inputs) or "")),
        )

    def _env_file(self, inputs: Mapping[str, str] | None) -> dict[str, str]:
        """Read VS Code's `envFile`: lines of NAME=VALUE."""
        name = self._text("envFile", inputs)
        if name is None or inputs is None:
            return {}
        try:
            lines = (self.folder / name).read_text("utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise self._fault(("envFile",), f"{name} cannot be read: {error}") from None
        pairs = [
            line.strip().removeprefix("export ").partition("=") for line in lines if not line.lstrip().startswith("#")
        ]
        return {key.strip(): value.strip().strip("\"'") for key, equals, value in pairs if equals}

    def _text(self, key: str, inputs: Mapping[str, str] | None) -> str | None:
        value = self.data.get(key)
        return None if value is None else self._filled((key,), value, inputs)

    def _texts(self, key: str, inputs: Mapping[str, str] | None) -> Mapping[str, str]:
        values = as_object(self.data.get(key, {}))
        if values is None:
            raise self._fault((key,), "must be an object of texts")
        return {name: self._filled((key, name), value, inputs) for name, value in values.items() if value is not None}

    def _filled(self, at: tuple[str | int, ...], value: Any, inputs: Mapping[str, str] | None) -> str:
        if isinstance(value, (int, float)) and not isinstance(value, bool) and at[0] == "env":
            return str(value)
        if not isinstance(value, str):
            raise self._fault(at, "must be text")
        return value if inputs is None else _VARIABLE.sub(lambda variable: self._value(at, variable, inputs), value)

    def _value(self, at: tuple[str | int, ...], variable: re.Match[str], inputs: Mapping[str, str]) -> str:
        kind, name, default = variable["kind"], variable["name"], variable["default"]
        if kind == "input:":
            return inputs[name]
        known = {
            "workspaceFolder": str(self.folder),
            "userHome": str(Path.home()),
            "pathSeparator": os.sep,
            "/": os.sep,
        }
        if kind is None and name in known:
            return known[name]
        value = os.environ.get(name, None if default is None else default[2:])
        if value is None:
            raise self._fault(at, f"the variable {name} is not set: set it, or write ${{{name}:-default}}")
        return value

    def _fault(self, at: tuple[str | int, ...], problem: str) -> UsageError:
        return self.document.fault((self.key, self.name, *at), problem)


def configured(name: str, *, file: str | Path | None = None, ask: Ask | None = None) -> ServerSpec:
    """Find a server in the configuration files, the nearest first: see `places.config_files`.

    Args:
        name: The server's name there.
        file: The one file to look in.
        ask: Asks the person for inputs.

    Returns:
        How to reach it. A command runs in the folder of the configuration, as other clients have it.

    Raises:
        UsageError: No file has it, it is turned off, or the file is faulty: then with the line and the column.
    """
    seen: dict[Path, list[str]] = {}
    for entry in entries(file):
        if entry.name == name:
            if entry.disabled:
                raise entry.document.fault((entry.key, name, "disabled"), "it is turned off there")
            return entry.spec(ask)
        seen.setdefault(entry.document.path, []).append(entry.name)
    found = "; ".join(f"{path} has {', '.join(names)}" for path, names in seen.items())
    where = found or f"no configuration has servers; yours would be {user_files()[0]}"
    msg = f"no server {name!r} is configured ({where}): give a URL or a command, or write it there"
    raise UsageError(msg)


def entries(file: str | Path | None = None) -> Iterator[Entry]:
    """Give every server that is configured, the nearest file first.

    Args:
        file: The one file to look in.

    Raises:
        UsageError: A file is faulty.
    """
    one = None if file is None else Path(file).expanduser().absolute()
    for path, folder in config_files() if one is None else [(one, one.parent)]:
        document = Document(path)
        for key in KEYS:
            part = as_object((as_object(document.data) or {}).get(key, {}))
            if part is None or as_object(document.data) is None:
                problem = 'must be an object with "mcpServers" or "servers", an object of servers by name'
                raise document.fault((key,), problem)
            for name, told in part.items():
                data = as_object(told)
                if data is None:
                    raise document.fault((key, name), "must be an object")
                yield Entry(name=name, document=document, folder=folder, key=key, data=data)
