"""What pins mean for the servers of this process: what is told, warned of, refused, and kept from models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.shown import escaped, identity
from mcp_notebook.types import ServerDrift, ServerSpec, ToolDrift, ToolInfo

if TYPE_CHECKING:
    from mcp_notebook.servers.pins.file import Pinned

FILE = "mcp-pins.json"

_MAX_NAMES = 5


class HasInfo(Protocol):
    """A tool of a connected server."""

    @property
    def info(self) -> ToolInfo: ...  # noqa: D102


class Connected(Protocol):
    """A connected server, as pins see it."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def spec(self) -> ServerSpec: ...  # noqa: D102
    @property
    def tools(self) -> Mapping[str, HasInfo]: ...  # noqa: D102


class Pins:
    """The pin file, and what was said of it in this process. May be used from any thread.

    The file is `mcp-pins.json` in the kernel's working directory, or what `MCP_NOTEBOOK_PINS_FILE` names. Where there
    is none, comparing costs one look for it.
    """

    def __init__(self) -> None:
        self._read: tuple[tuple[int, int, int, int], dict[str, Pinned]] | None = None
        self._compared: dict[tuple[str, type], tuple[object, Mapping[str, object], str, ServerDrift]] = {}
        self._warned: set[tuple[str, str, str]] = set()
        self._trusted: set[tuple[str, str]] = set()
        self._shown: dict[str, dict[str, str]] = {}
        """The fingerprints of what a person was shown last, by server."""

    @property
    def path(self) -> Path:
        """Where the file is, or would be."""
        return Path(os.environ.get("MCP_NOTEBOOK_PINS_FILE") or FILE).absolute()

    @property
    def shown_path(self) -> str:
        """The file, for people."""
        return os.environ.get("MCP_NOTEBOOK_PINS_FILE") or FILE

    @property
    def strict(self) -> bool:
        """Whether what is not pinned is refused.

        Raises:
            UsageError: `MCP_NOTEBOOK_PINS` is something else than "strict".
        """
        value = os.environ.get("MCP_NOTEBOOK_PINS", "")
        if value not in ("", "strict"):
            raise UsageError("the environment variable MCP_NOTEBOOK_PINS is strict, or not set")
        return value == "strict"

    def watches(self, spec: ServerSpec) -> bool:
        """Whether a call of a server's tools must be looked at. Raises UsageError when the file is faulty."""
        return self.strict or spec.name in self._servers()

    def pinned(self) -> list[str]:
        """Name the pinned servers. Raises UsageError when the file is faulty."""
        return sorted(self._servers())

    def pin(self, server: Connected) -> ServerDrift:
        """Write down a server's tools as they are, if it is not pinned yet.

        Returns:
            What has become of a server that was pinned: if it drifted, the pin stays as it was.

        Raises:
            UsageError: The file is faulty, or cannot be written.
        """
        tools = server.tools
        found = self._drift(server.spec, tools)
        if not found.pinned:
            self._write(server.name, server.spec, tools, None)
        return found

    def drift(self, server: Connected) -> ServerDrift:
        """Say what has become of a server since it was pinned. Raises UsageError when the file is faulty."""
        from mcp_notebook.servers.pins.fingerprints import fingerprint_tools

        tools = server.tools
        found = self._drift(server.spec, tools)
        if found.pinned:
            self._shown[server.name] = fingerprint_tools(tools)
        return found

    def hidden(self, server: Connected) -> list[str]:
        """Say where a server's tools have characters that nobody sees: hidden instructions, most likely."""
        from mcp_notebook.servers.pins.fingerprints import definition, infos_of
        from mcp_notebook.servers.pins.hidden import hidden_in, visible

        infos = infos_of(server.tools)
        return [f"{visible(name)[:60]}, {each}" for name in infos for each in hidden_in(definition(infos[name]))]

    def approve(self, server: Connected, tool: str | None = None) -> None:
        """Pin a server, or one of its tools, as it is now.

        Args:
            server: A pinned server.
            tool: The tool that was added, removed or changed; None for all.

        Raises:
            UsageError: It is not pinned, it is another server than the pinned one, there is no such tool, or it has
                changed again since its drift was shown.
        """
        from mcp_notebook.servers.pins.fingerprints import fingerprint_tools

        tools = server.tools
        found = self._drift(server.spec, tools)
        if not found.pinned:
            msg = f"{server.name} is not pinned: %mcp pin {server.name}"
            raise UsageError(msg)
        if tool is not None and found.identity:
            msg = f"{server.name} is another server than the pinned one: %mcp approve {server.name} takes it as a whole"
            raise UsageError(msg)
        if tool is not None and tool not in {each.name for each in found.tools}:
            drifted = ", ".join(escaped(each.name, 60) for each in found.tools[:_MAX_NAMES])
            told = f"these have: {drifted}" if drifted else "all is as it was pinned"
            msg = f"{server.name}: no tool {escaped(tool, 60)} has drifted; {told}"
            raise UsageError(msg)
        now, shown = fingerprint_tools(tools), self._shown.get(server.name)
        names = [*now, *(shown or {})] if tool is None else [tool]
        if shown is not None and any(now.get(name) != shown.get(name) for name in names):
            msg = f"{server.name} has changed again since you looked at it. See: %mcp drift {server.name}"
            raise UsageError(msg)
        self._write(server.name, server.spec, tools, tool)

    def withheld(self, server: Connected) -> dict[str, str]:
        """Give the tools that a model must not get now, each with the reason.

        They are those of a pinned server that are new or have changed; all, where it is another server than the pinned
        one, or where nothing is pinned and `MCP_NOTEBOOK_PINS` is strict.

        Raises:
            UsageError: The file is faulty: then nobody knows.
        """
        tools = server.tools
        found = self._drift(server.spec, tools)
        whole = self._whole(found)
        if whole:
            return dict.fromkeys(tools, whole)
        return {each.name: _reason(found.server, each) for each in found.tools if each.kind != "removed"}

    def trust(self, server: Connected, counts: bool = True) -> None:
        """Take a server's annotations for hints that count, or no more.

        That is kept for this session alone, and in no file: the pin file is committed, so whoever can change it could
        otherwise trust a server on everybody's behalf. It goes with what the server is, not with its name alone.
        """
        key = (server.name, identity(server.spec))
        if counts:
            self._trusted.add(key)
        else:
            self._trusted.discard(key)

    def trusted(self, server: Connected) -> bool:
        """Whether a person has said that a server's annotations count.

        Without that they must not be relied on: MCP specification, server/tools, "Tool".
        """
        return (server.name, identity(server.spec)) in self._trusted

    def notice(self, spec: ServerSpec, tools: Mapping[str, ToolInfo]) -> str | None:
        """Say in a line that a server has drifted, after its tools were listed; None when it has not."""
        try:
            found = self._drift(spec, tools)
        except UsageError as error:  # calls are refused for it; to be connected is needed to mend it
            return str(error)
        if not found.drifted:
            return None
        kinds = [
            (kind, [each.name for each in found.tools if each.kind == kind]) for kind in ("added", "removed", "changed")
        ]
        parts = ["it is another server than the pinned one"] if found.identity else []
        parts += [f"{kind}: {_names(names)}" for kind, names in kinds if names]
        return f"{spec.name} is not as it was pinned; {'; '.join(parts)}. See: %mcp drift {spec.name}"

    def before_call(
        self, spec: ServerSpec, tools: Mapping[str, ToolInfo], tool: str, *, for_model: bool = False
    ) -> str | None:
        """Look at a tool that is about to be called.

        Args:
            spec: Its server.
            tools: The server's tools.
            tool: Its name.
            for_model: Whether a model asks for it, and not a person.

        Returns:
            A warning, if it has drifted and that was not said before.

        Raises:
            UsageError: It has drifted or is not pinned, and a model asks or `MCP_NOTEBOOK_PINS` is strict; or the file
                is faulty.
        """
        if not self.watches(spec):
            return None
        found = self._drift(spec, tools)
        reason = self._whole(found)
        if reason is None:
            reason = next((_reason(spec.name, each) for each in found.tools if each.name == tool), None)
        if reason is None:
            return None
        if self.strict or for_model:
            why = "MCP_NOTEBOOK_PINS is strict" if self.strict else "a model asks for it"
            msg = f"{escaped(tool, 60)} is refused, as {why}: {reason}"
            raise UsageError(msg)
        from mcp_notebook.servers.pins.fingerprints import definition, fingerprint

        now = fingerprint(definition(tools[tool])) if tool in tools else ""
        key = (identity(spec), f"{spec.name}.{tool}", now)
        if key in self._warned:
            return None
        self._warned.add(key)
        return f"{escaped(tool, 60)}: {reason}"

    def reset(self) -> None:
        """Forget whom to trust and what was said."""
        self._trusted.clear()
        self._warned.clear()
        self._compared.clear()
        self._shown.clear()

    def _whole(self, found: ServerDrift) -> str | None:
        """Why all of a server is kept back, if it is."""
        if found.identity:
            return f"{found.server} is another server than the pinned one. See: %mcp drift {found.server}"
        if not found.pinned and self.strict:
            return f"{found.server} is not pinned. Where you can look at its tools: %mcp pin {found.server}"
        return None

    def _servers(self) -> dict[str, Pinned]:
        try:
            state = os.stat(self.shown_path)  # not by `Path`: each call comes here
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            msg = f"{self.shown_path} cannot be read: {error.strerror}"
            raise UsageError(msg) from None
        stamp = (state.st_dev, state.st_ino, state.st_mtime_ns, state.st_size)
        if self._read is None or self._read[0] != stamp:
            from mcp_notebook.servers.pins.file import read

            self._read = stamp, read(self.path)
        return self._read[1]

    def _drift(self, spec: ServerSpec, tools: Mapping[str, HasInfo | ToolInfo]) -> ServerDrift:
        pinned = self._servers().get(spec.name)
        if pinned is None:
            return ServerDrift(server=spec.name, pinned=False)
        here = identity(spec)
        key = (spec.name, type(tools))
        before = self._compared.get(key)
        if before is not None and before[0] is pinned and before[1] is tools and before[2] == here:
            return before[3]
        found = _compared(spec.name, here, pinned, tools)
        self._compared[key] = (pinned, tools, here, found)
        return found

    def _write(self, name: str, spec: ServerSpec, tools: Mapping[str, HasInfo], tool: str | None) -> None:
        from mcp_notebook.servers.pins import file
        from mcp_notebook.servers.pins.fingerprints import definition, infos_of

        servers = dict(self._servers())
        now = {each: definition(info) for each, info in infos_of(tools).items()}
        if tool is not None:
            kept = dict(servers[name].tools)
            kept.pop(tool, None)
            now = {**kept, **({tool: now[tool]} if tool in now else {})}
        servers[name] = file.pinned(identity(spec), now)
        file.write(self.path, servers)
        self._read = None  # two writings may share a moment and a size


@cache
def pins() -> Pins:
    """The pins of this process."""
    return Pins()


def withheld(server: Connected) -> Mapping[str, str]:
    """Give the tools that a model must not get now, each with the reason: see `Pins.withheld`."""
    return pins().withheld(server)


def trusted(server: Connected) -> bool:
    """Whether a person has said that a server's annotations count: see `Pins.trusted`."""
    return pins().trusted(server)


def _compared(name: str, here: str, pinned: Pinned, tools: Mapping[str, HasInfo | ToolInfo]) -> ServerDrift:
    from mcp_notebook.servers.pins.compare import changed_parts
    from mcp_notebook.servers.pins.fingerprints import definition, detect_drift, fingerprint, infos_of

    now = {each: definition(info) for each, info in infos_of(tools).items()}
    drift = detect_drift({each: fingerprint(defined) for each, defined in now.items()}, pinned.fingerprints)
    found = [ToolDrift(name=each, kind="added", parts=changed_parts({}, now[each])) for each in drift.added]
    found += [ToolDrift(name=each, kind="removed") for each in drift.removed]
    found += [
        ToolDrift(name=each, kind="changed", parts=changed_parts(pinned.tools[each], now[each]))
        for each in drift.changed
    ]
    return ServerDrift(
        server=name,
        pinned=True,
        identity=None if here == pinned.identity else (pinned.identity, here),
        tools=tuple(found),
    )


def _reason(server: str, tool: ToolDrift) -> str:
    happened = {"added": "is new", "removed": "is gone", "changed": "has changed"}[tool.kind]
    return f"it {happened} since {server} was pinned. See: %mcp drift {server}"


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _MAX_NAMES} more" if len(names) > _MAX_NAMES else ""
    return f"{' '.join(escaped(name, 60) for name in names[:_MAX_NAMES])}{more}"
