"""A person at a text terminal: IPython's own, and Jupyter's console, each in a real pseudo terminal."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

from tests import kernels

pytestmark = pytest.mark.newest_kernel  # what is asked by input() takes the same way on both

SECONDS = 30
COMMANDS = {
    "ipython": ["-m", "IPython", "--no-banner", "--colors=NoColor", "--HistoryManager.enabled=False"],
    "console": ["-m", "jupyter_console", "--ZMQTerminalInteractiveShell.banner="],
}


class Terminal:
    """A person who reads the screen and types."""

    def __init__(self, program: str, kernel: str, home: Path) -> None:
        self.program = program
        self._number = 1
        environment = {
            **os.environ,
            "IPYTHONDIR": str(home),
            "JUPYTER_PATH": str(kernels.HOME / "share"),
            "PROMPT_TOOLKIT_NO_CPR": "1",  # nothing here tells where the cursor is
            "TERM": "xterm",
        }
        command = COMMANDS[program] + ([f"--kernel={kernel}"] if program == "console" else [])
        self._child = pexpect.spawn(
            sys.executable, command, env=environment, encoding="utf-8", timeout=SECONDS, dimensions=(50, 200)
        )
        self.sees_prompt()

    def sees(self, text: str) -> None:
        """Wait until a text comes up on the screen, after all that was waited for before."""
        self._child.expect(re.escape(text))

    def sees_prompt(self) -> None:
        """Wait for the prompt of the next cell."""
        self._child.expect(rf"In \S*\[\S*{self._number}\S*\]:")
        self._number += 1

    def types(self, line: str) -> None:
        self._child.send(f"{line}\r")

    def presses_control_c(self) -> None:
        self._child.sendintr()

    def runs(self, line: str, *seen: str) -> None:
        """Run a cell to its end."""
        self.types(line)
        for text in seen:
            self.sees(text)
        self.sees_prompt()

    def close(self) -> None:
        self._child.close(force=True)


@pytest.fixture(params=COMMANDS)
def terminal(request: pytest.FixtureRequest, ipykernel: str, tmp_path: Path) -> Iterator[Terminal]:
    """A terminal with the demo server connected."""
    if request.param == "ipython" and ipykernel != kernels.NEWEST:
        pytest.skip("IPython in a terminal has no kernel")
    terminal = Terminal(request.param, kernels.install(ipykernel), tmp_path)
    terminal.runs("%load_ext mcp_notebook")
    terminal.runs("from mcp_notebook import server")
    if request.param == "console":
        terminal.runs("import mcp_notebook.notebook.asking_by_form as asking; asking.READY_SECONDS = 0.2")
    terminal.runs("%mcp connect demo", "is connected")
    yield terminal
    terminal.close()


def test_a_person_is_asked_field_by_field_and_again_where_it_does_not_fit(terminal: Terminal):
    terminal.types("result = %mcp call demo.register_user")
    terminal.sees("demo asks, to go on with register_user:")
    terminal.sees("User name *: ")
    terminal.types("al")
    terminal.sees("! ")
    terminal.sees("User name *: ")
    terminal.types("alan")
    terminal.sees("Email *: ")
    terminal.types("alan@example.org")
    terminal.sees("newsletter [no]: ")
    terminal.types("")
    terminal.sees("3. Send me the newsletter: no")
    terminal.sees("Enter sends it, a number changes that field: ")
    terminal.types("3")
    terminal.sees("newsletter [no]: ")
    terminal.types("yes")
    terminal.sees("Enter sends it")
    terminal.types("")
    terminal.sees("You answered")
    terminal.sees_prompt()
    terminal.runs("print(result.text)", "Welcome, alan!", "The newsletter will come.")


def test_a_choice_is_made_by_number(terminal: Terminal):
    terminal.types("print(server('demo').call('book_table', party=2).text)")
    terminal.sees("Another date *: ")
    terminal.types("2026-12-27")
    terminal.sees("2. At the bar")
    terminal.sees("Seat *: ")
    terminal.types("2")
    terminal.sees("Enter sends it")
    terminal.types("")
    terminal.sees("at the bar.")
    terminal.sees_prompt()


@pytest.mark.parametrize(("typed", "told"), [(":decline", "You declined"), (":cancel", "You cancelled")])
def test_a_question_can_be_declined_or_cancelled(terminal: Terminal, typed: str, told: str):
    terminal.types("result = await server('demo').acall('greet')")
    terminal.sees("Name: ")
    terminal.types(typed)
    terminal.sees(told)
    terminal.sees_prompt()


CALLS = ["%mcp call demo.greet", "print((await server('demo').acall('greet')).text)"]


@pytest.mark.parametrize("call", CALLS, ids=["magic", "await"])
def test_control_c_cancels_the_call_and_the_next_one_works(terminal: Terminal, call: str):
    terminal.types(call)
    terminal.sees("Name: ")
    terminal.presses_control_c()
    terminal.sees_prompt()
    terminal.runs("print(6 * 7)", "42")
    terminal.types(call)
    terminal.sees("Name: ")
    terminal.types("Ada")
    terminal.sees("Hello, Ada!")
    terminal.sees_prompt()


def test_an_async_handler_runs_on_the_loop_of_the_terminals_cells(terminal: Terminal):
    terminal.runs("import asyncio; from mcp_notebook import set_handler; home = []")
    terminal.runs("async def find(): home.append(asyncio.get_running_loop())")
    terminal.runs("await find()")
    terminal.runs("async def name(q): await find(); return {'name': f'Ada{home[0] is home[-1]}'}")
    terminal.runs("set_handler(name)")
    terminal.runs("%mcp call demo.greet", "Hello, AdaTrue!")
    terminal.runs("print((await server('demo').acall('greet')).text)", "Hello, AdaTrue!")
