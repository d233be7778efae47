"""The history of what was asked: complete, bounded, and without secrets."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

import pytest

from mcp_notebook.answers.history import MAX_ASKED, History
from mcp_notebook.types import Answer, Question

WHEN = datetime(2026, 3, 1, 14, 5, 6, 789000, tzinfo=timezone.utc)
SCHEMA = {"type": "object", "properties": {"user": {"type": "string"}, "password": {"type": "string"}}}


def question(**changes: Any) -> Question:
    return Question(**{"server": "demo", "tool": "greet", "message": "Who?", "schema": SCHEMA, **changes})


def plain(asked: Question, outcome: Answer | str) -> dict[str, Any]:
    history = History()
    history.add(WHEN, asked, outcome)
    (kept,) = history.of()
    return json.loads(json.dumps(kept.plain()))


def test_an_answer_is_kept_with_who_gave_it_and_when_it_was_asked():
    assert plain(question(), Answer(action="accept", content={"user": "ada"}, source="handler")) == {
        "when": "2026-03-01T14:05:06.789Z",
        "server": "demo",
        "tool": "greet",
        "message": "Who?",
        "mode": "form",
        "action": "accept",
        "source": "handler",
        "content": {"user": "ada"},
    }


def test_a_question_nobody_answered_is_kept_with_the_reason():
    kept = plain(question(), "stopped")
    assert kept["unanswered"] == "stopped"
    assert not {"action", "source", "content"} & set(kept)


@pytest.mark.parametrize("schema", [SCHEMA, {"type": "object", "properties": {"password": {"type": "object"}}}, {}])
def test_a_secret_is_masked_also_where_the_schema_does_not_tell(schema: dict[str, Any]):
    history = History()
    answer = Answer(action="accept", content={"password": "hunter2"})
    history.add(WHEN, question(schema=schema), answer)
    assert "hunter2" not in repr(vars(history))
    assert history.of()[0].content == {"password": "••••••"}
    assert answer.content == {"password": "hunter2"}


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://user:pw@example.org/a?token=t", "example.org"), ("http://[::", None), ("https://", None)],
)
def test_of_a_url_only_the_host_is_kept(url: str, host: str | None):
    kept = plain(question(mode="url", url=url, schema={}), Answer(action="accept"))
    assert kept.get("host") == host
    assert "token" not in json.dumps(kept)


def test_one_servers_questions_can_be_picked_out_and_the_oldest_are_forgotten():
    history = History()
    history.add(WHEN, question(server="other"), "stopped")
    for number in range(MAX_ASKED - 1):
        history.add(WHEN, question(message=str(number)), "stopped")
    assert len(history.of("other")) == 1
    history.add(WHEN, question(message="newest"), "stopped")
    assert history.of("other") == []
    assert len(history.of()) == MAX_ASKED
    assert history.of("demo")[-1].message == "newest"
