"""What is recorded answers the same questions in the next run, and holds no secret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.answers.recording import Recorder
from mcp_notebook.answers.script import Script
from mcp_notebook.answers.unattended import refusal
from mcp_notebook.errors import NoAnswerError, UsageError
from mcp_notebook.types import Answer, Question

SCHEMA = {
    "type": "object",
    "properties": {
        "user": {"type": "string"},
        "password": {"type": "string", "minLength": 3},
        "pin": {"type": "integer"},
    },
    "required": ["user"],
}
ADA = Answer(action="accept", content={"user": "ada"})
WITH_SECRETS = Answer(action="accept", content={"user": "ada", "password": "hunter2", "pin": 1234})


def question(**changes: Any) -> Question:
    return Question(**{"server": "demo", "tool": "greet", "message": "Who?", "schema": SCHEMA, **changes})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers.json"


def record(file: Path, *given: tuple[Question, Answer]) -> None:
    recorder = Recorder()
    recorder.start(file)
    for asked, answer in given:
        recorder.add(asked, answer)


def entries(file: Path) -> list[dict[str, Any]]:
    return json.loads(file.read_text("utf-8"))["answers"]


def replayed(file: Path, *asked: Question) -> list[Any]:
    script = Script()
    script.load(file)
    answers = [script.answer(each) for each in asked]
    return [answer and (answer.action, answer.content) for answer in answers]


@pytest.mark.parametrize(
    "message", ["Who?", "A (b) [c] {d} $5.00^* a|b \\ +", "x" * 5000, "two\nlines", "名前は？", "\ud800"]
)
def test_an_answer_is_given_again_to_the_same_question_and_to_no_other(file: Path, message: str):
    record(file, (question(message=message), ADA))
    others = [question(message=f"another: {message}"), question(server="b"), question(tool="b"), question(message="B")]
    assert replayed(file, *others, question(message=message)) == [None, None, None, None, ("accept", {"user": "ada"})]


def test_declines_and_cancels_are_recorded_in_the_order_of_answering(file: Path):
    answers = [Answer(action="cancel"), Answer(action="decline"), ADA]
    record(file, *((question(), answer) for answer in answers))
    assert replayed(file, *[question()] * 3) == [(answer.action, answer.content) for answer in answers]


def test_the_file_is_whole_after_each_answer_and_keeps_what_it_held(file: Path):
    file.write_text('{"version": 1, "note": "mine", "answers": [{"server": "mine"}]}', "utf-8")
    recorder = Recorder()
    recorder.start(file)
    for count in (2, 3):
        recorder.add(question(message=str(count)), ADA)
        assert len(entries(file)) == count
    assert json.loads(file.read_text("utf-8"))["note"] == "mine"
    assert list(file.parent.iterdir()) == [file]


def test_nothing_is_recorded_before_the_start_nor_after_the_stop(file: Path):
    recorder = Recorder()
    recorder.add(question(), ADA)
    recorder.start(file)
    assert recorder.stop() == file
    recorder.add(question(), ADA)
    assert entries(file) == []
    assert recorder.stop() is None


def test_a_second_run_adds_only_what_is_new(file: Path):
    record(file, (question(), ADA), (question(), ADA))
    again = Answer(action="accept", content={"user": "ada"}, source="script")
    from_handler = Answer(action="accept", content={"user": "ada"}, source="handler")
    record(file, (question(), again), (question(), from_handler), (question(message="new"), ADA))
    assert [entry["message"] for entry in entries(file)] == ["^Who?$".replace("?", "\\?")] * 2 + ["^new$"]


def test_answers_from_a_script_are_not_recorded_and_those_of_a_handler_are(file: Path):
    given = [Answer(action="decline", source="script"), Answer(action="cancel", source="handler")]
    record(file, *((question(), answer) for answer in given))
    assert [entry["action"] for entry in entries(file)] == ["cancel"]


def test_a_visit_to_a_url_is_not_recorded_but_a_no_to_it_is(file: Path):
    asked = question(mode="url", url="https://example.org/?t=1", schema={})
    record(file, (asked, Answer(action="accept")), (asked, Answer(action="decline")))
    assert replayed(file, asked, asked) == [("decline", None), None]


def test_secrets_are_left_out_and_named(file: Path):
    record(file, (question(), WITH_SECRETS))
    text = file.read_text("utf-8")
    assert "hunter2" not in text
    assert "1234" not in text
    (entry,) = entries(file)
    assert (entry["content"], entry["secrets"]) == ({"user": "ada"}, ["password", "pin"])


def test_an_entry_whose_secrets_are_missing_is_passed_over_and_the_refusal_names_them(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    record(file, (question(), WITH_SECRETS))
    monkeypatch.setenv("MCP_NOTEBOOK_SECRET_PIN", "1234")
    script = Script()
    script.load(file)
    assert script.answer(question()) is None
    assert script.withheld(question()) == ["MCP_NOTEBOOK_SECRET_PASSWORD"]
    monkeypatch.setattr("mcp_notebook.answers.unattended.script", lambda: script)
    assert "set MCP_NOTEBOOK_SECRET_PASSWORD" in str(refusal(question()))
    monkeypatch.setenv("MCP_NOTEBOOK_SECRET_PASSWORD", "hunter2")
    answer = script.answer(question())
    assert answer is not None
    assert answer.content == WITH_SECRETS.content


@pytest.mark.parametrize(
    ("password", "pin", "wrong"), [("a", "1", "password"), ("long", "many", "pin"), ("long", "1.5", "pin")]
)
def test_a_secret_from_the_environment_is_checked_and_not_repeated(
    file: Path, monkeypatch: pytest.MonkeyPatch, password: str, pin: str, wrong: str
):
    record(file, (question(), WITH_SECRETS))
    monkeypatch.setenv("MCP_NOTEBOOK_SECRET_PASSWORD", password)
    monkeypatch.setenv("MCP_NOTEBOOK_SECRET_PIN", pin)
    with pytest.raises(NoAnswerError, match=f"nothing was sent: {wrong}: ") as caught:
        replayed(file, question())
    assert "many" not in str(caught.value)


def test_a_file_that_cannot_be_recorded_into_is_told_at_once(tmp_path: Path):
    (tmp_path / "other.json").write_text('{"cells": []}', "utf-8")
    with pytest.raises(UsageError, match='"version" must be 1'):
        Recorder().start(tmp_path / "other.json")
    with pytest.raises(UsageError, match="can't be written"):
        Recorder().start(tmp_path / "nowhere" / "answers.json")
    assert (tmp_path / "other.json").read_text("utf-8") == '{"cells": []}'


def test_loading_a_file_again_begins_with_its_first_answer_again(file: Path):
    record(file, *((question(message=message), ADA) for message in "ab"))
    script = Script()
    for _ in range(2):
        script.load(file)
        assert script.answer(question(message="a")) is not None
        assert script.answer(question(message="a")) is None
    assert script.answer(question(message="b")) is not None
    assert script.answer(question(message="b")) is None
