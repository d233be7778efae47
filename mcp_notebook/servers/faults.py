"""From what the SDK and the transports raise to this package's errors: which server, what, what now."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from mcp_notebook.errors import ConnectError, ConnectionLost, ProtocolError, ServerTimeout
from mcp_notebook.servers.shown import escaped, masked, target
from mcp_notebook.types import ServerSpec

if TYPE_CHECKING:
    from mcp import MCPError
    from mcp.types import ElicitRequestURLParams

    from mcp_notebook.servers.elicitation import Refusal
    from mcp_notebook.servers.http import HttpNotes

_LAST_WORDS = 600
_REASON = 1000
_BY_STATUS = ("Server returned an error response", "Not Found")
"""What the SDK says when an HTTP answer with a status of 400 or more holds no error of JSON-RPC."""
_SESSION_ENDED = ("session terminated", "session not found")
_CLOSED = ("Connection closed", "SSE stream ended")
"""What the SDK says when an answer can't arrive any more: over HTTP, of a stream that could not be resumed as well."""


class SessionEnded(ConnectionLost):
    """An HTTP server does not know the session any more, most often after a restart: it has not looked at the call.

    A client must then begin a new session (MCP specification 2025-11-25, basic/transports, "Session Management").
    """


class PagesRequired(ProtocolError):  # noqa: N818 (never seen by users)
    """A server takes a call only after the person has been to some pages: error -32042 of MCP 2025-11-25.

    Args:
        server: The name the server is connected under.
        problem: What to say when they are not opened.
        error: What the server answered.
        pages: The pages, as it asks for them.
    """

    def __init__(self, server: str, problem: str, error: MCPError, pages: list[ElicitRequestURLParams]) -> None:
        super().__init__(server, problem, code=error.code, data=error.data)
        self.pages = pages


def connect_fault(spec: ServerSpec, error: BaseException, stderr: str, notes: HttpNotes) -> ConnectError:
    """Say why a server could not be connected.

    Args:
        spec: How it was to be reached.
        error: What the SDK raised.
        stderr: stdio: the end of what the process wrote there.
        notes: HTTP: what the answers said.
    """
    error = _leaf(error)
    if spec.transport == "stdio":
        problem = _command_problem(spec, error, stderr)
    elif spec.url is not None:
        problem = _url_problem(spec, error, notes)
    else:
        problem = _not_mcp(spec, error)
    return ConnectError(spec.name, problem)


def timeout_fault(spec: ServerSpec, stderr: str) -> ConnectError:
    """Say that a server did not come up in time."""
    problem = (
        f"no answer from {target(spec)} within {spec.connect_seconds:g} seconds. "
        "Check that it is an MCP server; give a slow one more time with timeout."
    )
    return ConnectError(spec.name, problem + _words(spec, stderr))


def late_fault(spec: ServerSpec, what: str) -> ServerTimeout:
    """Say that a server did not answer in time."""
    problem = (
        f"{what}: no answer within {spec.answer_seconds:g} seconds, so it was cancelled. "
        "Connect the server with a longer timeout if it needs more."
    )
    return ServerTimeout(spec.name, problem)


def lost_fault(spec: ServerSpec, error: BaseException | None, stderr: str, fault: str | None = None) -> ConnectionLost:
    """Say that a server is gone."""
    error = None if error is None else _leaf(error)
    if spec.transport == "stdio":
        what = fault or "its process has ended, or has closed its output"
    else:
        what = f"the connection to {target(spec)} was lost{_detail(spec, error)}"
    kind = SessionEnded if error is not None and _session_ended(error) else ConnectionLost
    return kind(spec.name, f"{what}. The next use connects again.{_words(spec, stderr)}")


def call_fault(
    spec: ServerSpec, what: str, error: Exception, refused: Refusal | None = None, sign_in: str = ""
) -> ProtocolError:
    """Say what went wrong in a call on a connection that lives.

    Args:
        spec: How the server is reached.
        what: What was done, such as the tool's name.
        error: What the SDK raised.
        sign_in: HTTP: why a sign-in for it did not work.
        refused: HTTP: the answer that it was raised for, if that had a status of 400 or more.
    """
    from mcp import MCPError
    from mcp.client import InputRequiredRoundsExceededError
    from mcp.types import INTERNAL_ERROR, URL_ELICITATION_REQUIRED

    leaf = _leaf(error)
    code, data = INTERNAL_ERROR, None
    if isinstance(leaf, MCPError) and leaf.code == URL_ELICITATION_REQUIRED:
        code, data = leaf.code, leaf.data
        if pages := _pages(leaf):
            return PagesRequired(spec.name, f"{what}: it needs pages to be opened first", leaf, pages)
        problem = f"it needs pages to be opened first, but does not tell which in a way that can be read ({code})"
    elif isinstance(leaf, MCPError) and leaf.message in _BY_STATUS and refused is not None:
        code, problem = leaf.code, _refused(refused)
        if sign_in and refused.status in (401, 403):
            problem = f"it asks for a sign-in (HTTP {refused.status}). {_no_sign_in(spec, sign_in)}"
    elif isinstance(leaf, MCPError) and (told := _not_a_message(leaf.message)):
        code, problem = leaf.code, told
    elif isinstance(leaf, MCPError):
        code, data = leaf.code, leaf.data
        problem = f"{_reason(spec, leaf)} ({code}){_advice(leaf)}"
    elif isinstance(leaf, InputRequiredRoundsExceededError):
        problem = f"it asked {leaf.max_rounds} times and would go on"
    else:
        problem = f"the answer breaks the protocol: {_reason(spec, leaf)}"
    return ProtocolError(spec.name, f"{what}: {problem}", code=code, data=data)


def _pages(error: MCPError) -> list[ElicitRequestURLParams]:
    """The pages that an error names, or none where it is not as it must be."""
    from mcp import UrlElicitationRequiredError

    try:
        return UrlElicitationRequiredError.from_error(error.error).elicitations
    except (AttributeError, TypeError, ValueError):
        return []


def is_lost(error: BaseException) -> bool:
    """Whether an error means that the connection cannot be used any more."""
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED

    error = _leaf(error)
    if not isinstance(error, MCPError):
        return isinstance(error, OSError) or type(error).__module__.partition(".")[0] in ("httpx2", "httpcore2")
    # The message as well: servers use the same code for errors of their own.
    closed = error.code == CONNECTION_CLOSED and error.message.startswith(_CLOSED)
    return closed or _session_ended(error)


def needs_legacy(error: BaseException) -> bool:
    """Whether a server's tool tried to ask in the legacy way on a modern connection, which has no back-channel."""
    from mcp import MCPError
    from mcp.types import INVALID_REQUEST

    error = _leaf(error)
    return isinstance(error, MCPError) and error.code == INVALID_REQUEST and "back-channel" in error.message


def _session_ended(error: BaseException) -> bool:
    from mcp import MCPError
    from mcp.types import INVALID_REQUEST

    if not isinstance(error, MCPError) or error.code != INVALID_REQUEST:
        return False
    return error.message.lower().startswith(_SESSION_ENDED)


def _not_a_message(message: str) -> str:
    """Say what the SDK says of an HTTP answer that holds no message at all, if it is that."""
    if message.startswith("Failed to parse JSON response"):
        return "the answer breaks the protocol: it is no message of JSON-RPC"
    start, kind = "Unexpected content type: ", message.partition(": ")[2]
    return f"it answered with {escaped(kind, 60)}, which is not MCP" if message.startswith(start) else ""


def _refused(refused: Refusal) -> str:
    try:
        name = f" {HTTPStatus(refused.status).phrase}"
    except ValueError:
        name = ""
    after = refused.retry_after or ""
    when = f"in {int(after)} seconds" if after.isdecimal() and len(after) < 6 else "later"
    advice = {
        401: "Its credentials are missing or have expired: connect it again with new ones",
        403: "It does not allow this with the credentials that it was given",
        404: "Check the URL: the path is often /mcp",
        413: "What was sent is too much for it: send less at once",
        429: f"It takes no more for now: try again {when}, or connect it with max_retries",
    }
    otherwise = f"Try again {when}, or look at its log" if refused.status >= 500 else "Check the URL and the headers"
    return f"it answered HTTP {refused.status}{name}. {advice.get(refused.status, otherwise)}"


def _advice(error: MCPError) -> str:
    if needs_legacy(error):
        return ". Connect it with the legacy protocol"
    if "requestState" in error.message:
        return (
            ". The answer came later than the server waits for one: make the call again, and the form comes filled in"
        )
    return ""


def _leaf(error: BaseException) -> BaseException:
    """Find the most telling error in a tree of groups: anything before the mere end of the connection."""
    leaves = _leaves(error)
    telling = [leaf for leaf in leaves if str(leaf) != "Connection closed"]
    return (telling or leaves)[0]


def _leaves(error: BaseException) -> list[BaseException]:
    inner: tuple[BaseException, ...] = getattr(error, "exceptions", ())  # no ExceptionGroup on Python 3.10
    return [leaf for each in inner for leaf in _leaves(each)] or [error]


def _command_problem(spec: ServerSpec, error: BaseException, stderr: str) -> str:
    if stderr.startswith("cannot run "):  # child.py
        return f"{escaped(masked(spec, stderr), _LAST_WORDS)}. Is it installed, and on PATH?"
    if isinstance(error, OSError):
        return f"cannot start {target(spec)}{_detail(spec, error)}. Check the command and its working directory."
    if is_lost(error):
        return f"{target(spec)} ended before it spoke MCP.{_words(spec, stderr)}"
    return f"{_not_mcp(spec, error)}{_words(spec, stderr)}"


def _url_problem(spec: ServerSpec, error: BaseException, notes: HttpNotes) -> str:
    where = target(spec)
    if told := _redirect(_reason(spec, error)):
        return f"{where} {told}"
    if notes.status in (401, 403) and notes.sign_in:
        return f"{where} asks for a sign-in (HTTP {notes.status}). {_no_sign_in(spec, notes.sign_in)}"
    if notes.status in (401, 403):
        return f"{where} asks for credentials (HTTP {notes.status}). Pass them with bearer or headers."
    if notes.status is not None:
        paths = "/mcp, or /sse with transport sse" if spec.transport == "http" else "/sse"
        return f"{where} answered HTTP {notes.status}. Check the URL: the path is often {paths}.{_older(spec)}"
    if notes.content_type not in ("", "application/json", "text/event-stream"):
        return f"{where} answered with {escaped(notes.content_type, 60)}, which is not MCP. Check the URL."
    if not notes.content_type:
        return f"nothing can be reached at {where}{_detail(spec, error)}. Is the server running?"
    return _not_mcp(spec, error)


def _redirect(reason: str) -> str:
    """Say what the SDK says of a redirect to another origin, if it is that."""
    start = "Redirect to "
    if not reason.startswith(start):
        return ""
    goal = reason.removeprefix(start).partition(" not followed")[0]
    return f"sends requests on to {goal}, which is not followed: connect there, or allow it with allow_redirects."


def _no_sign_in(spec: ServerSpec, reason: str) -> str:
    told = escaped(masked(spec, reason), 300)
    return f"That did not work: {told}. Connect again to retry, or pass a token with bearer."


def _not_mcp(spec: ServerSpec, error: BaseException) -> str:
    return f"{target(spec)} did not answer as an MCP server does{_detail(spec, error)}.{_older(spec)}"


def _older(spec: ServerSpec) -> str:
    return "" if spec.protocol == "auto" else f" It may not speak {spec.protocol}: leave protocol at auto."


def _detail(spec: ServerSpec, error: BaseException | None) -> str:
    return "" if error is None else f" ({_reason(spec, error) or type(error).__name__})"


def _reason(spec: ServerSpec, error: BaseException) -> str:
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        first = error.errors()[0]
        reason = f"{'.'.join(str(step) for step in first['loc'])}: {first['msg']}"
    else:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return escaped(masked(spec, reason), _REASON)


def _words(spec: ServerSpec, stderr: str) -> str:
    if not stderr:
        return ""
    end = escaped(masked(spec, stderr)[-_LAST_WORDS:], 10 * _LAST_WORDS)[-_LAST_WORDS:]
    return f"\nThe end of its stderr:\n{end}"
