"""From what a user writes as a target to a `ServerSpec`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.config.entries import configured
from mcp_notebook.servers.config.inputs import Ask
from mcp_notebook.types import ProtocolMode, ServerSpec

DEMO = "demo"
"""The name of the built-in demo server."""


def spec_for(
    name: str,
    target: Any = None,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    headers: Mapping[str, str] | None = None,
    transport: Literal["http", "sse"] | None = None,
    protocol: ProtocolMode = "auto",
    timeout: float | None = None,
    auth: Any = None,
    allow_redirects: bool = False,
    roots: Sequence[str] = (),
    on_sample: Any = None,
    max_retries: int = 0,
    force_retries: bool = False,
    elicit: bool = True,
    config: str | None = None,
    ask: Ask | None = None,
) -> ServerSpec:
    """Say how to reach a server.

    Args:
        name: The name to connect it under. Without a target: "demo", or a name from a configuration file.
        target: A URL; a command as a list of texts; or the SDK's `MCPServer` or `Server` object.
        env: For a command: variables added to its environment.
        cwd: For a command: its working directory.
        headers: For a URL: headers sent with every request.
        transport: For a URL: "http" (streamable HTTP, the default) or "sse" (its forerunner).
        protocol: "auto" probes for the newest, "legacy" stays with `initialize`, "2026-07-28" does not probe.
        timeout: How long the server may take to come up (60 by default) and to answer (600), in seconds.
        auth: For a URL: how to sign in.
        allow_redirects: For a URL: whether to go where it sends requests, on another origin too.
        roots: The folders that it may know of.
        on_sample: Answers for a model.
        max_retries: For a URL: how many times a tool call is sent again after a transient fault.
        force_retries: Whether also tools are called again that say of themselves that it makes a difference.
        elicit: Whether it may ask questions.
        config: Without a target: the configuration file to look in.
        ask: Asks the person for what a configuration leaves open.

    Returns:
        The spec.

    Raises:
        UsageError: The target is none of these, or an option does not go with it.
    """
    _check(name, transport, protocol, timeout)
    spec = configured(name, file=config, ask=ask) if config is not None else _spec(name, target, ask)
    is_stdio, is_url = spec.transport == "stdio", spec.url is not None
    if (env or cwd) and not is_stdio:
        msg = f"env and cwd go with a command, and {name} is not started by one"
        raise UsageError(msg)
    if (headers or transport or auth) and not is_url:
        msg = f"headers, transport and auth go with a URL, and {name} is not reached by one"
        raise UsageError(msg)
    if max_retries < 0 or (max_retries and not is_url):
        msg = "max_retries is a whole number from 0 on, and goes with a URL: a command has no network to fail"
        raise UsageError(msg)
    return ServerSpec(
        name=name,
        command=spec.command,
        env={**spec.env, **(env or {})},
        cwd=cwd or spec.cwd,
        url=spec.url,
        headers={**spec.headers, **(headers or {})},
        secrets=spec.secrets,
        transport=transport or spec.transport,
        server=spec.server,
        protocol=protocol,
        timeout=timeout,
        auth=auth,
        allow_redirects=allow_redirects,
        roots=tuple(str(Path(root).expanduser().absolute()) for root in roots),
        on_sample=on_sample,
        max_retries=max_retries,
        force_retries=force_retries,
        elicit=elicit,
    )


def _check(name: str, transport: str | None, protocol: str, timeout: float | None) -> None:
    if not name.strip() or not name.isprintable() or len(name) > 100:
        msg = "a server's name is a short printable text, such as files"
    elif transport not in (None, "http", "sse"):
        msg = f"transport is http or sse, not {transport!r}"
    elif protocol not in get_args(ProtocolMode):
        msg = f"protocol is one of {', '.join(get_args(ProtocolMode))}, not {protocol!r}"
    elif timeout is not None and not timeout > 0:
        msg = f"timeout is a number of seconds above 0, not {timeout!r}"
    else:
        return
    raise UsageError(msg)


def _spec(name: str, target: Any, ask: Ask | None) -> ServerSpec:
    if target is None:
        if name == DEMO:
            return ServerSpec(name=name, command=(sys.executable, "-m", "mcp_notebook.demo"))
        return configured(name, ask=ask)
    if isinstance(target, str):
        return ServerSpec(name=name, url=_url(target), transport="http")
    if isinstance(target, Sequence):
        return ServerSpec(name=name, command=_command(cast("Sequence[object]", target)))
    if _is_sdk_server(target):
        return ServerSpec(name=name, server=target, transport="in-process")
    msg = f"a server is a URL, a command as a list of texts, or an MCPServer object, not {type(target).__name__}"
    raise UsageError(msg)


def _url(target: str) -> str:
    try:
        parts = urlsplit(target)
    except ValueError as error:
        msg = f"that URL cannot be read: {error}"
        raise UsageError(msg) from None
    if parts.scheme in ("http", "https") and parts.hostname:
        return target
    if parts.scheme and "://" in target:
        msg = f"a server's URL starts with http:// or https://, not {parts.scheme}://"
    else:
        msg = "a URL starts with http:// or https://; a command is a list, such as ['npx', '-y', 'some-server']"
    raise UsageError(msg)


def _command(target: Sequence[object]) -> tuple[str, ...]:
    command = tuple(part for part in target if isinstance(part, str))
    if len(command) < len(target) or not command or not command[0]:
        msg = "a command is a list of texts, such as ['npx', '-y', 'some-server']"
        raise UsageError(msg)
    return command


def _is_sdk_server(target: object) -> bool:
    # By name, so that the SDK need not be imported to connect a URL: an object of its classes has imported it already.
    names = {f"{base.__module__.partition('.')[0]}.{base.__name__}" for base in type(target).__mro__}
    return bool(names & {"mcp.MCPServer", "mcp.Server"})
