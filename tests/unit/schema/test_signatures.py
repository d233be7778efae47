"""From a tool's input schema to a Python signature."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_notebook.schema.names import python_names
from mcp_notebook.schema.signatures import signature_of


def signature(*required: str, **properties: Any) -> str:
    return str(signature_of({"type": "object", "properties": properties, "required": list(required)})[0])


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"type": "string"}, "str"),
        ({"type": "integer"}, "int"),
        ({"type": "number"}, "float"),
        ({"type": "boolean"}, "bool"),
        ({"type": "null"}, "NoneType"),
        ({"type": "array"}, "list"),
        ({"type": "array", "items": {"type": "integer"}}, "list[int]"),
        ({"type": "array", "items": {"type": "array", "items": {}}}, "list[list]"),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, "dict"),
        ({"enum": ["a", "b"]}, "Literal['a', 'b']"),
        ({"type": "string", "enum": [str(n) for n in range(1000)]}, "str"),
        ({"type": "string", "enum": ["x" * 1000]}, "str"),
        ({"const": 3}, "Literal[3]"),
        ({"oneOf": [{"const": "a", "title": "A"}, {"const": "b", "title": "B"}]}, "Literal['a', 'b']"),
        ({"type": ["string", "null"]}, "str | None"),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "int | None"),
        ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "int | str"),
        ({"anyOf": [{"type": "integer"}, {}]}, "Any"),
        ({"$ref": "#/nowhere"}, "Any"),
        ({"minimum": 3}, "float"),
        ({}, "Any"),
        (True, "Any"),
    ],
    ids=str,
)
def test_types_are_those_that_a_person_would_write(schema: Any, shown: str):
    assert signature("a", a=schema) == f"(*, a: {shown})"


def test_a_reference_is_followed():
    root = {"properties": {"a": {"$ref": "#/$defs/Size"}}, "$defs": {"Size": {"enum": ["S", "L"]}}}
    assert str(signature_of(root)[0]) == "(*, a: Literal['S', 'L'] = ...)"


def test_the_required_come_first_and_defaults_are_the_schemas_own():
    text, number = {"type": "string"}, {"type": "integer", "default": 3}
    assert signature("b", a=text, b=text, c=number) == "(*, b: str, a: str = ..., c: int = 3)"


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({}, "(**more: Any)"),
        ({"properties": {}}, "()"),
        ({"properties": {}, "additionalProperties": {"type": "string"}}, "(**more: Any)"),
        ({"properties": {"more": {}}, "additionalProperties": True}, "(*, more: Any = ..., **more_: Any)"),
        ({"properties": {"a": {"$ref": "https://example.org"}}}, "(*, a: Any = ...)"),
        ({"properties": {"a": {}}, "$dynamicRef": "#x"}, "(**more: Any)"),
    ],
    ids=str,
)
def test_what_the_schema_leaves_open_is_taken_too(schema: Any, shown: str):
    assert str(signature_of(schema)[0]) == shown


def test_odd_names_are_spelled_in_a_way_that_can_be_foreseen():
    odd = ["plain", "odd.name", "odd name", "odd_name", "class", "2nd", "", "é", "🙂", "self"]
    assert python_names(odd, taken={"self"}) == {
        "plain": "plain",
        "odd_name_2": "odd.name",
        "odd_name_3": "odd name",
        "odd_name": "odd_name",
        "class_": "class",
        "_2nd": "2nd",
        "_": "",
        "é": "é",
        "__2": "🙂",
        "self_": "self",
    }


@given(st.lists(st.text(), unique=True, max_size=30))
def test_every_name_is_reached_by_one_that_python_can_spell(names: list[str]):
    found = python_names(names)
    assert list(found.values()) == names
    assert all(python.isidentifier() for python in found)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_no_schema_breaks_it(schema: Any):
    signature, names = signature_of({"type": "object", "properties": {"a": schema, "b": {"default": schema}}})
    assert set(names) <= set(signature.parameters)
    assert all(p.kind in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
               for p in signature.parameters.values())  # fmt: skip
