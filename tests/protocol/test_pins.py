"""Pins against a real server, which changes between connections and while it is connected."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.pins.guard import pins, withheld
from tests.protocol.conftest import Session, until
from tests.protocol.places import Scripted

COMMAND = [sys.executable, "-m", "mcp_notebook.demo.drifting"]
TOLD = "cafe is not as it was pinned; added: read_mail; changed: order. See: %mcp drift cafe"
WARNED = "order: it has changed since cafe was pinned. See: %mcp drift cafe"


@pytest.fixture(autouse=True)
def place(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripted:
    monkeypatch.setenv("MCP_NOTEBOOK_PINS_FILE", str(tmp_path / "pins.json"))
    monkeypatch.delenv("MCP_NOTEBOOK_PINS", raising=False)
    pins().reset()
    session.place = Scripted()
    return session.place


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_a_change_while_connected_is_told_at_the_next_call_and_kept_from_models(
    session: Session, place: Scripted, protocol: str
):
    cafe = session.connect("cafe", COMMAND, protocol=protocol)
    pins().pin(cafe)
    cafe.call("update")
    until(lambda: set(withheld(cafe)) == {"order", "read_mail"}, "it has said that its tools have changed")
    assert place.notices == [TOLD]
    assert cafe.call("order", kind="mocha").text == "One mocha, please."
    cafe.call("order", kind="latte")
    assert place.notices == [TOLD, WARNED]


def test_a_change_between_connections_is_told_and_refused_where_pins_are_strict(
    session: Session, place: Scripted, monkeypatch: pytest.MonkeyPatch
):
    pins().pin(session.connect("cafe", COMMAND))
    cafe = session.connect("cafe", COMMAND, env={"CAFE_CHANGED": "1"})
    assert place.notices == [TOLD]
    monkeypatch.setenv("MCP_NOTEBOOK_PINS", "strict")
    with pytest.raises(UsageError, match="order is refused, as MCP_NOTEBOOK_PINS is strict: it has changed"):
        cafe.call("order", kind="mocha")
    assert cafe.call("update").text == "The cafe is up to date."
    pins().approve(cafe)
    assert cafe.call("order", kind="mocha").text == "One mocha, please."
