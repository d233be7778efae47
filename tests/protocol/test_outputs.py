"""Structured content against the schema that the tool declares."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mcp_notebook.errors import ResultError, ToolError
from mcp_notebook.servers.server import Server
from tests.protocol.conftest import Session, script
from tests.protocol.places import Scripted, accept

FAULT = "That is the server's fault; the error's `.result` holds all of it"


@pytest.fixture
def raw(session: Session) -> Server:
    return session.connect("raw", script("raw"))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (
            {"days": [{"celsius": "warm"}]},
            "what it gave back is not what it declares: days[0].celsius must be a number",
        ),
        ({}, "what it gave back is not what it declares: days is required"),
        (None, "it declares structured content, and gave none back"),
    ],
)
def test_content_that_is_not_what_the_tool_declares_is_an_error_which_holds_it(raw: Server, given: Any, told: str):
    sent: dict[str, Any] = {} if given is None else {"structuredContent": given}

    with pytest.raises(ResultError) as caught:
        raw.call("forecast", content=[{"type": "text", "text": "fine"}], **sent)

    assert str(caught.value) == f"raw: forecast: {told}. {FAULT}"
    assert (caught.value.result.structured, caught.value.result.text) == (given, "fine")
    assert raw.state == "connected"


def test_content_as_declared_passes_whatever_its_formats(raw: Server):
    given = {"days": [{"celsius": 3}, {}], "at": "on Monday"}

    assert raw.call("forecast", structuredContent=given).data == given


def test_a_failure_need_not_be_what_the_tool_declares(raw: Server):
    with pytest.raises(ToolError, match="forecast failed: no clouds today"):
        raw.call("forecast", content=[{"type": "text", "text": "no clouds today"}], isError=True)


def test_a_schema_that_cannot_be_used_is_told_and_loses_nothing(session: Session, raw: Server):
    session.place = place = Scripted(lambda _: accept())

    assert raw.call("guess", structuredContent={"a": 1}).data == {"a": 1}
    assert len(place.notices) == 1
    assert place.notices[0].startswith("raw.guess: its result can't be checked against the schema that it declares: ")


def test_a_call_does_not_import_the_slow_validator_of_the_sdk(raw: Server):
    loaded = "jsonschema.validators" in sys.modules
    raw.call("forecast", structuredContent={"days": []})

    assert ("jsonschema.validators" in sys.modules) == loaded
