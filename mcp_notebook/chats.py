"""Conversations with models, for Python and for `%%mcp ask`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

from mcp_notebook.chat.approval import Approve
from mcp_notebook.chat.conversation import INSTRUCTIONS, MAX_STEPS, Ask, Conversation
from mcp_notebook.chat.stage import Nowhere, Stage
from mcp_notebook.chat.turns import Reply, Usage
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.place import CellPlace, places
from mcp_notebook.process import registry
from mcp_notebook.servers import loop
from mcp_notebook.servers.doing import not_on_the_loop
from mcp_notebook.servers.server import Server


class Chat:
    """A conversation with a model that may call the tools of the connected servers.

    Each question goes on from the ones before. Before a tool is called that may write, you are asked.

        chat = Chat(servers=["demo"])
        reply = chat.ask("Book a table for four")
        reply.text, reply.calls

    Args:
        model: The model's name, "local" for the tiny one, or "ollama/NAME"; None for that of MCP_NOTEBOOK_MODEL, or the
            endpoint's own. The endpoint is that of OPENAI_BASE_URL, else the OpenAI API, with OPENAI_API_KEY.
        servers: The names of the servers whose tools it may call; None for all that are connected when you ask.
        max_steps: How many times it may call tools before it has to conclude.
        approve: Which calls you are asked about: "writes" for all but those of tools that say that they only read, if
            you trust their server (`%mcp trust`); "always"; or "never".
        instructions: What it is told beforehand.
    """

    def __init__(
        self,
        model: str | None = None,
        *,
        servers: Sequence[str] | None = None,
        max_steps: int = MAX_STEPS,
        approve: Approve = "writes",
        instructions: str = INSTRUCTIONS,
    ) -> None:
        self.model = model
        self.servers = servers
        self.max_steps = max_steps
        self.approve: Approve = approve
        self.instructions = instructions
        self._conversation = Conversation()

    @staticmethod
    def current() -> Chat:
        """Give the conversation of `%%mcp ask`."""
        return current()

    def ask(self, prompt: str) -> Reply:
        """Ask, and wait for the answer, which shows in the cell as it comes.

        Args:
            prompt: What you say.

        Returns:
            The answer: `.text` and `.calls`.

        Raises:
            UsageError: There is no model to ask, or no such server.
            ModelError: The model can't be reached, refuses, or broke off; what was said until then is kept.
            ServerError: A server can't be reached.
            NoAnswerError: A tool asked something, or a call was to be agreed to, and there is nobody here.
            KeyboardInterrupt: You pressed Stop; the conversation can go on.
        """
        not_on_the_loop()
        place = _here()
        return _settled(place.wait(self._asked(prompt, place)))

    async def aask(self, prompt: str) -> Reply:
        """Do the same as `ask`, awaited."""
        place = _here()
        return _settled(await place.wait_async(self._asked(prompt, place)))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """All that was said, as data: what you asked, what the model said and called, what came of it, and forms.

        Each has a `role`: "user", "assistant", "tool", "approval" or "form"; secrets are masked.
        """
        return self._conversation.history.messages()

    @property
    def usage(self) -> Usage | None:
        """The tokens of all answers together, where the endpoint says them."""
        return self._conversation.usage

    def fork(self) -> Chat:
        """Give a copy of the conversation that goes its own way."""
        copy = Chat(
            self.model,
            servers=self.servers,
            max_steps=self.max_steps,
            approve=self.approve,
            instructions=self.instructions,
        )
        copy._conversation = self._conversation.fork()
        return copy

    def forget(self) -> None:
        """Begin anew: nothing that was said is kept."""
        self._conversation = Conversation()

    def __repr__(self) -> str:
        return f"<chat: {len(self.messages)} messages>"

    def _asked(self, prompt: str, place: CellPlace) -> Any:
        if not prompt.strip():
            raise UsageError("say what to ask")
        if self.max_steps < 1:
            raise UsageError("max_steps is 1 at least")
        if self.approve not in ("writes", "always", "never"):
            raise UsageError('approve is "writes", "always" or "never"')
        how = Ask(
            servers=self._servers,
            model=self.model,
            max_steps=self.max_steps,
            approve=self.approve,
            instructions=self.instructions,
        )
        return self._conversation.ask(prompt, how, place, _stage(place))

    def _servers(self) -> list[Server]:
        if self.servers is None:
            return [*registry().all()]
        return [registry().get(name) for name in self.servers]


@cache
def current() -> Chat:
    """Give the conversation of `%%mcp ask`."""
    return Chat()


def _here() -> CellPlace:
    place = places(loop.submit)()
    assert isinstance(place, CellPlace)
    return place


def _stage(place: CellPlace) -> Stage:
    shell: Any = sys.modules.get("IPython")
    if not place.has_widgets and (shell is None or shell.get_ipython() is None):  # a script
        return Nowhere()
    from mcp_notebook.notebook.talk import CellStage

    return CellStage(place)


def _settled(outcome: Reply | BaseException) -> Reply:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
