"""Real servers that are killed: idle, in the middle of a call, while they ask; and there again at the next use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_notebook.errors import ConnectError, ConnectionLost
from tests.protocol.conftest import Session, until
from tests.protocol.places import CANCEL, Scripted
from tests.real.servers import NEW, OLD, Everything, from_npm, from_pypi, kill

COMMANDS: dict[str, Callable[[Path], list[str]]] = {
    "time": lambda _: [from_pypi("mcp-server-time", NEW)],
    "motherduck": lambda _: [from_pypi("mcp-server-motherduck", NEW), "--db-path", ":memory:", "--read-write"],
    "sqlite": lambda folder: [from_pypi("mcp-server-sqlite", OLD), "--db-path", str(folder / "a.db")],
    "filesystem": lambda folder: [*from_npm("server-filesystem"), str(folder)],
    "memory": lambda _: from_npm("server-memory"),
}
SAFE = {
    "time": ("get_current_time", {"timezone": "UTC"}),
    "motherduck": ("execute_query", {"sql": "select 1"}),
    "sqlite": ("list_tables", {}),
    "filesystem": ("list_allowed_directories", {}),
    "memory": ("read_graph", {}),
}


class Killing(Scripted):
    """Kills the server as soon as it says how far it is, or asks."""

    def __init__(self, kill: Callable[[], None]) -> None:
        super().__init__(self._asked)
        self._kill = kill

    def progress(self, what: str, done: float, total: float | None, message: str | None) -> None:
        if not self.progressed:
            self._kill()
        super().progress(what, done, total, message)

    def _asked(self, _: object):
        self._kill()
        return CANCEL


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", COMMANDS)
def test_one_that_is_killed_while_idle_is_there_again(session: Session, name: str, tmp_path: Path):
    server = session.connect(name, COMMANDS[name](tmp_path), env={"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")})
    era, tools = server.era, list(server.tools)
    kill(server)
    until(lambda: server.state == "gone", "its end is seen")
    tool, arguments = SAFE[name]
    assert not server.call(tool, **arguments).is_error
    assert (server.era, list(server.tools)) == (era, tools)
    assert f"{name} was gone and is connected again" in (server.notice or "")


def test_a_call_in_the_middle_of_which_it_is_killed_is_lost(session: Session, everything: Everything):
    session.place = place = Killing(everything.kill)
    with pytest.raises(ConnectionLost, match=r"^everything: "):
        everything.server.tools.trigger_long_running_operation(duration=60, steps=600)
    assert place.progressed
    session.place = Scripted()
    answers_again(everything)


def test_a_call_is_lost_when_it_is_killed_while_it_asks(session: Session, everything: Everything):
    session.place = place = Killing(everything.kill)
    with pytest.raises(ConnectionLost, match=r"^everything: "):
        everything.server.tools.trigger_elicitation_request()
    assert len(place.questions) == 1
    session.place = Scripted()
    answers_again(everything)


def answers_again(everything: Everything) -> None:
    """Find it gone where nobody starts it again, and there once it is."""
    server = everything.server
    if server.transport != "stdio":
        with pytest.raises(ConnectError, match="everything: nothing can be reached"):
            server.tools.echo(message="anyone?")
    everything.revive()
    assert server.tools.echo(message="again").text == "Echo: again"
