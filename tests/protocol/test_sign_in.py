"""Signing in to a server that asks for it: by a browser that comes back, by what is pasted, and not at all."""

from __future__ import annotations

import asyncio
import stat
import sys
import types
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from mcp_notebook.errors import ConnectError, NoAnswerError
from mcp_notebook.servers.auth.storage import Storage, tokens_file
from mcp_notebook.types import Answer, Question
from tests.protocol.conftest import Session, script
from tests.protocol.places import BOUND, CANCEL, DECLINE, Raising, Scripted

ACCEPT = Answer(action="accept")


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


@pytest.fixture(scope="module")
def guarded(serve: Callable[[Sequence[str]], str]) -> str:
    return serve([*script("guarded"), "PORT"]) + "/mcp"


class Visiting(Scripted):
    """Answers on a thread of its own, as a person does who is no part of the kernel."""

    async def ask(self, question: Question) -> Answer:
        return await asyncio.to_thread(asyncio.run, super().ask(question))


def visit(question: Question) -> Answer:
    """Do as a person with a browser does."""
    with urllib.request.urlopen(question.url or "", timeout=BOUND) as page:
        assert b"You are signed in" in page.read()
    return ACCEPT


def paste(question: Question) -> Answer:
    """Do as a person does whose browser ends on a page that cannot be reached."""
    page = urlsplit(question.url or "")
    with closing(HTTPConnection(page.netloc, timeout=BOUND)) as browser:
        browser.request("GET", f"{page.path}?{page.query}")
        return Answer(action="accept", content={"address": browser.getresponse().getheader("Location")})


@pytest.mark.parametrize("way", [visit, paste], ids=["by the browser", "by what is pasted"])
def test_a_sign_in_is_asked_for_once_and_kept(session: Session, guarded: str, way: Callable[[Question], Answer]):
    session.place = place = Visiting(way)
    assert session.connect("guarded", guarded).call("secret").text == "the treasure is under the tree"
    (question,) = place.questions
    assert (question.server, question.mode, question.own) == ("guarded", "url", True)
    assert (question.url or "").startswith(guarded.removesuffix("/mcp") + "/authorize?")

    session.place = Scripted()  # which asks nothing
    assert session.connect("guarded", guarded).call("secret").text == "the treasure is under the tree"


def test_tokens_are_kept_where_only_their_owner_reads_them_and_can_be_forgotten(session: Session, guarded: str):
    session.place = Visiting(visit)
    server = session.connect("guarded", guarded)
    assert stat.S_IMODE(tokens_file().stat().st_mode) == 0o600
    assert stat.S_IMODE(tokens_file().parent.stat().st_mode) == 0o700
    token = Storage(guarded).kept()["tokens"]["access_token"]
    assert token not in repr(server) + repr(server.spec) + str(server.logs)
    assert Storage(guarded).forget()
    assert token not in tokens_file().read_text()
    assert not Storage(guarded).forget()


@pytest.mark.parametrize("answer", [DECLINE, CANCEL], ids=["decline", "cancel"])
def test_who_does_not_sign_in_is_not_connected(session: Session, guarded: str, answer: Answer):
    session.place = Scripted(lambda _: answer)
    with pytest.raises(ConnectError, match=r"asks for a sign-in \(HTTP 401\)\. That did not work: you did not sign in"):
        session.connect("guarded", guarded)


def test_an_answer_to_another_sign_in_is_refused(session: Session, guarded: str):
    forged = Answer(action="accept", content={"address": "http://127.0.0.1:1/callback?code=stolen&state=other"})
    session.place = Scripted(lambda _: forged)
    with pytest.raises(ConnectError, match="State parameter mismatch"):
        session.connect("guarded", guarded)


@pytest.mark.parametrize(
    ("address", "told"),
    [("http://127.0.0.1/callback?error=access_denied", "it was refused"), ("nonsense", "paste the whole address")],
)
def test_what_is_no_way_in_is_told(session: Session, guarded: str, address: str, told: str):
    session.place = Scripted(lambda _: Answer(action="accept", content={"address": address}))
    with pytest.raises(ConnectError, match=told):
        session.connect("guarded", guarded)


def test_where_nobody_can_sign_in_that_is_the_error(session: Session, guarded: str):
    session.place = Raising(NoAnswerError(Question(server="guarded", message="m"), "nobody is here"))
    with pytest.raises(NoAnswerError, match="nobody is here"):
        session.connect("guarded", guarded)


def test_a_token_of_ones_own_is_sent_and_nothing_asked(session: Session, guarded: str):
    session.place = Visiting(visit)
    session.connect("guarded", guarded)
    token = Storage(guarded).kept()["tokens"]["access_token"]
    Storage(guarded).forget()
    session.place = Scripted()
    mine = session.connect("mine", guarded, headers={"Authorization": f"Bearer {token}"})
    assert mine.call("secret").text == "the treasure is under the tree"
    with pytest.raises(ConnectError, match="asks for credentials"):
        session.connect("wrong", guarded, headers={"Authorization": "Bearer wrong"})


def test_tokens_are_kept_in_a_keyring_where_there_is_one(
    session: Session, guarded: str, monkeypatch: pytest.MonkeyPatch
):
    kept: dict[tuple[str, str], str] = {}
    ring = types.SimpleNamespace(
        get_keyring=lambda: types.SimpleNamespace(priority=5),
        get_password=lambda *key: kept.get(key),
        set_password=lambda service, name, value: kept.update({(service, name): value}),
        delete_password=lambda *key: kept.pop(key),
    )
    monkeypatch.setitem(sys.modules, "keyring", ring)
    session.place = Visiting(visit)
    session.connect("guarded", guarded)
    assert list(kept) == [("mcp-notebook", guarded)]
    assert not tokens_file().exists()
    assert Storage(guarded).forget()
    assert kept == {}
