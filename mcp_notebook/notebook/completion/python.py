"""Completion in Python: tools by their names, their arguments, and the values that their schemas list.

IPython's own completion knows neither names that come from a mapping nor what such an object is called with.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.completion.source import Spot, spot_of
from mcp_notebook.notebook.completion.words import MAX_WORD, configured_names, options_of, variables_of
from mcp_notebook.notebook.verb import Api

_BASE = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*|\([^()]*\)|\[[^\[\]]*\])*\s*\.$")
_CALLS = ("call", "acall")
_FETCHES = {"resource": "resource", "aresource": "resource", "subscribe": "resource", "prompt": "prompt",
            "aprompt": "prompt", "tool": "tool"}  # fmt: skip


def complete_python(text: str, namespace: Mapping[str, Any], api: Api) -> tuple[str, list[str]]:
    """Complete Python where it deals with servers.

    Args:
        text: The cell up to the cursor.
        namespace: The user's names.
        api: Knows the servers that are connected.

    Returns:
        The end of the text that is to be replaced, and what may stand in its place.
    """
    spot = spot_of(text)
    reader = _Reader(namespace, api)
    if not spot.quote and (base := _BASE.search(spot.before)) is not None:
        return spot.fragment, _attributes(reader.value(base[0].rstrip(". ")), spot.fragment)
    if not spot.callee:
        return "", []
    if spot.bracket == "[":
        tools = reader.value(spot.callee)
        return spot.fragment, _texts(tools, spot) if _kind(tools) == "Tools" else []
    return spot.fragment, _in_call(reader, spot, api)


class _Reader:
    """Finds what an expression is, without running any code but this package's own.

    Args:
        namespace: The user's names.
        api: Knows the servers that are connected.
    """

    def __init__(self, namespace: Mapping[str, Any], api: Api) -> None:
        self._namespace = namespace
        self._api = api

    def value(self, source: str) -> Any:
        """Give the server, the tools or the tool that an expression is; None where it is something else."""
        try:
            return self.of(ast.parse(source, mode="eval").body)
        except (SyntaxError, ValueError, RecursionError):
            return None

    def of(self, node: ast.expr) -> Any:
        """Do the same for what is parsed."""
        match node:
            case ast.Name(id=name):
                return self._namespace.get(name)
            case ast.Attribute(value=inner, attr=name):
                base = self.of(inner)
                if _kind(base) == "Server" and name == "tools":
                    return base.known_tools
                is_package = inspect.ismodule(base) and base.__name__ == "mcp_notebook"
                return getattr(base, name, None) if is_package or _kind(base) == "Tools" else None
            case ast.Subscript(value=inner, slice=ast.Constant(value=key)):
                base = self.of(inner)
                return base.get(key) if _kind(base) == "Tools" else None
            case ast.Call(func=function, args=[ast.Constant(value=str(name))]) if self.is_ours(function, "server"):
                with suppress(UsageError):
                    return self._api.registry().get(name)
        return None

    def is_ours(self, node: ast.expr, name: str) -> bool:
        """Tell whether an expression is this package's function of a name."""
        function = self.of(node)
        return inspect.isfunction(function) and (function.__module__, function.__name__) == ("mcp_notebook.api", name)


def _kind(value: Any) -> str:
    """Which of the classes of the servers' room something is of; this room does not know them."""
    kind = type(value)
    return kind.__name__ if kind.__module__.startswith("mcp_notebook.servers.") else ""


def _attributes(value: Any, fragment: str) -> list[str]:
    if _kind(value) != "Tools":
        return []
    names = [name for name in dir(value) if not name.startswith("_") or fragment.startswith("_")]
    return [name for name in names if name.startswith(fragment)]


def _in_call(reader: _Reader, spot: Spot, api: Api) -> list[str]:
    with suppress(SyntaxError, ValueError, RecursionError):
        callee = ast.parse(spot.callee, mode="eval").body
        first = not spot.given and not spot.argument and "=" not in spot.before
        if first and reader.is_ours(callee, "server"):
            return _texts([server.name for server in api.registry().all()], spot)
        if first and reader.is_ours(callee, "connect"):
            return _texts(["demo", *configured_names(api)], spot)
        last = callee.attr if isinstance(callee, ast.Attribute) else ""
        base: Any = reader.of(callee.value) if isinstance(callee, ast.Attribute) else None
        if _kind(base) == "Server" and (last in _CALLS or last in _FETCHES):
            return _of_server(base, last, spot, first=first)
        if _kind(base) == "Tools" and last == "only":
            return _texts(base, spot)
        tool: Any = base if _kind(base) in ("Tool", "DeclaredTool") and last == "acall" else reader.of(callee)
        if _kind(tool) in ("Tool", "DeclaredTool"):
            return _argument(tool.info.input_schema, tool.names, spot)
    return []


def _of_server(server: Any, method: str, spot: Spot, *, first: bool) -> list[str]:
    kind = _FETCHES.get(method, "tool")
    if first:
        offered = {
            "tool": lambda: server.known_tools,
            "prompt": lambda: server.hints.prompts,
            "resource": lambda: [*server.hints.resources, *server.hints.templates],
        }[kind]()
        return _texts(offered, spot)
    name = _text_of(spot.values[0]) if spot.values and not spot.given[0] else None
    if name is None:
        return []
    if method in _CALLS and name in server.known_tools:
        schema = server.known_tools[name].info.input_schema
        return _argument(schema, {each: each for each in schema.get("properties", {}) if each.isidentifier()}, spot)
    if kind == "prompt" and name in server.hints.prompts:
        return _from_server(server, spot, server.hints.prompts[name].arguments, prompt=name)
    if kind == "resource" and name in server.hints.templates:
        return _from_server(server, spot, variables_of(name), template=name)
    return []


def _from_server(server: Any, spot: Spot, names: Iterable[str], **of: str) -> list[str]:
    """Complete an argument whose values the server itself completes."""
    if not spot.argument:
        return _names(names, spot)
    texts = [_text_of(value) for value in spot.values]
    context = {name: text for name, text in zip(spot.given, texts, strict=True) if name and text is not None}
    return _texts(server.hints.values(spot.argument, _typed(spot), context=context, **of), spot, begins=False)


def _argument(schema: Mapping[str, Any], own: Mapping[str, str], spot: Spot) -> list[str]:
    """Complete the name of an argument, or its value; `own` has the names of the tool by those of Python."""
    if not spot.argument:
        return _names(own, spot)
    options = options_of(schema, own.get(spot.argument, spot.argument))
    texts = _texts([option for option in options if isinstance(option, str)], spot)
    others = [] if spot.quote else [repr(option) for option in options if not isinstance(option, str)]
    return texts + [each for each in others if each.startswith(spot.fragment)]


def _names(names: Iterable[str], spot: Spot) -> list[str]:
    if spot.quote or spot.before.strip():
        return []
    return [f"{name}=" for name in names if name.startswith(spot.fragment) and name not in spot.given]


def _texts(texts: Iterable[str], spot: Spot, *, begins: bool = True) -> list[str]:
    """Write texts as literals, without the closing quote where there is an opening one: the page may have closed it."""
    typed = _typed(spot)
    fitting = [
        text
        for text in texts
        if (text.startswith(typed) or not begins) and len(text) <= MAX_WORD and text.isprintable()
    ]
    if not spot.quote:
        return [json.dumps(text, ensure_ascii=False) for text in fitting]
    opening = spot.fragment[: spot.fragment.index(spot.quote) + len(spot.quote)]
    return [opening + text for text in fitting if spot.quote[0] not in text and "\\" not in text]


def _typed(spot: Spot) -> str:
    return spot.fragment.partition(spot.quote)[2] if spot.quote else spot.fragment


def _text_of(source: str) -> str | None:
    with suppress(ValueError, SyntaxError):
        value = ast.literal_eval(source)
        return value if isinstance(value, str) else None
    return None
