"""`with answering(...)`: a block of code whose questions are answered by it alone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mcp_notebook import Answer, NoAnswerError, Question, UsageError, answering
from mcp_notebook.answers.block import scripted
from mcp_notebook.answers.entry import read_entry
from mcp_notebook.answers.script import script

SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def question(**changes: Any) -> Question:
    return Question(**{"server": "demo", "tool": "greet", "message": "Who?", "schema": SCHEMA, **changes})


def given(name: str) -> Answer:
    return Answer(action="accept", content={"name": name}, source="script")


@pytest.fixture(autouse=True)
def no_answers() -> Iterator[None]:
    yield
    script().clear()


def test_a_mapping_is_the_content_of_one_answer():
    with answering({"name": "Ada"}):
        assert scripted(question()) == given("Ada")
        with pytest.raises(NoAnswerError, match="no answer in `with answering"):
            scripted(question())


def test_a_list_holds_entries_as_a_file_does():
    with answering([{"tool": "book", "action": "decline"}, {"content": {"name": "Ada"}, "repeat": True}]):
        assert scripted(question()) == scripted(question()) == given("Ada")
        assert scripted(question(tool="book")) == Answer(action="decline", source="script")


def test_what_is_left_over_is_dropped_at_the_end_also_after_an_error():
    with pytest.raises(LookupError), answering({"name": "Ada"}):
        raise LookupError
    assert scripted(question()) is None


def test_the_answers_of_the_process_are_neither_used_nor_lost():
    script().add(read_entry({"content": {"name": "Bo"}}, "it"))
    with answering([]), pytest.raises(NoAnswerError):
        scripted(question())
    assert scripted(question()) == given("Bo")


def test_the_error_shows_the_question_and_an_entry_that_answers_it_when_pasted():
    with answering([]), pytest.raises(NoAnswerError) as caught:
        scripted(question())
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("demo asks for greet")
    assert lines[1] == "  Who?"
    assert caught.value.question == question()
    with answering([json.loads(lines[-1])]):
        assert scripted(question()) is not None


def test_an_answer_that_does_not_fit_is_refused_by_field():
    with answering({"name": 1}), pytest.raises(NoAnswerError, match="nothing was sent: name: "):
        scripted(question())


def test_an_inner_block_is_asked_first_and_then_the_outer_one():
    with answering({"name": "outer"}), answering({"name": "inner"}):
        assert scripted(question()) == given("inner")
        assert scripted(question()) == given("outer")


def test_each_answer_is_given_once_however_many_threads_ask():
    names = {str(number) for number in range(200)}
    with answering([{"content": {"name": name}} for name in names]), ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: scripted(question()), names))
    assert {answer.content["name"] for answer in answers if answer and answer.content} == names


def test_a_bad_entry_is_told_by_its_number():
    told = re.escape("answering: answer 2: unknown key 'tol'; did you mean 'tool'?")
    with pytest.raises(UsageError, match=told), answering([{}, {"tol": "greet"}]):
        pytest.fail("the block was entered")
    assert scripted(question()) is None
