"""Calls: results as they came, failures, cancellation, several at once."""

from __future__ import annotations

import asyncio
import datetime
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mcp_notebook.demo import everyday
from mcp_notebook.errors import ProtocolError, ToolError, UsageError
from mcp_notebook.servers import loop
from mcp_notebook.servers.server import Server
from mcp_notebook.types import ProtocolMode
from tests.protocol.conftest import WAYS, Session, TrickyBy, Way, script, until
from tests.protocol.places import BOUND, Pondering, Scripted, Stoppable, StoppedError, accept


def test_content_comes_verbatim(tricky: Server):
    result = tricky.call("verbatim")

    assert [block.text for block in result.content] == ["  two\n\tlines \x1b[31m<b>&amp;</b>\u202e", "\U0001f375"]
    assert json.dumps(result.structured) == json.dumps({"b": [1, 2.5, None, True], "a": {"ü": ""}})


def test_a_tool_that_fails_raises_with_its_result(tricky: Server):
    with pytest.raises(ToolError, match="the kettle is empty") as caught:
        tricky.call("fail")

    assert (caught.value.server, caught.value.tool, caught.value.result.is_error) == (tricky.name, "fail", True)


def test_cancelling_a_call_cancels_it_at_the_server_and_leaves_the_connection_usable(
    tricky: Server, long_session: Session, tmp_path: Path
):
    note = tmp_path / "note"
    place = Stoppable()
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(long_session.call_at, place, tricky, "wait", note=str(note))
        until(note.exists, "the tool runs")
        place.stop()
        with pytest.raises(StoppedError):
            call.result(BOUND)

    until(lambda: note.read_text() == "cancelled", "the server sees the cancellation")
    assert tricky.call("process_id").text.isdigit()
    assert tricky.state == "connected"


def test_cancelling_a_call_takes_back_its_question(tricky: Server, long_session: Session):
    long_session.place = place = Pondering()

    async def ask_and_stop() -> None:
        call = asyncio.ensure_future(tricky.acall("ask", ticket="a"))
        await asyncio.to_thread(place.asked.wait, BOUND)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(ask_and_stop())

    assert place.withdrawn.wait(BOUND)
    long_session.place = Scripted(lambda _: accept(word="yes"))
    assert tricky.call("ask", ticket="b").text == "b: yes"


def test_questions_of_one_round_are_asked_side_by_side(tricky: Server, long_session: Session):
    long_session.place = place = Scripted(lambda question: accept(word=question.message.split()[0]))

    assert tricky.call("ask_twice", ticket="t").text == "t: first, second"
    assert [question.message for question in place.questions] == ["first for t", "second for t"]


def test_awaiting_a_call_gives_the_same_result(tricky: Server, long_session: Session):
    long_session.place = Scripted(lambda _: accept(word="tea"))

    assert asyncio.run(tricky.acall("ask", ticket="t")).text == "t: tea"


def test_an_argument_of_any_name_can_be_given(tricky: Server):
    with pytest.raises(ToolError):
        tricky.call_with("ask", {"self": 1, "tool": 2})


def test_a_tool_that_is_not_there_is_an_error_of_the_server(tricky: Server):
    with pytest.raises((ToolError, ProtocolError), match="no_such_tool"):
        tricky.call("no_such_tool")


def test_waiting_on_the_background_loop_is_refused_at_once(tricky: Server):
    async def wait_for_itself() -> None:
        tricky.call("process_id")

    with pytest.raises(UsageError, match="await"):
        loop.submit(wait_for_itself()).result(BOUND)


@pytest.mark.parametrize(
    "value", [object(), float("nan"), "\ud800", b"\xff"], ids=["object", "NaN", "surrogate", "bytes"]
)
def test_an_argument_that_json_cannot_carry_is_refused_before_it_is_sent(tricky: Server, value: object):
    with pytest.raises(UsageError, match="ticket cannot be sent"):
        tricky.call("ask", ticket=value)
    assert tricky.state == "connected"


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_values_of_python_are_sent_as_json_has_them(long_session: Session, protocol: str):
    demo = long_session.connect("dated", everyday.server, protocol=protocol)
    long_session.place = Scripted()
    result = demo.call("book_table", party=2, date=datetime.date(2026, 12, 27))
    assert result.text == "Booked: a table for 2 on 27 December 2026."


def test_a_new_tool_is_listed_after_the_server_said_so(session: Session):
    server = session.connect("growing", script("tricky"), protocol="legacy")
    assert "grown" not in server.tools
    server.call("grow")
    assert server.tools["grown"].info.description == "New"


@pytest.mark.parametrize(
    ("way", "protocol"), [("http", "auto"), ("http", "legacy"), ("stdio", "auto"), ("in-process", "auto")]
)
def test_calls_at_once_on_one_connection_ask_at_their_own_places(
    long_session: Session, tricky_by: TrickyBy, way: Way, protocol: ProtocolMode
):
    """Not so for the legacy era over stdio, which does not say what call a question belongs to."""
    server = tricky_by(way, protocol)
    _ask_everywhere(long_session, [(server, f"t{number}") for number in range(6)])


def test_every_server_asks_at_once_at_its_own_place(long_session: Session, tricky_by: TrickyBy):
    servers = [tricky_by(*way) for way in WAYS]
    _ask_everywhere(long_session, [(server, server.name) for server in servers])


def _ask_everywhere(session: Session, calls: list[tuple[Server, str]]) -> None:
    """Call from several places at once, and answer in reverse order."""
    places = [Pondering() for _ in calls]
    with ThreadPoolExecutor(len(calls)) as pool:
        running = [
            pool.submit(session.call_at, place, server, "ask", ticket=ticket)
            for (server, ticket), place in zip(calls, places, strict=True)
        ]
        for place in reversed(places):
            assert place.asked.wait(BOUND)
            place.answer(accept(word=place.questions[0].message))
        texts = [call.result(BOUND) for call in running]

    assert texts == [f"{ticket}: first for {ticket}" for _, ticket in calls]
    assert [place.questions[0].server for place in places] == [server.name for server, _ in calls]
