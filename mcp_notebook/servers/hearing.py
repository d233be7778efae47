"""What a server says unasked: that lists or resources have changed, that a page is done with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Literal, Protocol

from mcp_notebook.servers.elicitation import Elicitor
from mcp_notebook.servers.logs import Logs
from mcp_notebook.servers.subscriptions import Subscriptions
from mcp_notebook.types import Era

if TYPE_CHECKING:
    from mcp import Client
    from mcp.client.session import IncomingMessage

Kind = Literal["tools", "resources", "prompts"]
KINDS: tuple[Kind, ...] = ("tools", "resources", "prompts")

LOG_LEVEL = "info"
"""The least severe log messages that are asked for."""

_AGAIN_SECONDS = 0.5
_MAX_PAUSE_SECONDS = 60.0


class Listener(Protocol):
    """Whoever holds a connection."""

    @property
    def logs(self) -> Logs:
        """Takes its log notifications."""
        ...

    @property
    def subscriptions(self) -> Subscriptions:
        """Who wants to know of which resource."""
        ...

    def changed(self, kind: Kind) -> None:
        """Take note that a list has changed."""
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
            self._listener.subscriptions.tell(str(message.params.uri))
        elif isinstance(message, types.ToolListChangedNotification):
            self._listener.changed("tools")
        elif isinstance(message, types.ResourceListChangedNotification):
            self._listener.changed("resources")
        elif isinstance(message, types.PromptListChangedNotification):
            self._listener.changed("prompts")

    async def listen(self, client: Client) -> None:
        """Have log messages and changes told, as the era has it. Runs until it is cancelled."""
        if self._era() == "legacy":
            await _set_level(client)
            return
        anew = self._listener.subscriptions.changed
        following: list[asyncio.Task[None]] = []
        try:
            while True:
                anew.clear()
                heard = asyncio.Event()
                following.append(asyncio.ensure_future(self._follow(client, heard, missed=not following)))
                await heard.wait()
                for before in following[:-1]:  # not earlier: nothing may be missed in between
                    await _cancel(before)
                    following.remove(before)
                await anew.wait()
        finally:
            for task in following:
                await _cancel(task)

    async def _follow(self, client: Client, heard: asyncio.Event, *, missed: bool) -> None:
        """Listen for changes, and again whenever that breaks, until the server refuses.

        MCP specification 2026-07-28, basic/utilities/subscriptions.

        Args:
            client: The SDK's client.
            heard: Is set once there is nothing more to wait for: the server has agreed, or has refused.
            missed: Whether changes of resources may have been missed before.
        """
        from mcp import MCPError
        from mcp.client.subscriptions import SubscriptionLost

        offered, uris = client.server_capabilities, self._listener.subscriptions.uris
        wanted: list[Kind] = [kind for kind in KINDS if getattr(getattr(offered, kind), "list_changed", False)]
        pause, clock = _AGAIN_SECONDS, asyncio.get_running_loop().time
        try:
            while wanted or uris:
                begun = clock()
                try:
                    await self._stream(client, wanted, uris, heard, missed=missed)
                except SubscriptionLost:
                    pass  # and so it is taken up again, as it is when the server has ended it in good order
                except MCPError as error:  # it refuses, or is gone
                    self._listener.subscriptions.refused(error)
                    return
                pause = _AGAIN_SECONDS if clock() - begun > _MAX_PAUSE_SECONDS else min(2 * pause, _MAX_PAUSE_SECONDS)
                await asyncio.sleep(pause)
        finally:
            heard.set()

    async def _stream(
        self, client: Client, wanted: list[Kind], uris: list[str], heard: asyncio.Event, *, missed: bool
    ) -> None:
        from mcp.client import subscriptions as events

        subscriptions = self._listener.subscriptions
        async with client.listen(
            tools_list_changed="tools" in wanted,
            resources_list_changed="resources" in wanted,
            prompts_list_changed="prompts" in wanted,
            resource_subscriptions=uris,
        ) as stream:
            again = heard.is_set()
            heard.set()
            subscriptions.agreed(uris, stream.honored.resource_subscriptions or (), missed=missed or again)
            for kind in wanted if again else ():
                self._listener.changed(kind)
            async for event in stream:
                match event:
                    case events.ToolsListChanged():
                        self._listener.changed("tools")
                    case events.ResourcesListChanged():
                        self._listener.changed("resources")
                    case events.PromptsListChanged():
                        self._listener.changed("prompts")
                    case events.ResourceUpdated():
                        subscriptions.tell(str(event.uri))


async def subscribe_legacy(client: Client, uri: str) -> None:
    """Subscribe to a resource in the way up to 2025-11-25."""
    from mcp import types

    params = types.SubscribeRequestParams(uri=uri)
    await client.session.send_request(types.SubscribeRequest(params=params), types.EmptyResult)


async def unsubscribe_legacy(client: Client, uri: str) -> None:
    """Take that back."""
    from mcp import types

    params = types.UnsubscribeRequestParams(uri=uri)
    await client.session.send_request(types.UnsubscribeRequest(params=params), types.EmptyResult)


async def _set_level(client: Client) -> None:
    """Ask for log messages (MCP specification 2025-11-25, server/utilities/logging)."""
    from mcp import MCPError, types

    if client.server_capabilities.logging is None:
        return
    params = types.SetLevelRequestParams(level=LOG_LEVEL)
    with suppress(MCPError):  # then it sends those that it thinks fit
        await client.session.send_request(types.SetLevelRequest(params=params), types.EmptyResult)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
