"""What is known of a server for completion: at once, or after a moment's wait, and never with a question."""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from mcp_notebook.servers import loop
from mcp_notebook.servers.doing import Outcome, outcome_at
from mcp_notebook.servers.elicitation import Call
from mcp_notebook.servers.nobody import Nobody
from mcp_notebook.servers.offers import Completion, Kind, Offers
from mcp_notebook.servers.session import Session
from mcp_notebook.types import PromptInfo, ResourceInfo

R = TypeVar("R")

WAIT_SECONDS = 0.4
"""How long Tab waits for a server; what comes later is there for the next Tab."""
KEEP_SECONDS = 60.0
MAX_KEPT = 500

_NOBODY = Nobody("nobody is asked while something is completed")


class Hints:
    """Answers the questions of completion. May be used from any thread but the background loop's.

    Args:
        session: The server.
        offers: Lists what it offers.
    """

    def __init__(self, session: Session, offers: Offers) -> None:
        self._session = session
        self._offers = offers
        self._kept: OrderedDict[Any, tuple[float, concurrent.futures.Future[Outcome[Any]]]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def resources(self) -> Mapping[str, ResourceInfo]:
        """Its resources by URI, if they can be had in a moment."""
        return self._listed("resources")

    @property
    def templates(self) -> Mapping[str, ResourceInfo]:
        """Its templates of resources by URI, if they can be had in a moment."""
        return self._listed("templates")

    @property
    def prompts(self) -> Mapping[str, PromptInfo]:
        """Its prompts by name, if they can be had in a moment."""
        return self._listed("prompts")

    def values(
        self, argument: str, value: str, *, prompt: str | None = None, template: str = "", context: Mapping[str, str]
    ) -> list[str]:
        """Ask the server what an argument may be, if it can say so in a moment: see `Server.complete`."""
        asked = Completion(prompt=prompt, template=template, argument=argument, value=value, context=context)
        key = (prompt, template, argument, value, tuple(context.items()))
        return self._soon(key, lambda call: self._offers.complete(call, asked), list[str]())

    def _listed(self, kind: Kind) -> Mapping[str, Any]:
        known = self._offers.known(kind)
        key = (kind, *self._session.versions.values())
        return known if known is not None else self._soon(key, lambda call: self._offers.fetch(call, kind), {})

    def _soon(self, key: Any, work: Callable[[Call], Awaitable[R]], otherwise: R) -> R:
        """Give what comes of something if it is there, or comes in a moment; failures count as nothing."""
        if not self._session.alive:
            return otherwise
        with self._lock:
            began, future = self._kept.get(key, (0.0, None))
            failed = future is not None and future.done() and (future.cancelled() or future.exception() is not None)
            if future is None or failed or time.monotonic() > began + KEEP_SECONDS:
                future = loop.submit(outcome_at(_NOBODY, "completion/complete", work))
                self._kept[key] = time.monotonic(), future
                if len(self._kept) > MAX_KEPT:
                    self._kept.popitem(last=False)
        done, _ = concurrent.futures.wait([future], WAIT_SECONDS)
        if not done or future.cancelled() or future.exception() is not None:
            return otherwise  # the session keeps what went wrong: `Server.last_error`
        outcome: Outcome[R] = future.result()
        return otherwise if outcome[1] is not None else outcome[0]
