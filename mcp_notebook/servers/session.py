"""A server over several connections: opened when needed, opened anew when gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_notebook.errors import ProtocolError, ServerError, UsageError
from mcp_notebook.servers import faults
from mcp_notebook.servers.connection import Connection
from mcp_notebook.servers.drift import told
from mcp_notebook.servers.elicitation import Call, Unanswered
from mcp_notebook.servers.hearing import Kind, subscribe_legacy, unsubscribe_legacy
from mcp_notebook.servers.logs import Logs
from mcp_notebook.servers.pins.guard import pins
from mcp_notebook.servers.subscriptions import Subscription, Subscriptions
from mcp_notebook.types import Era, LogRecord, ProtocolMode, ServerSpec, ToolInfo

if TYPE_CHECKING:
    from mcp import Client

R = TypeVar("R")

_MAX_REPEATS = 10


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What was learned at the last connect."""

    era: Era
    protocol_version: str
    info: Mapping[str, Any]
    instructions: str | None


class Session:
    """A server, whichever connection to it there is. Used on the background loop, but for reading its attributes.

    Args:
        spec: How to reach it.
    """

    def __init__(self, spec: ServerSpec) -> None:
        self.spec = spec
        self.facts: Facts | None = None
        """None until it is first connected."""
        self.tools: Mapping[str, ToolInfo] = MappingProxyType({})
        """Its tools by name, as they were last listed."""
        self.tools_are_stale = False
        """Whether it has said since that they have changed."""
        self.closed = False
        self.notice: str | None = None
        """The last thing the user was told of it."""
        self.versions: dict[Kind, int] = {"resources": 0, "prompts": 0}
        """How often each of these lists has changed, by what it says and by connecting anew."""
        self.subscriptions = Subscriptions()
        self.logs = Logs()
        self._said_before: list[tuple[float, str]] = []
        """What the process before this one wrote to stderr: why it ended may be there."""
        self.calls = 0
        """How many tool calls were made."""
        self.last_error: str | None = None
        """The last thing that went wrong with it."""
        self._protocol: ProtocolMode = spec.protocol
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()

    @property
    def alive(self) -> bool:
        """Whether it is connected now."""
        return self._connection is not None and self._connection.alive

    async def run(self, call: Call, send: Callable[[Client], Awaitable[R]]) -> R:
        """Have something done by the server, connecting it first if need be.

        Args:
            call: What is done, and from where.
            send: Does it with the SDK's client; may be called again where nothing has been done.

        Raises:
            Unanswered: A question of the call was not answered; its `failure` says why.
            UsageError: The server was closed.
            ServerError: It is gone, cannot be reached, or answered with an error.
        """
        try:
            for _ in range(_MAX_REPEATS):
                try:
                    return await self._attempt(call, send)
                except faults.PagesRequired as required:
                    await self._open_pages(call, required)
            problem = f"{call.what}: it asked {_MAX_REPEATS} times for pages to be opened first, and would go on"
            raise ServerError(self.spec.name, problem)
        except ServerError as error:
            self.last_error = error.problem
            raise

    async def connected(self, call: Call) -> Connection:
        """Give the connection, opened anew if it has gone.

        Raises:
            Unanswered: A question on the way was not answered; the call's `failure` says why.
            UsageError: The server was closed.
            ConnectError: It cannot be reached, or does not speak MCP.
        """
        async with self._connecting:
            self._check_open()
            if self._connection is not None and self._connection.alive:
                return self._connection
            before = None
            if self._connection is not None:
                before = self.tools
                self._connection.retire()
            connection = await self._connect(call, self._protocol)
            if before is not None:
                changes = told(before, self.tools)
                self._tell(call, f"{self.spec.name} was gone and is connected again{changes and f'; {changes}'}.")
            return connection

    async def list_tools(self, call: Call) -> None:
        """List the tools again, if they have changed. Raises what `run` does."""
        connection = await self.connected(call)
        if self.tools_are_stale:  # not so when connecting has listed them
            self.tools_are_stale = False
            try:
                self._take_tools(call, await connection.refresh_tools(call))
            except BaseException:
                self.tools_are_stale = True
                raise

    def records(self) -> list[LogRecord]:
        """The last of what it has said of its work, the oldest first."""
        said = self._connection.stderr if self._connection is not None else []
        records = [LogRecord(time=time, level="stderr", text=text) for time, text in (*self._said_before, *said)]
        return sorted([*self.logs.records(), *records], key=lambda record: record.time)

    async def subscribe(self, call: Call, subscription: Subscription) -> None:
        """Have the server tell of a resource that changes (MCP specification, server/resources, "Subscriptions").

        Raises:
            ServerError: It does not; and what `run` raises.
        """
        connection = await self.connected(call)
        confirmed = self.subscriptions.add(subscription)

        async def agreed(_: Client) -> None:
            if not await confirmed:
                raise ServerError(self.spec.name, f"it does not tell when {subscription.uri} changes")

        legacy = connection.era == "legacy"
        try:
            await self.run(call, (lambda client: subscribe_legacy(client, subscription.uri)) if legacy else agreed)
        except BaseException:
            self.subscriptions.remove(subscription)
            raise

    async def unsubscribe(self, call: Call, subscription: Subscription) -> None:
        """Take that back; a server that is gone need not be told. Raises what `run` does."""
        self.subscriptions.remove(subscription)
        if (
            self.alive
            and self.facts is not None
            and self.facts.era == "legacy"
            and subscription.uri not in self.subscriptions.uris
        ):
            await self.run(call, lambda client: unsubscribe_legacy(client, subscription.uri))

    async def close(self) -> None:
        """Disconnect for good."""
        self.closed = True
        if self._connection is not None:
            await self._connection.close()

    async def _attempt(self, call: Call, send: Callable[[Client], Awaitable[R]], *, again: bool = False) -> R:
        connection = await self.connected(call)
        try:
            return await connection.run(call, send)
        except faults.SessionEnded:
            if again or call.asked:
                raise
            return await self._attempt(call, send, again=True)
        except (ServerError, UsageError, Unanswered):
            raise
        except Exception as error:
            may_turn = connection.protocol == "auto" and connection.era == "modern" and not call.asked
            if not may_turn or not faults.needs_legacy(error):
                raise faults.call_fault(self.spec, call.what, error, call.refused, call.sign_in) from None
            await self._turn_legacy(call, connection)
            return await self._attempt(call, send)

    async def _open_pages(self, call: Call, required: faults.PagesRequired) -> None:
        """Ask the person to open each of the pages in turn; the call may be repeated then."""
        elicitor = (await self.connected(call)).elicitor
        for page in required.pages:
            asking = asyncio.ensure_future(call.ask(elicitor.to_visit(call, page, server_waits=False)))
            try:
                await asyncio.wait({asking})
            finally:  # Stop: no connection's call runs that would take the question back
                await call.end(None)
            answer = asking.result()
            if answer is None:
                raise Unanswered
            if answer.action != "accept":
                done = "declined" if answer.action == "decline" else "cancelled"
                problem = f"{call.what}: it needs a page to be opened first, and that was {done}"
                raise ProtocolError(self.spec.name, problem, code=required.code, data=required.data)

    async def _turn_legacy(self, call: Call, modern: Connection) -> None:
        """Stay with the legacy era from now on: this server asks in a way that the modern one has no channel for."""
        async with self._connecting:
            if self._connection is modern:
                await self._connect(call, "legacy")
                self._protocol = "legacy"
                self._tell(
                    call,
                    f"{self.spec.name} asks in the way of the older protocol, so it was connected again with that one "
                    "(--protocol legacy does so from the start).",
                )
        modern.retire()

    async def _connect(self, call: Call, protocol: ProtocolMode) -> Connection:
        self.tools_are_stale = False
        for kind in self.versions:
            self.versions[kind] += 1
        connection = Connection(self.spec, protocol, self)
        tools = await connection.open(call)
        if self.closed:  # meanwhile
            await connection.close()
            self._check_open()
        client = connection.client
        self.facts = Facts(
            era=connection.era,
            protocol_version=client.protocol_version,
            info=client.server_info.model_dump(by_alias=True, exclude_none=True) if client.server_info else {},
            instructions=client.instructions,
        )
        self._take_tools(call, tools)
        if self._connection is not None:
            self._said_before = self._connection.stderr
        self._connection = connection
        if connection.era == "legacy":
            for uri in self.subscriptions.uris:
                await self._subscribe_again(call, connection, uri)
        return connection

    async def _subscribe_again(self, call: Call, connection: Connection, uri: str) -> None:
        try:
            await connection.run(call, lambda client: subscribe_legacy(client, uri))
        except (ServerError, Unanswered):
            raise
        except Exception as error:
            self.subscriptions.drop(uri)
            fault = faults.call_fault(self.spec, f"resources/subscribe {uri}", error)
            self._tell(call, f"{fault} (it no longer tells when that changes)")
        else:
            self.subscriptions.tell(uri)  # it may have changed meanwhile

    def _check_open(self) -> None:
        if self.closed:
            msg = f"{self.spec.name} is disconnected; connect it again"
            raise UsageError(msg)

    def _take_tools(self, call: Call, tools: tuple[ToolInfo, ...]) -> None:
        self.tools = MappingProxyType({tool.name: tool for tool in tools})
        if notice := pins().notice(self.spec, self.tools):
            self._tell(call, notice)

    def changed(self, kind: Kind) -> None:
        """Take note that a list has changed."""
        if kind == "tools":
            self.tools_are_stale = True
        else:
            self.versions[kind] += 1

    def may_repeat(self, tool: str) -> bool:
        """Not where the tool itself says that it makes a difference (MCP specification, server/tools, annotations)."""
        hints = self.tools[tool].annotations if tool in self.tools else dict[str, Any]()
        return self.spec.force_retries or hints.get("readOnlyHint") is True or hints.get("idempotentHint") is not False

    def _tell(self, call: Call, notice: str) -> None:
        self.notice = notice
        call.place.tell(notice)
