"""What may stand somewhere: the names of arguments, and the values that a schema lists for one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.verb import Api
from mcp_notebook.schema.kinds import guessed
from mcp_notebook.schema.options import types_of
from mcp_notebook.schema.refs import BadReference, plain
from mcp_notebook.schema.values import as_list, as_object

MAX_WORD = 200
"""Characters of a completion: what is longer is no name and no option to choose by Tab."""
_PLAIN = re.compile(r"[\w.+\-/:@%]+")


def beginning(words: Iterable[str], fragment: str) -> list[str]:
    """Give the words that begin like this, and can be shown: a server's may hold anything."""
    return [
        word
        for word in words
        if word.lower().startswith(fragment.lower()) and len(word) <= MAX_WORD and word.isprintable()
    ]


def options_of(schema: Mapping[str, Any], name: str) -> list[Any]:
    """List the values that an argument may have, where there are but a few: those of its enum, true and false.

    Args:
        schema: The tool's input schema.
        name: The argument's own name.
    """
    return _options((as_object(schema.get("properties")) or {}).get(name), schema)


def _options(part: Any, root: Mapping[str, Any]) -> list[Any]:
    try:
        rules, _ = plain(part or {}, root)
    except BadReference:
        return []
    if "const" in rules:
        return [rules["const"]]
    if listed := as_list(rules.get("enum")):
        return listed
    if branches := as_list(rules.get("oneOf")) or as_list(rules.get("anyOf")):
        return [option for branch in branches[:100] for option in _options(branch, root)]
    return [True, False] if (types_of(rules) or guessed(rules)) == ["boolean"] else []


def in_line(value: Any) -> str:
    """Write a value as it stands after `k=` in a line of `%mcp`."""
    text = value if isinstance(value, str) else json.dumps(value)
    return text if _PLAIN.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """Put quotes around a value of a line of `%mcp`, where a backslash is a backslash."""
    return f"'{text}'" if '"' in text else f'"{text}"'


def configured_names(api: Api) -> list[str]:
    """List the servers of the configuration files; none where a file is faulty: `%mcp config` says what is wrong."""
    try:
        return [server.name for server in api.configured() if server.state in ("", "connected")]
    except UsageError:
        return []


def variables_of(template: str) -> list[str]:
    """List the variables of a template of resources (RFC 6570)."""
    return [name for part in re.findall(r"\{([^{}]*)\}", template) for name in re.findall(r"\w+", part)]
