"""Structured content: a table where it is one, and a tree that folds where it is not."""

from __future__ import annotations

import re
from typing import Any

import pytest
from mcp.types import TextContent

from mcp_notebook.notebook.page import MAX_PLAIN
from mcp_notebook.notebook.results import bundle
from mcp_notebook.results import ToolResult


def shown(structured: Any, *texts: str) -> dict[str, Any]:
    return bundle(
        ToolResult(server="s", tool="t", content=tuple(TextContent(text=text) for text in texts), structured=structured)
    )


def words(html: str) -> str:
    """What a page says once all markup is stripped, as strict viewers do."""
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def test_rows_show_as_a_table():
    both = shown({"result": [{"city": "Oslo", "°C": -3.5}, {"city": "Rome", "°C": 15, "rain": True}]})
    assert both["text/plain"] == "city    °C  rain\nOslo  -3.5\nRome    15  true"
    assert both["text/html"].count("<tr>") == 3


def test_columns_and_rows_beside_their_names_show_as_the_same_table():
    expected = "city   t\nOslo  -3\nRome  15"
    assert shown({"city": ["Oslo", "Rome"], "t": [-3, 15]})["text/plain"] == expected
    rows = {"columns": ["city", "t"], "rows": [["Oslo", -3], ["Rome", 15]], "rowCount": 2}
    assert shown(rows)["text/plain"] == f"rowCount: 2\n{expected}"


def test_an_object_with_one_table_shows_the_rest_above_it():
    both = shown({"city": "Oslo", "days": [{"day": "Mon", "°C": 3}], "unit": "C"})
    assert both["text/plain"] == "city: Oslo\nunit: C\nday  °C\nMon   3"
    nested = shown({"at": {"lat": 59.9}, "days": [{"day": "Mon", "°C": 3}]})["text/html"]
    assert words(nested) == "at: {1} lat: 59.9 day °C Mon 3"


def test_values_nested_in_rows_show_on_one_line():
    assert shown([{"n": 1, "tags": ["a", "é"]}, {"n": 2, "tags": None}])["text/plain"] == 'n  tags\n1  ["a", "é"]\n2'


def test_what_is_no_table_shows_as_a_tree_that_folds_and_in_text_as_json():
    both = shown({"city": "Ōsaka", "at": {"lat": 34.7, "tags": ["a", None, True]}, "none": {}})
    assert both["text/plain"].startswith('{\n  "city": "Ōsaka",\n  "at": {\n    "lat": 34.7,')
    html = both["text/html"]
    assert words(html) == "city: Ōsaka at: {2} lat: 34.7 tags: [3] 0: a 1: null 2: true none: {}"
    assert html.count("<details") == html.count(" open>") == html.count("</details>") == 2


def test_a_large_tree_is_folded_below_its_first_level():
    html = shown({f"k{i}": {"a": {"b": i}} for i in range(30)})["text/html"]
    assert html.count("<details") == 60
    assert " open>" not in html


@pytest.mark.parametrize(
    ("texts", "structured", "expected"),
    [
        (["Hello"], {"result": "Hello"}, "Hello"),
        (['{"a":1}'], {"a": 1}, '{\n  "a": 1\n}'),
        (["1", "2"], {"result": [1, 2]}, "[\n  1,\n  2\n]"),
        (["x", "y"], {"result": ["x", "y"]}, '[\n  "x",\n  "y"\n]'),
        (["7"], {"result": 7}, "7"),
        (["null"], {"result": None}, "null"),
    ],
)
def test_text_that_repeats_the_structured_content_shows_once(texts: list[str], structured: Any, expected: str):
    assert shown(structured, *texts)["text/plain"] == expected


def test_text_that_says_something_else_shows_beside_the_structured_content():
    assert shown({"id": 7}, "Booked.")["text/plain"] == 'Booked.\n{\n  "id": 7\n}'


def deep(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = {"in": value}
    return value


@pytest.mark.parametrize(
    "structured",
    [
        {f"k{i}": i for i in range(100_000)},
        {f"k{i}": {f"j{n}": "x" * 1_000 for n in range(100)} for i in range(100)},
        {"x": "y" * 5_000_000, "z": {}},
        deep(500),
        [deep(500)],
        [1] * 1_000_000,
        [[[[1] * 50] * 50] * 50] * 50,
        [{f"c{i}": "x" * 1000 for i in range(200)}] * 3_000,
    ],
    ids=["wide", "wide twice", "long", "deep", "deep in a row", "many", "many lists", "large table"],
)
def test_structured_content_is_bounded_in_the_page(structured: Any):
    both = shown(structured)
    assert len(both["text/html"]) < 1_500_000
    assert len(both["text/plain"]) <= MAX_PLAIN + 1


def test_what_is_left_out_of_a_tree_is_told():
    assert "… 9,900 more of 10,000" in shown({"n": [*range(10_000)], "unit": "m"})["text/html"]
