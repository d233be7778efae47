"""One connection to one server: an SDK `Client` that one task enters and exits. Single use, as the client is."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from mcp_notebook.errors import ConnectionLost
from mcp_notebook.servers import faults
from mcp_notebook.servers.deadline import Deadline
from mcp_notebook.servers.elicitation import Call, Elicitor, Unanswered, refusing
from mcp_notebook.servers.hearing import LOG_LEVEL, Hearing, Listener
from mcp_notebook.servers.http import HttpNotes
from mcp_notebook.servers.listing import listed
from mcp_notebook.servers.older import roots_of, sampling_of
from mcp_notebook.servers.outputs import unchecked
from mcp_notebook.servers.process import ServerProcess
from mcp_notebook.servers.transports import transport
from mcp_notebook.types import Era, ProtocolMode, ServerSpec, ToolInfo

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import Tool

R = TypeVar("R")

_MAX_ROUNDS = 50
_CLOSE_SECONDS = 8.0  # a process has 2 s to end by itself, 2 s after SIGTERM and 2 s after SIGKILL
_REAP_SECONDS = 2.0


class Connection:
    """A connection. Made on the background loop, opened once.

    Args:
        spec: How to reach the server.
        protocol: Which protocol to speak: the spec's, unless the server turned out to need the legacy era.
        listener: Is told what the server says unasked.
    """

    def __init__(self, spec: ServerSpec, protocol: ProtocolMode, listener: Listener) -> None:
        self.spec = spec
        self.protocol: ProtocolMode = protocol
        self._listener = listener
        self._loop = asyncio.get_running_loop()
        self.elicitor = Elicitor(spec.name, lambda: self.era)
        """Answers what the server asks."""
        self._hearing = Hearing(listener, self.elicitor, lambda: self.era)
        self._notes = HttpNotes(self._refused if spec.transport == "sse" else None)
        self._process = ServerProcess() if spec.transport == "stdio" else None
        self._gone = False
        self._awaited: set[Deadline] = set()
        """What ends at once when the server has gone."""
        self._closing = asyncio.Event()
        self._retired = False
        self._opened: asyncio.Future[Client] = self._loop.create_future()
        # In a context of its own: the task outlives the cell that connects and must not hold on to it.
        self._owner = contextvars.Context().run(self._loop.create_task, self._own())
        self._owner.add_done_callback(self._owner_ended)

    @property
    def alive(self) -> bool:
        """Whether calls can be sent, as far as can be told without sending one."""
        return not self._gone and (self._process is None or self._process.alive)

    @property
    def client(self) -> Client:
        """The SDK's client, once open."""
        return self._opened.result()

    @property
    def era(self) -> Era:
        """The generation of the protocol in use."""
        from mcp.types.version import MODERN_PROTOCOL_VERSIONS

        return "modern" if self.client.protocol_version in MODERN_PROTOCOL_VERSIONS else "legacy"

    @property
    def stderr(self) -> list[tuple[float, str]]:
        """What the server's process has written to stderr of late: each line with its time."""
        return self._process.said.lines if self._process else []

    async def open(self, call: Call) -> tuple[ToolInfo, ...]:
        """Connect, and list the tools: in the modern era that is the first thing which proves that a server is there.

        Args:
            call: What needs the connection: whoever made it is asked when the server wants a sign-in.

        Raises:
            Unanswered: A question on the way was not answered; the call's `failure` says why.
            ConnectError: The server could not be reached within `spec.connect_seconds`, or does not speak MCP.
        """
        opening = asyncio.ensure_future(self._open())
        opened = False
        try:
            await self._wait(call, Deadline(self.spec.connect_seconds), opening)
            if call.failure is not None:
                raise Unanswered
            if not opening.done():
                raise faults.timeout_fault(self.spec, str(self._process.said) if self._process else "")
            error = opening.exception()
            if error is not None:
                self._closing.set()
                await asyncio.wait({self._owner}, timeout=_REAP_SECONDS)
                raise faults.connect_fault(self.spec, error, await self._stderr(), self._notes) from None
            opened = True
            return opening.result()
        finally:
            if not opened:
                opening.cancel()
                self._owner.cancel()
                await call.end(f"{self.spec.name} could not be connected")

    async def close(self) -> None:
        """End the connection, and the process behind it."""
        self._closing.set()
        await asyncio.wait({self._owner}, timeout=_CLOSE_SECONDS)
        self._owner.cancel()

    def retire(self) -> None:
        """Take no more calls, and end once those that run have ended."""
        self._retired = True
        if not self.elicitor.calls:
            self._closing.set()

    async def run(self, call: Call, send: Callable[[Client], Awaitable[R]]) -> R:
        """Have something done by the server. Cancelling this cancels it at the server.

        Args:
            call: What is done, and from where.
            send: Does it with the SDK's client.

        Raises:
            Unanswered: A question of the call was not answered; its `failure` says why.
            ConnectionLost: The server is gone.
            ServerTimeout: The server did not answer within `spec.answer_seconds`.
        """
        work = asyncio.ensure_future(send(self.client))
        deadline = Deadline(self.spec.answer_seconds)
        why = None
        self._awaited.add(deadline)
        try:
            if not self._gone:
                await self._wait(call, deadline, work)
            if call.failure is not None:
                why = "Another question of this call was not answered"
                raise Unanswered
            error = work.exception() if work.done() else None
            if work.done() and (error is None or not faults.is_lost(error)):
                why = f"{self.spec.name} ended the call before you answered"
                return work.result()
            if not work.done() and not self._gone:
                raise faults.late_fault(self.spec, call.what)
            await call.end(f"{self.spec.name} is gone")
            raise await self._lost(error) from None
        finally:
            self._awaited.discard(deadline)
            work.cancel()
            await call.end(why)
            if self._retired:
                self.retire()

    async def refresh_tools(self, call: Call) -> tuple[ToolInfo, ...]:
        """List the tools again. Raises what `run` does."""
        return await self.run(call, lambda _: self._list_tools())

    async def _wait(self, call: Call, deadline: Deadline, work: asyncio.Future[Any]) -> None:
        """Wait until `work` is done, the call has failed, or the deadline has passed."""
        self.elicitor.calls.append(call)
        outer, call.deadline = call.deadline, deadline
        work.add_done_callback(deadline.end)
        try:
            await deadline.over
        finally:
            call.deadline = outer
            self.elicitor.calls.remove(call)
            deadline.end()

    async def _own(self) -> None:
        from mcp import Client
        from mcp.types import Implementation

        from mcp_notebook import __version__

        client = Client(
            transport(self.spec, self._process, self._notes, self._listener.may_repeat, self.elicitor.put),
            mode=self.protocol,
            client_info=Implementation(name="mcp-notebook", version=__version__),
            elicitation_callback=self.elicitor if self.spec.elicit else None,
            message_handler=self._hearing.take,
            list_roots_callback=roots_of(self.spec),
            sampling_callback=sampling_of(self.spec, self.elicitor),
            logging_callback=self._listener.logs,
            log_level=LOG_LEVEL,
            input_required_max_rounds=_MAX_ROUNDS,
            cache=None,
        )
        async with client:
            client.session.validate_tool_result = unchecked
            if not self.spec.elicit:
                client.session.dispatch_input_request = refusing(client.session.dispatch_input_request)
            self._opened.set_result(client)
            listening = asyncio.ensure_future(self._hearing.listen(client))
            try:
                await _any(self._closing, *([self._process.over] if self._process else []))
            finally:
                listening.cancel()
                await asyncio.wait({listening}, timeout=_REAP_SECONDS)

    async def _open(self) -> tuple[ToolInfo, ...]:
        await asyncio.wait({self._opened, self._owner}, return_when=asyncio.FIRST_COMPLETED)
        if not self._opened.done():
            if self._owner.cancelled():
                msg = "a message was refused"
                raise ConnectionError(msg)
            self._owner.result()  # raises what went wrong
        return await self._list_tools()

    async def _list_tools(self) -> tuple[ToolInfo, ...]:
        from mcp import MCPError
        from mcp.types import METHOD_NOT_FOUND

        try:
            tools = await listed(self.client.list_tools, lambda page: page.tools)
        except MCPError as error:
            # A server without tools; but unprobed, the very same can be a web server that knows no MCP.
            if error.code == METHOD_NOT_FOUND and self.protocol != "2026-07-28":
                return ()
            raise
        return tuple(_info(self.spec.name, tool) for tool in tools)

    async def _lost(self, error: BaseException | None) -> ConnectionLost:
        self._be_gone()
        self._closing.set()
        await asyncio.wait({self._owner}, timeout=_REAP_SECONDS)
        if self._owner.done() and not self._owner.cancelled():
            error = self._owner.exception() or error
        self._owner.cancel()
        return faults.lost_fault(self.spec, error, await self._stderr(), self._process.fault if self._process else None)

    async def _stderr(self) -> str:
        return await self._process.last_words() if self._process else ""

    def _owner_ended(self, owner: asyncio.Task[None]) -> None:
        self._be_gone()
        if self._process is not None:
            self._process.forget()
        if not owner.cancelled():
            owner.exception()  # told by whoever waits; without this asyncio logs it as never retrieved

    def _be_gone(self) -> None:
        self._gone = True
        for deadline in self._awaited:
            deadline.end()

    def _refused(self) -> None:
        self._be_gone()
        self._owner.cancel()


async def _any(*events: asyncio.Event) -> None:
    """Wait until one of some events is set."""
    waiting = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in waiting:
            task.cancel()


def _info(server: str, tool: Tool) -> ToolInfo:
    return ToolInfo(
        server=server,
        name=tool.name,
        title=tool.title,
        description=tool.description or "",
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=tool.annotations.model_dump(by_alias=True, exclude_none=True) if tool.annotations else {},
    )
