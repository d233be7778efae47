"""Requests that are signed side by side.

The SDK's provider (mcp 2.3.0, `mcp/client/auth/oauth2.py`, `_auth_flow`) holds its lock until the answer has come, so
that one call which takes long, or waits for a person, keeps all others of the connection waiting.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError


class Unlocked(httpx2.Auth):
    """Signs requests while there is nothing else to do, and leaves signing in to a provider.

    Args:
        provider: Signs in, one request at a time.
        on_failure: Is told why a sign-in did not work.
    """

    requires_response_body = False

    def __init__(self, provider: OAuthClientProvider, on_failure: Callable[[str], None]) -> None:
        self._provider = provider
        self._on_failure = on_failure
        self._begun = False

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """Sign a request, after signing in if the server asks for it."""
        context = self._provider.context
        begun, self._begun = self._begun, True  # the provider reads what is kept at its first request
        tokens = context.current_tokens
        if begun and (tokens is None or context.is_token_valid()):
            if tokens is not None:
                request.headers["Authorization"] = f"Bearer {tokens.access_token}"
            response = yield request
            if response.status_code not in (401, 403):
                return
        flow = self._provider.async_auth_flow(request)
        try:
            sent = await anext(flow)
            while True:
                response = yield sent
                sent = await flow.asend(response)
        except StopAsyncIteration:
            return
        except OAuthFlowError as error:  # let out here, it would end the connection, with all other calls on it
            self._on_failure(str(error) or type(error).__name__)
            yield request
        finally:
            await flow.aclose()
