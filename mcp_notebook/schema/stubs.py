"""Stubs (`.pyi`) for a server's tools, from their schemas, for editors and type checkers. Pure."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from inspect import Parameter
from typing import Any, Literal, get_args, get_origin

from mcp_notebook.schema.names import python_names
from mcp_notebook.schema.signatures import signature_of

_HEAD = """\
# The types of {server}'s tools, made by `%mcp stubs {server}`: not to be edited.

from collections.abc import Mapping
from typing import Any, Literal

from mcp_notebook import Server, Tool, ToolResult, Tools
"""


def stubs_of(server: str, tools: Iterable[tuple[str, str, Mapping[str, Any]]], taken: Iterable[str]) -> str:
    """Write the stubs of a server: a class for each tool, one for all of them, and one for the server.

    Args:
        server: The name it is connected under.
        tools: Each tool's name, docstring and input schema.
        taken: Names that the tools can't have as attributes.

    Returns:
        The text of a `.pyi` file.
    """
    tools = list(tools)
    (title,) = python_names([_capitals(server)], ["Server", "Tool", "ToolResult", "Tools", "Any", "Literal", "Mapping"])
    attributes = {name: python for python, name in python_names([name for name, _, _ in tools], list(taken)).items()}
    classes = python_names([f"{title}_{attributes[name]}" for name, _, _ in tools])
    parts = [_HEAD.format(server=server)]
    for made, (_, document, schema) in zip(classes, tools, strict=True):
        parts.append(_tool(made, document, schema))
    members = [f"    {attributes[name]}: {made}\n" for made, (name, _, _) in zip(classes, tools, strict=True)]
    parts.append(f"class {title}Tools(Tools):\n{''.join(members) or '    ...' + chr(10)}")
    parts.append(f"class {title}(Server):\n    @property\n    def tools(self) -> {title}Tools: ...\n")
    return "\n".join(parts)


def class_of(server: str) -> str:
    """Give the name of the server's class in its stubs."""
    return next(iter(python_names([_capitals(server)], ["Server", "Tool", "ToolResult", "Tools", "Any", "Literal"])))


def _tool(made: str, document: str, schema: Mapping[str, Any]) -> str:
    signature, _ = signature_of(schema)
    takes = "".join(f", {each}" for each in _parameters(signature.parameters.values()))
    told = repr(document) if document else "..."
    return (
        f"class {made}(Tool):\n"
        f"    def __call__(self{takes}) -> ToolResult:  # type: ignore[override]\n        {told}\n"
        f"    async def acall(self{takes}) -> ToolResult: ...  # type: ignore[override]\n"
    )


def _parameters(parameters: Iterable[Parameter]) -> Iterable[str]:
    star = False
    for each in parameters:
        if each.kind is Parameter.VAR_KEYWORD:
            yield f"**{each.name}: Any"
            continue
        if not star:
            star = True
            yield "*"
        yield f"{each.name}: {_annotation(each.annotation)}{'' if each.default is Parameter.empty else ' = ...'}"


def _annotation(kind: Any) -> str:
    """Write a type that `signature_of` makes as source."""
    if kind is Any or kind is Parameter.empty:
        return "Any"
    if kind is type(None):
        return "None"
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(kind)))}]"
    if kind is builtins.dict:
        return "Mapping[str, Any]"
    if kind is builtins.list:
        return "list[Any]"
    if get_origin(kind) is list:
        return f"list[{_annotation(get_args(kind)[0])}]"
    if get_args(kind):  # a union
        return " | ".join(map(_annotation, get_args(kind)))
    return kind.__name__


def _capitals(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in "".join(c if c.isalnum() else " " for c in name).split())
