"""A server written by hand, with no SDK: protocol 2025-06-18 over stdio, which asks as it is told.

Tools: `ask` sends its arguments as the parameters of an elicitation and gives back what the client answered;
`ask_at_listing` does so when the tools are listed next, when no call is running; `heard` gives back all answers;
`forecast` and `guess`, which declare what they give back, give back their arguments as the result. With `--stubborn` it
lives on when its stdin ends.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

NAMES = ("ask", "ask_at_listing", "heard", "break_rules", "process_id", "hang", "die")
OUTPUTS = {
    "forecast": {
        "type": "object",
        "properties": {
            "days": {"type": "array", "items": {"type": "object", "properties": {"celsius": {"type": "number"}}}},
            "at": {"type": "string", "format": "date-time"},
        },
        "required": ["days"],
    },
    "guess": {"type": "object", "properties": {"a": {"$ref": "#/$defs/nowhere"}}},
}
TOOLS: list[dict[str, Any]] = [
    *({"name": name, "inputSchema": {"type": "object"}} for name in NAMES),
    *({"name": name, "inputSchema": {"type": "object"}, "outputSchema": schema} for name, schema in OUTPUTS.items()),
]
INFO = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "raw", "version": "0"}}
heard: list[Any] = []
to_ask: list[Any] = []


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def receive() -> dict[str, Any]:
    line = sys.stdin.readline()
    if not line:
        time.sleep(1000 if "--stubborn" in sys.argv else 0)
        raise SystemExit
    return json.loads(line)


def elicit(params: Any) -> Any:
    send(id="e1", method="elicitation/create", params=params)
    while (message := receive()).get("id") != "e1":
        pass
    heard.append(message.get("result", message.get("error")))
    return heard[-1]


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
    if name == "ask":
        return text(elicit(arguments))
    if name == "ask_at_listing":
        to_ask.append(arguments)
        send(method="notifications/tools/list_changed")
        return text("later")
    if name in OUTPUTS:
        return {"content": []} | arguments
    if name == "hang":
        heard.append("hang")
        return None
    if name == "die":
        print("raw: cannot \x1b[31mgo on", file=sys.stderr, flush=True)
        os._exit(3)
    return {"heard": text(heard), "process_id": text(os.getpid()), "break_rules": {"content": "not a list"}}[name]


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
        result = call(params["name"], params.get("arguments", {}))
        if result is not None:
            send(id=request["id"], result=result)
    elif "id" in request:
        send(id=request["id"], error={"code": -32601, "message": "not here"})
