"""What asking a model costs: per streamed token and per step with a tool, over the bare `openai` client.

    python benchmarks/chat.py [TOKENS] [STEPS]

The model is a recording on this computer that answers as fast as it can, and the tool runs in this process, called in
both ways by this kit; so what differs is the loop around them. The median of seven.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from openai import AsyncOpenAI

from mcp_notebook import Chat, connect
from mcp_notebook.demo.model import play

TRIES = 7


def main(tokens: int, steps: int) -> None:
    """Print a table."""
    office = MCPServer("office", log_level="ERROR")

    @office.tool()
    def look(what: int) -> str:
        """Look something up."""
        return f"{what} is blue"

    server = connect("office", office)
    turns: list[dict[str, Any]] = [{"said": "story", "text": "word " * tokens}]
    turns += [{"said": "look", "calls": [{"name": "office__look", "arguments": {"what": n}}]} for n in range(steps)]
    turns.append({"said": "look", "text": "Blue."})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        path.write_text(json.dumps({"turns": turns}))
        url = play(path)
    os.environ |= {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "", "MCP_NOTEBOOK_MODEL": "recorded"}

    async def bare(prompt: str) -> None:
        tools: Any = [
            {
                "type": "function",
                "function": {"name": "office__look", "parameters": server.tools.look.info.input_schema},
            }
        ]
        messages: list[Any] = [{"role": "user", "content": prompt}]
        async with AsyncOpenAI(base_url=url, api_key="none") as client:
            while True:
                text, name, arguments = "", "", ""
                stream = await client.chat.completions.create(
                    model="recorded", messages=messages, tools=tools, stream=True
                )
                async for chunk in stream:
                    delta = chunk.choices[0].delta
                    text += delta.content or ""
                    for call in delta.tool_calls or []:
                        name, arguments = "look", call.function.arguments  # type: ignore[union-attr]
                if not name:
                    return
                function = {"name": "office__look", "arguments": arguments}
                messages.append(
                    {"role": "assistant", "tool_calls": [{"id": "1", "type": "function", "function": function}]}
                )
                result = await server.acall_with("look", json.loads(arguments))
                messages.append({"role": "tool", "tool_call_id": "1", "content": result.text})

    async def ours(prompt: str) -> None:
        await Chat(approve="never", max_steps=steps + 1).aask(prompt)

    print("| what | bare client | ours | added | ratio |\n|:--|--:|--:|--:|--:|")
    for what, prompt, count in (("a token", "story", tokens), ("a step with a tool", "look", steps)):
        times: dict[str, list[float]] = {"bare": [], "ours": []}
        for _ in range(TRIES):
            for name, ask in (("bare", bare), ("ours", ours)):
                began = time.perf_counter()
                asyncio.run(ask(prompt))
                times[name].append((time.perf_counter() - began) / count * 1e6)
        first, second = (statistics.median(times[name]) for name in ("bare", "ours"))
        print(f"| {what} | {first:,.0f} µs | {second:,.0f} µs | {second - first:+,.0f} µs | {second / first:.2f} |")
    server.close()


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 2000, int(sys.argv[2]) if sys.argv[2:] else 20)
