"""A pytest plugin for notebooks and servers that ask: it is there as soon as mcp-notebook is installed.

Under `pytest --nbval`, a notebook is run with the answers in the file beside it, `NAME.answers.json`, unless
MCP_NOTEBOOK_ANSWERS names another; one more test for each such notebook fails when it has not asked all that the file
answers. What the file does not answer fails in the cell that asks.

Fixtures: `mcp_server` connects a server for a test, `mcp_answers` answers what it asks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcp_notebook.servers.server import Server

VARIABLE = "MCP_NOTEBOOK_ANSWERS"
LEFT = """
import json as _json, sys as _sys
_script = _sys.modules.get("mcp_notebook.answers.script")
print(_json.dumps(_script.script().left() if _script else None))
"""
"""What is run in a notebook's kernel at its end."""

_SECONDS = 60.0
_own = pytest.StashKey[str]()


@pytest.fixture
def mcp_server() -> Iterator[Callable[..., Server]]:
    """Connect servers for a test, and close them after it.

        def test_greeting(mcp_server, mcp_answers):
            office = mcp_server("office", server_object)      # or whatever `connect` takes
            mcp_answers({"name": "Ada"})
            assert office.call("greet").text == "Hello, Ada!"

    Returns:
        A function with the arguments of `mcp_notebook.connect`, which returns the connected `Server`.
    """
    from mcp_notebook.api import connect

    with ExitStack() as stack:
        yield lambda *args, **kwargs: stack.enter_context(connect(*args, **kwargs))


@pytest.fixture
def mcp_answers() -> Iterator[Callable[..., None]]:
    """Answer what servers ask in a test; nobody else is asked then.

    Returns:
        A function with the argument of `mcp_notebook.answering`: the values of the fields of one question, or a list
        of entries. Each call of it goes before those before.
    """
    from mcp_notebook.answers.block import answering

    with ExitStack() as stack:
        yield lambda answers: stack.enter_context(answering(answers))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put a test of its answers behind the cells of each notebook that has some."""
    last = {item.parent: item for item in items if _is_cell(item)}
    for parent, item in last.items():
        if parent is not None and _answers_of(item.path).exists():
            check = AnswersItem.from_parent(parent, name="answers")
            items.insert(items.index(item) + 1, check)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Name the answers to the kernel that a notebook's first cell starts."""
    if not _is_cell(item) or item.config.stash.get(_own, "") == str(item.path):
        return
    _forget(item.config)
    path = _answers_of(item.path)
    if path.exists() and VARIABLE not in os.environ:
        os.environ[VARIABLE] = str(path)
        item.config.stash[_own] = str(item.path)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Take the name back after the notebook's last test."""
    yield
    if nextitem is None or nextitem.path != item.path:
        _forget(item.config)


class AnswersItem(pytest.Item):
    """Whether a notebook has asked all that its answers file holds."""

    def runtest(self) -> None:
        """Look at what is left of the answers in the notebook's kernel."""
        parent: Any = self.parent
        left = _in_kernel(parent.kernel)
        file = _answers_of(self.path).name
        if left is None:
            raise Unasked(f"{file}: the notebook does not use mcp_notebook, so nothing asks for these answers")
        if left:
            told = "; ".join(left)
            raise Unasked(f"{file}: never asked for: {told}. Take them out of the file, or see why it does not ask")

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> str | Any:
        """Tell in a line what is wrong."""
        if isinstance(excinfo.value, Unasked):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Name the test."""
        return self.path, None, f"{self.path.name}: answers"


class Unasked(AssertionError):  # noqa: N818 (says what it is)
    """An answer is left over."""


def _is_cell(item: pytest.Item) -> bool:
    return item.path.suffix == ".ipynb" and hasattr(item.parent, "kernel")


def _answers_of(notebook: Path) -> Path:
    return notebook.with_suffix(".answers.json")


def _forget(config: pytest.Config) -> None:
    if config.stash.get(_own, ""):
        os.environ.pop(VARIABLE, None)
        config.stash[_own] = ""


def _in_kernel(kernel: Any) -> list[str] | None:
    """Run `LEFT` in a kernel of nbval and read what it prints."""
    asked = kernel.execute_cell_input(LEFT, allow_stdin=False)
    printed = ""
    while True:
        message: Mapping[str, Any] = kernel.get_message("iopub", timeout=_SECONDS)
        if message["parent_header"].get("msg_id") != asked:
            continue
        content = message["content"]
        if message["msg_type"] == "stream":
            printed += content["text"]
        elif message["msg_type"] == "status" and content["execution_state"] == "idle":
            return json.loads(printed)
