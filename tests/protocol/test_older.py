"""What servers ask of a client beside elicitation: folders and a model. The older era: `tests/real/test_older.py`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.errors import ProtocolError, UsageError
from mcp_notebook.servers.server import Server
from mcp_notebook.types import SamplingRequest
from tests.protocol.conftest import Session, script
from tests.protocol.places import DECLINE, Raising, Scripted, accept
from tests.protocol.servers import library as library_module

NOT_ASKED = "nobody was to be asked"


def connected(session: Session, **options: Any) -> Server:
    return session.connect("library", script("library"), **options)


@pytest.mark.parametrize("elicit", [True, False])
def test_folders_that_were_given_are_told_in_the_modern_era_too(session: Session, tmp_path: Path, elicit: bool):
    server = connected(session, roots=[tmp_path], elicit=elicit)
    assert server.call("ask_folders").text == tmp_path.as_uri()


@pytest.mark.parametrize("tool", ["ask_folders", "ask_model"])
def test_what_was_not_given_is_refused(session: Session, tool: str):
    with pytest.raises(ProtocolError):
        connected(session).call(tool)


async def asynchronous(request: SamplingRequest) -> str:
    await asyncio.sleep(0)
    return "forty-two"


@pytest.mark.parametrize("model", [lambda _: "forty-two", asynchronous], ids=["plain", "async"])
def test_a_model_answers_in_the_modern_era_too_once_the_person_has_agreed_to_both(session: Session, model: Any):
    session.place = place = Scripted(lambda _: accept())
    assert connected(session, on_sample=model).call("ask_model").text == "forty-two"
    assert [question.message.splitlines()[-1] for question in place.questions] == ["user: How many?", "forty-two"]
    assert "system: Be brief." in place.questions[0].message


def test_an_answer_that_the_person_keeps_back_does_not_go_out(session: Session):
    answers = [accept(), DECLINE]
    session.place = Scripted(lambda _: answers.pop(0))
    with pytest.raises(ProtocolError, match="User rejected sampling request"):
        connected(session, on_sample=lambda _: "private").call("ask_model")


def test_a_model_is_not_asked_where_nobody_can_agree(session: Session):
    error = RuntimeError("nobody is here")
    session.place = Raising(error)
    with pytest.raises(RuntimeError) as caught:
        connected(session, on_sample=lambda _: pytest.fail(NOT_ASKED)).call("ask_model")
    assert caught.value is error


def test_what_the_users_model_raises_is_the_users_to_see(session: Session):
    error = ConnectionError("key sk-private is not valid")

    def failing(_: SamplingRequest) -> str:
        raise error

    session.place = Scripted(lambda _: accept())
    server = connected(session, on_sample=failing)
    with pytest.raises(ConnectionError) as caught:
        server.call("ask_model")
    assert caught.value is error
    assert server.call("work", steps=0).text == "done"


def test_a_model_that_gives_no_text_is_told_of(session: Session):
    session.place = Scripted(lambda _: accept())
    with pytest.raises(UsageError, match="on_sample must return the model's answer as a str, and returned NoneType"):
        connected(session, on_sample=lambda _: None).call("ask_model")


def test_a_model_may_think_for_longer_than_a_server_may(session: Session):
    session.place = Scripted(lambda _: accept())

    async def slow(_: SamplingRequest) -> str:
        await asyncio.sleep(1)
        return "at last"

    server = session.connect("library", library_module.server, on_sample=slow, timeout=0.7)
    assert server.call("ask_model").text == "at last"
