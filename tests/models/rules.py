"""What the two APIs ask of a request (OpenAI API reference), to be held against all that are sent."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any


def broken(request: dict[str, Any]) -> list[str]:
    """Say which rules a request breaks."""
    return [*_tools(request), *(_responses(request) if "input" in request else _completions(request))]


def _tools(request: dict[str, Any]) -> Iterator[str]:
    functions = [tool.get("function", tool) for tool in request.get("tools", [])]
    names = [function["name"] for function in functions]
    if "tools" in request and not functions:
        yield "tools is empty"
    if len(names) > 128 or len(names) != len(set(names)):
        yield "too many tools, or two of one name"
    for function in functions:
        if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", function["name"]):
            yield f"the name {function['name']}"
        if len(function["description"]) > 1024:
            yield f"the description of {function['name']}"
        parameters = function["parameters"]
        if parameters.get("type") != "object" or not isinstance(parameters.get("properties"), dict):
            yield f"the parameters of {function['name']}"


def _completions(request: dict[str, Any]) -> Iterator[str]:
    open_calls: list[str] = []
    for message in request["messages"]:
        if message["role"] == "tool":
            if message["tool_call_id"] not in open_calls:
                yield f"an answer to no call: {message['tool_call_id']}"
            else:
                open_calls.remove(message["tool_call_id"])
        elif open_calls:
            yield f"calls without an answer: {open_calls}"
        if not isinstance(message["content"], str):
            yield "a content that is no text"
        open_calls += [call["id"] for call in message.get("tool_calls", [])]
        for call in message.get("tool_calls", []):
            yield from _arguments(call["function"]["arguments"])
    if open_calls:
        yield f"calls without an answer: {open_calls}"


def _responses(request: dict[str, Any]) -> Iterator[str]:
    if request.get("store") is not False:
        yield "store"
    open_calls: list[str] = []
    for item in request["input"]:
        if item.get("type") == "function_call":
            open_calls.append(item["call_id"])
            yield from _arguments(item["arguments"])
        elif item.get("type") == "function_call_output":
            if item["call_id"] not in open_calls:
                yield f"an output of no call: {item['call_id']}"
            else:
                open_calls.remove(item["call_id"])
    if open_calls:
        yield f"calls without an output: {open_calls}"


def _arguments(text: str) -> Iterator[str]:
    if not isinstance(json.loads(text), dict):
        yield f"arguments that are no object: {text}"
