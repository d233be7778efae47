"""A server written by hand, with no SDK: protocol 2025-06-18 over stdio, one elicitation at a time, as told.

The tool `ask` sends its argument as the parameters of an elicitation, and gives back what the client answered. The tool
`ask_later` answers first and then asks, when no call is running any more; the next `ask_later` gives back the answer.
"""

from __future__ import annotations

import json
import sys
from typing import Any

TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("ask", "ask_later", "break_rules")]
later: list[Any] = []


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        raise SystemExit
    return json.loads(line)


def elicit(params: Any) -> Any:
    send(id="e1", method="elicitation/create", params=params)
    while True:
        message = receive()
        if message.get("id") == "e1":
            return message.get("result", message.get("error"))


def text(value: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": json.dumps(value)}]}


def call(request: int, name: str, arguments: dict[str, Any]) -> None:
    if name == "ask":
        send(id=request, result=text(elicit(arguments)))
    elif name == "ask_later":
        send(id=request, result=text(later))
        later.append(elicit(arguments))
    else:
        send(id=request, result={"content": "not a list"})


while True:
    message = receive()
    method, request = message.get("method"), message.get("id")
    if method == "initialize":
        info = {"name": "raw", "version": "0"}
        send(
            id=request,
            result={"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": info},
        )
    elif method == "tools/list":
        send(id=request, result={"tools": TOOLS})
    elif method == "tools/call":
        call(request, message["params"]["name"], message["params"].get("arguments", {}))
    elif request is not None:
        send(id=request, error={"code": -32601, "message": f"no {method} here"})
