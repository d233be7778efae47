"""How requests to a server are authorized: the SDK's OAuth, with the person's part put to whoever is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.auth.redirect import Redirect, result_of
from mcp_notebook.servers.auth.storage import Storage
from mcp_notebook.types import Answer, Auth, Question, ServerSpec, Visit

if TYPE_CHECKING:
    import httpx2
    from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider

Ask = Callable[[Question], Awaitable["Answer | None"]]
"""Puts a question to whoever made the call that is under way; None when that failed."""


class SignIn:
    """Signs in to one server, when it asks for that.

    Args:
        spec: How to reach it.
        ask: Puts a question to the person.
        on_failure: Is told why a sign-in did not work.
    """

    def __init__(self, spec: ServerSpec, ask: Ask, on_failure: Callable[[str], None]) -> None:
        self._on_failure = on_failure
        self._spec = spec
        self._ask = ask
        self._auth: Auth = spec.auth if isinstance(spec.auth, Auth) else Auth()
        self._storage = Storage(spec.url or "")
        self._redirect: Redirect | None = None
        self._url = ""

    def provider(self) -> httpx2.Auth | None:
        """Give what authorizes the requests; None where a header of the user's own does."""
        if self._spec.auth is not None and not isinstance(self._spec.auth, Auth):
            return self._spec.auth
        if any(name.lower() == "authorization" for name in self._spec.headers):
            return None
        from mcp_notebook.servers.auth.unlocked import Unlocked

        provider = self._by_credentials() if self._auth.client_credentials or self._auth.assertion else self._by_code()
        return Unlocked(provider, self._on_failure)

    def close(self) -> None:
        """Give back what it holds."""
        if self._redirect is not None:
            self._redirect.close()

    def _by_credentials(self) -> OAuthClientProvider:
        from mcp.client.auth.extensions.client_credentials import (
            ClientCredentialsOAuthProvider,
            PrivateKeyJWTOAuthProvider,
            SignedJWTParameters,
        )

        from mcp_notebook.servers.auth.federated import FederatedProvider

        auth, url = self._auth, self._spec.url or ""
        client_id = auth.client_id or ""
        if auth.assertion is not None:
            return FederatedProvider(url, self._storage, client_id, auth.assertion, auth.scope)
        if auth.private_key is not None:
            signed = SignedJWTParameters(
                issuer=client_id,
                subject=client_id,
                signing_key=auth.private_key,
                signing_algorithm=_algorithm(auth.private_key),
            )
            return PrivateKeyJWTOAuthProvider(
                url, self._storage, client_id, signed.create_assertion_provider(), scope=auth.scope
            )
        return ClientCredentialsOAuthProvider(url, self._storage, client_id, auth.client_secret or "", scope=auth.scope)

    def _by_code(self) -> OAuthClientProvider:
        from mcp.client.auth import OAuthClientProvider
        from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata
        from pydantic import AnyUrl

        kept = self._storage.kept().get("client", {})
        uris = kept.get("redirect_uris") or [""]
        self._redirect = Redirect(urlsplit(str(uris[0])).port or 0)
        uri = AnyUrl(self._redirect.uri)
        storage: Any = self._storage
        if self._auth.client_id is not None:
            method = "none" if self._auth.client_secret is None else "client_secret_basic"
            storage = _Registered(
                self._storage,
                OAuthClientInformationFull(
                    client_id=self._auth.client_id,
                    client_secret=self._auth.client_secret,
                    redirect_uris=[uri],
                    token_endpoint_auth_method=method,
                ),
            )
        elif kept and str(uris[0]) != self._redirect.uri:
            storage = _Registered(self._storage, None)  # its port is taken: register again
        return OAuthClientProvider(
            self._spec.url or "",
            OAuthClientMetadata(client_name="mcp-notebook", redirect_uris=[uri], scope=self._auth.scope),
            storage,
            redirect_handler=self._open,
            callback_handler=self._wait,
            client_metadata_url=self._auth.client_metadata_url,
        )

    async def _open(self, url: str) -> None:
        self._url = url  # opened by the person's click, and by nothing else

    async def _wait(self) -> AuthorizationCodeResult:
        """Ask the person to sign in, until the browser is back on loopback or they paste where it ended."""
        from mcp.client.auth import OAuthFlowError

        assert self._redirect is not None
        visit = Visit(server_waits=True)
        question = Question(
            server=self._spec.name,
            message="It wants you to sign in, on the page of its authorization server.",
            mode="url",
            url=self._url,
            visit=visit,
            own=True,
        )
        arriving = asyncio.ensure_future(self._redirect.arrived())
        asking = asyncio.ensure_future(_of(self._ask(question)))
        try:
            await asyncio.wait({arriving, asking}, return_when=asyncio.FIRST_COMPLETED)
            if not arriving.done():
                answer = asking.result()
                if answer is None or answer.action != "accept":
                    msg = "you did not sign in"
                    raise OAuthFlowError(msg)
                if address := (answer.content or {}).get("address"):
                    return result_of(address)
                await arriving
            visit.consented.set()
            visit.completed.set()
            await asyncio.wait({asking}, timeout=5)
            return result_of(arriving.result())
        finally:
            arriving.cancel()
            asking.cancel()


def _algorithm(private_key: str) -> str:
    """The algorithm that a key signs by (RFC 7518, section 3.1).

    Raises:
        UsageError: It is no private key in PEM.
    """
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(private_key.encode(), None)
    except (ValueError, TypeError):
        msg = "private_key is not a private key in PEM, without a passphrase"
        raise UsageError(msg) from None
    if isinstance(key, ec.EllipticCurvePrivateKey):
        return {256: "ES256", 384: "ES384", 521: "ES512"}.get(key.curve.key_size, "ES256")
    return "EdDSA" if isinstance(key, ed25519.Ed25519PrivateKey) else "RS256"


async def _of(answer: Awaitable[Answer | None]) -> Answer | None:
    return await answer


class _Registered:
    """A storage whose client is given beforehand.

    Args:
        storage: Keeps the tokens.
        client: The credentials; None to begin without any.
    """

    def __init__(self, storage: Storage, client: Any) -> None:
        self._storage = storage
        self._client = client

    async def get_client_info(self) -> Any:
        return self._client

    async def set_client_info(self, client_info: Any) -> None:
        self._client = client_info
        await self._storage.set_client_info(client_info)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)
