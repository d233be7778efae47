"""What was said so far, always such that a model's API takes it: every call has its answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from mcp_notebook.chat.turns import Asked, CallTurn, FormTurn, ModelTurn, Turn, UserTurn

LEFT_OUT = "(left out: it no longer fits in what the model can read)"
_WORTH = 200
"""Characters from which on a result is worth leaving out."""


class History:
    """The turns of a conversation.

    Args:
        turns: What it begins with.
    """

    def __init__(self, turns: Iterable[Turn] = ()) -> None:
        self.turns: list[Turn] = list(turns)
        self._from = 0
        self._left_out: set[int] = set()

    def add(self, turn: Turn) -> None:
        """Put a turn behind the others."""
        self.turns.append(turn)

    def cut(self, start: int) -> list[Turn]:
        """Take out the turns from a place on."""
        taken = self.turns[start:]
        del self.turns[start:]
        return taken

    def copy(self) -> History:
        """Give a copy that goes its own way."""
        copied = History(self.turns)
        copied._from, copied._left_out = self._from, set(self._left_out)
        return copied

    def for_model(self) -> Iterator[UserTurn | ModelTurn | CallTurn]:
        """Give the turns that a model is sent: all, as long as they fit."""
        for i, turn in enumerate(self.turns):
            if i >= self._from and not isinstance(turn, FormTurn):
                is_short = isinstance(turn, CallTurn) and i in self._left_out
                yield replace(turn, told=LEFT_OUT, images=()) if is_short else turn

    def shorten(self) -> bool:
        """Send less from now on: without the oldest long result, else without the oldest question and its answer.

        Returns:
            Whether there was anything left to leave out.
        """
        for i, turn in enumerate(self.turns):
            is_long = isinstance(turn, CallTurn) and (len(turn.told) > _WORTH or turn.images)
            if is_long and i >= self._from and i not in self._left_out:
                self._left_out.add(i)
                return True
        later = (i for i, turn in enumerate(self.turns) if i > self._from and isinstance(turn, UserTurn))
        self._from, before = next(later, self._from), self._from
        return self._from > before

    def messages(self) -> list[dict[str, Any]]:
        """Give all of it as data."""
        return [_message(turn) for turn in self.turns]


def settle(turn: ModelTurn, arguments: Sequence[str]) -> ModelTurn:
    """Give a turn with the arguments of its calls as they are to be sent back: JSON objects.

    Args:
        turn: What a model said.
        arguments: For each of its calls, the arguments; "{}" for what was none.
    """
    calls = [replace(call, arguments=each) for call, each in zip(turn.calls, arguments, strict=True)]
    by_id = {call.id: call.arguments for call in calls}
    items = [
        {**item, "arguments": by_id[item["call_id"]]} if item.get("type") == "function_call" else item
        for item in turn.items
    ]
    return replace(turn, calls=calls, items=items)


def _message(turn: Turn) -> dict[str, Any]:
    match turn:
        case UserTurn():
            return {"role": "user", "text": turn.text}
        case ModelTurn():
            calls = {"calls": [_asked(call) for call in turn.calls]} if turn.calls else {}
            return {"role": "assistant", "text": turn.text, **calls}
        case CallTurn(call=call):
            where = {"server": call.server, "tool": call.tool} if call.server else {"tool": call.name}
            known = {"id": call.id, **where, "arguments": dict(call.arguments)}
            return {"role": "tool", **known, "state": turn.state, "text": turn.told}
        case FormTurn():
            told = {"server": turn.server, "tool": turn.tool, "message": turn.message, "action": turn.action}
            role = "approval" if turn.approval else "form"
            return {"role": role, **told, **({} if turn.content is None else {"content": dict(turn.content)})}


def _asked(call: Asked) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": call.arguments}
