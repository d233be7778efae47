"""Who wants to know of a resource that changes, over all connections to its server."""

from __future__ import annotations

import asyncio
import contextvars
import threading
from collections.abc import Callable, Collection


class Subscription:
    """Has a function called whenever a resource has changed, until it is closed.

    A context manager as well, that closes it at the end. Made by `Server.subscribe`.

    Args:
        uri: The resource.
        callback: Runs on a thread of its own, in the context in which this is made: what it prints is seen in that
            cell. One call at a time: changes during one come to a single further call.
        end: Tells the server.
    """

    def __init__(self, uri: str, callback: Callable[[], object], end: Callable[[Subscription], None]) -> None:
        self.uri = uri
        self._callback = callback
        self._end = end
        self._context = contextvars.copy_context()
        self._lock = threading.Lock()
        self._running = self._again = self._closed = False

    def close(self) -> None:
        """Be told no more. More than once does no harm.

        Raises:
            ServerError: The server is there and would not have it.
        """
        with self._lock:
            closed, self._closed = self._closed, True
        if not closed:
            self._end(self)

    def tell(self) -> None:
        """Have the function called."""
        with self._lock:
            self._again = self._running
            if self._running or self._closed:
                return
            self._running = True
        work = self._context.copy().run
        threading.Thread(target=work, args=(self._run,), name=f"mcp-notebook: {self.uri}", daemon=True).start()

    def _run(self) -> None:
        try:
            self._callback()
        finally:  # also when it raises, which Python tells of as it does in any thread
            with self._lock:
                self._running = False
            if self._again:
                self.tell()

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<subscription to {self.uri}{', closed' if self._closed else ''}>"


class Subscriptions:
    """The subscriptions at one server. Used on the background loop."""

    def __init__(self) -> None:
        self.changed = asyncio.Event()
        """Set when others are subscribed to."""
        self._confirmed: dict[Subscription, asyncio.Future[bool]] = {}

    @property
    def uris(self) -> list[str]:
        """The resources that someone wants to know of."""
        return list(dict.fromkeys(subscription.uri for subscription in self._confirmed))

    def add(self, subscription: Subscription) -> asyncio.Future[bool]:
        """Take one in.

        Returns:
            In the modern era: whether the server agrees, once it has said so.
        """
        self._confirmed[subscription] = confirmed = asyncio.get_running_loop().create_future()
        self.changed.set()
        return confirmed

    def remove(self, subscription: Subscription) -> None:
        """Let one go, if it is there."""
        self._confirmed.pop(subscription, None)
        self.changed.set()

    def drop(self, uri: str) -> None:
        """Let all go that are about a resource."""
        for subscription in [each for each in self._confirmed if each.uri == uri]:
            self.remove(subscription)

    def agreed(self, asked: Collection[str], honored: Collection[str], *, missed: bool) -> None:
        """Take note of the resources that the server will tell of.

        Args:
            asked: Those that it was asked for.
            honored: Those of them that it agrees to.
            missed: Whether changes before now may not have been told.
        """
        for subscription, confirmed in self._confirmed.items():
            if subscription.uri in asked and not confirmed.done():
                confirmed.set_result(subscription.uri in honored)
            elif missed and subscription.uri in honored:
                subscription.tell()

    def refused(self, error: Exception) -> None:
        """Take note that the server will tell of nothing."""
        for confirmed in self._confirmed.values():
            if not confirmed.done():
                confirmed.set_exception(error)

    def tell(self, uri: str | None = None) -> None:
        """Tell of a resource that has changed, or of all that may have.

        The URI may be of a part of a resource that is subscribed to (MCP specification, server/resources,
        "Subscriptions").
        """
        for subscription in self._confirmed:
            if uri is None or uri == subscription.uri or uri.startswith(f"{subscription.uri.rstrip('/')}/"):
                subscription.tell()
