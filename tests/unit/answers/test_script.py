"""Answers written down beforehand: which question each is for, and what a bad one is told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.answers.entry import Entry, read_entry
from mcp_notebook.answers.script import ANSWERS_VARIABLE, Script, script
from mcp_notebook.errors import NoAnswerError, UsageError
from mcp_notebook.types import Answer, Question

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "age": {"type": "integer", "minimum": 0, "default": 30},
        "seat": {"type": "string", "enum": ["window", "bar"], "default": "bar"},
    },
    "required": ["age"],
}


def question(**changes: Any) -> Question:
    return Question(**{"server": "demo", "message": "Who are you?", "tool": "greet", "schema": SCHEMA, **changes})


def script_of(*entries: dict[str, Any]) -> Script:
    answers = Script()
    for entry in entries:
        answers.add(read_entry(entry, "it"))
    return answers


def test_an_entry_answers_the_question_it_fits():
    answer = script_of({"server": "demo", "content": {"age": 4}}).answer(question())
    assert answer == Answer(action="accept", content={"age": 4}, source="script")


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_an_entry_may_decline_or_cancel(action: str):
    answer = script_of({"action": action}).answer(question())
    assert answer is not None
    assert (answer.action, answer.content, answer.source) == (action, None, "script")


@pytest.mark.parametrize(
    "entry",
    [
        {"server": "other"},
        {"tool": "book"},
        {"message": "^are"},
        {"fields": ["name", "email"]},
        {"content": {"age": 4, "email": "a@b.org"}},
    ],
)
def test_an_entry_that_is_for_another_question_is_left_for_it(entry: dict[str, Any]):
    assert script_of(entry).answer(question()) is None


@pytest.mark.parametrize(
    "entry", [{}, {"server": "demo"}, {"tool": "greet"}, {"message": "who|WHO|Who"}, {"fields": ["seat"]}]
)
def test_every_matcher_may_be_left_out(entry: dict[str, Any]):
    assert script_of({**entry, "content": {"age": 1}}).answer(question()) is not None


def test_entries_are_tried_in_order_and_used_once():
    answers = script_of({"content": {"age": 1}}, {"content": {"age": 2}}, {"server": "other"})
    given = [answers.answer(question()) for _ in range(3)]
    assert [answer and answer.content for answer in given] == [{"age": 1}, {"age": 2}, None]


def test_an_entry_that_repeats_is_never_used_up():
    answers = script_of({"content": {"age": 1}, "repeat": True})
    assert all(answers.answer(question()) for _ in range(5))


def test_a_queue_serves_a_tool_that_asks_in_steps():
    first = question(schema={"type": "object", "properties": {"a": {"type": "string"}}})
    second = question(schema={"type": "object", "properties": {"b": {"type": "string"}}})
    answers = script_of({"content": {"b": "2"}}, {"content": {"a": "1"}})
    given = [answers.answer(first), answers.answer(second)]
    assert [answer and answer.content for answer in given] == [{"a": "1"}, {"b": "2"}]


def test_defaults_are_those_of_the_question():
    answer = script_of({"content": "defaults"}).answer(question())
    assert answer is not None
    assert answer.content == {"age": 30, "seat": "bar"}


def test_an_accept_without_content_sends_an_empty_object():
    answer = script_of({}).answer(question(schema={"type": "object", "properties": {}}))
    assert answer is not None
    assert answer.content == {}


@pytest.mark.parametrize("content", [{"age": "four"}, {"name": "Ada"}, {"age": -1}])
def test_an_answer_that_does_not_fit_is_refused_by_field_and_not_sent(content: dict[str, Any]):
    with pytest.raises(NoAnswerError, match=r"demo: .*nothing was sent: age: ") as caught:
        script_of({"content": content}).answer(question())
    assert caught.value.question == question()


def test_content_is_never_for_a_question_in_url_mode():
    asked = question(mode="url", url="https://example.org/", schema={})
    assert script_of({"content": "defaults"}, {"content": {}}).answer(asked) is None
    answer = script_of({"action": "accept"}).answer(asked)
    assert answer == Answer(action="accept", source="script")


def test_clear_forgets_one_servers_answers_or_all():
    answers = script_of({"server": "demo"}, {"server": "other"}, {})
    answers.clear("demo")
    assert (answers.waiting("demo"), answers.waiting("other")) == (0, 1)
    answers.clear()
    assert answers.answer(question(server="other")) is None


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("text", "it must be a JSON object"),
        ({"sever": "demo"}, "unknown key 'sever'; did you mean 'server'?"),
        ({"xyz": 1}, "unknown key 'xyz'; an entry has server, tool"),
        ({"server": 1}, "'server' must be text"),
        ({"fields": "name"}, "'fields' must be a list of names"),
        ({"repeat": 1}, "'repeat' must be true or false"),
        ({"action": "submit"}, '\'action\' must be "accept", "decline" or "cancel"'),
        ({"content": [1]}, "'content' must be an object of values, or \"defaults\""),
        ({"action": "decline", "content": {}}, "'content' goes with \"accept\" only"),
        ({"message": "("}, "'message' is not a regular expression"),
    ],
)
def test_a_bad_entry_is_told_what_is_wrong_with_it(entry: Any, told: str):
    with pytest.raises(UsageError, match=re.escape(told)):
        read_entry(entry, "it")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"version": 1,\n "answers": [}', "line 2, column 14"),
        ("[]", "must hold an object"),
        ('{"answers": []}', '"version" must be 1'),
        ('{"version": 2, "answers": []}', '"version" must be 1'),
        ('{"version": 1, "answers": {}}', '"answers" must be a list'),
        ('{"version": 1, "answers": [{}, {"tol": 1}]}', "answer 2: unknown key 'tol'; did you mean 'tool'?"),
    ],
)
def test_a_bad_file_is_told_where_and_what_and_adds_nothing(tmp_path: Path, text: str, told: str):
    path = tmp_path / "answers.json"
    path.write_text(text, "utf-8")
    answers = Script()
    with pytest.raises(UsageError, match=re.escape(told)) as caught:
        answers.load(path)
    assert str(path) in str(caught.value)
    assert answers.answer(question()) is None


def test_a_file_that_is_not_there_or_not_text_is_told_so(tmp_path: Path):
    with pytest.raises(UsageError, match="can't be read"):
        Script().load(tmp_path / "none.json")
    (tmp_path / "picture").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(UsageError, match="not UTF-8"):
        Script().load(tmp_path / "picture")


def test_the_answers_of_the_process_begin_with_the_file_that_the_environment_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "answers.json"
    path.write_text(json.dumps({"version": 1, "answers": [{"content": {"age": 7, "name": "Ångström"}}]}), "utf-8")
    monkeypatch.setenv(ANSWERS_VARIABLE, str(path))
    script.cache_clear()
    try:
        assert script() is script()
        answer = script().answer(question())
        assert answer is not None
        assert answer.content == {"age": 7, "name": "Ångström"}
    finally:
        script.cache_clear()


def test_an_answers_repr_keeps_its_content_private():
    assert "secret" not in repr(Answer(action="accept", content={"a": "secret"}, source="script"))
    assert Entry() == read_entry({}, "it")
