"""A connected server, as users hold it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Any, Literal

from mcp_notebook.errors import ProtocolError, ServerError, ToolError, UsageError
from mcp_notebook.servers import faults, loop, shown
from mcp_notebook.servers.connection import Connection
from mcp_notebook.servers.elicitation import Call, Unanswered
from mcp_notebook.servers.sending import sendable
from mcp_notebook.types import Era, Place, Places, ProtocolMode, ServerSpec, ToolInfo, ToolResult

_MAX_REPEATS = 10


@dataclass(frozen=True, kw_only=True)
class _Facts:
    """What was learned at the last connect."""

    era: Era
    protocol_version: str
    info: Mapping[str, Any]
    instructions: str | None


class Server:
    """A server that is connected, and is connected again on the next use when it has gone.

    A context manager as well, plain and async, that closes it at the end. Made by `Registry.connect`.

    Args:
        spec: How to reach it.
        places: Gives the place of each call.
    """

    def __init__(self, spec: ServerSpec, places: Places) -> None:
        self.spec = spec
        self.notice: str | None = None
        """Something the user should know of it, in a sentence or two; mostly None."""
        self._places = places
        self._protocol: ProtocolMode = spec.protocol
        self._connection: Connection | None = None
        self._connecting = asyncio.Lock()
        self._closed = False
        self._tools: Mapping[str, ToolInfo] = MappingProxyType({})
        self._tools_are_stale = False
        self._facts: _Facts | None = None

    @property
    def name(self) -> str:
        """The name it is connected under."""
        return self.spec.name

    @property
    def state(self) -> Literal["connected", "gone", "closed"]:
        """Whether it can be called at once, is connected again at the next use, or was closed."""
        if self._closed:
            return "closed"
        return "connected" if self._connection is not None and self._connection.alive else "gone"

    @property
    def era(self) -> Era:
        """The generation of the protocol that it was last reached by."""
        return self._known.era

    @property
    def protocol_version(self) -> str:
        """The version of the protocol, such as "2025-11-25"."""
        return self._known.protocol_version

    @property
    def transport(self) -> str:
        """How it is reached: "stdio", "http", "sse" or "in-process"."""
        return self.spec.transport

    @property
    def target(self) -> str:
        """Where it is, in one line for people, without secrets."""
        return shown.target(self.spec)

    @property
    def info(self) -> Mapping[str, Any]:
        """What it says of itself (`name`, `version`, `title` …): untrusted, and empty where it says nothing."""
        return self._known.info

    @property
    def instructions(self) -> str | None:
        """Its advice on how to use it: untrusted text."""
        return self._known.instructions

    @property
    def tools(self) -> Mapping[str, ToolInfo]:
        """Its tools by name, in its own order; listed again after it said that they have changed.

        Raises:
            ServerError: They have changed, and cannot be listed.
        """
        if self._tools_are_stale:
            self._here().wait(self._list_tools())
        return self._tools

    def call(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Call a tool and wait for its result; what it asks meanwhile is asked where this is called from.

        Args:
            tool: The tool's name.
            arguments: The tool's arguments.

        Returns:
            The result.

        Raises:
            UsageError: An argument cannot be carried by JSON, or the server was closed.
            ToolError: The tool reported a failure.
            ServerError: The server is gone, cannot be reached, or answered with an error.
            NoAnswerError: It asked something that nobody could answer.
            KeyboardInterrupt: The user pressed Stop; the call has been cancelled.
        """
        return self.call_with(tool, arguments)

    def call_with(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Do the same as `call` with the arguments in a mapping, for names that Python cannot spell."""
        place = self._here()
        return _settled(place.wait(self._call(place, tool, arguments)))

    async def acall(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Do the same as `call`, awaited. Cancelling it cancels the call."""
        return await self.acall_with(tool, arguments)

    async def acall_with(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Do the same as `call_with`, awaited."""
        place = self._places()
        return _settled(await place.wait_async(self._call(place, tool, arguments)))

    def open(self) -> None:
        """Connect, unless it is connected.

        Raises:
            ConnectError: It cannot be reached, or does not speak MCP.
        """
        self._here().wait(self._connected())

    def close(self) -> None:
        """Disconnect for good, and end the process behind a stdio server. More than once does no harm."""
        _not_on_the_loop()
        loop.submit(self.aclose()).result()

    async def aclose(self) -> None:
        """Do the same as `close`, on the background loop."""
        self._closed = True
        if self._connection is not None:
            await self._connection.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Server:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.wrap_future(loop.submit(self.aclose()))

    def __repr__(self) -> str:
        return f"<server {self.name}: {self.state}, {self.target}, {len(self._tools)} tools>"

    @property
    def _known(self) -> _Facts:
        if self._facts is None:
            msg = f"{self.name} has not been connected yet: call open() first"
            raise UsageError(msg)
        return self._facts

    def _here(self) -> Place:
        _not_on_the_loop()
        return self._places()

    async def _call(self, place: Place, tool: str, arguments: Mapping[str, Any]) -> ToolResult | BaseException:
        """Call a tool; what the place raised when asked is returned, as a task cannot let out a KeyboardInterrupt."""
        call = Call(tool, place)
        try:
            for _ in range(_MAX_REPEATS):
                try:
                    return await self._attempt(call, sendable(arguments))
                except faults.PagesRequired as required:
                    await self._open_pages(call, required)
        except Unanswered:
            assert call.failure is not None
            return call.failure
        problem = f"{tool}: it asked {_MAX_REPEATS} times for pages to be opened first, and would go on"
        raise ServerError(self.name, problem)

    async def _open_pages(self, call: Call, required: faults.PagesRequired) -> None:
        """Ask the person to open each of the pages in turn; the call may be repeated then."""
        elicitor = (await self._connected()).elicitor
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
                problem = f"{call.tool}: it needs a page to be opened first, and that was {done}"
                raise ProtocolError(self.name, problem, code=required.code, data=required.data)

    async def _attempt(self, call: Call, arguments: dict[str, Any], *, again: bool = False) -> ToolResult:
        connection = await self._connected()
        try:
            answer = await connection.call(call, arguments)
        except faults.SessionEnded:
            if again or call.asked:
                raise
            return await self._attempt(call, arguments, again=True)
        except (ServerError, Unanswered):
            raise
        except Exception as error:
            may_turn = connection.protocol == "auto" and connection.era == "modern" and not call.asked
            if not may_turn or not faults.needs_legacy(error):
                raise faults.call_fault(self.spec, call.tool, error) from None
            await self._turn_legacy(connection)
            return await self._attempt(call, arguments)
        result = ToolResult(
            server=self.name,
            tool=call.tool,
            content=tuple(answer.content),
            structured=answer.structured_content,
            is_error=bool(answer.is_error),
        )
        if result.is_error:
            raise ToolError(self.name, call.tool, result)
        return result

    async def _turn_legacy(self, modern: Connection) -> None:
        """Stay with the legacy era from now on: this server asks in a way that the modern one has no channel for."""
        async with self._connecting:
            if self._connection is modern:
                await self._connect("legacy")
                self._protocol = "legacy"
                self.notice = (
                    f"{self.name} asks in the way of the older protocol, so it was connected again with that one "
                    "(--protocol legacy does so from the start)."
                )
        modern.retire()

    async def _connected(self) -> Connection:
        async with self._connecting:
            self._check_open()
            if self._connection is not None and self._connection.alive:
                return self._connection
            if self._connection is not None:
                self._connection.retire()
            return await self._connect(self._protocol)

    async def _connect(self, protocol: ProtocolMode) -> Connection:
        self._tools_are_stale = False
        connection = Connection(self.spec, protocol, self._tools_changed)
        tools = await connection.open()
        if self._closed:  # meanwhile
            await connection.close()
            self._check_open()
        client = connection.client
        self._facts = _Facts(
            era=connection.era,
            protocol_version=client.protocol_version,
            info=client.server_info.model_dump(by_alias=True, exclude_none=True) if client.server_info else {},
            instructions=client.instructions,
        )
        self._take_tools(tools)
        self._connection = connection
        return connection

    async def _list_tools(self) -> None:
        connection = await self._connected()
        if self._tools_are_stale:  # not so when connecting has listed them
            self._tools_are_stale = False
            try:
                self._take_tools(await connection.refresh_tools())
            except BaseException:
                self._tools_are_stale = True
                raise

    def _check_open(self) -> None:
        if self._closed:
            msg = f"{self.name} is disconnected; connect it again"
            raise UsageError(msg)

    def _take_tools(self, tools: tuple[ToolInfo, ...]) -> None:
        self._tools = MappingProxyType({tool.name: tool for tool in tools})

    def _tools_changed(self) -> None:
        self._tools_are_stale = True


def _settled(outcome: ToolResult | BaseException) -> ToolResult:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _not_on_the_loop() -> None:
    if loop.is_here():
        msg = "this would wait for itself: inside a server's own code use `await server.acall(...)`"
        raise UsageError(msg)
