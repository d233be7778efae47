"""A server written by hand, with no SDK: protocol 2025-06-18 over stdio, which asks as it is told.

Tools: `ask` sends its arguments as the parameters of an elicitation and gives back what the client answered;
`ask_at_listing` does so when the tools are listed next, when no call is running; `heard` gives back all answers.
"""

from __future__ import annotations

import json
import sys
from typing import Any

TOOLS = [
    {"name": name, "inputSchema": {"type": "object"}} for name in ("ask", "ask_at_listing", "heard", "break_rules")
]
INFO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "0"}}
heard: list[Any] = []
to_ask: list[Any] = []


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        raise SystemExit
    return json.loads(line)


def elicit(params: Any) -> Any:
    send(id="e1", method="elicitation/create", params=params)
    while (message := receive()).get("id") != "e1":
        pass
    heard.append(message.get("result", message.get("error")))
    return heard[-1]


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if name == "ask":
        return text(elicit(arguments))
    if name == "ask_at_listing":
        to_ask.append(arguments)
        send(method="notifications/tools/list_changed")
        return text("later")
    return text(heard) if name == "heard" else {"content": "not a list"}


def text(value: Any) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": json.dumps(value)}]}


while True:
    request = receive()
    params = request.get("params", {})
    if request["method"] == "initialize":
        send(id=request["id"], result=INFO)
    elif request["method"] == "tools/list":
        while to_ask:
            elicit(to_ask.pop())
        send(id=request["id"], result={"tools": TOOLS})
    elif request["method"] == "tools/call":
        send(id=request["id"], result=call(params["name"], params.get("arguments", {})))
    elif "id" in request:
        send(id=request["id"], error={"code": -32601, "message": "not here"})
