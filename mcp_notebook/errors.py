"""The errors of mcp-notebook, in one tree.

```
McpNotebookError              anything this package raises on purpose
├── UsageError                the user's mistake: one line that says how to mend it
├── ServerError               something about one server; `.server` names it
│   ├── ConnectError          it could not be reached or did not speak MCP
│   ├── ConnectionLost        it was there and is gone
│   ├── ServerTimeout         it did not answer in time
│   ├── ProtocolError         it answered with a JSON-RPC error; `.code`, `.data`
│   ├── ToolError             a tool reported a failure (isError); `.result` holds all of it
│   └── ResultError           a tool gave back something else than was declared; `.result` holds all of it
├── ModelError                a model could not be reached, refused, or broke off
├── MapError                  one of many calls failed; `.mapped` holds what is done
└── NoAnswerError             a question could not be put to anybody; `.question`
```
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp_notebook.results import ToolResult
    from mcp_notebook.servers.mapped import Mapped
    from mcp_notebook.types import Question


class McpNotebookError(Exception):
    """Anything this package raises on purpose. It can be pickled: it may come from another process."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Give what makes it anew: its arguments are not those of `Exception`, which is what pickle takes them for."""
        return _remade, (type(self), self.args, self.__dict__)


class UsageError(McpNotebookError):
    """The user's mistake, told in one line that says how to mend it."""

    def _render_traceback_(self) -> list[str]:
        """Tell IPython to show the one line and no traceback (IPython looks for this name)."""
        return [f"UsageError: {self}"]


class ServerError(McpNotebookError):
    """Something went wrong with one server.

    Args:
        server: The name the server is connected under.
        problem: What happened, and what the user can do now.
    """

    def __init__(self, server: str, problem: str) -> None:
        super().__init__(f"{server}: {problem}")
        self.server = server
        self.problem = problem


class ConnectError(ServerError):
    """The server could not be reached, or what answered does not speak MCP."""


class ConnectionLost(ServerError):  # noqa: N818 (says what happened; "ConnectionLostError" says no more)
    """The server was connected and is gone."""


class ServerTimeout(ServerError, TimeoutError):  # noqa: N818 (says what happened)
    """The server did not answer within its time; what it was to do has been cancelled."""


class ProtocolError(ServerError):
    """The server answered with a JSON-RPC error.

    Args:
        server: The name the server is connected under.
        problem: The server's message, and what the user can do now.
        code: The JSON-RPC error code.
        data: The error's data, as the server sent it.
    """

    def __init__(self, server: str, problem: str, *, code: int, data: Any = None) -> None:
        super().__init__(server, problem)
        self.code = code
        self.data = data


class ToolError(ServerError):
    """A tool reported a failure (`isError` in its result).

    Args:
        server: The name the server is connected under.
        tool: The tool's name.
        result: The whole result, as the server sent it.
    """

    def __init__(self, server: str, tool: str, result: ToolResult) -> None:
        super().__init__(server, f"{tool} failed: {_printable(result.text.strip()) or 'the server gave no reason'}")
        self.tool = tool
        self.result = result


class ResultError(ServerError):
    """A tool gave back something else than was declared for it.

    Args:
        server: The name the server is connected under.
        problem: What is wrong with it.
        result: The whole result, as the server sent it.
    """

    def __init__(self, server: str, problem: str, result: ToolResult) -> None:
        super().__init__(server, problem)
        self.result = result


class ModelError(McpNotebookError):
    """A model could not be reached, refused, or broke off; says which one, and what to do."""


class MapError(McpNotebookError):
    """One of many calls failed, so that no more were made.

    Args:
        problem: Which one, why, and how to go on.
        mapped: What is done, to look at and to go on with.
    """

    def __init__(self, problem: str, mapped: Mapped) -> None:
        super().__init__(problem)
        self.mapped = mapped


class NoAnswerError(McpNotebookError):
    """A server asked something and there was nobody to put the question to.

    Args:
        question: What the server asked.
        problem: Why nobody could answer, and the ways to give an answer.
    """

    def __init__(self, question: Question, problem: str) -> None:
        super().__init__(problem)
        self.question = question


def _remade(kind: type[McpNotebookError], args: tuple[Any, ...], state: dict[str, Any]) -> McpNotebookError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _printable(text: str, limit: int = 2000) -> str:
    """Bound a server's text, and take out what a terminal or a page would obey rather than show."""
    safe = "".join(character for character in text[:limit] if character.isprintable() or character in "\n\t")
    return safe if len(text) <= limit else f"{safe}…"
