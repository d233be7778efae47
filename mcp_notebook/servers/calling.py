"""The tool calls of a server: checked against its pin, sent, and their results against what the tools declare."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from mcp_notebook.errors import ToolError
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.sending import sendable
from mcp_notebook.servers.elicitation import Call
from mcp_notebook.servers.outputs import require_declared
from mcp_notebook.servers.pins.guard import pins
from mcp_notebook.servers.session import Session

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import CallToolResult

Work = Callable[[Call], Awaitable[ToolResult]]
"""Makes one call of the tool that the `Call` names, on the background loop."""


def calling(session: Session, arguments: Mapping[str, Any], *, for_model: bool = False) -> Work:
    """Give what calls a tool with arguments by name.

    Args:
        session: The tool's server.
        arguments: The arguments, as Python has them.
        for_model: Whether a model asks for it, and not a person.

    Returns:
        The work. It raises UsageError where an argument cannot be carried by JSON, and what that of `sending` does.
    """

    async def call_tool(call: Call) -> ToolResult:
        known = session.tools.get(call.what)
        return await sending(session, sendable(arguments, known and known.input_schema), for_model=for_model)(call)

    return call_tool


def sending(session: Session, sent: Mapping[str, Any], *, for_model: bool = False) -> Work:
    """Do the same as `calling` with arguments that JSON can carry as they are.

    Returns:
        The work. It raises UsageError where the pin forbids the call, ToolError where the tool reports a failure,
        ResultError where its result is not what it declares, and what `Session.run` does.
    """

    async def call_tool(call: Call) -> ToolResult:
        if session.tools_are_stale and pins().watches(session.spec):
            await session.list_tools(call)  # what is compared must be what the server has now
        session.calls += 1

        async def send(client: Client) -> ToolResult:
            # Not before: on the way here it may have been connected again, and be another.
            if warning := pins().before_call(session.spec, session.tools, call.what, for_model=for_model):
                call.place.tell(warning)
            answer = await client.call_tool(call.what, dict(sent), progress_callback=call.progress)
            result = _result(session, call.what, answer)
            require_declared(result, call.place.tell)
            return result

        return await session.run(call, send)

    return call_tool


def _result(session: Session, tool: str, answer: CallToolResult) -> ToolResult:
    info = session.tools.get(tool)
    result = ToolResult(
        server=session.spec.name,
        tool=tool,
        content=tuple(answer.content),
        structured=answer.structured_content,
        is_error=bool(answer.is_error),
        output_schema=info and info.output_schema,
    )
    if result.is_error:
        raise ToolError(session.spec.name, tool, result)
    return result
