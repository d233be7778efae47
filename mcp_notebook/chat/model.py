"""A model that is asked: one turn at a time, by the API that its endpoint has, with failures told for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from mcp_notebook.chat.endpoint import Endpoint, openai_package
from mcp_notebook.chat.history import History
from mcp_notebook.chat.offered import Function
from mcp_notebook.chat.turns import ModelTurn
from mcp_notebook.errors import ModelError

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

_TOO_LONG = ("context_length_exceeded", "exceed_context_size_error", "maximum context length", "context size")
_NO_RESPONSES = (404, 405, 501)


class Model:
    """A model at an endpoint; an async context manager, to be used on the background loop alone.

    Args:
        endpoint: How to reach it.
        api: Which API it was found to have, where that is known.
    """

    def __init__(self, endpoint: Endpoint, api: str | None = None) -> None:
        self.endpoint = endpoint
        self.api = api or endpoint.api
        self._client: AsyncOpenAI
        self._switched = False

    async def __aenter__(self) -> Model:
        openai = await openai_package()
        self._client = openai.AsyncOpenAI(base_url=self.endpoint.base_url, api_key=self.endpoint.key)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def turn(
        self, instructions: str, history: History, functions: Sequence[Function], on_text: Callable[[str], None]
    ) -> ModelTurn:
        """Let it say what it has to say next; what no longer fits is left out of the history, the oldest first.

        The arguments are those of `turn_by_completions`.

        Raises:
            ModelError: It can't be reached, refuses, or broke off.
        """
        import openai

        while True:
            try:
                turn = await self._take(instructions, history, functions, on_text)
            except openai.APIStatusError as error:
                if self._switches(error) or (_is_too_long(error) and history.shorten()):
                    continue
                raise ModelError(self._told(error)) from None
            except (openai.OpenAIError, ValueError) as error:
                raise ModelError(self._told(error)) from None
            if turn is None:
                told = f"{self.endpoint.told} broke off before its answer was over, or is no endpoint for models"
                raise ModelError(f"{told}. Ask again; what was said before is kept")
            return turn

    async def _take(self, *what: Any) -> ModelTurn | None:
        if self.api == "responses":
            from mcp_notebook.chat.responses import turn_by_responses

            return await turn_by_responses(self._client, self.endpoint.model, *what)
        from mcp_notebook.chat.completions import turn_by_completions

        return await turn_by_completions(self._client, self.endpoint.model, *what)

    def _switches(self, error: APIStatusError) -> bool:
        """Whether the other API is to be tried, once: this one is not there, or the model says that it wants that."""
        to = None
        if self.api == "responses" and error.status_code in _NO_RESPONSES and "model_not_found" not in _said(error):
            to = "completions"
        if self.api == "completions" and error.status_code == 400 and "/v1/responses" in _said(error):
            to = "responses"
        if to is None or self._switched:
            return False
        self._switched, self.api = True, to
        return True

    def _told(self, error: Exception) -> str:
        import openai

        told = self.endpoint.told
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return f"{told}: the key in OPENAI_API_KEY is refused"  # what it says may hold a part of the key
            case openai.NotFoundError():
                return f"{told}: there is no such model there; name another with --model NAME"
            case openai.RateLimitError():
                return f"{told}: too many requests, or nothing left to spend; ask again later. {self._said(error)}"
            case openai.APITimeoutError():
                return f"{told} did not answer in time; ask again"
            case openai.APIConnectionError():
                return f"{told} can't be reached. Is it running, and is OPENAI_BASE_URL right?"
            case openai.APIStatusError() if _is_too_long(error):
                return f"{told}: the question is too long for it"
            case openai.APIStatusError():
                return f"{told} refuses ({error.status_code}): {self._said(error)}"
            case openai.APIError():  # an error in the midst of a stream
                return f"{told} broke off: {self._said(error)}. Ask again; what was said before is kept"
            case _:
                return f"{told} sent what can't be read ({type(error).__name__}). Is it an endpoint for models?"

    def _said(self, error: Exception) -> str:
        text = " ".join(str(getattr(error, "message", error)).split())[:500]
        return text.replace(self.endpoint.key, "•••") if self.endpoint.key != "none" else text


def _said(error: APIStatusError) -> str:
    return f"{error.code} {error.type} {error.message} {error.body}"


def _is_too_long(error: Exception) -> bool:
    said = f"{getattr(error, 'code', '')} {getattr(error, 'type', '')} {getattr(error, 'message', '')}".lower()
    return getattr(error, "status_code", 0) in (400, 413, 500) and any(each in said for each in _TOO_LONG)
