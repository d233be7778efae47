"""The tools that a model is offered, and those that are kept from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mcp_notebook.chat.fit import Unfit, parameters_of
from mcp_notebook.chat.names import names_of
from mcp_notebook.errors import UsageError
from mcp_notebook.servers.pins.guard import trusted, withheld
from mcp_notebook.servers.pins.hidden import visible
from mcp_notebook.servers.server import Server
from mcp_notebook.types import ToolInfo

MAX_TOOLS = 128
"""Functions in one request (OpenAI API reference, "tools")."""
MAX_DESCRIPTION = 1_024
"""Characters of a function's description (the same)."""


@dataclass(frozen=True, kw_only=True)
class Function:
    """A tool as a model is offered it."""

    name: str
    description: str
    parameters: dict[str, Any]
    server: Server
    info: ToolInfo

    @property
    def only_reads(self) -> bool:
        """Whether it says that it changes nothing, and the person has said that its server's hints count.

        Without that, hints must not be relied on: MCP specification, server/tools, "Tool".
        """
        return self.info.annotations.get("readOnlyHint") is True and trusted(self.server)


@dataclass(frozen=True)
class Offer:
    """What a model is offered."""

    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    """By the name that the model knows."""
    left_out: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Server, tool and reason of each that is kept from it."""


def offer_of(servers: Sequence[Server]) -> Offer:
    """Make the offer of some servers' tools, as they were last listed.

    Raises:
        UsageError: There are more than a request may have; or the pin file is faulty.
    """
    infos = [(server, tool.info) for server in servers for tool in server.known_tools.values()]
    names = names_of((server.name, info.name) for server, info in infos)
    kept_back = {server.name: withheld(server) for server in servers}
    offer = Offer()
    for server, info in infos:
        if reason := kept_back[server.name].get(info.name):
            offer.left_out.append((server.name, info.name, reason))
            continue
        try:
            parameters = parameters_of(info.input_schema)
        except Unfit as problem:
            offer.left_out.append((server.name, info.name, str(problem)))
            continue
        name = names[server.name, info.name]
        description = visible(info.description or info.title or "")[:MAX_DESCRIPTION]
        offer.functions[name] = Function(
            name=name, description=description, parameters=parameters, server=server, info=info
        )
    if len(offer.functions) > MAX_TOOLS:
        counts = ", ".join(f"{server.name} {len(server.known_tools)}" for server in servers)
        msg = f"a model takes {MAX_TOOLS} tools and these servers have more ({counts}): choose some with --servers"
        raise UsageError(msg)
    return offer
