from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from typing import Any

import pytest

from mcp_notebook.schema.entries import content_of, entry_from_text, entry_of
from mcp_notebook.schema.fields import Field, fields_of

JST = timezone(timedelta(hours=9))


def form(**properties: Any) -> tuple[tuple[Field, ...], dict[str, Any]]:
    schema = {"type": "object", "properties": properties}
    return fields_of(schema), schema


def field(**part: Any) -> Field:
    return form(x=part)[0][0]


@pytest.mark.parametrize(
    ("kind", "entry", "sent"),
    [
        ("date", date(2026, 12, 27), "2026-12-27"),
        ("date", date(1, 1, 1), "0001-01-01"),
        ("date-time", datetime(2026, 12, 27, 14, 30, tzinfo=JST), "2026-12-27T14:30:00+09:00"),
        ("date-time", datetime(2026, 12, 27, 14, 30, 0, 5, tzinfo=timezone.utc), "2026-12-27T14:30:00.000005+00:00"),
        ("time", time(14, 30, tzinfo=JST), "14:30:00+09:00"),
    ],
)
def test_a_moment_from_a_calendar_is_sent_as_rfc_3339(kind: str, entry: Any, sent: str) -> None:
    fields, schema = form(x={"type": "string", "format": kind})
    assert content_of(fields, {"x": entry}, schema) == ({"x": sent}, {})


def test_a_zone_with_seconds_is_sent_as_utc_since_rfc_3339_cannot_say_it() -> None:
    fields, schema = form(x={"type": "string", "format": "date-time"})
    amsterdam_in_1930 = timezone(timedelta(minutes=19, seconds=32))
    content, errors = content_of(fields, {"x": datetime(1930, 1, 1, 0, 19, 32, tzinfo=amsterdam_in_1930)}, schema)
    assert (content, errors) == ({"x": "1930-01-01T00:00:00+00:00"}, {})


@pytest.mark.parametrize(("kind", "entry"), [("date-time", datetime(2026, 12, 27)), ("time", time(14, 30))])
def test_a_moment_without_a_zone_is_refused_and_not_guessed_at(kind: str, entry: Any) -> None:
    fields, schema = form(x={"type": "string", "format": kind})
    _, errors = content_of(fields, {"x": entry}, schema)
    assert "with its zone" in errors["x"]


def test_a_complaint_never_repeats_what_was_typed() -> None:
    fields, schema = form(pin={"type": "integer"}, key={"type": "string", "maxLength": 3, "pattern": "^a"})
    _, errors = content_of(fields, {"pin": "12secret", "key": "secret"}, schema)
    assert errors.keys() == {"pin", "key"}
    assert "secret" not in str(errors)


def test_complaints_come_in_the_order_of_the_fields() -> None:
    fields, schema = form(a={"type": "integer"}, b={"type": "string", "minLength": 5}, c={"type": "integer"})
    _, errors = content_of(fields, {"c": "x", "b": "x", "a": "x"}, schema)
    assert list(errors) == ["a", "b", "c"]


def test_a_rule_for_the_whole_form_waits_until_each_field_is_right() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "minProperties": 1}
    _, errors = content_of(fields_of(schema), {"a": "x"}, schema)
    assert list(errors) == ["a"]


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("yes", True),
        ("Y", True),
        ("true", True),
        ("on", True),
        ("no", False),
        ("N", False),
        ("FALSE", False),
        ("", None),
    ],
)
def test_a_boolean_is_answered_with_yes_or_no_at_a_prompt(text: str, entry: bool | None) -> None:
    assert entry_from_text(field(type="boolean"), text) is entry


def test_anything_else_is_no_answer_to_a_boolean() -> None:
    with pytest.raises(ValueError, match="must be yes or no"):
        entry_from_text(field(type="boolean"), "maybe")


SEATS = {"oneOf": [{"const": "w", "title": "Window"}, {"const": "a", "title": "Aisle, front"}]}


@pytest.mark.parametrize(
    ("text", "entry"),
    [("1", 0), ("2", 1), ("w", 0), ("Aisle, front", 1), ("window", 0), (" w ", 0), ("", None), ("  ", None)],
)
def test_an_option_is_chosen_by_number_value_or_title_at_a_prompt(text: str, entry: int | None) -> None:
    assert entry_from_text(field(**SEATS), text) == entry


def test_an_options_own_name_goes_before_its_place_in_the_list() -> None:
    assert entry_from_text(field(enum=[2, 1]), "1") == 1
    assert entry_from_text(field(enum=[2, 1]), "2") == 0


@pytest.mark.parametrize("text", ["0", "3", "middle", "１", "-1"])
def test_what_is_no_option_is_told_with_the_numbers_there_are(text: str) -> None:
    with pytest.raises(ValueError, match="from 1 to 2"):
        entry_from_text(field(**SEATS), text)


@pytest.mark.parametrize(
    ("text", "entry"), [("1,2", (0, 1)), ("Aisle, front", (1,)), ("window, 2", (0, 1)), ("", ()), ("2,", (1,))]
)
def test_several_options_are_chosen_with_commas_at_a_prompt(text: str, entry: tuple[int, ...]) -> None:
    assert entry_from_text(field(type="array", items=SEATS), text) == entry


def test_text_is_taken_as_it_is_at_a_prompt() -> None:
    assert entry_from_text(field(type="string"), " 5 ") == " 5 "
    assert entry_from_text(field(type="integer"), "5") == "5"


@pytest.mark.parametrize(
    ("part", "value", "entry"),
    [
        ({"type": "string"}, "a", "a"),
        ({"type": "integer"}, 3, "3"),
        ({"type": "number"}, 1e22, "1e+22"),
        ({"type": "boolean"}, False, False),
        ({"type": "boolean"}, None, None),
        ({"type": "string"}, None, ""),
        (SEATS, "a", 1),
        (SEATS, None, None),
        ({"enum": [True, 1]}, 1.0, 1),
        ({"type": "array", "items": SEATS}, ["a", "w"], (1, 0)),
        ({"type": "array", "items": SEATS}, None, ()),
    ],
)
def test_a_value_is_filled_in_as_the_entry_that_gives_it(part: dict[str, Any], value: Any, entry: Any) -> None:
    assert entry_of(field(**part), value) == entry
