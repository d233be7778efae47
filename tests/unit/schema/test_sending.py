"""Values of Python and of its data libraries as they are sent: by what the schema wants, and never silently changed."""

from __future__ import annotations

import array
import datetime as dt
import decimal
import enum
import pathlib
import uuid
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pydantic
import pytest

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.sending import sendable

ROWS = [{"city": "Oslo", "t": -3}, {"city": "Rome", "t": 15}]
RECORDS = {"type": "array", "items": {"$ref": "#/$defs/Row"}}
COLUMNS = {"type": "object", "additionalProperties": {"type": "array"}}
LISTS = {"anyOf": [{"type": "array", "items": {"type": "array"}}, {"type": "null"}]}
ROW = {"properties": {"t": {"type": "integer"}, "day": {"type": "string", "format": "date"}}}


def sent(value: Any, part: Any = None) -> Any:
    """The value as it is sent for an argument with a schema of its own."""
    schema = {"properties": {"x": part}, "$defs": {"Row": ROW}} if part is not None else None
    return sendable({"x": value}, schema)["x"]


class Colour(enum.Enum):
    RED = "red"


@dataclass
class Point:
    lat: float
    at: Any = None


class Place(pydantic.BaseModel):
    point: Point
    day: dt.date


@pytest.mark.parametrize("frame", [pd.DataFrame(ROWS), pl.DataFrame(ROWS)], ids=["pandas", "polars"])
@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (None, ROWS),
        ({"type": "array"}, ROWS),
        (RECORDS, ROWS),
        ({"anyOf": [{"type": "string"}, RECORDS]}, ROWS),
        (COLUMNS, {"city": ["Oslo", "Rome"], "t": [-3, 15]}),
        (LISTS, [["Oslo", -3], ["Rome", 15]]),
    ],
)
def test_a_frame_goes_in_the_shape_that_the_schema_wants(frame: Any, part: Any, expected: Any):
    assert sent(frame, part) == expected


@pytest.mark.parametrize(
    "series",
    [
        pd.Series([1.5, None]),
        pd.Series([1.5, float("nan")]),
        pd.array([1.5, None], dtype="Float64"),
        pd.Index([1.5, float("nan")]),
        pl.Series([1.5, None]),
        pl.Series([1.5, float("nan")]),
        np.array([1.5, np.nan]),
    ],
    ids=lambda series: f"{type(series).__module__.partition('.')[0]} {type(series).__name__}",
)
def test_a_series_goes_as_a_list_in_which_missing_values_are_null(series: Any):
    assert sent(series) == [1.5, None]


def test_missing_values_of_a_frame_are_null_and_its_integers_stay_integers_where_they_are_wanted():
    frame = pd.DataFrame({"t": [1, None], "day": pd.to_datetime(["2026-01-02", None]), "w": ["a", None]})
    assert sent(frame, RECORDS) == [{"t": 1, "day": "2026-01-02", "w": "a"}, {"t": None, "day": None, "w": None}]
    assert isinstance(sent(frame, RECORDS)[0]["t"], int)
    assert sent(frame)[0]["day"] == "2026-01-02T00:00:00"


def test_a_named_index_is_a_column_and_an_unnamed_one_is_left_out():
    frame = pd.DataFrame(ROWS)
    assert sent(frame.set_index("city")) == ROWS
    assert sent(frame.set_index(pd.Index([7, 8]))) == ROWS


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.int64(4), 4),
        (np.bool_(True), True),
        (np.float32(0.5), 0.5),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        (np.array(["2026-01-02T03:04:05"], dtype="datetime64[ns]"), ["2026-01-02T03:04:05"]),
        (np.datetime64("NaT"), None),
        (np.timedelta64(90, "s"), "PT1M30S"),
        (pd.Timestamp("2026-01-02T03:04:05Z"), "2026-01-02T03:04:05Z"),
        (pd.Series(pd.to_datetime(["2026-01-02T03:04:05Z"])), ["2026-01-02T03:04:05Z"]),
        (pd.NaT, None),
        (pd.NA, None),
        (pd.Categorical(["a", "b"]), ["a", "b"]),
        (pl.Series([dt.date(2026, 1, 2)]), ["2026-01-02"]),
        (array.array("i", [1, 2]), [1, 2]),
        (decimal.Decimal("1.50"), "1.50"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (pathlib.Path("/a/b"), "/a/b"),
        (Colour.RED, "red"),
        ({1}, [1]),
        (Point(1.5, np.array([1])), {"lat": 1.5, "at": [1]}),
        (Place(point=Point(2), day=dt.date(2026, 1, 2)), {"point": {"lat": 2.0, "at": None}, "day": "2026-01-02"}),
        ({"deep": [{1: (np.int8(1), pl.DataFrame(ROWS))}]}, {"deep": [{"1": [1, ROWS]}]}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_of_the_data_libraries_and_of_python_go_as_json_has_them(value: Any, expected: Any):
    assert sent(value) == expected


@pytest.mark.parametrize(
    ("value", "part", "expected"),
    [
        (decimal.Decimal("1.5"), {"type": "number"}, 1.5),
        (decimal.Decimal("3"), {"type": ["integer", "null"]}, 3),
        (4.0, {"type": "integer"}, 4),
        (np.float64(4.0), {"anyOf": [{"type": "integer"}, {"type": "null"}]}, 4),
        (pd.Timestamp("2026-01-02"), {"type": "string", "format": "date"}, "2026-01-02"),
        (pd.Timestamp("2026-01-02T03:00"), {"type": "string", "format": "date"}, "2026-01-02T03:00:00"),
    ],
)
def test_a_value_goes_as_the_type_that_the_schema_wants(value: Any, part: Any, expected: Any):
    both = sent(value, part)
    assert (both, type(both)) == (expected, type(expected))


HOLDS_ITSELF: list[Any] = []
HOLDS_ITSELF.append(HOLDS_ITSELF)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ([{"p": float("nan")}], r"x\[0\].p cannot be sent: JSON has no NaN; None is null"),
        (pd.DataFrame({"p": [1.0, float("inf")]}), r"x\[1\].p cannot be sent: JSON has no infinity"),
        ({"a": object()}, "x.a cannot be sent: JSON has no object, convert it first"),
        (pl.LazyFrame(ROWS), "x cannot be sent: JSON has no LazyFrame, convert it first"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "x cannot be sent: two of its columns have one name"),
        ("\ud800", "x cannot be sent: it holds half of a surrogate pair"),
        (b"\xff", "x cannot be sent"),
        (HOLDS_ITSELF, "x cannot be sent: JSON has no infinity, no NaN, no bytes and nothing that holds itself"),
    ],
)
def test_what_json_has_not_is_refused_by_where_it_is(value: Any, problem: str):
    with pytest.raises(UsageError, match=problem):
        sent(value)


@pytest.mark.parametrize("part", [True, {"$ref": "#/nowhere"}, {"$ref": "#/properties/x"}, {"type": 5, "anyOf": 7}])
def test_a_schema_that_says_nothing_changes_nothing(part: Any):
    assert sent(pd.DataFrame(ROWS), part) == ROWS
