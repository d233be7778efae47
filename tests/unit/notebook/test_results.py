"""How results show: text, images and structured content, whatever a server sends."""

from __future__ import annotations

import base64
from types import SimpleNamespace
from typing import Any

import pytest

from mcp_notebook.notebook.page import MAX_PLAIN
from mcp_notebook.notebook.results import MAX_BLOCKS, bundle
from mcp_notebook.types import ToolResult

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()


def text(words: str) -> SimpleNamespace:
    return SimpleNamespace(type="text", text=words)


def image(mime_type: str = "image/png", data: str = PNG) -> SimpleNamespace:
    return SimpleNamespace(type="image", mime_type=mime_type, data=data)


def shown(*content: Any, structured: Any = None) -> dict[str, Any]:
    return bundle(ToolResult(server="s", tool="t", content=content, structured=structured))


def test_text_shows_as_it_is_and_escaped():
    both = shown(text("<b>5 & 6</b>\n  *star*"))
    assert both["text/plain"] == "<b>5 & 6</b>\n  *star*"
    assert "&lt;b&gt;5 &amp; 6&lt;/b&gt;\n  *star*</pre>" in both["text/html"]


@pytest.mark.parametrize("mime_type", ["image/png", "image/jpeg", "image/gif", "image/webp"])
def test_a_single_image_shows_as_that_image(mime_type: str):
    both = shown(image(mime_type))
    assert both[mime_type] == PNG
    assert "text/html" not in both
    assert both["text/plain"] == f"[image, {mime_type}, 8 bytes]"


def test_an_image_beside_text_shows_within_the_page():
    html = shown(text("a chart"), image())["text/html"]
    assert "a chart" in html
    assert f'<img src="data:image/png;base64,{PNG}"' in html


@pytest.mark.parametrize(
    "block",
    [
        image("image/svg+xml"),
        image("text/html"),
        image('image/png" onerror="alert(1)'),
        image(data='"><script>alert(1)</script>'),
        image(data="not base64!"),
    ],
)
def test_an_image_that_could_carry_a_script_is_told_of_and_not_shown(block: Any):
    both = shown(block)
    assert set(both) == {"text/plain", "text/html"}
    assert "<img" not in both["text/html"]
    assert "<script" not in both["text/html"]
    assert "not shown here" in both["text/html"]


def test_rows_show_as_a_table():
    both = shown(structured={"result": [{"city": "Oslo", "°C": -3.5}, {"city": "Rome", "°C": 15, "rain": True}]})
    assert both["text/plain"] == "city    °C  rain\nOslo  -3.5\nRome    15  true"
    assert both["text/html"].count("<tr>") == 3


def test_an_object_with_one_table_shows_the_rest_above_it():
    both = shown(structured={"city": "Oslo", "days": [{"day": "Mon", "°C": 3}], "unit": "C"})
    assert both["text/plain"] == "city: Oslo\nunit: C\nday  °C\nMon   3"


def test_other_structured_content_shows_as_json():
    both = shown(structured={"city": "Ōsaka", "at": {"lat": 34.7}})
    assert both["text/plain"] == '{\n  "city": "Ōsaka",\n  "at": {\n    "lat": 34.7\n  }\n}'


@pytest.mark.parametrize(
    ("texts", "structured", "expected"),
    [
        (["Hello"], {"result": "Hello"}, "Hello"),
        (['{"a":1}'], {"a": 1}, '{\n  "a": 1\n}'),
        (["1", "2"], {"result": [1, 2]}, "[\n  1,\n  2\n]"),
        (["x", "y"], {"result": ["x", "y"]}, '[\n  "x",\n  "y"\n]'),
        (["7"], {"result": 7}, "7"),
    ],
)
def test_text_that_repeats_the_structured_content_shows_once(texts: list[str], structured: Any, expected: str):
    assert shown(*map(text, texts), structured=structured)["text/plain"] == expected


def test_text_that_says_something_else_shows_beside_the_structured_content():
    assert shown(text("Booked."), structured={"id": 7})["text/plain"] == 'Booked.\n{\n  "id": 7\n}'


def test_links_resources_and_unknown_parts_are_told_of():
    link = SimpleNamespace(type="resource_link", name="<a>", uri="javascript:alert(1)")
    resource = SimpleNamespace(type="resource", resource=SimpleNamespace(uri="file:///a.txt", text="inside"))
    both = shown(link, resource, SimpleNamespace(type="hologram"))
    assert "&lt;a&gt; (javascript:alert(1))" in both["text/html"]
    assert "<a" not in both["text/html"]
    assert "inside" in both["text/plain"]
    assert "a part of type hologram" in both["text/plain"]


def test_nothing_is_said_to_be_nothing():
    assert shown()["text/plain"] == "t gave nothing back"


def test_a_huge_result_is_bounded_in_the_page():
    both = shown(*[text("x" * 1_000_000)] * (MAX_BLOCKS + 5))
    assert len(both["text/plain"]) <= MAX_PLAIN + 1
    assert len(both["text/html"]) < 250_000
    assert f"{MAX_BLOCKS} of {MAX_BLOCKS + 5} parts" in both["text/html"]


def test_images_beyond_their_room_are_told_of(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcp_notebook.notebook.results.MAX_IMAGES", 2 * len(PNG))
    html = shown(image(), image(), image())["text/html"]
    assert html.count("<img") == 2
    assert "image, image/png, 8 bytes: not shown here" in html
