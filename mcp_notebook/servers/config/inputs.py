"""Values that a configuration asks the person for: VS Code's `inputs`, written `${input:ID}`. Kept in memory only."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.values import as_list, as_object
from mcp_notebook.servers.config.document import Document
from mcp_notebook.types import Answer, Question

Ask = Callable[[Question], Answer]
"""Puts a question to the person, and blocks until it is answered."""

_given: dict[tuple[Path, str], str] = {}


def variable_of(name: str) -> str:
    """The environment variable that gives an input without asking: MCP_NOTEBOOK_INPUT_API_KEY for `api-key`."""
    return f"MCP_NOTEBOOK_INPUT_{re.sub(r'[^A-Za-z0-9]', '_', name).upper()}"


def given(document: Document, server: str, names: list[str], ask: Ask | None) -> Mapping[str, str]:
    """Give the values of inputs: from the environment, as given before, or by asking for those that are missing.

    Args:
        document: The file that has them.
        server: The server that needs them.
        names: Their ids.
        ask: Asks the person, in one form.

    Raises:
        UsageError: One is not described, or there is nobody to ask, or the person would not answer.
        NoAnswerError: Nobody can answer here.
    """
    described = _described(document)
    for name in names:
        if name not in described:
            raise document.fault(("inputs",), f"${{input:{name}}} is used, and there is no input of that id")
    values = {
        name: value
        for name in names
        if (value := os.environ.get(variable_of(name), _given.get((document.path, name)))) is not None
    }
    missing = [name for name in names if name not in values]
    if missing:
        if ask is None:
            variables = ", ".join(map(variable_of, missing))
            raise UsageError(f"{server} needs {', '.join(missing)} of {document.path}: set {variables}")
        properties = {name: _property(described[name]) for name in missing}
        answer = ask(
            Question(
                server=server,
                message=f"To be connected, it needs this, says {document.path.name}. It is kept in memory only.",
                schema={"type": "object", "properties": properties, "required": missing},
                own=True,
            )
        )
        if answer.action != "accept":
            raise UsageError(
                f"{server} is not connected: it needs {', '.join(missing)} (or set {variable_of(missing[0])})"
            )
        for name, value in (answer.content or {}).items():
            _given[document.path, name] = values[name] = str(value)
    return values


def passwords(document: Document, values: Mapping[str, str]) -> tuple[str, ...]:
    """Give those of the values that are secret."""
    described = _described(document)
    return tuple(value for name, value in values.items() if described[name].get("password"))


def forget() -> None:
    """Ask anew for all inputs."""
    _given.clear()


def _described(document: Document) -> dict[str, Mapping[str, Any]]:
    inputs = as_list(document.data.get("inputs", []))
    if inputs is None:
        raise document.fault(("inputs",), "must be a list of inputs")
    found: dict[str, Mapping[str, Any]] = {}
    for number, entry in enumerate(inputs):
        described = as_object(entry) or {}
        if not isinstance(described.get("id"), str):
            raise document.fault(("inputs", number), 'must be an object with an "id"')
        found[described["id"]] = described
    return found


def _property(described: Mapping[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string", "title": str(described.get("description") or described["id"])}
    options = as_list(described.get("options"))
    if described.get("type") == "pickString" and options:
        schema["enum"] = [str((as_object(option) or {"value": option}).get("value")) for option in options]
    if described.get("default") is not None:
        schema["default"] = str(described["default"])
    if described.get("password"):
        schema["format"] = "password"
    return schema
