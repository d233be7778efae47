"""What becomes of a question that is odd, or that nobody answers as they should."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mcp_notebook.errors import NoAnswerError, ProtocolError, UsageError
from mcp_notebook.servers.server import Server
from mcp_notebook.types import Answer, Question
from tests.protocol.conftest import Session, TrickyBy, script
from tests.protocol.places import BOUND, CANCEL, DECLINE, Cancelling, Raising, Scripted, accept
from tests.protocol.servers import old as old_module

FORM = {"message": "m", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}
NOBODY = NoAnswerError(Question(server="tricky", message="m"), "nobody is here, and this is private")


@pytest.fixture
def raw(session: Session) -> Server:
    return session.connect("raw", script("raw"))


@pytest.mark.parametrize("error", [NOBODY, KeyboardInterrupt("stop"), SystemExit(2), ValueError("?")], ids=repr)
def test_what_the_asker_raises_ends_the_call_unchanged(long_session: Session, tricky: Server, error: BaseException):
    long_session.place = place = Raising(error)

    with pytest.raises(type(error)) as caught:
        tricky.call("ask", ticket="t")

    assert caught.value is error
    assert len(place.questions) == 1
    long_session.place = Scripted(lambda _: accept(word="now"))
    assert tricky.call("ask", ticket="t").text == "t: now"


def test_one_asker_that_raises_ends_a_call_that_asks_twice(long_session: Session, tricky: Server):
    long_session.place = Raising(NOBODY)

    with pytest.raises(NoAnswerError):
        tricky.call("ask_twice", ticket="t")


def test_an_asker_that_is_cancelled_cancels_the_question_and_no_more(long_session: Session, tricky: Server):
    long_session.place = Cancelling()

    assert tricky.call("ask", ticket="t").text == "t: cancel"
    assert tricky.state == "connected"


def test_a_server_does_not_learn_why_nobody_answered(session: Session, raw: Server):
    session.place = Raising(NOBODY)

    with pytest.raises(NoAnswerError):
        raw.call("ask", **FORM)

    assert raw.call("heard").data == [{"code": -32600, "message": "The question could not be put to anybody"}]


@pytest.mark.parametrize(
    ("answer", "received"),
    [
        (accept(a="1"), {"action": "accept", "content": {"a": "1"}}),
        (Answer(action="accept"), {"action": "accept", "content": {}}),
        (Answer(action="decline", content={"a": "private"}), {"action": "decline"}),
        (CANCEL, {"action": "cancel"}),
    ],
)
def test_the_action_arrives_verbatim_and_content_only_with_accept(
    session: Session, raw: Server, answer: Answer, received: dict[str, Any]
):
    session.place = Scripted(lambda _: answer)

    assert json.loads(raw.call("ask", **FORM).text) == received


@pytest.mark.parametrize(
    "value",
    [{"a": "private"}, [1], "\ud800", float("inf"), object()],
    ids=["mapping", "list of numbers", "surrogate", "infinity", "object"],
)
def test_an_answer_that_mcp_cannot_carry_ends_the_call(session: Session, raw: Server, value: object):
    session.place = Scripted(lambda _: accept(a=value))

    with pytest.raises(UsageError, match="cannot be sent") as caught:
        raw.call("ask", **FORM)

    assert "private" not in str(caught.value)
    session.place = Scripted(lambda _: accept(a="1"))
    assert json.loads(raw.call("ask", **FORM).text)["content"] == {"a": "1"}


def test_the_schema_is_handed_on_as_the_server_sent_it(session: Session, raw: Server):
    session.place = place = Scripted(lambda _: DECLINE)
    schema = {
        "type": "object",
        "properties": {"z": {"type": "string", "enum": ["b", "a"], "enumNames": ["B", "A"], "x-own": [1]}, "a": {}},
        "required": ["z"],
    }

    raw.call("ask", message="m", requestedSchema=schema)

    assert json.dumps(place.questions[0].schema) == json.dumps(schema)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"message": "no schema"},
        {"message": "no properties", "requestedSchema": {"type": "object"}},
        {"message": "not an object", "requestedSchema": {"type": "string", "properties": {}}},
        {"message": "properties is a list", "requestedSchema": {"type": "object", "properties": []}},
        {"message": "no url", "mode": "url"},
        {"message": "an unknown mode", "mode": "telepathy", **FORM},
    ],
    ids=lambda params: params.get("message", "nothing"),
)
def test_a_malformed_question_is_refused_as_invalid_params(session: Session, raw: Server, params: dict[str, Any]):
    session.place = place = Scripted()

    assert json.loads(raw.call("ask", **params).text)["code"] == -32602
    assert place.questions == []


def test_a_question_asked_while_no_call_runs_is_refused(session: Session, raw: Server):
    session.place = place = Scripted()
    raw.call("ask_at_listing", **FORM)

    assert "ask" in raw.tools

    (heard,) = raw.call("heard").data
    assert "Nothing is running" in heard["message"]
    assert place.questions == []


@pytest.mark.parametrize("answer", [Answer(action="accept", content={"a": 1}), DECLINE, CANCEL], ids=repr)
def test_url_mode_hands_on_the_url_and_sends_no_content(session: Session, answer: Answer):
    server = session.connect("old", old_module.server, protocol="legacy")
    session.place = place = Scripted(lambda _: answer)

    assert server.call("visit").text == answer.action
    question = place.questions[0]
    assert (question.mode, question.url, question.schema) == ("url", "https://example.com/sign-in?state=1", {})


@pytest.mark.parametrize("way", ["stdio", "in-process"])
def test_a_server_that_asks_in_the_older_way_is_connected_again_in_that_era(session: Session, way: str):
    server = session.connect("old", script("old") if way == "stdio" else old_module.server)
    assert (server.era, server.notice) == ("modern", None)
    session.place = place = Scripted(lambda _: accept(word="tea"))

    assert server.call("ask").text == "tea"

    assert server.era == "legacy"
    assert server.notice is not None
    assert "older protocol" in server.notice
    assert server.call("ask").text == "tea"
    assert len(place.questions) == 2


def test_calls_at_once_turn_a_server_to_the_older_era_once(session: Session):
    server = session.connect("old", old_module.server)
    place = Scripted(lambda _: accept(word="tea"))
    with ThreadPoolExecutor(4) as pool:
        calls = [pool.submit(session.call_at, place, server, "ask") for _ in range(4)]
        assert [call.result(BOUND) for call in calls] == ["tea"] * 4

    assert server.era == "legacy"


def test_a_protocol_that_was_asked_for_is_kept_and_the_way_out_told(session: Session):
    server = session.connect("old", script("old"), protocol="2026-07-28")

    with pytest.raises(ProtocolError, match="legacy"):
        server.call("ask")


def test_a_server_that_asks_for_ever_is_stopped(long_session: Session, tricky_by: TrickyBy):
    server = tricky_by("in-process", "auto")
    long_session.place = place = Scripted(lambda _: accept())

    with pytest.raises(ProtocolError, match="it asked 50 times and would go on"):
        server.call("ask_for_ever")

    assert len(place.questions) == 50


def test_an_answer_that_breaks_the_rules_is_an_error_and_not_a_result(raw: Server):
    with pytest.raises(ProtocolError, match="raw: break_rules: the answer breaks the protocol"):
        raw.call("break_rules")
    assert raw.state == "connected"
