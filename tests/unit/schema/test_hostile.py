"""Schemas made to harm: each is judged in bounded time, whatever the judgement."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from mcp_notebook.schema.arguments import check_arguments, parse_argument
from mcp_notebook.schema.check import check
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of

pytestmark = pytest.mark.timeout(10)


def doubling(depth: int, through: dict[str, Any]) -> dict[str, Any]:
    """Definitions that each evaluate the next one twice."""
    levels = {f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 2} for i in range(depth)}
    return {"$defs": {**levels, f"a{depth}": {"type": "string"}}, **through}


def nested(levels: int, key: str = "properties") -> dict[str, Any]:
    schema: dict[str, Any] = {}
    for _ in range(levels):
        schema = {key: {"a": schema}} if key == "properties" else {key: [schema]}
    return schema


def object_in_itself() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    schema["properties"]["a"] = schema
    return schema


FIELD = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a0"}}}
HOSTILE: dict[str, dict[str, Any]] = {
    "doubling definitions": doubling(60, FIELD),
    "doubling at the top": doubling(60, {"$ref": "#/$defs/a0"}),
    "doubling through properties": {
        "$defs": {"n": {"allOf": [{"properties": {"a": {"$ref": "#/$defs/n"}}}] * 2}},
        "properties": {"a": {"$ref": "#/$defs/n"}},
    },
    "doubling behind an anchor": {
        "$defs": {f"a{i}": {"$anchor": f"a{i}", "allOf": [{"$ref": f"#a{i + 1}"}] * 2} for i in range(60)},
        "properties": {"a": {"$ref": "#a0"}},
    },
    "doubling behind a moved base": {
        "$defs": {
            "b": {"$id": "https://example.org/b", "$ref": "#/$defs/a0", **doubling(60, {})},
            "a0": {"type": "string"},
        },
        "properties": {"a": {"$ref": "#/$defs/b"}},
    },
    "doubling behind names that are keywords": doubling(60, {"properties": {"default": {"$ref": "#/$defs/a0"}}}),
    "everything refers to everything": {
        "$defs": {f"a{i}": {"anyOf": [{"$ref": f"#/$defs/a{j}"} for j in range(20)]} for i in range(20)},
        "properties": {"a": {"$ref": "#/$defs/a0"}},
    },
    "a dynamic reference": {
        "$dynamicRef": "#a",
        "$defs": {"a": {"$dynamicAnchor": "a", "allOf": [{"$dynamicRef": "#a"}]}},
    },
    "a hundred thousand levels": nested(100_000),
    "a thousand levels of allOf": nested(1_000, "allOf"),
    "an object in itself": object_in_itself(),
    "a million values": {"type": "object", "properties": {"a": {"enum": list(range(1_000_000))}}},
    "a chain of a thousand references": {
        "$defs": {**{f"a{i}": {"$ref": f"#/$defs/a{i + 1}"} for i in range(1_000)}, "a1000": {"type": "string"}},
        **FIELD,
    },
    "thousands of patterns": {
        "type": "object",
        "properties": {"a": {"type": "string"}},
        "patternProperties": {f"(\\p{{L}}{{1,{i % 90 + 1}}}){{1,{i}}}": {} for i in range(1, 5_000)},
    },
    "a long pattern": {"type": "object", "properties": {"a": {"type": "string", "pattern": "(a+)+" * 100_000}}},
    "parentheses without end": {"type": "object", "properties": {"a": {"type": "string", "pattern": "(" * 999}}},
    "a megabyte of description": {
        "type": "object",
        "properties": {"a": {"type": "string", "description": "x" * 1_000_000}},
    },
    "a name of a megabyte": {
        "type": "object",
        "properties": {"a": {"type": "string"}, "x" * 1_000_000: {"type": "object"}},
    },
    "numbers without end": {
        "type": "object",
        "properties": {"a": {"type": "integer", "minimum": 10**4_000, "default": 10**4_000}},
    },
}


def drawn_or_refused(schema: dict[str, Any]) -> tuple[tuple[Field, ...], str]:
    try:
        return fields_of(schema), ""
    except UnsupportedSchema as refusal:
        return (), str(refusal)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_schema_is_judged_in_bounded_time(name: str) -> None:
    schema = HOSTILE[name]
    fields, reason = drawn_or_refused(schema)
    assert len(reason) < 500
    assert all(len(field.title) <= 200 and len(field.description) <= 2_000 for field in fields)
    deep: Any = "x"
    for _ in range(30):
        deep = {"a": deep}
    for content in ({"a": "x"}, deep):
        assert all(len(complaint) < 600 for complaint in check(schema, content).values())


@pytest.mark.parametrize("name", [name for name in HOSTILE if "doubling" in name or "everything" in name])
def test_a_call_to_a_tool_with_a_hostile_schema_leaves_it_to_the_server(name: str) -> None:
    schema = {**HOSTILE[name], "additionalProperties": True}
    assert parse_argument(schema, "a", "text") == "text"
    deep: Any = "x"
    for _ in range(40):
        deep = {"a": deep}
    check_arguments(schema, deep)


@pytest.mark.parametrize(
    "pattern", ["^(a+)+$", "^(a|a)*$", "^(?:(?=a)a+)+$", r"^(a+)\1+\1+$", "(.*a){25}$", "(?<!x)(a?){200}b"]
)
def test_a_pattern_made_to_run_for_years_is_done_at_once(pattern: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}
    assert len(fields_of(schema)) == 1
    check(schema, {"a": "a" * 4_000 + "!"})


def test_nothing_is_fetched_for_a_reference() -> None:
    program = """if True:
        import socket
        def refuse(*_, **__): raise AssertionError("something was fetched")
        socket.socket.connect = socket.getaddrinfo = refuse
        from mcp_notebook.schema.check import check
        for ref in ("http://127.0.0.1:9/x", "https://example.org/x.json#/a", "file:///etc/hostname"):
            for schema in ({"$ref": ref}, {"properties": {"a": {"$ref": ref}}}, {"$defs": {"a": {"$ref": ref}}}):
                assert "fetched" in check({"type": "object", **schema}, {"a": 1})[""], schema
        assert "other document" not in check({"$schema": "https://example.org/x"}, {}).get("", "")
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)


def test_importing_the_schema_modules_loads_no_validator() -> None:
    program = """if True:
        import sys
        from mcp_notebook.schema import arguments, check, entries, fields
        assert not {"jsonschema", "jsonschema_rs", "referencing"} & set(sys.modules)
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)
