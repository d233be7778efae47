"""The chat.completions API, which every server of models speaks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mcp_notebook.chat.history import History
from mcp_notebook.chat.offered import Function
from mcp_notebook.chat.streams import CallPieces
from mcp_notebook.chat.turns import CallTurn, ModelTurn, Usage, UserTurn

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_FINISHES = {"tool_calls": "calls", "function_call": "calls", "length": "length", "content_filter": "filter"}


async def turn_by_completions(
    client: AsyncOpenAI,
    model: str,
    instructions: str,
    history: History,
    functions: Sequence[Function],
    on_text: Callable[[str], None],
) -> ModelTurn | None:
    """Let a model say what it has to say next (OpenAI API reference, "Create chat completion", streamed).

    Args:
        client: How to reach it.
        model: Its name there.
        instructions: What it is told beforehand.
        history: What was said.
        functions: The tools that it may call; none for none.
        on_text: Is called with all the text so far, whenever there is more.

    Returns:
        What it said; None when the stream ended before it was told that it is over.

    Raises:
        OpenAIError: The endpoint failed.
        ValueError: What it sent can't be read.
    """
    tools: dict[str, Any] = {"tools": [_tool(function) for function in functions]} if functions else {}
    stream = await client.chat.completions.create(
        model=model,
        messages=_messages(instructions, history),  # type: ignore[arg-type]  # plain dicts
        stream=True,
        stream_options={"include_usage": True},
        **tools,
    )
    text, finish, usage, pieces = "", None, None, CallPieces()
    async with stream:
        async for chunk in stream:
            usage = _usage(chunk) or usage
            for choice in (getattr(chunk, "choices", None) or [])[:1]:
                finish = getattr(choice, "finish_reason", None) or finish
                delta = getattr(choice, "delta", None)
                if more := getattr(delta, "content", None) or getattr(delta, "refusal", None):
                    text += more
                    on_text(text)
                for call in getattr(delta, "tool_calls", None) or []:
                    said = getattr(call, "function", None)
                    pieces.take(
                        index=getattr(call, "index", None),
                        id=getattr(call, "id", None),
                        name=getattr(said, "name", None),
                        arguments=getattr(said, "arguments", None),
                    )
    if finish is None:
        return None
    return ModelTurn(
        text=text, calls=pieces.asked(), finish=_FINISHES.get(finish, "stop"), usage=usage, model=f"completions {model}"
    )


def _messages(instructions: str, history: History) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": instructions}] if instructions else []
    for turn in history.for_model():
        match turn:
            case UserTurn():
                messages.append({"role": "user", "content": turn.text})
            case CallTurn():  # text only: images are not taken there
                messages.append({"role": "tool", "tool_call_id": turn.call.id, "content": turn.told})
            case ModelTurn():
                calls = [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.name, "arguments": call.arguments},
                    }
                    for call in turn.calls
                ]
                messages.append({"role": "assistant", "content": turn.text, **({"tool_calls": calls} if calls else {})})
    return messages


def _tool(function: Function) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": function.name,
            "description": function.description,
            "parameters": function.parameters,
        },
    }


def _usage(chunk: Any) -> Usage | None:
    usage = getattr(chunk, "usage", None)
    given, made = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    if not isinstance(given, int) or not isinstance(made, int):
        return None
    return Usage(input_tokens=given, output_tokens=made)
