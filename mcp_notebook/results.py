"""What servers give back, as values: frozen, whole, and short where they are shown as text."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ToolResult:
    """What a tool gave back, as a value."""

    server: str
    tool: str
    content: tuple[Any, ...] = ()
    """The content blocks, as the SDK gives them: `.type`, and `.text`, `.data`, `.mime_type` … by type."""
    structured: Any = None
    """The structured content, whole, or None."""
    is_error: bool = False
    output_schema: Mapping[str, Any] | None = None
    """What the tool declares its structured content to be."""

    @property
    def text(self) -> str:
        """All text blocks, one after the other."""
        return "\n".join(block.text for block in self.content if block.type == "text")

    @property
    def data(self) -> Any:
        """The best Python value there is.

        The structured content, without the `{"result": …}` that servers put around a bare value; else the text,
        parsed where it is a JSON object or array; else the content blocks; else None.
        """
        if self.structured is not None:
            whole = self.structured
            if not isinstance(whole, dict):
                return whole
            members = cast("dict[str, Any]", whole)
            return members["result"] if [*members] == ["result"] else members
        if not self.content:
            return None
        if any(block.type != "text" for block in self.content):
            return self.content
        return _parsed(self.text)

    def to_frame(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """Make a data frame of the table that it holds.

        A table is a list of objects, an object of lists, `{"columns": […], "rows": […]}`, any of them as a member of an
        object, or the same as JSON, JSON lines or separated values in text. Types stay as they are; texts become dates
        where the output schema says so.

        Args:
            library: None for pandas where it is installed, else polars.

        Raises:
            UsageError: It holds no table, or several, or the library is not there; says what there is.
        """
        from mcp_notebook.frames import frame_of

        data = None if self.structured is None else self.data
        return frame_of(self.content, data=data, schema=self.output_schema, library=library)

    def __repr__(self) -> str:
        shown = self.text if self.text else ", ".join(block.type for block in self.content) or "nothing"
        return _short(shown)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ResourceResult:
    """What a resource holds, as a value."""

    server: str
    uri: str
    contents: tuple[Any, ...] = ()
    """Its parts, as the SDK gives them: `.uri`, `.mime_type`, and `.text` or `.blob` (base64)."""

    @property
    def text(self) -> str:
        """All text parts, one after the other."""
        return "\n".join(part.text for part in self.contents if hasattr(part, "text"))

    @property
    def mime_type(self) -> str | None:
        """What its first part is, where the server says it."""
        return self.contents[0].mime_type if self.contents else None

    @property
    def data(self) -> Any:
        """The best Python value there is: bytes of a blob; text, parsed where it is JSON; else the parts."""
        if len(self.contents) != 1:
            return self.contents
        (part,) = self.contents
        return _parsed(part.text) if hasattr(part, "text") else base64.b64decode(part.blob)

    def to_frame(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """Make a data frame of the table that it holds.

        A table is a list of objects, an object of lists, `{"columns": […], "rows": […]}`, any of them as a member of an
        object, or the same as JSON, JSON lines or separated values in text. Types stay as they are.

        Args:
            library: None for pandas where it is installed, else polars.

        Raises:
            UsageError: It holds no table, or several, or the library is not there; says what there is.
        """
        from mcp_notebook.frames import frame_of

        return frame_of(self.contents, library=library)

    def __repr__(self) -> str:
        return _short(self.text) or f"{self.uri}: {len(self.contents)} parts"


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class PromptResult:
    """What a prompt comes to, as a value."""

    server: str
    name: str
    description: str = ""
    messages: tuple[Any, ...] = ()
    """Its messages, as the SDK gives them: `.role` ("user" or "assistant") and `.content`."""

    @property
    def text(self) -> str:
        """All text of its messages, one after the other."""
        return "\n".join(message.content.text for message in self.messages if message.content.type == "text")

    def __repr__(self) -> str:
        return _short("\n".join(f"{message.role}: {_told(message.content)}" for message in self.messages))


def _told(content: Any) -> str:
    return content.text if content.type == "text" else f"({content.type})"


def _short(text: str) -> str:
    return text if len(text) <= 2000 else f"{text[:2000]}… ({len(text):,} characters; .text has them all)"


def _parsed(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
