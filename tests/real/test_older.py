"""What a server of the older era asks of a client: folders, and a model. Asked by server-everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcp_notebook.errors import ProtocolError, ToolError
from mcp_notebook.types import Answer, SamplingRequest
from tests.protocol.conftest import Session
from tests.protocol.places import Scripted
from tests.real.servers import from_npm

ACCEPT, DECLINE = Answer(action="accept", content={}), Answer(action="decline")


def test_it_is_told_of_the_folders_that_were_given_and_of_no_others(session: Session, tmp_path: Path):
    server = session.connect("everything", [*from_npm("server-everything"), "stdio"], roots=[tmp_path])
    assert tmp_path.as_uri() in server.tools["get-roots-list"]().text
    plain = session.connect("plain", [*from_npm("server-everything"), "stdio"])
    assert "get-roots-list" not in plain.tools


def test_a_model_answers_once_the_person_has_agreed_to_both(session: Session):
    asked: list[SamplingRequest] = []

    def model(request: SamplingRequest) -> str:
        asked.append(request)
        return "forty-two"

    session.place = place = Scripted(lambda _: ACCEPT)
    server = session.connect("everything", [*from_npm("server-everything"), "stdio"], on_sample=model)
    assert "forty-two" in server.tools["trigger-sampling-request"](prompt="How many?", maxTokens=10).text
    (request,) = asked
    assert "How many?" in request.messages[0][1]
    first, second = place.questions
    assert (first.own, second.own) == (True, True)
    assert "How many?" in first.message
    assert "forty-two" in second.message


def test_a_model_is_not_asked_when_the_person_declines(session: Session):
    session.place = Scripted(lambda _: DECLINE)
    server = session.connect("everything", [*from_npm("server-everything"), "stdio"], on_sample=lambda _: "no")
    with pytest.raises((ToolError, ProtocolError), match="rejected sampling request"):
        server.tools["trigger-sampling-request"](prompt="How many?", maxTokens=10)


def test_without_a_model_there_is_no_tool_for_it(session: Session):
    server = session.connect("everything", [*from_npm("server-everything"), "stdio"])
    assert "trigger-sampling-request" not in server.tools
