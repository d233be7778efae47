"""Results as data frames, in both libraries: what is a table, of what types its columns are, and what is none."""

from __future__ import annotations

import base64
import datetime as dt
import math
from types import SimpleNamespace
from typing import Any

import pandas as pd
import polars as pl
import pytest

from mcp_notebook.errors import UsageError
from mcp_notebook.results import ResourceResult, ToolResult

ROWS = [{"city": "Oslo", "t": -3}, {"city": "Rome", "t": 15}]
UTC = dt.timezone.utc


def text(words: str) -> SimpleNamespace:
    return SimpleNamespace(type="text", text=words)


def file(mime_type: str | None, words: str) -> SimpleNamespace:
    return SimpleNamespace(type="resource", resource=SimpleNamespace(uri="x:y", mime_type=mime_type, text=words))


def result(*content: Any, structured: Any = None, schema: Any = None) -> ToolResult:
    return ToolResult(server="s", tool="t", content=content, structured=structured, output_schema=schema)


def rows(result: ToolResult | ResourceResult) -> list[dict[str, Any]]:
    """The rows of a result, which are the same in both libraries."""
    frame = result.to_frame("polars").to_dicts()
    other = result.to_frame("pandas").astype(object)
    assert other.where(other.notna(), None).to_dict("records") == frame
    return frame


@pytest.mark.parametrize(
    "structured",
    [
        {"result": ROWS},
        {"days": ROWS, "unit": "C", "warnings": []},
        {"city": ["Oslo", "Rome"], "t": [-3, 15]},
        {"latitude": 59.9, "hourly": {"city": ["Oslo", "Rome"], "t": [-3, 15]}},
        {"columns": ["city", "t"], "rows": [["Oslo", -3], ["Rome", 15]], "rowCount": 2},
        {"columns": ["city", "t"], "data": [["Oslo", -3], ["Rome", 15]]},
        {"columns": [{"name": "city", "type": "VARCHAR"}, {"name": "t"}], "rows": [["Oslo", -3], ["Rome", 15]]},
        {"columns": ["city", "t"], "rows": ROWS},
        {"success": True, "data": {"columns": ["city", "t"], "rows": [["Oslo", -3], ["Rome", 15]]}},
    ],
)
def test_structured_content_that_is_a_table_becomes_a_frame(structured: Any):
    assert rows(result(text("two cities, and more"), structured=structured)) == ROWS


@pytest.mark.parametrize(
    "content",
    [
        [text('[{"city": "Oslo", "t": -3}, {"city": "Rome", "t": 15}]')],
        [text('{"city": "Oslo", "t": -3}\n{"city": "Rome", "t": 15}\n')],
        [text('{\n "city": "Oslo",\n "t": -3\n}'), text('{"city": "Rome", "t": 15}')],
        [text("city,t\nOslo,-3\nRome,15\n")],
        [text("city\tt\r\nOslo\t-3\r\nRome\t15")],
        [text("city;t\nOslo;-3\nRome;15\n")],
        [text("Here, as you wished."), file("text/csv; charset=utf-8", "\ufeffcity,t\nOslo,-3\nRome,15\n")],
        [file("text/tab-separated-values", "city\tt\nOslo\t-3\nRome\t15\n")],
        [file("application/json", '{"rows": [{"city": "Oslo", "t": -3}, {"city": "Rome", "t": 15}]}')],
    ],
)
def test_a_table_in_text_becomes_a_frame(content: list[Any]):
    assert rows(result(*content)) == ROWS


def test_a_resource_becomes_a_frame():
    csv = base64.b64encode(b"city,t\nOslo,-3\nRome,15\n").decode()
    assert (
        rows(ResourceResult(server="s", uri="x:y", contents=(file("text/csv", "city,t\nOslo,-3\nRome,15").resource,)))
        == ROWS
    )
    blob = SimpleNamespace(uri="x:y", mime_type="text/csv", blob=csv)
    assert rows(ResourceResult(server="s", uri="x:y", contents=(blob,))) == ROWS


MIXED = [
    {"n": 1, "x": 1, "yes": True, "word": "a", "day": "2026-01-02", "big": 2**70, "list": [1], "any": 1},
    {"n": None, "x": 2.5, "yes": None, "word": None, "day": "2026-01-03", "big": 1, "list": [2, 3], "any": "b"},
]


def test_types_stay_as_they_are_in_pandas():
    frame = result(structured={"result": MIXED}).to_frame("pandas")
    assert [str(frame[name].dtype) for name in ("n", "x", "yes", "big", "list", "any")] == [
        "Int64", "float64", "boolean", "object", "object", "object"
    ]  # fmt: skip
    assert frame["day"].tolist() == ["2026-01-02", "2026-01-03"]
    assert frame["big"].tolist() == [2**70, 1]
    assert frame["list"].tolist() == [[1], [2, 3]]
    assert frame["any"].tolist() == [1, "b"]
    assert frame["word"].isna().tolist() == [False, True]


def test_types_stay_as_they_are_in_polars():
    frame = result(structured={"result": MIXED}).to_frame("polars")
    kinds = frame.schema
    assert [kinds[name] for name in ("n", "x", "yes", "word", "list")] == [
        pl.Int64, pl.Float64, pl.Boolean, pl.String, pl.List(pl.Int64)
    ]  # fmt: skip
    assert frame["day"].to_list() == ["2026-01-02", "2026-01-03"]
    assert [*frame["big"]] == [2**70, 1]
    assert [*frame["any"]] == [1, "b"]


@pytest.mark.parametrize("values", [[{"a": 1}, {"b": 2}], [{}, {"a": [1, {"c": None}]}], [[1, "a"], []], [None, None]])
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_nested_values_are_kept(values: list[Any], library: Any):
    frame = result(structured={"result": [{"n": 1, "nested": value} for value in values]}).to_frame(library)
    assert [*frame["nested"]] == values


def test_separated_values_are_typed_by_column():
    found = rows(result(text("id,zip,price,open,note\n1,00501,1.5,true,NA\n2,10001,,FALSE,\n3,,1e3,,x")))
    assert found == [
        {"id": 1, "zip": "00501", "price": 1.5, "open": True, "note": "NA"},
        {"id": 2, "zip": "10001", "price": None, "open": False, "note": None},
        {"id": 3, "zip": None, "price": 1000.0, "open": None, "note": "x"},
    ]


DATED = {
    "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/Day"}}},
    "$defs": {
        "Day": {
            "properties": {
                "day": {"type": "string", "format": "date"},
                "at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
                "note": {"type": "string"},
            }
        }
    },
}


def test_texts_become_dates_where_the_output_schema_says_so():
    days = [
        {"day": "2026-01-02", "at": "2026-01-02T12:00:00+02:00", "note": "2026-01-02"},
        {"day": "1066-10-14", "at": None, "note": ""},
    ]
    dated = result(structured={"result": days}, schema=DATED)
    frame = dated.to_frame("polars")
    assert frame["day"].to_list() == [dt.date(2026, 1, 2), dt.date(1066, 10, 14)]
    assert frame["at"].to_list() == [dt.datetime(2026, 1, 2, 10, tzinfo=UTC), None]
    assert frame["note"].to_list() == ["2026-01-02", ""]
    frame = dated.to_frame("pandas")
    assert frame["at"][0] == pd.Timestamp("2026-01-02T10:00Z")
    assert str(frame["at"].dtype).startswith("datetime64")
    assert [(value.year, value.day) for value in frame["day"]] == [(2026, 2), (1066, 14)]


@pytest.mark.parametrize("second", ["soon", 5, "2026-01-02T12:00:00"])
def test_a_column_that_is_not_all_dates_as_declared_stays_as_it_is(second: Any):
    values = ["2026-01-02T12:00:00Z", second]
    frame = result(structured={"result": [{"at": value} for value in values]}, schema=DATED).to_frame("pandas")
    assert frame["at"].tolist() == values


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_an_empty_table_has_the_columns_that_the_output_schema_tells(library: Any):
    assert list(result(structured={"result": []}, schema=DATED).to_frame(library).columns) == ["day", "at", "note"]
    assert result(structured={"hits": [], "total": 0}).to_frame(library).shape == (0, 0)


def test_missing_numbers_of_columns_are_missing():
    frame = result(structured={"a": [1.5, None], "b": ["x", "y"]}).to_frame("pandas")
    assert math.isnan(frame["a"][1])


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (result(structured={"id": 7, "name": "Ada"}), r"no table but one object \(id, name\): .data has it"),
        (result(structured={"result": [1, 2]}), "a list of 2, not all of them objects"),
        (result(structured={"result": 7}), r"one value \(7\)"),
        (result(structured={"result": "x"}), "a text"),
        (result(structured={"a": ROWS, "b": ROWS}), r"2 tables in it \(a, b\): take one, as in .data\['a'\]"),
        (result(text("Hello, Ada.\nHow do you do?")), "a text of 26 characters"),
        (result(text('{"a": 1}')), r"one object \(a\)"),
        (result(SimpleNamespace(type="image", data="", mime_type="image/png")), "no table but image"),
        (result(), "no table but nothing"),
        (result(file("text/csv", "a\n1"), file("text/csv", "b\n2")), "2 tables in it: take one of its parts"),
        (result(file("text/csv", "a,b\n1")), "no table but resource"),
        (result(structured={"columns": ["a", "a"], "rows": [[1, 2]]}), r"two columns have one name \(a, a\)"),
    ],
)
def test_what_is_no_table_is_told(given: ToolResult, problem: str):
    with pytest.raises(UsageError, match=problem):
        given.to_frame()


def test_pandas_is_taken_where_both_are_there():
    assert isinstance(result(structured=ROWS).to_frame(), pd.DataFrame)


@pytest.mark.parametrize(("there", "kind"), [(["polars"], pl.DataFrame), ([], None)])
def test_what_is_installed_is_taken(there: list[str], kind: Any, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcp_notebook.frames.columns.find_spec", lambda name: name in there or None)
    if kind:
        assert isinstance(result(structured=ROWS).to_frame(), kind)
    else:
        with pytest.raises(UsageError, match="pandas or polars is not installed here: %pip install pandas"):
            result(structured=ROWS).to_frame()


def test_a_library_of_another_name_is_refused():
    with pytest.raises(UsageError, match="'pandas' or 'polars', not 'arrow'"):
        result(structured=ROWS).to_frame("arrow")  # pyright: ignore[reportArgumentType]
