"""The tiny model that runs in this machine, for real: what it does is checked, never what it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mcp_notebook import Chat, UsageError, answering, api, connect
from mcp_notebook.chat import local
from tests.models.test_answers import states


@pytest.fixture
def demo() -> Iterator[None]:
    connect("demo")
    yield
    api.close_all()


@pytest.mark.local_model
def test_it_calls_a_tool_that_asks_and_answers(demo: None):
    chat = Chat("local", approve="never")
    with answering({"date": "2026-12-27", "seat": "bar"}):
        reply = chat.ask("Use the tool demo__book_table with party=4.")
    assert states(chat)[0] == ("book_table", "done")
    assert reply.calls[0]["text"].startswith("Booked")
    assert [message["role"] for message in chat.messages][:3] == ["user", "assistant", "tool"]
    assert "form" in [message["role"] for message in chat.messages]
    assert reply.text or reply.note
    assert "a tiny model in this machine" in reply.model
    again = chat.ask("Use the tool demo__forecast with city=Lisbon.")
    assert again.calls


def test_without_its_weights_it_says_how_to_fetch_them(monkeypatch: pytest.MonkeyPatch, tmp_path: object):
    monkeypatch.setattr(local, "weights", lambda: local.Path(str(tmp_path)) / "none")
    found = "xllamacpp" if local.importlib.util.find_spec("xllamacpp") else None
    with pytest.raises(UsageError, match=local.FETCH if found else r"mcp-notebook\[local\]"):
        Chat("local").ask("Hello")
