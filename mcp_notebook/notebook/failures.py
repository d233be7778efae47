"""How an error is shown in a cell: a server's words in it are text, and nothing in them can be clicked."""

from __future__ import annotations

import re
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.display import display

from mcp_notebook.answers.plain import plain
from mcp_notebook.errors import McpNotebookError, ToolError, UsageError
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.results import bundle, is_more_than_text

MAX_WORDS = 4000
"""Characters of an error that are shown."""

_LINKED = re.compile(r"https?://|www\.", re.IGNORECASE)
"""What JupyterLab makes a link of, in errors and in plain text (not in HTML)."""

_SHOWN = "_mcp_notebook_shown"


def install() -> None:
    """Have IPython show this package's errors by `lines_of`: it looks for a method of this name."""
    McpNotebookError._render_traceback_ = _rendered  # pyright: ignore[reportAttributeAccessIssue]


def uninstall() -> None:
    """Leave the errors to IPython again."""
    if "_render_traceback_" in vars(McpNotebookError):
        del McpNotebookError._render_traceback_  # pyright: ignore[reportAttributeAccessIssue]


def without_traceback(error: BaseException) -> None:
    """Let IPython show an error as its own words: the frames between are this package's, and no help to the user.

    What led to it goes too: IPython shows all of it as soon as there is an `ExceptionGroup` in it, as the SDK raises.
    """
    error.__cause__ = error.__context__ = None
    error._render_traceback_ = lambda: _told(error, [])  # pyright: ignore[reportAttributeAccessIssue]


def _rendered(error: McpNotebookError) -> list[str]:
    shell: Any = get_ipython()
    if isinstance(error, UsageError) or shell is None:
        return _told(error, [])
    lines = "\n".join(shell.InteractiveTB.structured_traceback(type(error), error, error.__traceback__))
    return _told(error, [lines.rpartition(str(error))[0].rpartition("\n")[0]])


def _told(error: BaseException, frames: list[str]) -> list[str]:
    """The lines that IPython shows.

    Above them stands the result of a tool that failed, if it is more than text. Where the lines would hold a link, they
    stand above as well.
    """
    if _SHOWN in vars(error):  # ipykernel asks twice
        return vars(error)[_SHOWN]
    name, words = type(error).__name__, plain(str(error), MAX_WORDS)
    if not isinstance(error, UsageError) and getattr(get_ipython(), "kernel", None) is not None:
        is_linked = _LINKED.search(words)
        if isinstance(error, ToolError) and is_more_than_text(error.result):
            display(bundle(error.result), raw=True)
        elif is_linked:
            display(Page().text(words))
        words = "see the words above" if is_linked else words
    vars(error)[_SHOWN] = [*frames, *f"{name}: {words}".rstrip(": ").split("\n")]
    return vars(error)[_SHOWN]
