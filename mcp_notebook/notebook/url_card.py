"""A card that asks whether the person will open a page: where it leads, a link, and what to do afterwards.

The link is the only thing of a server's that can be clicked anywhere. Nothing but that click opens or fetches it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, Literal

import ipywidgets

from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.card import Card, Press, error_html
from mcp_notebook.notebook.rounds import Turn
from mcp_notebook.notebook.waiting import Display
from mcp_notebook.schema.urls import Link, RefusedUrl, link_of, refusal_of, visible
from mcp_notebook.types import Question, Visit

ELSEWHERE = "That is the computer your browser runs on. If the server runs on another one, nothing will answer there."

PASTE = (
    "If the page can't be reached in the end, as with a kernel on another computer: paste the whole address that your "
    "browser shows then. It is kept out of the notebook."
)


class UrlCard(Card):
    """The widgets of one question in URL mode, displayed as soon as it is made.

    Args:
        question: What the server asks.
        show: Shows a MIME bundle in the cell.
        loop: The loop on which `press` is awaited.
        turn: The question's place among the others of its call.
        visit: The way to the page.
        again: Whether the person has opened the same page for this call before.
    """

    def __init__(
        self,
        question: Question,
        *,
        show: Callable[[dict[str, str]], Display],
        loop: asyncio.AbstractEventLoop,
        turn: Turn,
        visit: Visit,
        again: bool,
    ) -> None:
        super().__init__(question, turn, loop)
        make = self._make
        self._visit = visit
        self._retry = self._button("I've done it: retry", "accept", "primary")
        self._decline = self._button("Decline", "decline")
        self._cancel = self._button("Cancel", "cancel")
        first = (self._retry,) if question.own else ()
        self._row = self._button_row((*first, self._decline, self._cancel))
        self._silence = self._row.children[len(first) + 2 :]
        self.pasted = ""
        """The address that the person has pasted."""
        self._paste: list[ipywidgets.DOMWidget] = []
        if question.own:
            hint = make(ipywidgets.HTML, value=_note(PASTE))
            self._paste = [hint, make(ipywidgets.Box, children=(), _dom_classes=("mcp-secret", "mcp-field"))]
            self._retry.description = "Go on with this address"
        self._state = make(ipywidgets.HTML, value=_note(_again(question)) if again else "")
        rows = [make(ipywidgets.HTML, value=self._head()), make(ipywidgets.HTML, value=_way(question.url or ""))]
        self._show(show, [*rows, self._state, *self._paste, self._row], classes=("mcp-url",))
        if again and not visit.server_waits:  # the person has agreed to this page, and may have finished there by now
            visit.consented.set()
            self._put_buttons()

    async def press(self) -> Press | Literal["opened", "completed"]:
        """Wait for what the person does next, or for the server to say that the page is done with."""
        message = asyncio.ensure_future(self._messages.get())
        completed = asyncio.ensure_future(self._completed())
        try:
            await asyncio.wait({message, completed}, return_when=asyncio.FIRST_COMPLETED)
            if not message.done():
                return "completed"
            self.pasted = "".join(message.result().get("secrets", ()))
            return message.result()["action"]
        finally:
            message.cancel()
            completed.cancel()

    def show_opened(self) -> None:
        """Show what to do once the link was clicked."""
        server = one_line(self._question.server)
        told = (
            f"Waiting for {server} to see you finish on the page."
            if self._visit.server_waits
            else "The page opens in a new tab. Finish there, then come back and retry."
        )
        self._state.value = _note(told)
        self._put_buttons()

    def _put_buttons(self) -> None:
        is_waiting = self._visit.server_waits and not self._question.own
        buttons = (self._cancel,) if is_waiting else (self._retry, self._decline, self._cancel)
        self._row.children = (*buttons, *self._silence)
        self.box.add_class("mcp-opened")

    async def _completed(self) -> None:
        await self._visit.consented.wait()  # a notice before that is none of an answer of the person's
        await self._visit.completed.wait()

    def _on_guard(self, _: Any, content: Mapping[str, Any], __: Any) -> None:
        if content.get("type") == "opened" and refusal_of(self._question.url or "") is None:
            self._put({"action": "opened"})
        super()._on_guard(_, content, __)


def _way(url: str) -> str:
    """Where a URL leads, and the link, as HTML; for one that is refused, why."""
    try:
        link = link_of(url)
    except RefusedUrl as reason:
        refusal = error_html(f"This address is not opened: it {reason}.")
        return f'<div class="mcp-address">{escape(visible(url))}</div>{refusal}'
    host = escape(link.host.address)
    warnings = "".join(f'<div class="mcp-warning">⚠ {escape(warning)}</div>' for warning in link.warnings)
    return (
        '<div class="mcp-hint">It asks you to open this page, in your own browser:</div>'
        f'<div class="mcp-address" tabindex="0">{escape(link.before)}<b>{host}</b>{escape(link.after)}</div>'
        f"{warnings}{_note(ELSEWHERE) if link.host.is_loopback else ''}{_anchor(link)}"
    )


def _anchor(link: Link) -> str:
    attributes = f'class="mcp-link" href="{escape(link.href)}" target="_blank" rel="noopener noreferrer"'
    return f"<div><a {attributes}>Open {escape(one_line(link.host.address, 80))} ↗</a></div>"


def _again(question: Question) -> str:
    return f"{one_line(question.server)} asks for the same page again: it has not seen you finish there."


def _note(text: str) -> str:
    return f'<div class="mcp-hint" role="status">{escape(text)}</div>'
