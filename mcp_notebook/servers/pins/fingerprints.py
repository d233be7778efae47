"""Fingerprints of tools: short texts that change when anything changes that a model would read or rely on."""

from __future__ import annotations

import base64
import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, cast

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.shown import escaped
from mcp_notebook.types import ToolInfo

_MAX_INTEGER = 2**53 - 1


class HasInfo(Protocol):
    """A tool of a connected server."""

    @property
    def info(self) -> ToolInfo: ...  # noqa: D102


class HasTools(Protocol):
    """A connected server."""

    @property
    def tools(self) -> Mapping[str, HasInfo]: ...  # noqa: D102


@dataclass(frozen=True, kw_only=True)
class Drift:
    """What has become of some tools; false when nothing has."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)


def fingerprint_tools(tools: HasTools | Mapping[str, HasInfo | ToolInfo]) -> dict[str, str]:
    """Take the fingerprint of each tool.

    It is a SHA-256, in hexadecimal, over the canonical JSON (RFC 8785) of the tool's name, title, description, input
    schema, output schema and annotations. That is more than the fingerprints of the AI SDK take in, so the two differ;
    see `ai_sdk_fingerprint` for theirs, which the pin file has as well.

    Args:
        tools: A connected server, its `.tools`, or `ToolInfo` objects by name.

    Returns:
        The fingerprints by the tools' names.

    Raises:
        UsageError: A schema is nested too deep.
    """
    return {name: fingerprint(definition(info)) for name, info in infos_of(tools).items()}


def detect_drift(now: Mapping[str, str], baseline: Mapping[str, str]) -> Drift:
    """Compare fingerprints with those of another time.

    Args:
        now: Fingerprints by the tools' names, as `fingerprint_tools` gives them.
        baseline: Those of before.

    Returns:
        The names of what was added, removed and changed, each sorted; false when nothing was.
    """
    return Drift(
        added=tuple(sorted(now.keys() - baseline.keys())),
        removed=tuple(sorted(baseline.keys() - now.keys())),
        changed=tuple(sorted(name for name in now.keys() & baseline.keys() if now[name] != baseline[name])),
    )


def infos_of(tools: HasTools | Mapping[str, HasInfo | ToolInfo]) -> dict[str, ToolInfo]:
    """Give tools by name as their server describes them."""
    found = tools if isinstance(tools, Mapping) else tools.tools
    return {name: tool if isinstance(tool, ToolInfo) else tool.info for name, tool in found.items()}


def definition(tool: ToolInfo) -> dict[str, Any]:
    """Write a tool as the protocol does (MCP specification, server/tools, "Tool"), without what it does not have."""
    parts: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description or None,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": tool.annotations or None,
    }
    return {name: part for name, part in parts.items() if part is not None}


def fingerprint(defined: Mapping[str, Any]) -> str:
    """Take the fingerprint of a definition. Raises UsageError when it is nested too deep."""
    return hashlib.sha256(canonical(defined)).hexdigest()


def ai_sdk_fingerprint(defined: Mapping[str, Any]) -> str:
    """Take the fingerprint that Vercel's AI SDK would: base64url(SHA-256(canonical JSON)), without padding.

    It takes in description, inputSchema and title alone: a change of annotations or of the output schema escapes it,
    which is why drift is told by ours. The digests are the same where both see the same definition. They are not where
    a server sends an empty description or an explicit null (both are nothing here), and where a schema has integers
    beyond 2^53, which JavaScript rounds, or lone surrogates.
    """
    parts = {name: defined[name] for name in ("description", "inputSchema", "title") if name in defined}
    return base64.urlsafe_b64encode(hashlib.sha256(canonical(parts)).digest()).rstrip(b"=").decode()


def canonical(value: Mapping[str, Any]) -> bytes:
    """Write canonical JSON (RFC 8785), of what that has no way to write as well.

    Integers beyond 2^53, numbers that are not finite, and lone surrogates become texts. The paths of these are written
    beside the value then, so that no text can pass for one of them.

    Raises:
        UsageError: It is nested too deep.
    """
    import rfc8785

    paths: list[str] = []
    try:
        plain = _mapped(value, "", paths)
        return rfc8785.dumps([plain, cast("Any", paths)] if paths else plain)
    except RecursionError:
        name = escaped(str(value.get("name", "")), 60)
        msg = f"the definition of the tool {name} is nested too deep for a fingerprint: its server cannot be pinned"
        raise UsageError(msg) from None


def _mapped(value: Any, path: str, paths: list[str]) -> Any:
    if isinstance(value, str):
        return _text(value, path, paths)
    if isinstance(value, Mapping):
        found: dict[str, Any] = {}
        for key, part in sorted(cast("Mapping[str, Any]", value).items()):
            name = _text(key, f"{path}/", paths)
            while name in found:
                name += "'"
            found[name] = _mapped(part, f"{path}/{name}", paths)
        return found
    if isinstance(value, list | tuple):
        return [_mapped(part, f"{path}/{i}", paths) for i, part in enumerate(cast("list[Any]", value))]
    if isinstance(value, bool):
        return value
    too_big = isinstance(value, int) and abs(value) > _MAX_INTEGER
    if too_big or (isinstance(value, float) and not math.isfinite(value)):
        paths.append(path)
        return hex(value) if isinstance(value, int) else repr(value)  # hex: Python bounds the decimal digits
    return value


def _text(text: str, path: str, paths: list[str]) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        written = text.encode("utf-8", "backslashreplace").decode()
        paths.append(f"{path}{written}")
        return written
    return text
