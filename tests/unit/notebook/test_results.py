"""How results show: their parts, by kind, whatever a server sends."""

from __future__ import annotations

import base64
import re
from types import SimpleNamespace
from typing import Any

import pytest
from mcp.types import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    PromptMessage,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from mcp_notebook.notebook.page import MAX_PLAIN
from mcp_notebook.notebook.results import bundle, prompt_bundle, resource_bundle
from mcp_notebook.notebook.results.parts import MAX_BLOCKS
from mcp_notebook.results import PromptResult, ResourceResult, ToolResult
from tests.hostile import TEXTS
from tests.media import GIF, WEBP, jpeg, png, wav

PNG = png()
CSV = "city,t\nOslo,-3\nRome,15\n"


def text(words: str) -> TextContent:
    return TextContent(text=words)


def image(mime_type: str = "image/png", data: str = PNG) -> ImageContent:
    return ImageContent(mime_type=mime_type, data=data)


def sound(mime_type: str = "audio/wav", data: str | None = None) -> AudioContent:
    return AudioContent(mime_type=mime_type, data=data or wav())


def file(words: str, mime_type: str | None = None, uri: str = "file:///a") -> EmbeddedResource:
    return EmbeddedResource(resource=TextResourceContents(uri=uri, mime_type=mime_type, text=words))


def blob(data: str, mime_type: str | None = None, uri: str = "file:///a") -> EmbeddedResource:
    return EmbeddedResource(resource=BlobResourceContents(uri=uri, mime_type=mime_type, blob=data))


def shown(*content: Any, structured: Any = None) -> dict[str, Any]:
    return bundle(ToolResult(server="s", tool="t", content=content, structured=structured))


def read(*parts: EmbeddedResource) -> dict[str, Any]:
    return resource_bundle(ResourceResult(server="s", uri="x:y", contents=tuple(part.resource for part in parts)))


def test_text_shows_as_it_is_and_escaped():
    both = shown(text("<b>5 & 6</b>\n  *star*"))
    assert both["text/plain"] == "<b>5 & 6</b>\n  *star*"
    assert "&lt;b&gt;5 &amp; 6&lt;/b&gt;\n  *star*</pre>" in both["text/html"]


@pytest.mark.parametrize(
    ("mime_type", "data"),
    [("image/png", PNG), ("image/jpeg", jpeg()), ("image/gif", GIF), ("image/webp", WEBP)],
    ids=["png", "jpeg", "gif", "webp"],
)
def test_a_single_image_shows_as_that_image(mime_type: str, data: str):
    both = shown(image(mime_type, data))
    assert both == {
        mime_type: data,
        "text/plain": f"[{mime_type}, {len(base64.b64decode(data))} bytes]",
    }


def test_an_image_shows_as_what_it_is_and_not_as_what_it_is_said_to_be():
    assert shown(image("image/jpeg; q=1", PNG))["image/png"] == PNG


def test_an_image_beside_text_shows_within_the_page():
    html = shown(text("a chart"), image())["text/html"]
    assert "a chart" in html
    assert f'<img src="data:image/png;base64,{PNG}"' in html


def test_a_large_image_is_in_the_output_once_and_never_in_text():
    large = png(padding=5_000_000)
    for both in (shown(image(data=large)), shown(text("a chart"), image(data=large)), read(blob(large, "image/png"))):
        assert sum(value.count(large) for value in both.values()) == 1
        assert len(both["text/plain"]) < 100


@pytest.mark.parametrize(
    "block",
    [
        image("image/svg+xml", base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg'/>").decode()),
        image("image/png", base64.b64encode(b"<svg onload='alert(1)'/>").decode()),
        image("text/html"),
        image('image/png" onerror="alert(1)'),
        image(data='"><script>alert(1)</script>'),
        image(data="not base64!"),
        image(data=base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()),
        image(data=png(said=(60_000, 60_000))),
        image(data=png(said=(0, 5))),
        sound("audio/wav", '"><script>alert(1)</script>'),
        sound('audio/wav" autoplay onplay="alert(1)'),
        sound("video/mp4"),
        blob(PNG, "text/html"),
        blob(PNG),
    ],
    ids=lambda block: getattr(block, "mime_type", "blob"),
)
def test_media_that_could_do_harm_are_told_of_and_not_shown(block: Any):
    both = shown(block)
    assert set(both) == {"text/plain", "text/html"}
    assert not re.search("<(?!/?div)", both["text/html"])
    assert re.search(r"its \.content\[0\]\S* has", both["text/html"])


def test_a_sound_shows_as_a_player_that_does_not_start_by_itself():
    data = wav()
    both = shown(sound("audio/wav", data))
    assert f'<audio controls src="data:audio/wav;base64,{data}"' in both["text/html"]
    assert "autoplay" not in both["text/html"]
    assert both["text/plain"] == "audio/wav, 844 bytes"


def test_links_to_resources_show_as_a_list_with_what_reads_each():
    links = [
        ResourceLink(uri="docs://guide.md", name="guide.md", title="The guide", mime_type="text/markdown", size=12_000),
        ResourceLink(uri="docs://a b?x={y}", name="odd", description="An odd one"),
        ResourceLink(uri='x:"\n%mcp call s.delete', name="evil"),
        ResourceLink(uri="x:" + "y" * 5_000, name="long"),
    ]
    both = shown(text("found"), *links)
    assert both["text/html"].count("<table") == 1
    for told in ("The guide", "12000", "text/markdown", "An odd one", "%mcp read s docs://guide.md"):
        assert told in both["text/html"]
    assert "server(&quot;s&quot;).resource(&quot;docs://a b?x={y}&quot;)" in both["text/html"]
    assert r"resource(&quot;x:\&quot;\n%mcp call s.delete&quot;)" in both["text/html"]
    assert "its .uri, which is long" in both["text/html"]
    assert "<a" not in both["text/html"]


def test_a_hundred_links_are_one_part():
    links = [ResourceLink(uri=f"docs://{i}", name=f"doc {i}") for i in range(100)]
    html = shown(*links, text("that is all"))["text/html"]
    assert "docs://99" in html
    assert "that is all" in html


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (file("# Guide\n\n*very* good", "text/markdown; charset=utf-8"), "<strong>Guide</strong></p>"),
        (file("*not* declared"), "*not* declared</pre>"),
        (file("*plain*", "text/plain"), "*plain*</pre>"),
        (file("<b>bold</b>", "text/html"), "&lt;b&gt;bold&lt;/b&gt;</pre>"),
        (file(CSV, "text/csv"), 'text-align:right;overflow-wrap:break-word">-3</td>'),
        (file("no\ntable, this", "text/csv"), "no\ntable, this</pre>"),
        (file('[{"city": "Oslo"}]', "application/vnd.x+json"), "<table"),
        (file("{broken", "application/json"), "{broken</pre>"),
        (blob(PNG, "image/png"), f'<img src="data:image/png;base64,{PNG}"'),
        (blob(wav(), "audio/x-wav"), "<audio controls"),
        (blob(PNG, "application/pdf"), "application/pdf, "),
    ],
)  # fmt: skip
def test_a_resource_shows_as_what_it_is_declared_as(part: EmbeddedResource, expected: str):
    assert expected in shown(part)["text/html"]
    assert "resource file:///a" in shown(part)["text/html"]
    assert expected in read(part)["text/html"]


def test_a_table_in_json_shows_as_one_also_where_a_server_has_no_structured_content():
    assert shown(text('[{"city": "Oslo", "t": -3}]'))["text/plain"] == "city   t\nOslo  -3"


def test_a_prompt_shows_its_messages_with_what_is_in_them():
    messages = (
        PromptMessage(role="user", content=image()),
        PromptMessage(role="assistant", content=file("*x*", "text/markdown")),
    )
    html = prompt_bundle(PromptResult(server="s", name="p", messages=messages, description="<b>"))["text/html"]
    assert re.findall("user|assistant|<img|<em>x</em>|&lt;b&gt;", html) == [
        "&lt;b&gt;",
        "user",
        "<img",
        "assistant",
        "<em>x</em>",
    ]


def test_a_part_of_an_unknown_type_is_told_of():
    assert (
        "a part of type hologram: not shown here; its .content[0] has it"
        in shown(SimpleNamespace(type="hologram"))["text/plain"]
    )


def test_nothing_is_said_to_be_nothing():
    assert shown()["text/plain"] == "t gave nothing back"
    assert read()["text/plain"] == "it is empty"


def test_a_huge_result_is_bounded_in_the_page():
    both = shown(*[text("x" * 1_000_000)] * (MAX_BLOCKS + 5))
    assert len(both["text/plain"]) <= MAX_PLAIN + 1
    assert len(both["text/html"]) < 250_000
    assert f"{MAX_BLOCKS} of {MAX_BLOCKS + 5} parts; its .content has them all" in both["text/html"]
    assert f"{MAX_BLOCKS} of {MAX_BLOCKS + 5} parts" in read(*[file("x")] * (MAX_BLOCKS + 5))["text/html"]


def test_images_beyond_their_room_are_told_of(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcp_notebook.notebook.results.media.MAX_CHARACTERS", 2 * len(PNG))
    html = shown(image(), image(), image())["text/html"]
    assert html.count("<img") == 2
    assert "not shown here; its .content[2].data has the data" in html


HARMLESS = {"div", "pre", "p", "table", "thead", "tbody", "tr", "th", "td", "ul", "ol", "li", "span", "details",
            "summary", "strong", "em", "s", "code", "blockquote", "hr", "br"}  # fmt: skip


def everywhere(words: str) -> list[Any]:
    """Content with a text in every place that has one."""
    link = ResourceLink(uri=words, name=words, title=words, description=words, mime_type=words)
    return [text(words), link, file(words, "text/markdown", words), file(words, words, words),
            file(f"a,b\n{words},", "text/csv"), image(words, words), sound(words, words),
            blob(words, words, words)]  # fmt: skip


@pytest.mark.parametrize("words", TEXTS, ids=range(len(TEXTS)))
def test_hostile_texts_stay_text_in_every_place(words: str):
    nested = {words: [words, {words: {words: words}}], "rows": [{words: words, "n": [words]}]}
    for content, structured in ((everywhere(words), None), ([], nested), ([], nested["rows"]), ([], {"a": nested})):
        both = shown(*content, structured=structured)
        found = re.findall(r"<(/?\w+)((?: [\w-]+(?:=\"[^\"<>]*\")?)*)>", both["text/html"])
        assert both["text/html"].count("<") == len(found)
        kinds = {kind.strip("/") for kind, _ in found}
        assert kinds <= HARMLESS
        attributes = {
            name for _, had in found for name in re.findall(r" ([\w-]+)(?==|$| )", re.sub('"[^"]*"', '""', had))
        }
        assert attributes <= {"class", "style", "open"}
        assert not re.search(
            r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", both["text/html"] + both["text/plain"]
        )
        assert len(both["text/html"]) < 400_000
