"""A company's own way in, made of the SDK's parts: its identity provider vouches for who is signed in there."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import httpx2
from mcp.client.auth.extensions.identity_assertion import IdentityAssertionOAuthProvider

ID_TOKEN = "urn:ietf:params:oauth:token-type:id_token"
ID_JAG = "urn:ietf:params:oauth:token-type:id-jag"
EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange"


class Memory:
    """Keeps a token for as long as the process lives."""

    def __init__(self) -> None:
        self.tokens: Any = None

    async def get_tokens(self) -> Any:
        return self.tokens

    async def set_tokens(self, tokens: Any) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> None:
        return None

    async def set_client_info(self, client_info: Any) -> None:
        pass


def by_the_company(url: str, context: Mapping[str, Any]) -> httpx2.Auth:
    """Sign in with the token of the company's identity provider."""
    server = urlsplit(url)
    where = f"{server.scheme}://{server.netloc}/.well-known/oauth-protected-resource{server.path}"
    with urllib.request.urlopen(where, timeout=20) as page:
        issuer = json.load(page)["authorization_servers"][0]

    async def vouched(audience: str, resource: str) -> str:
        asked = {
            "grant_type": EXCHANGE,
            "requested_token_type": ID_JAG,
            "subject_token": context["idp_id_token"],
            "subject_token_type": ID_TOKEN,
            "audience": audience,
            "resource": resource,
            "client_id": context["idp_client_id"],
        }
        with urllib.request.urlopen(context["idp_token_endpoint"], urlencode(asked).encode(), timeout=20) as page:
            return json.load(page)["access_token"]

    return IdentityAssertionOAuthProvider(
        url,
        Memory(),
        context["client_id"],
        context["client_secret"],
        issuer,
        vouched,
        token_endpoint_auth_method="client_secret_basic",
    )
