"""The deadline of a call: it stands still while a question is open, and starts anew with each sign of progress."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.protocol.conftest import Session, script
from tests.protocol.places import BOUND, Pondering, Scripted, accept
from tests.protocol.servers import library as library_module


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_no_clock_runs_while_a_person_answers(session: Session, protocol: str):
    server = session.connect("tricky", script("tricky"), protocol=protocol, timeout=5.0)
    place = Pondering()
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(session.call_at, place, server, "ask", ticket="t")
        assert place.asked.wait(BOUND)
        assert not threading.Event().wait(6.0)  # longer than the server may take
        place.answer(accept(word="late"))
        assert call.result(BOUND) == "t: late"


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # of the server
def test_a_call_that_reports_progress_may_take_longer(session: Session):
    session.place = Scripted()
    server = session.connect("library", library_module.server, timeout=3.0)
    assert server.call("dawdle", steps=8, seconds=0.5).text == "done"
