"""What holds for every schema: a form builds or refuses, what it accepts is valid, what is valid can be entered.

The judge is jsonschema, written apart from jsonschema-rs, which the package itself checks with.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import jsonschema
from hypothesis import assume, given
from hypothesis import strategies as st

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.arguments import check_arguments, parse_argument
from mcp_notebook.schema.entries import content_of, entry_of
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
small = st.integers(-50, 50)
scalars = st.none() | st.booleans() | small | st.floats(allow_nan=False, allow_infinity=False, width=32) | texts
formats = st.sampled_from(["email", "uri", "uuid", "date", "date-time", "time", "password", "textarea", "wibble"])
patterns = st.sampled_from(["^a*$", "[0-9]", "^.{2,4}$", "b?", "^(a+)+$", "[", "^(?=a)"])


def rules(**keywords: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={"title": texts, "description": texts, "default": scalars, **keywords})


def of(kind: str, extra: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return extra.map(lambda more: {"type": kind, **more})


lengths, counts = st.integers(0, 6), st.integers(0, 4)
consts = st.builds(lambda value, title: {"const": value, "title": title}, scalars, texts)
strings = of("string", rules(minLength=lengths, maxLength=lengths, pattern=patterns) | rules(format=formats))
bounds = dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), small)
numbers = st.one_of(
    of("integer", rules(**bounds, multipleOf=st.integers(1, 7))),
    of("number", rules(**bounds, multipleOf=st.sampled_from([0.5, 0.25, 2]))),
)
choice = st.one_of(
    rules(enum=st.lists(scalars, min_size=1, max_size=5)).filter(lambda schema: "enum" in schema),
    st.lists(texts, min_size=1, max_size=4).map(lambda values: {"type": "string", "enum": values}),
    st.lists(consts, min_size=1, max_size=4).map(lambda branches: {"oneOf": branches}),
    st.lists(consts, min_size=1, max_size=4).map(lambda branches: {"anyOf": branches}),
    scalars.map(lambda value: {"const": value}),
)
choices = st.builds(
    lambda items, more: {"type": "array", "items": items, **more},
    choice,
    rules(minItems=counts, maxItems=counts, uniqueItems=st.booleans()),
)
drawable = st.one_of(strings, numbers, of("boolean", rules()), choice, choices)
wrapped = st.one_of(
    drawable,
    drawable.map(lambda schema: {"anyOf": [schema, {"type": "null"}]}),
    drawable.map(lambda schema: {"allOf": [schema], "title": "Wrapped"}),
    st.sampled_from([{"$ref": "#/$defs/Color"}, {"$ref": "#/$defs/Gone"}, {"$ref": "#/$defs/Circle"}]),
)
undrawable = st.sampled_from(
    [True, False, {}, {"type": "object"}, {"type": "array"}, {"type": "null"}, {"type": ["string", "integer"]}, 3, []]
)
definitions = {"Color": {"type": "string", "enum": ["red", "green"]}, "Circle": {"$ref": "#/$defs/Circle"}}


@st.composite
def schemas(draw: Callable[..., Any], parts: st.SearchStrategy[Any]) -> dict[str, Any]:
    properties = draw(st.dictionaries(names, parts, max_size=4))
    required = [name for name in properties if draw(st.booleans())]
    return {"type": "object", "properties": properties, "required": required, "$defs": definitions}


def drawn_or_refused(schema: dict[str, Any]) -> tuple[tuple[Field, ...], str]:
    try:
        return fields_of(schema), ""
    except UnsupportedSchema as refusal:
        return (), str(refusal)


def drawn(schema: dict[str, Any]) -> tuple[Field, ...]:
    fields, reason = drawn_or_refused(schema)
    assume(not reason)
    return fields


def entries_for(field: Field) -> st.SearchStrategy[Any]:
    if field.kind == "boolean":
        return st.sampled_from([True, False, None])
    places = st.integers(-1, len(field.options))
    if field.kind == "choice":
        return places | st.none()
    if field.kind == "choices":
        return st.lists(places, max_size=4).map(tuple)
    moments = st.dates() | st.datetimes(timezones=st.timezones() | st.none()) | st.times()
    return (
        texts
        | small.map(str)
        | st.floats().map(str)
        | st.from_regex(r"[0-9a-b+\-.,e]{1,6}", fullmatch=True)
        | (moments if field.kind in ("date", "date-time", "time") else st.nothing())
    )


def judge(schema: dict[str, Any]) -> jsonschema.Draft202012Validator:
    """The plain validator; a pattern that Python can't read is dropped, as the form says it is not checked."""
    readable = copy.deepcopy(schema)
    for part in readable["properties"].values():
        for holder in (part, *part.get("anyOf", ()), *part.get("allOf", ())):
            if holder.get("pattern") == "[":
                del holder["pattern"]
    return jsonschema.Draft202012Validator(readable, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER)


@given(schemas(wrapped | undrawable))
def test_a_form_builds_or_refuses_in_one_line(schema: dict[str, Any]) -> None:
    fields, reason = drawn_or_refused(schema)
    if reason:
        assert "\n" not in reason
        assert len(reason) < 500
    else:
        assert [field.name for field in fields] == list(schema["properties"])
        assert all(field.title and "\n" not in field.hint for field in fields)


words = ["type", "properties", "items", "enum", "const", "$ref", "anyOf", "required", "default", "pattern", "a", "b"]
nonsense = st.recursive(
    scalars | st.sampled_from(["string", "object", "array", "#", "#/properties/a"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(words), inner, max_size=4),
).filter(lambda value: isinstance(value, dict))


@given(nonsense)
def test_even_nonsense_builds_or_refuses(schema: dict[str, Any]) -> None:
    _, reason = drawn_or_refused(schema)
    assert "\n" not in reason


@given(nonsense, texts)
def test_an_argument_to_nonsense_is_taken_or_told_in_one_line(schema: dict[str, Any], text: str) -> None:
    try:
        check_arguments(schema, {"a": parse_argument(schema, "a", text)})
    except UsageError as error:
        complaint = str(error)
    else:
        complaint = ""
    assert "\n" not in complaint


@given(st.data(), schemas(wrapped))
def test_what_a_form_accepts_is_valid(data: st.DataObject, schema: dict[str, Any]) -> None:
    fields = drawn(schema)
    entries = {field.name: data.draw(entries_for(field)) for field in fields}
    content, errors = content_of(fields, entries, schema)
    if not errors:
        judge(schema).validate(content)


def is_no_text(field: Field, value: Any) -> bool:
    return value == "" and field.kind not in ("choice", "choices")


def is_optional_nothing(field: Field, value: Any) -> bool:
    return value == [] and field.kind == "choices" and not field.required


def values_for(field: Field) -> st.SearchStrategy[Any]:
    if field.kind == "choice":
        return st.sampled_from([option.value for option in field.options])
    if field.kind == "choices":
        return st.lists(st.sampled_from([option.value for option in field.options]), max_size=4)
    moments = {
        "date": st.dates().map(str),
        "date-time": st.datetimes(timezones=st.just(timezone.utc)).map(datetime.isoformat),
        "time": st.times().map(lambda moment: f"{moment.isoformat()}Z"),
        "boolean": st.booleans(),
        "integer": st.integers(-60, 60) | st.integers(),
        "number": st.floats(-60, 60, width=16) | st.floats(allow_nan=False, allow_infinity=False) | small,
        "string": {
            "email": st.emails(),
            "uuid": st.uuids().map(str),
            "uri": st.just("https://example.org/a?b#c"),
        }.get(field.format or "", texts | st.text("ab0", max_size=5)),
    }
    return moments[field.kind]


@given(st.data(), schemas(wrapped))
def test_what_is_valid_can_be_entered(data: st.DataObject, schema: dict[str, Any]) -> None:
    fields = drawn(schema)
    content = {
        field.name: data.draw(values_for(field)) for field in fields if field.required or data.draw(st.booleans())
    }
    assume(judge(schema).is_valid(content))
    entered = [(field, content[field.name]) for field in fields if field.name in content]
    assume(not any(field.required and is_no_text(field, value) for field, value in entered))
    entries = {field.name: entry_of(field, value) for field, value in entered}
    expected = {
        field.name: value
        for field, value in entered
        if not is_no_text(field, value) and not is_optional_nothing(field, value)
    }
    sent, errors = content_of(fields, entries, schema)
    assert errors == {}
    assert sent == expected


@given(st.data(), schemas(wrapped))
def test_a_default_that_is_filled_in_can_be_sent_back(data: st.DataObject, schema: dict[str, Any]) -> None:
    fields = drawn(schema)
    entries = {field.name: entry_of(field, field.default) for field in fields if field.has_default}
    sent, _ = content_of(fields, entries, schema)
    for field in fields:
        if field.has_default and not is_optional_nothing(field, field.default):
            assert sent[field.name] == field.default
