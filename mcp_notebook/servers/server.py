"""A connected server, as users hold it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from mcp_notebook.errors import UsageError
from mcp_notebook.results import PromptResult, ResourceResult, ToolResult
from mcp_notebook.servers import loop, shown
from mcp_notebook.servers.calling import calling, sending
from mcp_notebook.servers.doing import Outcome, ado_at, do_at, not_on_the_loop, outcome_at
from mcp_notebook.servers.elicitation import Call
from mcp_notebook.servers.hints import Hints
from mcp_notebook.servers.mapped import How, Mapped
from mcp_notebook.servers.mapping import One, make_calls
from mcp_notebook.servers.offers import Completion, Kind, Offers, expanded
from mcp_notebook.servers.pins.guard import pins
from mcp_notebook.servers.session import Facts, Session
from mcp_notebook.servers.subscriptions import Subscription
from mcp_notebook.servers.tools import Tools
from mcp_notebook.types import Era, LogRecord, Place, Places, PromptInfo, ResourceInfo, ServerSpec, ToolInfo

if TYPE_CHECKING:
    from mcp_notebook.servers.declared import DeclaredTool

R = TypeVar("R")


class Server:
    """A server that is connected, and is connected again on the next use when it has gone.

    A context manager as well, plain and async, that closes it at the end. Made by `Registry.connect`.

    Args:
        spec: How to reach it.
        places: Gives the place of each call.
    """

    def __init__(self, spec: ServerSpec, places: Places) -> None:
        self.spec = spec
        self._places = places
        self._session = Session(spec)
        self._offers = Offers(self._session)
        self.hints = Hints(self._session, self._offers)
        """What is known of it for completion."""
        self._tools: tuple[Mapping[str, ToolInfo], Tools] | None = None
        self.last_maps: dict[str, Mapped] = {}
        """What the last `map` of each tool has come to, by the tool's name."""

    @property
    def name(self) -> str:
        """The name it is connected under."""
        return self.spec.name

    @property
    def state(self) -> Literal["connected", "gone", "closed"]:
        """Whether it can be called at once, is connected again at the next use, or was closed."""
        if self._session.closed:
            return "closed"
        return "connected" if self._session.alive else "gone"

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
    def notice(self) -> str | None:
        """The last thing the user was told of it, such as that it was connected again; mostly None."""
        return self._session.notice

    @property
    def calls(self) -> int:
        """How many tool calls were made."""
        return self._session.calls

    @property
    def last_error(self) -> str | None:
        """The last thing that went wrong with it."""
        return self._session.last_error

    @property
    def tools(self) -> Tools:
        """Its tools, as functions by name, in its own order; listed again after it said that they have changed.

        Raises:
            ServerError: They have changed, and cannot be listed.
        """
        if self._session.tools_are_stale:
            self._do("tools/list", self._session.list_tools)
        return self.known_tools

    @property
    def known_tools(self) -> Tools:
        """Its tools as they were last listed, whatever it has said since."""
        if self._tools is None or self._tools[0] is not self._session.tools:
            infos = self._session.tools
            self._tools = infos, Tools(self.name, infos, self)
        return self._tools[1]

    @overload
    def tool(self, name: str, *, args: type[Any] | None = None) -> DeclaredTool[ToolResult]: ...
    @overload
    def tool(self, name: str, *, args: type[Any] | None = None, returns: type[R]) -> DeclaredTool[R]: ...
    def tool(self, name: str, *, args: type[Any] | None = None, returns: type[Any] | None = None) -> DeclaredTool[Any]:
        """Declare what a tool takes and gives, in types of your own.

        Args:
            name: The tool's name.
            args: A pydantic model, dataclass or TypedDict of its arguments, by their names; None for those of its
                schema.
            returns: What comes of a call: any type that pydantic can validate, from the structured content, else from
                JSON in the text; None for the `ToolResult`.

        Raises:
            UsageError: There is no such tool, or it does not take what is declared.
        """
        from mcp_notebook.servers.declared import DeclaredTool

        return DeclaredTool(self.tools.only(name)[name], args, returns)

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
        return self._do(tool, calling(self._session, arguments), tool=tool)

    def call_sent(self, tool: str, sent: Mapping[str, Any]) -> ToolResult:
        """Do the same as `call_with` with arguments that JSON can carry as they are."""
        return self._do(tool, sending(self._session, sent), tool=tool)

    async def acall_sent(self, tool: str, sent: Mapping[str, Any]) -> ToolResult:
        """Do the same as `call_sent`, awaited."""
        return await self._ado(tool, sending(self._session, sent), tool=tool)

    async def acall(self, tool: str, /, **arguments: Any) -> ToolResult:
        """Do the same as `call`, awaited. Cancelling it cancels the call."""
        return await self.acall_with(tool, arguments)

    async def acall_with(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Do the same as `call_with`, awaited."""
        return await self._ado(tool, calling(self._session, arguments), tool=tool)

    async def refresh_at(self, place: Place) -> Outcome[None]:
        """List the tools again on the background loop, if they have changed, for code that waits at a place.

        Returns:
            None, and what the place raised when it was asked, such as for a sign-in.

        Raises:
            ServerError: The server is gone, or cannot be reached.
        """
        return await outcome_at(place, "tools/list", self._session.list_tools)

    async def call_for_model(self, place: Place, tool: str, arguments: Mapping[str, Any]) -> Outcome[ToolResult]:
        """Call a tool on the background loop as a model asks, which never gets one that has drifted.

        Args:
            place: Where the code waits that talks to the model.
            tool: The tool's name.
            arguments: Its arguments.

        Returns:
            The result, and None; or None, and what the place raised when it was asked.

        Raises:
            UsageError, ToolError, ServerError: As `call` does; also where the tool is not as it was pinned.
        """
        return await outcome_at(place, tool, calling(self._session, arguments, for_model=True), tool=tool)

    def run_map(self, mapped: Mapped, numbers: Sequence[int], how: How) -> BaseException | None:
        """Make the calls of some rows of a `map`, and block until they are done: see `mapping.make_calls`."""
        not_on_the_loop()
        place = self._places()
        return place.wait(make_calls(mapped, numbers, how, place, self._one(mapped.tool.name, how)))

    async def arun_map(self, mapped: Mapped, numbers: Sequence[int], how: How) -> BaseException | None:
        """Do the same as `run_map`, awaited."""
        place = self._places()
        return await place.wait_async(make_calls(mapped, numbers, how, place, self._one(mapped.tool.name, how)))

    @property
    def resources(self) -> Mapping[str, ResourceInfo]:
        """Its resources by URI, listed again after it said that they have changed. Raises what `call` does."""
        return self._list("resources")

    @property
    def resource_templates(self) -> Mapping[str, ResourceInfo]:
        """Its templates of resources by URI, with variables in braces. Raises what `call` does."""
        return self._list("templates")

    @property
    def prompts(self) -> Mapping[str, PromptInfo]:
        """Its prompts by name. Raises what `call` does."""
        return self._list("prompts")

    @property
    def logs(self) -> list[LogRecord]:
        """The last of what it has said of its work: log notifications, and its process's stderr; the oldest first."""
        return self._session.records()

    def resource(self, uri: str, /, **variables: Any) -> ResourceResult:
        """Read a resource and wait for what it holds.

        Args:
            uri: Its URI; or a template of resources, whose variables are given by name.
            variables: What to put in for the variables of a template (RFC 6570): texts, or lists of them; those of a
                query may be left out.

        Raises:
            UsageError: A variable is missing or unknown.
            ServerError: There is no such resource, or the server is gone; other errors are those of `call`.
        """
        found = expanded(uri, variables)
        return self._do(f"resources/read {found}", lambda call: self._offers.read(call, found))

    async def aresource(self, uri: str, /, **variables: Any) -> ResourceResult:
        """Do the same as `resource`, awaited."""
        found = expanded(uri, variables)
        return await self._ado(f"resources/read {found}", lambda call: self._offers.read(call, found))

    def prompt(self, name: str, /, **arguments: Any) -> PromptResult:
        """Get a prompt and wait for its messages.

        Args:
            name: Its name.
            arguments: Its arguments; they are sent as text.

        Raises:
            UsageError: There is no such prompt, or an argument is missing or unknown.
            ServerError: The server failed; other errors are those of `call`.
        """
        return self._do(f"prompts/get {name}", lambda call: self._offers.prompt(call, name, arguments))

    async def aprompt(self, name: str, /, **arguments: Any) -> PromptResult:
        """Do the same as `prompt`, awaited."""
        return await self._ado(f"prompts/get {name}", lambda call: self._offers.prompt(call, name, arguments))

    def complete(
        self,
        argument: str,
        value: str = "",
        *,
        prompt: str | None = None,
        template: str = "",
        context: Mapping[str, str] | None = None,
    ) -> list[str]:
        """Ask the server what an argument may be.

        Args:
            argument: The argument of a prompt, or the variable of a template of resources.
            value: How it begins.
            prompt: The prompt's name.
            template: Or the template.
            context: The arguments that are known already.

        Raises:
            UsageError: The server offers no completions.
            ServerError: It failed; other errors are those of `call`.
        """
        asked = Completion(prompt=prompt, template=template, argument=argument, value=value, context=context or {})
        return self._do("completion/complete", lambda call: self._offers.complete(call, asked))

    def subscribe(self, uri: str, callback: Callable[[], object]) -> Subscription:
        """Have a function called whenever a resource has changed, or may have while the server was gone.

        Args:
            uri: The resource.
            callback: Is called with nothing: read the resource to see what is new. It runs on a thread of its own, one
                call at a time; changes during one come to a single further call.

        Returns:
            The subscription: `.close()` ends it.

        Raises:
            ServerError: The server does not tell of changes; other errors are those of `call`.
        """
        subscription = Subscription(uri, callback, self._unsubscribe)
        self._do(f"resources/subscribe {uri}", lambda call: self._session.subscribe(call, subscription))
        return subscription

    def open(self) -> None:
        """Connect, unless it is connected.

        Raises:
            ConnectError: It cannot be reached, or does not speak MCP.
        """
        self._do("connect", self._session.connected)

    def close(self) -> None:
        """Disconnect for good, and end the process behind a stdio server. More than once does no harm."""
        not_on_the_loop()
        loop.submit(self.aclose()).result()

    async def aclose(self) -> None:
        """Do the same as `close`, on the background loop."""
        await self._session.close()

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
        return f"<server {self.name}: {self.state}, {self.target}, {len(self._session.tools)} tools>"

    def _unsubscribe(self, subscription: Subscription) -> None:
        what = f"resources/unsubscribe {subscription.uri}"
        self._do(what, lambda call: self._session.unsubscribe(call, subscription))

    def _list(self, kind: Kind) -> Mapping[str, Any]:
        known = self._offers.known(kind)
        return self._do(f"{kind}/list", lambda call: self._offers.fetch(call, kind)) if known is None else known

    @property
    def _known(self) -> Facts:
        if self._session.facts is None:
            msg = f"{self.name} has not been connected yet: call open() first"
            raise UsageError(msg)
        return self._session.facts

    def _one(self, tool: str, how: How) -> One:
        if how.executor is None:
            return lambda place, sent: outcome_at(place, tool, sending(self._session, sent), tool=tool)
        from mcp_notebook.servers.remote import call_in, require_portable

        require_portable(how.executor, self.spec)
        if pins().watches(self.spec):
            infos = {name: each.info for name, each in self.tools.items()}
            if warning := pins().before_call(self.spec, infos, tool):
                self._places().tell(warning)
        executor = how.executor
        return lambda _, sent: call_in(executor, self.spec, tool, sent)

    def _do(self, what: str, work: Callable[[Call], Awaitable[R]], *, tool: str | None = None) -> R:
        """Do something at the place of the running code, and block until it is done."""
        not_on_the_loop()
        return do_at(self._places(), what, work, tool=tool)

    async def _ado(self, what: str, work: Callable[[Call], Awaitable[R]], *, tool: str | None = None) -> R:
        """Do the same as `_do`, awaited."""
        return await ado_at(self._places(), what, work, tool=tool)
