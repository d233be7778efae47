"""A server with a tool for each kind of result: of this process, or over stdio by `python -m tests.gallery`."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from tests.media import png, wav

GUIDE = """\
# The guide

Some *emphasis*, **strength**, ~~regret~~ and `code`; a [link](https://example.com/page) and ![a cat](https://example.com/c.png).

## What there is

- one
- two
  1. nested
  2. twice

> Quoted
> over two lines.

| city | °C |
|------|---:|
| Oslo | -3 |
| Rome | 15 |

```python
print("Hello")
```

---

The end.
"""
ROWS = [
    {"city": "Oslo", "°C": -3.5, "rain": True, "tags": ["cold", "north"], "day": "2026-01-02"},
    {"city": "Rome", "°C": 15, "rain": None, "tags": [], "day": "2026-01-03"},
]
TREE = {
    "city": "Ōsaka",
    "at": {"lat": 34.7, "lon": 135.5, "bounds": {"north": 34.8, "south": 34.6}},
    "names": ["大阪", "Osaka", None],
    "open": True,
}


def give(*content: Any, structured: dict[str, Any] | None = None, is_error: bool = False) -> CallToolResult:
    return CallToolResult(content=[*content], structured_content=structured, is_error=is_error)


def file(text: str, mime_type: str, uri: str) -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=mime_type, text=text))


def image() -> CallToolResult:
    return give(ImageContent(data=png(240, 120), mime_type="image/png"))


def large_image(beside: bool = False) -> CallToolResult:
    picture = ImageContent(data=png(240, 120, padding=5_000_000), mime_type="image/png")
    return give(TextContent(text="a chart"), picture) if beside else give(picture)


def media() -> CallToolResult:
    sound = AudioContent(data=wav(1), mime_type="audio/wav")
    return give(
        TextContent(text="A chart, and how it sounds."), ImageContent(data=png(240, 120), mime_type="image/png"), sound
    )


def markdown() -> CallToolResult:
    return give(file(GUIDE, "text/markdown", "docs://guide.md"))


def links() -> CallToolResult:
    return give(
        ResourceLink(uri="docs://guide.md", name="guide.md", title="The guide", mime_type="text/markdown", size=600),
        ResourceLink(uri="docs://a table?x={y}", name="table.csv", description="Cities", mime_type="text/csv"),
    )


def files() -> CallToolResult:
    pdf = BlobResourceContents(uri="docs://paper.pdf", mime_type="application/pdf", blob="JVBERi0xLjQ=")
    csv = file("city,zip\nOslo,0150\nRome,00184\n", "text/csv", "docs://table.csv")
    return give(csv, file("Plain *text*.", "text/plain", "docs://plain.txt"), EmbeddedResource(resource=pdf))


def table() -> CallToolResult:
    return give(structured={"unit": "C", "days": ROWS})


def wide_table() -> CallToolResult:
    return give(structured={"rows": [{f"c{i}": i * n for i in range(40)} for n in range(500)]})


def tree(size: int = 0) -> CallToolResult:
    return give(structured=TREE if not size else {f"k{i}": {"deep": [{"n": n} for n in range(5)]} for i in range(size)})


def fails() -> CallToolResult:
    return give(
        TextContent(text="The chart has a gap."), ImageContent(data=png(240, 120), mime_type="image/png"), is_error=True
    )


async def echo(rows: list[dict[str, Any]]) -> str:
    """Say what has arrived."""
    return repr(rows)


def server() -> MCPServer:
    """Make the server."""
    gallery = MCPServer("gallery")
    for tool in (image, large_image, media, markdown, links, files, table, wide_table, tree, fails, echo):
        gallery.add_tool(tool, structured_output=False)
    return gallery


if __name__ == "__main__":
    server().run()
