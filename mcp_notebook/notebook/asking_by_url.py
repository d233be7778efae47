"""Asking whether the person will open a page: show where it leads, and wait until they have been there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from mcp_notebook.notebook.asking_by_form import NO_WIDGETS, READY_SECONDS, STOPPED, join_round
from mcp_notebook.notebook.receipt import answered, unanswered
from mcp_notebook.notebook.rounds import silenced
from mcp_notebook.notebook.url_card import UrlCard
from mcp_notebook.types import Answer, Question, Visit

if TYPE_CHECKING:
    from mcp_notebook.notebook.place import CellPlace

_ACCEPT = Answer(action="accept")


async def ask_by_url(place: CellPlace, question: Question) -> Answer | None:
    """Show a card with a link in a cell and wait for what comes of it.

    Consent is the click on the link (MCP specification, client/elicitation, "Safe URL Handling"): `question.visit` is
    told at once. The answer comes when the person has been there, or the server says so, or its call ends meanwhile.

    Args:
        place: Where to show it.
        question: What the server asks.

    Returns:
        The answer; None when no live page has shown the card.

    Raises:
        CancelledError: The question was taken back before there was consent; its message may say why.
    """
    loop, visit = asyncio.get_running_loop(), question.visit or Visit()
    turn = await join_round(place, question)
    again = question.url in place.visited
    receipt, card = unanswered(question, STOPPED), None
    try:
        with place.showing(
            lambda: UrlCard(question, show=place.show, loop=loop, turn=turn, visit=visit, again=again)
        ) as card:
            answer = await _answer(card, question, visit)
            receipt = unanswered(question, NO_WIDGETS) if answer is None else answered(question, answer, ())
    except asyncio.CancelledError as taken_back:
        if not (visit.server_waits and visit.consented.is_set()):
            receipt = unanswered(question, *taken_back.args or (STOPPED,))
            raise
        answer = _ACCEPT  # which has gone out: that the call is over makes no difference to it
        receipt = answered(question, answer, ())
    finally:
        if card is not None:
            place.run(card.end, receipt, stays=place.is_captured)
    if answer == _ACCEPT:
        place.visited.add(question.url)
    return answer


async def _answer(card: UrlCard, question: Question, visit: Visit) -> Answer | None:
    if not await card.is_seen(READY_SECONDS):
        return None
    while True:
        press = await card.press()
        match press:
            case "opened":
                visit.consented.set()
                card.show_opened()
            case "accept" if question.own:
                if card.pasted:
                    return Answer(action="accept", content={"address": card.pasted})
            case "accept" | "completed":
                if visit.consented.is_set():
                    return _ACCEPT
            case "silence":
                silenced.add(question.server)
                return Answer(action="cancel")
            case "decline" | "cancel":
                return Answer(action=press)
