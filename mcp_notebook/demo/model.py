"""A recorded model: an endpoint for chat.completions that says what a file tells it to, with no key and no network.

    url = play("answers-of-a-model.json")     # OPENAI_BASE_URL
    python -m mcp_notebook.demo.model FILE [PORT]

The file has the model's turns, by what the person said last and how many turns came since:

    {"turns": [{"said": "weather", "calls": [{"name": "demo__forecast", "arguments": {"city": "Lisbon"}}]},
               {"said": "weather", "text": "Bring an umbrella: {result}"}]}

`{result}` in a text is what the last tool gave. To whatever else is said it answers what it knows.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

NAME = "recorded"


def app(turns: Sequence[Mapping[str, Any]], pace: float = 0.0) -> Starlette:
    """Make the endpoint.

    Args:
        turns: What it says.
        pace: How long it takes over each word, in seconds.
    """

    async def completions(request: Request) -> StreamingResponse:
        turn = _next(turns, (await request.json())["messages"])
        return StreamingResponse(_stream(turn, pace), media_type="text/event-stream")

    async def models(_: Request) -> JSONResponse:
        return JSONResponse({"object": "list", "data": [{"id": NAME, "object": "model"}]})

    return Starlette(routes=[Route("/v1/chat/completions", completions, methods=["POST"]), Route("/v1/models", models)])


def play(path: str | Path, *, pace: float = 0.0, port: int = 0) -> str:
    """Run the endpoint in this process until that ends.

    Args:
        path: The file with its turns.
        pace: How long it takes over each word, in seconds.
        port: Where it listens on this computer; any free port by default.

    Returns:
        Its URL, for OPENAI_BASE_URL.
    """
    import uvicorn

    turns = json.loads(Path(path).read_text("utf-8"))["turns"]
    listening = socket.create_server(("127.0.0.1", port))
    server = uvicorn.Server(uvicorn.Config(app(turns, pace), log_level="error", lifespan="off"))
    threading.Thread(target=server.run, kwargs={"sockets": [listening]}, name="recorded model", daemon=True).start()
    return f"http://127.0.0.1:{listening.getsockname()[1]}/v1"


def _next(turns: Sequence[Mapping[str, Any]], messages: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    last = max(i for i, message in enumerate(messages) if message["role"] == "user")
    said = str(messages[last]["content"]).lower()
    since = [message for message in messages[last:] if message["role"] == "assistant"]
    results = [str(message["content"]) for message in messages[last:] if message["role"] == "tool"]
    matching = [turn for turn in turns if turn["said"].lower() in said]
    if len(since) < len(matching):
        turn = matching[len(since)]
        return {**turn, "text": turn.get("text", "").replace("{result}", results[-1] if results else "")}
    known = sorted({str(turn["said"]) for turn in turns})
    return {"text": f"I am a recording and no model. I know what to say to: {', '.join(known)}."}


async def _stream(turn: Mapping[str, Any], pace: float) -> AsyncIterator[str]:
    for word in turn.get("text", "").split(" "):
        if word:
            yield _chunk({"content": f"{word} "})
            await asyncio.sleep(pace)
    for index, call in enumerate(turn.get("calls", ())):
        function = {"name": call["name"], "arguments": json.dumps(call.get("arguments", {}))}
        yield _chunk(
            {"tool_calls": [{"index": index, "id": f"call_{index}", "type": "function", "function": function}]}
        )
    yield _chunk({}, "tool_calls" if turn.get("calls") else "stop")
    yield "data: [DONE]\n\n"


def _chunk(delta: Mapping[str, Any], finish: str | None = None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    chunk = {"id": "recorded", "object": "chat.completion.chunk", "model": NAME, "created": 0, "choices": [choice]}
    return f"data: {json.dumps(chunk)}\n\n"


if __name__ == "__main__":
    print(play(sys.argv[1], port=int(sys.argv[2]) if sys.argv[2:] else 0), flush=True)
    threading.Event().wait()
