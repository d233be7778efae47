"""One answer written down beforehand: its JSON form, and which questions it is for."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from mcp_notebook.answers.secrets import variable_of
from mcp_notebook.errors import UsageError
from mcp_notebook.schema.check import check
from mcp_notebook.schema.entries import content_of, entry_of
from mcp_notebook.schema.fields import UnsupportedSchema, fields_of
from mcp_notebook.types import Action, Question

_KINDS: dict[str, tuple[type, str]] = {
    "server": (str, "text"),
    "tool": (str, "text"),
    "message": (str, "a regular expression"),
    "fields": (list, "a list of names"),
    "action": (str, '"accept", "decline" or "cancel"'),
    "content": (object, 'an object of values, or "defaults"'),
    "secrets": (list, "a list of names"),
    "repeat": (bool, "true or false"),
}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One answer, and the questions it is for. A matcher that is left out matches all."""

    server: str | None = None
    """The name the server is connected under."""
    tool: str | None = None
    """The tool that asks."""
    message: re.Pattern[str] | None = None
    """Searched for in the question's message."""
    fields: tuple[str, ...] = ()
    """Names of fields that the question must have."""
    action: Action = "accept"
    content: Mapping[str, Any] | Literal["defaults"] | None = None
    """With accept: the value of each field, or "defaults" for the defaults in the question's own schema."""
    secrets: tuple[str, ...] = ()
    """With accept: names of fields whose values are not written down; environment variables give them."""
    repeat: bool = False
    """Whether it answers every question it matches, or only the first."""

    @property
    def told(self) -> str:
        """What it answers, in a few words."""
        asks = ".".join(filter(None, (self.server, self.tool))) or "any server"
        names = ", ".join(self.content) if isinstance(self.content, Mapping) else ""
        return f"{self.action} of {asks}" + (f" ({names})" if names else "")

    def matches(self, question: Question) -> bool:
        """Whether this entry is for `question`; with content, only if the question has all the fields it fills in."""
        if self.server not in (None, question.server) or self.tool not in (None, question.tool):
            return False
        if self.message is not None and not self.message.search(question.message):
            return False
        if self.content is not None and question.mode != "form":
            return False
        filled = self.content if isinstance(self.content, Mapping) else ()
        return {*self.fields, *self.secrets, *filled} <= _names(question)

    def withheld(self) -> list[str]:
        """The environment variables that it needs for its secrets, and that are not set."""
        return [name for name in map(variable_of, self.secrets) if name not in os.environ]

    def content_for(self, question: Question) -> tuple[dict[str, Any], dict[str, str]]:
        """What an accept sends for `question`, and what is wrong with it by field name, "" for the whole."""
        content = dict(self.content) if isinstance(self.content, Mapping) else {}
        if self.content != "defaults" and not self.secrets:
            return content, check(question.schema, content)
        try:
            fields = fields_of(question.schema)
        except UnsupportedSchema as reason:
            return {}, {"": str(reason)}
        typed: dict[str, Any] = {name: os.environ.get(variable_of(name)) for name in self.secrets}
        if self.content == "defaults":
            typed = {field.name: entry_of(field, field.default) for field in fields if field.has_default} | typed
        added, errors = content_of(fields, typed, question.schema)
        unread = {name: error for name, error in errors.items() if name in typed and name not in added}
        content = {**added, **content}
        return content, unread or check(question.schema, content)


def read_entry(data: Any, where: str) -> Entry:
    """Read an entry from its JSON form.

    Args:
        data: What the JSON says.
        where: What to call the entry in an error.

    Raises:
        UsageError: It is no entry; says what is wrong.
    """
    if not isinstance(data, Mapping):
        raise UsageError(f"{where} must be a JSON object")
    given = cast("Mapping[str, Any]", data)
    for key, value in given.items():
        if key not in _KINDS:
            near = difflib.get_close_matches(key, _KINDS, 1)
            known = f"did you mean {near[0]!r}?" if near else f"an entry has {', '.join(_KINDS)}"
            raise UsageError(f"{where}: unknown key {key!r}; {known}")
        kind, called = _KINDS[key]
        if not isinstance(value, kind):
            raise UsageError(f"{where}: {key!r} must be {called}")
    action = given.get("action", "accept")
    if action not in ("accept", "decline", "cancel"):
        raise UsageError(f"{where}: 'action' must be {_KINDS['action'][1]}")
    content: Any = given.get("content")
    if not (content is None or content == "defaults" or isinstance(content, Mapping)):
        raise UsageError(f"{where}: 'content' must be {_KINDS['content'][1]}")
    for key in ("content", "secrets"):
        if given.get(key) is not None and action != "accept":
            raise UsageError(f'{where}: {key!r} goes with "accept" only')
    return Entry(
        server=given.get("server"),
        tool=given.get("tool"),
        message=_pattern(given["message"], where) if "message" in given else None,
        fields=tuple(map(str, given.get("fields", ()))),
        action=action,
        content=cast("Mapping[str, Any] | Literal['defaults'] | None", content),
        secrets=tuple(map(str, given.get("secrets", ()))),
        repeat=given.get("repeat", False),
    )


def _pattern(text: str, where: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise UsageError(f"{where}: 'message' is not a regular expression: {error}") from None


def _names(question: Question) -> set[str]:
    properties = question.schema.get("properties")
    return set(cast("Mapping[str, Any]", properties)) if isinstance(properties, Mapping) else set()
