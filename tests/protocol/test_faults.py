"""What goes wrong over HTTP in the middle of a session: named, with a way out, in bounded time, and nothing hangs."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from mcp_notebook.errors import ConnectError, ConnectionLost, ProtocolError, ServerError, ServerTimeout, UsageError
from tests.protocol.conftest import Session
from tests.protocol.faulty import Faulty, faulty

SECONDS = 3.0
"""What each call may take; far more than a machine needs, and far less than for ever."""


@pytest.fixture(scope="module")
def web() -> Iterator[Faulty]:
    with faulty() as server:
        yield server


TOLD: list[tuple[str, type[ServerError], str]] = [
    ("status_401", ProtocolError, "it asks for a sign-in (HTTP 401). That did not work: "),
    ("status_403", ProtocolError, "it answered HTTP 403 Forbidden. It does not allow this"),
    ("status_404", ProtocolError, "it answered HTTP 404 Not Found. Check the URL"),
    ("status_413", ProtocolError, "it answered HTTP 413"),
    ("status_429", ProtocolError, "it answered HTTP 429 Too Many Requests. It takes no more for now: try again in 7 s"),
    ("status_500", ProtocolError, "it answered HTTP 500 Internal Server Error. Try again in 7 seconds"),
    ("status_503", ProtocolError, "it answered HTTP 503 Service Unavailable"),
    ("html", ProtocolError, "it answered with text/html, which is not MCP"),
    ("not_json", ProtocolError, "the answer breaks the protocol: it is no message of JSON-RPC"),
    ("accepted", ProtocolError, "202 Accepted"),
    ("malformed", ProtocolError, "the answer breaks the protocol: content"),
    ("other_id", ServerTimeout, "no answer within 3 seconds, so it was cancelled"),
    ("half", ConnectionLost, "the connection to http://127.0.0.1"),
    ("cut", ConnectionLost, "The next use connects again"),
    ("silent", ServerTimeout, "Connect the server with a longer timeout"),
    ("stream_cut", ConnectionLost, "The next use connects again"),
    ("stream_silent", ServerTimeout, "no answer within 3 seconds"),
    ("error", ProtocolError, "no more (-7)"),
]


@pytest.mark.parametrize(("tool", "kind", "told"), TOLD, ids=[row[0] for row in TOLD])
def test_a_fault_is_named_and_the_next_call_works(
    session: Session, web: Faulty, tool: str, kind: type[ServerError], told: str
):
    server = session.connect("web", web.url, timeout=SECONDS)
    begin = time.monotonic()

    with pytest.raises(kind) as caught:
        server.call(tool)

    assert time.monotonic() - begin < 2 * SECONDS
    assert caught.value.server == "web"
    assert tool in str(caught.value) or kind is ConnectionLost
    assert told in caught.value.problem
    assert server.last_error == caught.value.problem
    assert server.call("hello").text == "hello"


def test_a_name_that_no_one_knows(session: Session):
    with pytest.raises(ConnectError, match=r"nothing can be reached at https://no-such-host\.invalid/mcp"):
        session.connect("web", "https://no-such-host.invalid/mcp")


def test_what_speaks_no_tls(session: Session, web: Faulty):
    with pytest.raises(ConnectError, match=r"nothing can be reached at https://127\.0\.0\.1.* \(.*SSL.*\)"):
        session.connect("web", web.url.replace("http:", "https:"))


def test_a_call_is_not_sent_again_unless_that_was_asked_for(session: Session, web: Faulty):
    web.calls.clear()
    with pytest.raises(ProtocolError, match="HTTP 503"):
        session.connect("web", web.url).call("transient")
    assert web.calls["transient"] == 1


def test_a_call_is_sent_again_after_a_refusal_that_passes(session: Session, web: Faulty):
    web.calls.clear()
    assert session.connect("web", web.url, max_retries=2).call("transient").text == "hello"
    assert web.calls["transient"] == 3


def test_a_call_is_sent_again_after_a_cut_connection(session: Session, web: Faulty):
    web.calls.clear()
    assert session.connect("web", web.url, max_retries=1).call("cut_first").text == "hello"
    assert web.calls["cut_first"] == 2


@pytest.mark.parametrize("tool", ["error", "status_500", "malformed"])
def test_what_the_server_answered_as_such_is_never_asked_again(session: Session, web: Faulty, tool: str):
    web.calls.clear()
    with pytest.raises(ProtocolError):
        session.connect("web", web.url, max_retries=2).call(tool)
    assert web.calls[tool] == 1


def test_a_tool_that_says_it_must_not_run_twice_is_called_again_only_by_force(session: Session, web: Faulty):
    web.calls.clear()
    with pytest.raises(ProtocolError, match="HTTP 503"):
        session.connect("web", web.url, max_retries=2).call("once_only")
    assert web.calls["once_only"] == 1

    web.calls.clear()
    forced = session.connect("web", web.url, max_retries=2, force_retries=True)
    assert forced.call("once_only").text == "hello"
    assert web.calls["once_only"] == 3


def test_a_wait_that_the_server_asks_for_is_told_rather_than_sat_out_when_it_is_long(session: Session, web: Faulty):
    web.calls.clear()
    server = session.connect("web", web.url, max_retries=2)
    begin = time.monotonic()
    with pytest.raises(ProtocolError, match="try again in 900 seconds"):
        server.call("busy")
    assert time.monotonic() - begin < SECONDS
    assert web.calls["busy"] == 1


def test_retries_go_with_a_url(session: Session):
    with pytest.raises(UsageError, match="max_retries"):
        session.connect("x", ["true"], max_retries=1)
