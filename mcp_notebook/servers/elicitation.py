"""From a server's elicitation to the place of the call it belongs to, and back.

In the modern era the SDK asks in the task of the call, so a context variable tells the call. In the legacy era a
server asks in a request of its own, which names no call: over stdio it is taken to belong to the newest call still
running on the connection. When a server runs several calls of one connection at once, that can be the wrong cell (never
the wrong server); the protocol up to 2025-11-25 has no better answer.
"""

from __future__ import annotations

import asyncio
import contextvars
import weakref
from collections.abc import Awaitable, Callable, Mapping
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, cast

from mcp_notebook.errors import ServerError, UsageError
from mcp_notebook.schema.sending import sendable
from mcp_notebook.servers.deadline import Deadline
from mcp_notebook.types import Answer, Era, Place, Question, Visit

if TYPE_CHECKING:
    from mcp.client import ClientRequestContext
    from mcp.types import (
        ElicitRequestParams,
        ElicitRequestURLParams,
        ElicitResult,
        ErrorData,
        InputRequest,
        InputResponse,
    )

R = TypeVar("R")

_UNANSWERED = "The question could not be put to anybody"  # and not why: that may be private
_WITHDRAWN = "The server took its question back, or is gone"
_END_SECONDS = 2.0
_QUIET = frozenset({"connect", "tools/list"})
"""What the user may do without a thought of it: nothing that a question could be about."""

_current: contextvars.ContextVar[Call | None] = contextvars.ContextVar("mcp_notebook_call", default=None)


class Unanswered(Exception):  # noqa: N818 (never seen by users: the call's `failure` is)
    """A question of a call was not answered, so the call has ended."""


class Refusal(NamedTuple):
    """HTTP: an answer with a status of 400 or more."""

    status: int
    retry_after: str | None
    """The header of that name, as it came."""


def current() -> Call | None:
    """The call that the running code is a part of, where its context tells."""
    return _current.get()


class Call:
    """Something that is done at a server, most often a tool call, as far as a question needs to know it.

    Made in the task that does it.

    Args:
        what: What it is, for people: the tool's name, or the method and what it is about.
        place: Where it is made from: whoever is there answers what the server asks.
        tool: The tool's name, if it is a tool call.
    """

    def __init__(self, what: str, place: Place, *, tool: str | None = None) -> None:
        self.what = what
        self.place = place
        self.tool = tool
        self.deadline: Deadline | None = None
        """Runs while the server is awaited; set by the connection."""
        self.refused: Refusal | None = None
        """HTTP: the last refusal, of which the SDK's error leaves out the status."""
        self.asked = False
        """Whether anything was put to the asker."""
        self.failure: BaseException | None = None
        """Why a question was not answered, most often what the asker raised: that ends the call at once."""
        self.sign_in = ""
        """HTTP: why the last sign-in for it did not work."""
        self._context = contextvars.copy_context()
        self._asking: set[asyncio.Task[Answer | None]] = set()
        _current.set(self)

    async def ask(self, question: Question) -> Answer | None:
        """Put a question to the asker, in the context of the call, where its output belongs.

        Returns:
            The answer, or None when the asker raised (see `failure`). Where the server waits for a page by itself, it
            comes as soon as the person has agreed to go there, and the asker is told when that is over.
        """
        self.asked = True
        asking = self._context.run(asyncio.ensure_future, self._answer(question))
        self._asking.add(asking)
        asking.add_done_callback(self._asking.discard)
        visit = question.visit if question.visit and question.visit.server_waits and not question.own else None
        consented = asyncio.ensure_future(visit.consented.wait()) if visit else None
        try:
            await asyncio.wait({asking, *([consented] if consented else ())}, return_when=asyncio.FIRST_COMPLETED)
        finally:  # also when this very task is cancelled, which must go on: the asker's own cancellation must not
            if consented is not None:
                consented.cancel()
            if not (visit and visit.consented.is_set()) and asking in self._asking:
                asking.cancel(_WITHDRAWN)
                self._asking.discard(asking)
        if not asking.done():
            return Answer(action="accept")
        return Answer(action="cancel") if asking.cancelled() else asking.result()

    async def progress(self, progress: float, total: float | None, message: str | None) -> None:
        """Take note of a progress notification (MCP specification, basic/utilities/progress)."""
        if self.deadline is not None:
            self.deadline.restart()
        self.place.progress(self.what, progress, total, message)

    def fail(self, error: BaseException) -> None:
        """End the call by an error."""
        self.failure = error
        if self.deadline is not None:
            self.deadline.end()

    async def end(self, reason: str | None) -> None:
        """Take back the questions that are still open, and wait until the asker has seen it.

        Args:
            reason: Why, for the person; None when the person did it.
        """
        asking, self._asking = self._asking, set()
        for task in asking:
            task.cancel(reason)
        if asking:
            await asyncio.wait(asking, timeout=_END_SECONDS)

    async def _answer(self, question: Question) -> Answer | None:
        try:
            with self.deadline.held() if self.deadline is not None else nullcontext():
                answer = await self.place.ask(question)
        except asyncio.CancelledError:
            raise
        except BaseException as error:  # a KeyboardInterrupt let out of a task would end the whole loop
            self.fail(error)
            return None
        visit = question.visit
        if answer.action != "accept" and visit is not None and visit.server_waits and visit.consented.is_set():
            problem = f"{self.what}: you cancelled it while {question.server} waited for you to finish on its page"
            self.fail(ServerError(question.server, problem))
        return answer


class Elicitor:
    """Answers the elicitations of one connection.

    Args:
        server: The name the server is connected under.
        era: Gives the generation of the protocol in use.
    """

    def __init__(self, server: str, era: Callable[[], Era]) -> None:
        self._server = server
        self._era = era
        self._visits: weakref.WeakValueDictionary[str, Visit] = weakref.WeakValueDictionary()
        """The pages that people are asked to open now, by the server's id."""
        self.calls: list[Call] = []
        """The calls that are running, oldest first."""

    async def __call__(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult | ErrorData:
        """Answer one elicitation (MCP specification, client/elicitation)."""
        from mcp.types import INVALID_PARAMS, INVALID_REQUEST, ElicitResult, ErrorData

        call = self._call()
        if call is None or call.what in _QUIET:
            return ErrorData(code=INVALID_REQUEST, message="Nothing is running that this could belong to")
        if params.mode == "url":
            question = self.to_visit(call, params, server_waits=self._era() == "legacy")
        elif (fault := _fault(params.requested_schema)) is not None:
            return ErrorData(code=INVALID_PARAMS, message=fault)
        else:
            question = Question(
                server=self._server, tool=call.tool, message=params.message, schema=params.requested_schema
            )
        answer = await call.ask(question)
        if answer is None:
            return ErrorData(code=INVALID_REQUEST, message=_UNANSWERED)
        if answer.action != "accept" or question.mode == "url":
            return ElicitResult(action=answer.action)
        try:
            return ElicitResult(action="accept", content=sendable(answer.content or {}))
        except UsageError as error:
            call.fail(error)
        except ValueError:  # pydantic's, whose text holds the values
            msg = "the answer cannot be sent: values may be texts, numbers, booleans and lists of texts"
            call.fail(UsageError(msg))
        return ErrorData(code=INVALID_REQUEST, message=_UNANSWERED)

    async def put(self, question: Question) -> Answer | None:
        """Put a question of ours to the place of the call that is under way; None when it was not answered."""
        call = self._call()
        return None if call is None else await call.ask(question)

    async def by_user(self, work: Awaitable[R]) -> R | None:
        """Await something of the user's own for the call that is under way, while the server's clock stands still.

        Returns:
            What comes of it; None when it raised, which ends the call.
        """
        call = self._call()
        try:
            with call.deadline.held() if call and call.deadline else nullcontext():
                return await work
        except Exception as error:
            if call is not None:
                call.fail(error)
            return None

    def to_visit(self, call: Call, params: ElicitRequestURLParams, *, server_waits: bool) -> Question:
        """Make the question whether the person will open a page."""
        visit = Visit(server_waits=server_waits)
        if params.elicitation_id is not None:
            self._visits[params.elicitation_id] = visit
        return Question(
            server=self._server, tool=call.tool, message=params.message, mode="url", url=params.url, visit=visit
        )

    def completed(self, elicitation_id: str) -> None:
        """Take note of a notice that a page is done with; one that was not asked for here is ignored, as it must be."""
        if (visit := self._visits.pop(elicitation_id, None)) is not None:
            visit.completed.set()

    def _call(self) -> Call | None:
        current = _current.get()
        if current in self.calls:  # not so in the context of a connection that another call opened
            return current
        return self.calls[-1] if self.calls else None


class Dispatch(Protocol):
    """Answers whatever a server asks."""

    async def __call__(self, ctx: ClientRequestContext, request: InputRequest) -> InputResponse | ErrorData:
        """Answer it."""
        ...


def refusing(dispatch: Dispatch) -> Dispatch:
    """Give what answers a server that asks although elicitation was not declared to it: there is no such method.

    Args:
        dispatch: Answers what else a server asks.
    """

    async def refuse(ctx: ClientRequestContext, request: InputRequest) -> InputResponse | ErrorData:
        from mcp.types import METHOD_NOT_FOUND, ErrorData

        if request.method != "elicitation/create":
            return await dispatch(ctx, request)
        return ErrorData(
            code=METHOD_NOT_FOUND, message="Elicitation is turned off for this server", data=request.method
        )

    return refuse


def _fault(schema: Mapping[str, Any]) -> str | None:
    if schema.get("type") != "object":
        return 'requestedSchema must have "type": "object"'
    properties = cast("object", schema.get("properties"))
    if not isinstance(properties, dict):
        return 'requestedSchema must have "properties", an object'
    return None
