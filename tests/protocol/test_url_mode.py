"""URL mode on the wire: what a server hears of the person's way to a page, and what ends a question about one."""

from __future__ import annotations

import asyncio
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import pytest

from mcp_notebook.demo import everyday
from mcp_notebook.errors import NoAnswerError, ProtocolError, ServerError
from mcp_notebook.servers import loop
from mcp_notebook.servers.server import Server
from mcp_notebook.types import Answer, Question
from tests.protocol.conftest import WAYS, Session, script
from tests.protocol.places import BOUND, CANCEL, DECLINE, Pondering, Raising, Scripted, Stoppable, StoppedError
from tests.protocol.servers import pages as pages_module

YES = Answer(action="accept")
WAYS_OF_LEGACY = [way for way, protocol in WAYS if protocol == "legacy"]


class Traveller(Scripted):
    """Agrees to go, and stays at the card until the server has noticed, or the test says what comes then."""

    def __init__(self, then: Answer | None = None) -> None:
        super().__init__()
        self.outcome = ""
        self.gone = threading.Event()
        self.over = threading.Event()
        """Set when the card is closed."""
        self._then = then

    async def ask(self, question: Question) -> Answer:
        self.questions.append(question)
        assert question.visit is not None
        question.visit.consented.set()
        self.gone.set()
        try:
            if self._then is None:
                await question.visit.completed.wait()
            self.outcome = "completed"
        except asyncio.CancelledError as taken_back:
            self.outcome = f"closed: {taken_back}"
        self.over.set()
        return self._then or YES


@pytest.fixture(scope="session")
def pages_url(serve: Callable[[Sequence[str]], str]) -> str:
    return serve([*script("pages"), "PORT"]) + "/mcp"


def connected(request: pytest.FixtureRequest, session: Session, way: str, protocol: Any) -> Server:
    if way == "http":
        target = request.getfixturevalue("pages_url")
    else:
        target = script("pages") if way == "stdio" else pages_module.server
    return session.connect("pages", target, protocol=protocol)


@pytest.fixture(params=WAYS, ids="-".join)
def either(request: pytest.FixtureRequest, session: Session) -> Server:
    """The server of `servers/pages.py`, in every way it can be reached, in both eras."""
    return connected(request, session, *request.param)


@pytest.fixture(params=WAYS_OF_LEGACY)
def legacy(request: pytest.FixtureRequest, session: Session) -> Server:
    return connected(request, session, request.param, "legacy")


@pytest.fixture(params=["stdio", "http"])
def modern(request: pytest.FixtureRequest, session: Session) -> Server:
    return connected(request, session, request.param, "2026-07-28")


@pytest.mark.parametrize(("answer", "told"), [(YES, "accept"), (DECLINE, "decline"), (CANCEL, "cancel")])
def test_in_the_older_era_the_answer_goes_out_as_it_is(session: Session, legacy: Server, answer: Answer, told: str):
    session.place = place = Scripted(lambda _: answer)

    assert legacy.call("wait_for", notice="id-1").text == told

    (question,) = place.questions
    assert (question.mode, question.url, question.tool) == ("url", f"{pages_module.URL}1", "wait_for")
    assert question.visit is not None
    assert question.visit.server_waits


def test_consent_lets_the_server_go_on_and_its_notice_closes_the_card(session: Session, legacy: Server):
    session.place = place = Traveller()

    assert legacy.call("wait_for", notice="id-1").text == "accept"
    assert place.outcome == "completed"


def test_a_notice_of_an_unknown_page_is_ignored_and_the_end_of_the_call_closes_the_card(
    session: Session, legacy: Server
):
    session.place = place = Traveller()

    assert legacy.call("wait_for", notice="id-7").text == "accept"
    assert place.outcome == "closed: pages ended the call before you answered"


def test_stop_while_the_server_waits_for_the_page_closes_the_card(session: Session, legacy: Server):
    stoppable, traveller = Stoppable(), Traveller()
    stoppable.ask = traveller.ask  # pyright: ignore[reportAttributeAccessIssue]
    session.place = stoppable
    threading.Thread(target=lambda: (traveller.gone.wait(BOUND), stoppable.stop())).start()

    with pytest.raises(StoppedError):
        legacy.call("wait_for_ever")

    assert traveller.over.wait(BOUND)
    assert traveller.outcome == "closed: "
    session.place = Scripted(lambda _: DECLINE)
    assert legacy.call("wait_for", notice="id-1").text == "decline"


def test_cancelling_while_the_server_waits_for_the_page_ends_the_call(session: Session, legacy: Server):
    session.place = Traveller(then=CANCEL)

    with pytest.raises(ServerError, match="wait_for_ever: you cancelled it while pages waited"):
        legacy.call("wait_for_ever")

    assert legacy.state == "connected"


@pytest.mark.parametrize("times", [1, 3])
def test_in_the_newer_era_each_retry_carries_the_state(session: Session, modern: Server, times: int):
    session.place = place = Scripted(lambda _: YES)

    assert modern.call("ask_again", times=times).text == f"accept after {times}"

    assert [question.url for question in place.questions] == [f"{pages_module.URL}1"] * times
    assert not any(question.visit.server_waits for question in place.questions if question.visit)


@pytest.mark.parametrize(("answer", "told"), [(DECLINE, "decline after 1"), (CANCEL, "cancel after 1")])
def test_in_the_newer_era_decline_and_cancel_arrive(session: Session, modern: Server, answer: Answer, told: str):
    session.place = Scripted(lambda _: answer)

    assert modern.call("ask_again", times=2).text == told


@pytest.mark.parametrize("number", [1, 3])
def test_the_pages_that_a_call_needs_are_opened_in_turn_and_the_call_is_repeated(
    session: Session, either: Server, number: int
):
    session.place = place = Scripted(lambda _: YES)
    ticket = uuid4().hex

    assert either.call("need", ticket=ticket, pages=number).text == f"{ticket}: let in"

    assert [question.message for question in place.questions] == [f"page {n}" for n in range(1, number + 1)]
    assert {(question.mode, question.tool) for question in place.questions} == {("url", "need")}


@pytest.mark.parametrize(("answer", "told"), [(DECLINE, "declined"), (CANCEL, "cancelled")])
def test_a_page_that_is_not_opened_ends_the_call_with_the_servers_error(
    session: Session, either: Server, answer: Answer, told: str
):
    answers = iter([YES, answer])
    session.place = place = Scripted(lambda _: next(answers))

    with pytest.raises(ProtocolError, match=f"needs a page to be opened first, and that was {told}") as caught:
        either.call("need", ticket=uuid4().hex, pages=3)

    assert caught.value.code == -32042
    assert len(place.questions) == 2


def test_a_call_that_needs_pages_for_ever_is_given_up(session: Session, either: Server):
    session.place = place = Scripted(lambda _: YES)

    with pytest.raises(ServerError, match="asked 10 times for pages"):
        either.call("need", ticket=uuid4().hex, pages=1, times=1000)

    assert len(place.questions) == 10


@pytest.mark.parametrize(
    "data",
    [None, [], {}, "x", *({"elicitations": each} for each in ([], [{"mode": "url"}], ["x"], 1))],
    ids=str,
)
def test_an_error_that_names_no_page_is_told_and_nobody_is_asked(session: Session, data: Any):
    server = session.connect("pages", pages_module.server, protocol="legacy")
    session.place = Scripted()

    with pytest.raises(ProtocolError, match="does not tell which") as caught:
        server.call("need_badly", data=data)

    assert caught.value.code == -32042


def test_nobody_to_open_a_page_that_a_call_needs_is_an_error(session: Session, either: Server):
    nobody = NoAnswerError(Question(server="pages", message=""), "nobody is here")
    session.place = Raising(nobody)

    with pytest.raises(NoAnswerError) as caught:
        either.call("need", ticket=uuid4().hex, pages=2)

    assert caught.value is nobody


def test_stop_at_a_page_that_a_call_needs_closes_its_card(session: Session, either: Server):
    pondering, stoppable = Pondering(), Stoppable()
    stoppable.ask = pondering.ask  # pyright: ignore[reportAttributeAccessIssue]
    session.place = stoppable
    threading.Thread(target=lambda: (pondering.asked.wait(BOUND), stoppable.stop())).start()

    with pytest.raises(StoppedError):
        either.call("need", ticket=uuid4().hex, pages=1)

    assert pondering.withdrawn.wait(BOUND)


def test_a_notice_repeats_the_call_that_needed_its_page(session: Session):
    server = session.connect("pages", script("pages"), protocol="legacy")
    asked = threading.Event()

    class Waiting(Traveller):
        async def ask(self, question: Question) -> Answer:
            asked.set()
            return await super().ask(question)

    session.place = place = Waiting()
    helper = threading.Thread(
        target=lambda: (asked.wait(BOUND), session.call_at(Scripted(), server, "notice", number=1))
    )
    helper.start()
    ticket = uuid4().hex

    assert server.call("need", ticket=ticket, pages=1).text == f"{ticket}: let in"

    assert place.outcome == "completed"
    helper.join(BOUND)


@pytest.fixture(scope="session", params=WAYS, ids="-".join)
def demo(request: pytest.FixtureRequest, long_session: Session) -> Server:
    way, protocol = request.param
    targets = {"stdio": lambda: None, "in-process": lambda: everyday.server}
    target = targets.get(way, lambda: request.getfixturevalue("demo_url"))()
    return long_session.connect("demo", target, protocol=protocol)


def send(url: str, password: str) -> str:
    body = urllib.parse.urlencode({"password": password}).encode()
    with urllib.request.urlopen(url, body, timeout=BOUND) as response:
        return response.read().decode()


def test_the_demos_password_is_set_on_its_page_and_goes_no_other_way(long_session: Session, demo: Server):
    async def go(question: Question) -> None:
        assert "It must have 8 characters" in await asyncio.to_thread(send, question.url or "", "short")
        assert "was set" in await asyncio.to_thread(send, question.url or "", "correct horse")

    class Visitor(Scripted):
        async def ask(self, question: Question) -> Answer:
            self.questions.append(question)
            assert question.visit is not None
            question.visit.consented.set()
            await go(question)
            return YES

    long_session.place = place = Visitor()

    assert demo.call("set_password", user="ada").text == "The password was set."

    (question,) = place.questions
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(question.url or "", timeout=BOUND)


@pytest.mark.parametrize(
    ("answer", "told"),
    [(DECLINE, "No password was set, as you declined."), (CANCEL, "No password was set: the question was closed.")],
)
def test_without_consent_the_demos_page_is_closed(long_session: Session, demo: Server, answer: Answer, told: str):
    long_session.place = place = Scripted(lambda _: answer)

    assert demo.call("set_password").text == told

    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(place.questions[0].url or "", timeout=BOUND)


def test_the_demo_asks_again_for_the_same_page_until_it_was_used(session: Session):
    server = session.connect("demo", None)
    urls: list[str] = []

    def answer(question: Question) -> Answer:
        urls.append(question.url or "")
        if len(urls) == 3:
            send(urls[-1], "correct horse")
        return YES

    session.place = Scripted(answer)

    assert server.call("set_password").text == "The password was set."
    assert len(urls) == 3
    assert len(set(urls)) == 1


def test_the_demos_page_answers_only_at_its_own_path_and_shows_text_as_text(session: Session):
    server = session.connect("demo", None)

    def answer(question: Question) -> Answer:
        url = question.url or ""
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(url, timeout=BOUND) as response:
            shown = response.read().decode()
            assert "default-src 'none'" in response.headers["Content-Security-Policy"]
        assert "&lt;b&gt;ada" in shown
        assert "<b>" not in shown
        for other in (url[:-1], url.rpartition("/")[0], f"{url}/x", f"{url}?"):
            with pytest.raises(urllib.error.HTTPError, match="404") as caught:
                urllib.request.urlopen(other, timeout=BOUND)
            caught.value.close()
        return DECLINE

    session.place = Scripted(answer)
    server.call("set_password", user="<b>ada")


def test_stop_closes_the_demos_page(session: Session):
    server = session.connect("demo", None, protocol="legacy")
    stoppable, traveller = Stoppable(), Traveller()
    stoppable.ask = traveller.ask  # pyright: ignore[reportAttributeAccessIssue]
    session.place = stoppable
    threading.Thread(target=lambda: (traveller.gone.wait(BOUND), stoppable.stop())).start()

    with pytest.raises(StoppedError):
        server.call("set_password")

    url = traveller.questions[0].url or ""

    async def closed() -> None:
        while True:
            try:
                (await asyncio.to_thread(urllib.request.urlopen, url, None, BOUND)).close()
            except OSError:
                return

    loop.submit(asyncio.wait_for(closed(), BOUND)).result(BOUND)
