from __future__ import annotations

import re
from typing import Any

import pytest

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.arguments import check_arguments, parse_argument

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "party": {"type": "integer", "minimum": 1, "maximum": 12},
        "price": {"type": "number"},
        "loud": {"type": "boolean"},
        "seat": {"oneOf": [{"const": "w", "title": "Window"}, {"const": "a", "title": "Aisle"}]},
        "level": {"type": "integer", "enum": [1, 2, 3]},
        "color": {"$ref": "#/$defs/Color"},
        "maybe": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "mixed": {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]},
        "shade": {"anyOf": [{"$ref": "#/$defs/Color"}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "where": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
        "either": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        "anything": {},
        "point": {"type": ["number", "boolean"]},
    },
    "required": ["text"],
    "$defs": {"Color": {"type": "string", "enum": ["red", "green"], "enumNames": ["Red", "Green"]}},
}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("text", "5", "5"),
        ("text", '"quoted"', '"quoted"'),
        ("text", "", ""),
        ("text", "null", "null"),
        ("text", r"C:\new {x} dir", r"C:\new {x} dir"),
        ("party", "4", 4),
        ("party", "4.0", 4),
        ("price", "1.5", 1.5),
        ("price", "2", 2),
        ("loud", "true", True),
        ("loud", "False", False),
        ("seat", "w", "w"),
        ("seat", "Aisle", "a"),
        ("level", "2", 2),
        ("level", "2.0", 2),
        ("color", "Green", "green"),
        ("maybe", "3", 3),
        ("maybe", "+3", 3),
        ("maybe", "null", None),
        ("mixed", "3", 3),
        ("mixed", "007", "007"),
        ("mixed", '"3"', "3"),
        ("mixed", "null", "null"),
        ("mixed", "hello", "hello"),
        ("shade", "red", "red"),
        ("shade", "null", None),
        ("tags", '["a", "b"]', ["a", "b"]),
        ("where", '{"x": 1}', {"x": 1}),
        ("either", "[1", "[1"),
        ("either", '["a"]', ["a"]),
        ("anything", "[1, 2]", [1, 2]),
        ("anything", "hello", "hello"),
        ("anything", "1e999", "1e999"),
        ("anything", "NaN", "NaN"),
        ("point", "1.5", 1.5),
        ("point", "true", True),
    ],
)
def test_an_argument_gets_the_type_the_tool_asks_for(name: str, text: str, value: Any) -> None:
    parsed = parse_argument(SCHEMA, name, text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("party", "four", "party must be a whole number"),
        ("party", "3.5", "party must be a whole number, without decimals"),
        ("price", "1,5", "price must be a number: write decimals with a point, not a comma"),
        ("price", "NaN", "price must be a number"),
        ("loud", "yes", "loud must be true or false"),
        ("seat", "x", "seat must be one of: w, a"),
        ("level", "4", "level must be one of: 1, 2, 3"),
        ("shade", "blue", "shade must be one of: red, green, null"),
        ("maybe", "x", "maybe must be a whole number"),
        ("tags", "a,b", 'tags must be a list, written as JSON like ["a", "b"]'),
        ("tags", '{"a": 1}', 'tags must be a list, written as JSON like ["a", "b"]'),
        ("where", "here", 'where must be an object, written as JSON like {"key": "value"}'),
        ("point", "x", "point must be a number or true or false"),
    ],
)
def test_an_argument_that_cannot_be_read_is_named_with_what_it_wants(name: str, text: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(complaint)}$"):
        parse_argument(SCHEMA, name, text)


def test_an_unknown_argument_is_answered_with_the_nearest_and_all_there_are() -> None:
    with pytest.raises(UsageError, match=r"^there is no argument prty; did you mean party\? It takes text, party,"):
        parse_argument(SCHEMA, "prty", "4")


def test_a_tool_without_arguments_says_so() -> None:
    with pytest.raises(UsageError, match="It takes no arguments"):
        parse_argument({"type": "object", "properties": {}}, "a", "4")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {},
        {"properties": {}, "additionalProperties": True},
        {"properties": {}, "additionalProperties": {}},
        {"properties": {}, "patternProperties": {"^a": {}}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"type": "object"}}},
    ],
)
def test_an_argument_nobody_described_is_taken_where_the_schema_is_open(schema: dict[str, Any]) -> None:
    assert parse_argument(schema, "a", "4") == 4
    assert parse_argument(schema, "a", "four") == "four"


def test_a_described_extra_argument_is_typed_by_its_description() -> None:
    assert parse_argument({"properties": {}, "additionalProperties": {"type": "string"}}, "a", "4") == "4"


@pytest.mark.parametrize(
    "part",
    [
        {"$ref": "#/$defs/a"},
        {"$ref": "https://example.org/x"},
        {"$ref": "#/$defs/gone"},
        5,
        {"type": "wibble"},
        {"type": 5},
    ],
)
def test_a_schema_that_cannot_be_worked_with_leaves_it_to_the_server(part: Any) -> None:
    schema = {"type": "object", "properties": {"a": part}, "$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}]}}}
    assert parse_argument(schema, "a", "4") == 4
    check_arguments(schema, {"a": 4})


def test_arguments_that_fit_pass() -> None:
    check_arguments(SCHEMA, {"text": "a", "party": 4, "where": {"x": 1}, "tags": ["a"], "seat": "w"})


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "text is required"),
        ({"text": 5}, "text must be text"),
        ({"text": "a", "party": 99}, "party must be at most 12"),
        ({"party": 0}, "text is required; party must be at least 1"),
        ({"text": "a", "where": {}}, "where.x is required"),
        ({"text": "a", "where": {"x": "1"}}, "where.x must be a whole number"),
        ({"text": "a", "tags": ["a", 2]}, "tags[1] must be text"),
        ({"text": "a", "seat": "x"}, "seat must be one of: w, a"),
        ({"text": "a", "color": "blue"}, "color must be one of: red, green"),
        ({"text": "a", "party": None}, "party must be a whole number"),
    ],
)
def test_arguments_at_fault_are_named_in_one_line(arguments: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError) as error:
        check_arguments(SCHEMA, arguments)
    assert sorted(str(error.value).split("; ")) == sorted(complaint.split("; "))


def test_an_unknown_argument_is_told_where_the_tool_forbids_it() -> None:
    schema = {"type": "object", "properties": {"party": {"type": "integer"}}, "additionalProperties": False}
    with pytest.raises(UsageError, match="no argument prty; did you mean party"):
        check_arguments(schema, {"prty": 4})


@pytest.mark.parametrize("value", [object(), float("nan"), {1, 2}, b"x"])
def test_a_value_that_is_no_json_is_named(value: Any) -> None:
    with pytest.raises(UsageError, match=r"^text can't be sent as JSON: "):
        check_arguments(SCHEMA, {"text": value})


def test_a_tuple_counts_as_the_list_it_is_sent_as() -> None:
    check_arguments(SCHEMA, {"text": "a", "tags": ("a", "b")})


@pytest.mark.parametrize("draft", ["draft-04/schema#", "draft-06/schema#", "draft-07/schema#", "draft/2019-09/schema"])
def test_every_draft_is_checked(draft: str) -> None:
    schema = {
        "$schema": f"http{'s' if '2019' in draft else ''}://json-schema.org/{draft}",
        "type": "object",
        "properties": {"n": {"$ref": "#/definitions/n"}},
        "definitions": {"n": {"type": "integer", "minimum": 1}},
    }
    check_arguments(schema, {"n": 1})
    with pytest.raises(UsageError, match="n must be at least 1"):
        check_arguments(schema, {"n": 0})


def test_the_exclusive_minimum_of_draft_4_is_understood() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "properties": {"n": {"type": "integer", "minimum": 1, "exclusiveMinimum": True}},
    }
    with pytest.raises(UsageError, match="n must be more than 1"):
        check_arguments(schema, {"n": 1})


def test_a_tool_that_forbids_every_argument_says_so() -> None:
    schema = {"type": "object", "additionalProperties": False}
    with pytest.raises(UsageError, match="takes no arguments"):
        parse_argument(schema, "a", "4")
    with pytest.raises(UsageError, match="takes no arguments"):
        check_arguments(schema, {"a": 4})
