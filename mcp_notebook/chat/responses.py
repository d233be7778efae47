"""The Responses API, which the OpenAI API has, and without which its current models take no tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mcp_notebook.chat.history import History
from mcp_notebook.chat.offered import Function
from mcp_notebook.chat.turns import Asked, CallTurn, ModelTurn, Usage, UserTurn
from mcp_notebook.errors import ModelError

if TYPE_CHECKING:
    from openai import AsyncOpenAI


async def turn_by_responses(
    client: AsyncOpenAI,
    model: str,
    instructions: str,
    history: History,
    functions: Sequence[Function],
    on_text: Callable[[str], None],
) -> ModelTurn | None:
    """Let a model say what it has to say next (OpenAI API reference, "Create a model response", streamed).

    Nothing is stored there: what it thought comes back encrypted, and is sent along the next time. The arguments and
    what is returned and raised are those of `turn_by_completions`.

    Raises:
        ModelError: It said that it failed.
    """
    known = f"responses {model}"
    tools: dict[str, Any] = {"tools": [_tool(function) for function in functions]} if functions else {}
    stream = await client.responses.create(
        model=model,
        instructions=instructions,
        input=_items(history, known),  # type: ignore[arg-type]  # plain dicts
        stream=True,
        store=False,
        include=["reasoning.encrypted_content"],
        **tools,
    )
    text, finish, usage, items = "", None, None, list[Mapping[str, Any]]()
    async with stream:
        async for event in stream:
            match event.type:
                case "response.output_text.delta" | "response.refusal.delta":
                    text += event.delta
                    on_text(text)
                case "response.output_item.done":
                    items.append(event.item.model_dump(mode="json", exclude_none=True, exclude={"status"}))
                case "response.completed" | "response.incomplete":
                    usage = _usage(event.response)
                    finish = _finish(event.response)
                case "response.failed":
                    raise ModelError(f"{model} failed: {_reason(getattr(event.response, 'error', None))}")
                case "error":
                    raise ModelError(f"{model} failed: {_reason(event)}")
                case _:
                    pass
    if finish is None:
        return None
    calls = [
        Asked(id=item["call_id"], name=item["name"], arguments=item.get("arguments", ""))
        for item in items
        if item.get("type") == "function_call"
    ]
    return ModelTurn(text=text, calls=calls, finish=finish, usage=usage, items=items, model=known)


def _items(history: History, model: str) -> list[Mapping[str, Any]]:
    items: list[Mapping[str, Any]] = []
    for turn in history.for_model():
        match turn:
            case UserTurn():
                items.append({"role": "user", "content": turn.text})
            case CallTurn():
                items.append({"type": "function_call_output", "call_id": turn.call.id, "output": _output(turn)})
            case ModelTurn() if turn.model == model and turn.items:  # another model can't read what this one thought
                items += turn.items
            case ModelTurn():
                items += [{"role": "assistant", "content": turn.text}] if turn.text else []
                items += [
                    {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.arguments}
                    for call in turn.calls
                ]
    return items


def _output(turn: CallTurn) -> str | list[dict[str, Any]]:
    if not turn.images:
        return turn.told
    images = [
        {"type": "input_image", "detail": "auto", "image_url": f"data:{image.mime_type};base64,{image.base64}"}
        for image in turn.images
    ]
    return [{"type": "input_text", "text": turn.told}, *images]


def _tool(function: Function) -> dict[str, Any]:
    return {
        "type": "function",
        "name": function.name,
        "description": function.description,
        "parameters": function.parameters,
        "strict": False,  # strict mode takes a part of JSON Schema only, and servers use all of it
    }


def _finish(response: Any) -> str:
    reason = getattr(getattr(response, "incomplete_details", None), "reason", None)
    return {"max_output_tokens": "length", "content_filter": "filter"}.get(str(reason), "stop")


def _usage(response: Any) -> Usage | None:
    usage = getattr(response, "usage", None)
    given, made = getattr(usage, "input_tokens", None), getattr(usage, "output_tokens", None)
    if not isinstance(given, int) or not isinstance(made, int):
        return None
    return Usage(input_tokens=given, output_tokens=made)


def _reason(error: Any) -> str:
    return str(getattr(error, "message", None) or getattr(error, "code", None) or "it gave no reason")[:500]
