"""Signing in by a JWT that vouches for a workload: the jwt-bearer grant (RFC 7523, section 2.1)."""

from __future__ import annotations

import httpx2
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.shared.auth import JWT_BEARER_GRANT_TYPE, OAuthClientInformationFull, OAuthClientMetadata


class FederatedProvider(OAuthClientProvider):
    """Exchanges a JWT for a token, where the server says that tokens are to be had.

    Args:
        url: The server's URL.
        storage: Keeps the token.
        client_id: The client's id.
        assertion: The JWT.
        scope: The scopes to ask for.
    """

    def __init__(self, url: str, storage: TokenStorage, client_id: str, assertion: str, scope: str | None) -> None:
        grants = [JWT_BEARER_GRANT_TYPE]
        super().__init__(url, OAuthClientMetadata(redirect_uris=None, grant_types=grants, scope=scope), storage)
        self._client = OAuthClientInformationFull(
            client_id=client_id, redirect_uris=None, grant_types=grants, token_endpoint_auth_method="none"
        )
        self._assertion = assertion

    async def _initialize(self) -> None:
        self.context.current_tokens = await self.context.storage.get_tokens()
        self.context.client_info = self._client
        self._initialized = True

    async def _perform_authorization(self) -> httpx2.Request:
        data = {
            "grant_type": JWT_BEARER_GRANT_TYPE,
            "assertion": self._assertion,
            "client_id": self._client.client_id or "",
        }
        if self.context.should_include_resource_param(self.context.protocol_version):
            data["resource"] = self.context.get_resource_url()
        if self.context.client_metadata.scope:
            data["scope"] = self.context.client_metadata.scope
        return httpx2.Request("POST", self._get_token_endpoint(), data=data)
