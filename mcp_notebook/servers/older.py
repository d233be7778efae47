"""What servers of the older era may ask of a client: the user's folders, and the user's model.

Both are deprecated as of MCP 2026-07-28, and offered only where the user has given something to answer with.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.values import as_list
from mcp_notebook.servers.shown import escaped
from mcp_notebook.types import Question, SamplingRequest, ServerSpec

if TYPE_CHECKING:
    from mcp.client import ClientRequestContext
    from mcp.client.session import ListRootsFnT, SamplingFnT
    from mcp.types import CreateMessageRequestParams, CreateMessageResult, ErrorData, ListRootsResult

    from mcp_notebook.servers.elicitation import Elicitor

MAX_SHOWN = 3000
_REFUSED = -1
"""The code of a refusal by the user (MCP specification 2025-11-25, client/sampling, "Error Handling")."""


def roots_of(spec: ServerSpec) -> ListRootsFnT | None:
    """Give the callback that tells of the user's folders; None where there are none to tell of."""
    if not spec.roots:
        return None

    async def roots(context: ClientRequestContext) -> ListRootsResult:
        from mcp.types import ListRootsResult, Root
        from pydantic import FileUrl

        return ListRootsResult(
            roots=[Root(uri=FileUrl(Path(root).as_uri()), name=Path(root).name) for root in spec.roots]
        )

    return roots


def sampling_of(spec: ServerSpec, elicitor: Elicitor) -> SamplingFnT | None:
    """Give the callback that has the user's model answer, after consent to the request and to the answer.

    MCP specification 2025-11-25, client/sampling: there should always be a human in the loop.

    Args:
        spec: Holds the user's function. What it raises ends the call that is under way, and stays from the server.
        elicitor: Puts questions to the person.
    """
    if spec.on_sample is None:
        return None

    async def sample(
        context: ClientRequestContext, params: CreateMessageRequestParams
    ) -> CreateMessageResult | ErrorData:
        from mcp.types import INTERNAL_ERROR, CreateMessageResult, ErrorData, TextContent

        refused = ErrorData(code=_REFUSED, message="User rejected sampling request")
        request = _request(spec.name, params)
        asked = "\n".join(f"{role}: {text}" for role, text in (("system", request.system), *request.messages) if text)
        if not await _agrees(elicitor, spec.name, f"It wants to ask your model this:\n\n{escaped(asked, MAX_SHOWN)}"):
            return refused
        text = await elicitor.by_user(asyncio.to_thread(_answered, spec.on_sample, request))
        if text is None:
            return ErrorData(code=INTERNAL_ERROR, message="The model did not answer")
        if not await _agrees(elicitor, spec.name, f"Your model's answer would go to it:\n\n{escaped(text, MAX_SHOWN)}"):
            return refused
        return CreateMessageResult(role="assistant", content=TextContent(text=text), model="of the user")

    return sample


def _answered(model: Callable[[SamplingRequest], Any], request: SamplingRequest) -> str:
    """Have the user's function answer, on a thread of its own; an async one on a loop of its own."""
    answer = model(request)
    text = asyncio.run(_awaited(answer)) if inspect.isawaitable(answer) else answer
    if not isinstance(text, str):
        msg = f"on_sample must return the model's answer as a str, and returned {type(text).__name__}"
        raise UsageError(msg)
    return text


async def _awaited(answer: Awaitable[Any]) -> Any:
    return await answer


def _request(server: str, params: Any) -> SamplingRequest:
    messages: list[tuple[str, str]] = []
    for message in params.messages:
        blocks = as_list(message.content) or [message.content]
        text = "\n".join(block.text if block.type == "text" else f"({block.type})" for block in blocks)
        messages.append((message.role, text))
    return SamplingRequest(
        server=server, messages=tuple(messages), system=params.system_prompt or "", max_tokens=params.max_tokens
    )


async def _agrees(elicitor: Elicitor, server: str, message: str) -> bool:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    answer = await elicitor.put(Question(server=server, message=message, schema=schema, own=True))
    return answer is not None and answer.action == "accept"
