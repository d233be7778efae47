"""A notebook without a frontend: cells run in an IPython shell, as a kernel runs them."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from mcp_notebook.answers.script import script


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What running a cell left behind."""

    output: str
    value: Any
    error: BaseException | None


class Notebook:
    """Runs cells."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell

    def run(self, cell: str) -> Outcome:
        """Run a cell, and keep what it printed (its result and its error too) and how it ended."""
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            result = self.shell.run_cell(cell)
        return Outcome(
            output=out.getvalue(), value=result.result, error=result.error_before_exec or result.error_in_exec
        )

    def says(self, cell: str) -> str:
        """Run a cell that succeeds; what it printed."""
        outcome = self.run(cell)
        assert outcome.error is None, outcome.output
        return outcome.output

    def fails(self, cell: str) -> str:
        """Run a cell that fails; what it printed."""
        outcome = self.run(cell)
        assert outcome.error is not None, outcome.output
        return outcome.output

    def shows(self, cell: str) -> dict[str, Any]:
        """Run a cell that succeeds with a result; the result's MIME bundle."""
        outcome = self.run(cell)
        assert outcome.error is None, outcome.output
        formatter: Any = self.shell.display_formatter
        return formatter.format(outcome.value)[0]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """A notebook with the extension loaded."""
    os.environ["IPYTHONDIR"] = str(tmp_path_factory.mktemp("ipython"))
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    shell = InteractiveShell.instance(config=config)
    book = Notebook(shell)
    book.says("%load_ext mcp_notebook")
    yield book
    book.says("%unload_ext mcp_notebook")
    InteractiveShell.clear_instance()
    del os.environ["IPYTHONDIR"]


@pytest.fixture(scope="module")
def demo(notebook: Notebook) -> Notebook:
    """A notebook with the demo server connected."""
    notebook.says("%mcp connect demo")
    return notebook


@pytest.fixture(autouse=True)
def no_answers() -> Iterator[None]:
    """Leave no answer behind for the next test."""
    yield
    script().clear()
