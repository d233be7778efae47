"""What a server says unasked: that lists or resources have changed, that a page is done with."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from mcp_notebook.servers.elicitation import Elicitor
from mcp_notebook.servers.logs import Logs
from mcp_notebook.types import Era

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.session import IncomingMessage

Kind = Literal["tools", "resources", "prompts"]
KINDS: tuple[Kind, ...] = ("tools", "resources", "prompts")

_AGAIN_SECONDS = 1.0


class Listener(Protocol):
    """Whoever holds a connection."""

    @property
    def logs(self) -> Logs:
        """Takes its log notifications."""
        ...

    @property
    def subscribed(self) -> Sequence[str]:
        """The URIs of the resources that someone wants to know of."""
        ...

    @property
    def subscriptions_changed(self) -> asyncio.Event:
        """Set when these have changed."""
        ...

    def changed(self, kind: Kind, uri: str | None = None) -> None:
        """Take note that a list has changed, or one resource."""
        ...

    def may_repeat(self, tool: str) -> bool:
        """Say whether a tool of that name may be called again, though it may have run."""
        ...


class Hearing:
    """Hears what the server of one connection says unasked.

    Args:
        listener: Is told of it.
        elicitor: Is told of pages that are done with.
        era: Gives the generation of the protocol in use.
    """

    def __init__(self, listener: Listener, elicitor: Elicitor, era: Callable[[], Era]) -> None:
        self._listener = listener
        self._elicitor = elicitor
        self._era = era

    async def take(self, message: IncomingMessage) -> None:
        """Take in a message that is no answer. Changes are told in this way up to 2025-11-25."""
        from mcp import types

        if isinstance(message, types.ElicitCompleteNotification):
            self._elicitor.completed(message.params.elicitation_id)
        elif self._era() == "modern":
            return
        elif isinstance(message, types.ResourceUpdatedNotification):
            self._listener.changed("resources", str(message.params.uri))
        elif isinstance(message, types.ToolListChangedNotification):
            self._listener.changed("tools")
        elif isinstance(message, types.ResourceListChangedNotification):
            self._listener.changed("resources")
        elif isinstance(message, types.PromptListChangedNotification):
            self._listener.changed("prompts")

    async def listen(self, client: Client) -> None:
        """Have changes told in the modern era (MCP specification 2026-07-28, basic/utilities/subscriptions).

        Runs until it is cancelled.
        """
        anew = self._listener.subscriptions_changed
        while self._era() == "modern":
            anew.clear()
            stream = asyncio.ensure_future(self._stream(client, [*self._listener.subscribed]))
            waiting = asyncio.ensure_future(anew.wait())
            try:
                await asyncio.wait({stream, waiting}, return_when=asyncio.FIRST_COMPLETED)
                if stream.done() and not stream.result():
                    await waiting
            finally:
                waiting.cancel()
                stream.cancel()
                await asyncio.wait({stream})

    async def _stream(self, client: Client, uris: list[str]) -> bool:
        """Listen once; whether it is worth doing so again, since the stream broke."""
        from mcp import MCPError
        from mcp.client import subscriptions as events
        from mcp.client.subscriptions import SubscriptionLost

        offered = client.server_capabilities
        tools = offered.tools is not None and bool(offered.tools.list_changed)
        resources = offered.resources is not None and bool(offered.resources.list_changed)
        prompts = offered.prompts is not None and bool(offered.prompts.list_changed)
        if not (tools or resources or prompts or uris):
            return False
        try:
            async with client.listen(
                tools_list_changed=tools,
                resources_list_changed=resources,
                prompts_list_changed=prompts,
                resource_subscriptions=uris,
            ) as stream:
                async for event in stream:
                    match event:
                        case events.ToolsListChanged():
                            self._listener.changed("tools")
                        case events.ResourcesListChanged():
                            self._listener.changed("resources")
                        case events.PromptsListChanged():
                            self._listener.changed("prompts")
                        case events.ResourceUpdated():
                            self._listener.changed("resources", str(event.uri))
        except MCPError:  # it refuses, or is gone
            return False
        except SubscriptionLost:  # anything may have changed meanwhile
            for kind in KINDS:
                self._listener.changed(kind)
            await asyncio.sleep(_AGAIN_SECONDS)
            return True
        return False


async def subscribe_legacy(client: Client, uri: str) -> None:
    """Subscribe to a resource in the way up to 2025-11-25, which the SDK warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        await client.subscribe_resource(uri)  # pyright: ignore[reportDeprecated]
