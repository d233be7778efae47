"""The error when nobody can answer: it shows the question and the ways out, ready to paste."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcp_notebook.answers.entry import read_entry
from mcp_notebook.answers.script import Script
from mcp_notebook.answers.unattended import refusal
from mcp_notebook.notebook.line import split
from mcp_notebook.types import Question

SCHEMAS: list[dict[str, Any]] = [
    {},
    {"name": {"type": "string"}},
    {"it's": {"type": "string", "default": "O'Brien"}, "{x}": {"type": "boolean"}},
    {"n": {"type": "integer", "minimum": 18, "maximum": 20}, "x": {"type": "number"}},
    {"day": {"type": "string", "format": "date"}, "at": {"type": "string", "format": "date-time"}},
    {"seat": {"type": "string", "oneOf": [{"const": "w", "title": "Window"}, {"const": "b", "title": "Bar"}]}},
    {"tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 2}},
]


def asked(properties: dict[str, Any], **changes: Any) -> Question:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return Question(**{"server": "demo", "tool": "greet", "message": "Who?", "schema": schema, **changes})


@pytest.mark.parametrize("properties", SCHEMAS)
def test_both_ways_out_answer_the_question_when_pasted(properties: dict[str, Any]):
    question = asked(properties)
    lines = str(refusal(question)).splitlines()

    magic = next(line for line in lines if "%mcp answer" in line)
    server, content = split(magic.partition("%mcp answer")[2], {})
    by_line = Script()
    by_line.add(read_entry({"server": server.text, "content": json.loads(content.text)}, "it"))
    assert by_line.answer(question) is not None

    book = json.loads(lines[-1])
    by_file = Script()
    for entry in book["answers"]:
        by_file.add(read_entry(entry, "it"))
    assert book["version"] == 1
    assert by_file.answer(question) is not None


def test_it_says_who_asks_what_for_which_call():
    text = str(refusal(asked({}, message="Really?\nSure?\x1b[31m")))
    assert text.startswith("demo asks for greet, and nobody is here to answer:\n  Really?\n  Sure?[31m\n")
    assert "MCP_NOTEBOOK_ANSWERS" in text


def test_it_carries_the_question():
    question = asked({})
    assert refusal(question).question is question


def test_a_servers_name_with_a_space_is_quoted():
    assert '%mcp answer "my demo" ' in str(refusal(asked({}, server="my demo")))


def test_a_question_in_url_mode_shows_the_whole_url():
    url = f"https://example.org/{'x' * 500}"
    text = str(refusal(asked({}, mode="url", url=url, schema={})))
    assert url in text
    assert "%mcp answer demo --action accept" in text


def test_a_schema_that_cannot_be_drawn_can_still_be_declined():
    assert "%mcp answer demo --action decline" in str(refusal(asked({"a": {"type": "object"}})))
