"""The calls of one turn: made, refused or skipped, and each of them answered."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from mcp_notebook.chat.approval import Approvals, Approve, question_of
from mcp_notebook.chat.offered import Function, Offer
from mcp_notebook.chat.stage import Stage
from mcp_notebook.chat.told import shortened, told_of
from mcp_notebook.chat.turns import Asked, Call, CallState, CallTurn
from mcp_notebook.errors import McpNotebookError, ToolError
from mcp_notebook.servers.doing import asked_at
from mcp_notebook.types import Place

SAME_CALL = 3
"""How often the very same call may be asked for in one answer; the last is not made, and the model has to conclude."""

_STOPPED = "Not done: the person stopped it."
_NAMES = 40


class Calls:
    """What is called for one answer.

    Args:
        offer: The tools that the model may call.
        place: Where servers ask what they need.
        stage: Where the calls are shown.
        approvals: What the person has agreed to.
        approve: Which calls the person is asked about.
        model: The model's name, for the person.
    """

    def __init__(
        self, offer: Offer, place: Place, stage: Stage, approvals: Approvals, approve: Approve, model: str
    ) -> None:
        self._offer = offer
        self._place = place
        self._stage = stage
        self._approvals = approvals
        self._approve: Approve = approve
        self._model = model
        self._seen = Counter[str]()
        self._raised: BaseException | None = None
        self.over: dict[str, CallTurn] = {}
        """The calls of this turn that are answered, by id."""
        self.stopped = False
        """Whether the person ended the answer from an approval."""
        self.circles = False
        """Whether the model has asked for the very same call once too often."""

    async def make(self, asked: Sequence[Asked]) -> BaseException | None:
        """Make the calls of a turn: those that need no approval at once, the others one by one.

        Returns:
            What the place raised when it was asked, such as a NoAnswerError; then the rest is not made.
        """
        self.over = {}
        self._raised = None
        tasks: list[asyncio.Task[None]] = []
        waiting: list[tuple[Call, Function]] = []
        try:
            for each in asked:
                call, function, problem = self._read(each)
                if function is None:
                    self._end(call, "refused", problem)
                elif self._approvals.needed(function, self._approve):
                    waiting.append((call, function))
                else:
                    tasks.append(asyncio.create_task(self._run(call, function)))
            for call, function in waiting:
                if self._raised is None and not self.stopped:
                    await self._decide(call, function)
            if self._raised is None and not self.stopped:
                await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return self._raised

    def settled(self, asked: Sequence[Asked]) -> Sequence[CallTurn]:
        """Give what the model is told of each call, in its order; of those that were cut off, that they were."""
        for each in asked:
            if each.id not in self.over:
                call, _, _ = self._read(each, counts=False)
                self._end(call, "stopped", _STOPPED)
        return [self.over[each.id] for each in asked]

    def _read(self, asked: Asked, *, counts: bool = True) -> tuple[Call, Function | None, str]:
        """Give the call that a model asks for, and the tool; or None and why it is not made."""
        function = self._offer.functions.get(asked.name)
        arguments = _arguments(asked.arguments)
        call = Call(
            id=asked.id,
            name=asked.name,
            server=function.server.name if function else "",
            tool=function.info.name if function else asked.name,
            arguments=arguments or {},
        )
        if function is None:
            names = ", ".join([*self._offer.functions][:_NAMES]) or "none"
            return call, None, f"There is no tool {asked.name[:100]}. The tools are: {names}."
        if arguments is None:
            return call, None, "Not done: the arguments are not a JSON object. Call it again with valid JSON."
        if counts:
            same = f"{asked.name} {json.dumps(arguments, sort_keys=True)}"
            self._seen[same] += 1
            if self._seen[same] >= SAME_CALL:
                self.circles = True
                return call, None, "Not done: you have made this very call before; its result stands above."
        return call, function, ""

    async def _decide(self, call: Call, function: Function) -> None:
        if not self._approvals.needed(function, self._approve):  # no more, after "Run all like this"
            return await self._run(call, function)
        question = question_of(function, call.arguments, self._model)
        answer, raised = await asked_at(self._place, question)
        if answer is None:
            self._raised = raised
            return None
        verdict = self._approvals.judge(function, call.arguments, answer)
        if not verdict.run:
            self.stopped = verdict.stop
            told = _STOPPED if verdict.stop else "Not done: the person declined this call."
            return self._end(call, "stopped" if verdict.stop else "skipped", told)
        if verdict.arguments == call.arguments:
            return await self._run(call, function)
        edited = json.dumps(verdict.arguments, ensure_ascii=False)
        call = replace(call, arguments=verdict.arguments)
        return await self._run(call, function, f"The person changed the arguments to {edited}.\n")

    async def _run(self, call: Call, function: Function, before: str = "") -> None:
        self._stage.call_started(call)
        started = time.monotonic()
        state: CallState = "done"
        try:
            result, raised = await function.server.call_for_model(self._place, call.tool, call.arguments)
        except ToolError as error:
            state, result, raised = "failed", error.result, None
        except McpNotebookError as error:  # gone, too slow, or arguments that it does not take: the model may go on
            self._end(call, "failed", f"{before}Failed: {shortened(str(error))}", time.monotonic() - started)
            return
        if result is None:
            self._raised = self._raised or raised
            return
        told, images = told_of(result)
        self._over(
            CallTurn(
                call=call,
                state=state,
                told=f"{before}{'Failed: ' if state == 'failed' else ''}{told}",
                images=images,
                result=result,
                seconds=time.monotonic() - started,
            )
        )

    def _end(self, call: Call, state: CallState, told: str, seconds: float = 0.0) -> None:
        self._over(CallTurn(call=call, state=state, told=told, seconds=seconds))

    def _over(self, turn: CallTurn) -> None:
        self.over[turn.call.id] = turn
        self._stage.call_over(turn)


def _arguments(text: str) -> dict[str, Any] | None:
    """Read a call's arguments; nothing at all means none."""
    if not text.strip():
        return {}
    try:
        value: Any = json.loads(text)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def sent_back(asked: Sequence[Asked]) -> list[str]:
    """Give each call's arguments as they are sent back to the model: "{}" for what is no JSON object."""
    return [json.dumps(found) if (found := _arguments(each.arguments)) is not None else "{}" for each in asked]
