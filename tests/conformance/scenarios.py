"""The client scenarios of the official conformance suite, and what this package makes of them."""

from __future__ import annotations

SCENARIOS: dict[str, str] = {
    "initialize": "2025-06-18 2025-11-25",
    "tools_call": "2025-06-18 2025-11-25 2026-07-28",
    "elicitation-sep1034-client-defaults": "2025-11-25",
    "sse-retry": "2025-11-25",
    "request-metadata": "2026-07-28",
    "sep-2322-client-request-state": "2026-07-28",
    "http-standard-headers": "2026-07-28",
    "http-custom-headers": "2026-07-28",
    "http-invalid-tool-headers": "2026-07-28",
    "json-schema-ref-no-deref": "2026-07-28",
    "json-schema-2020-12-preservation": "2025-11-25 2026-07-28",
    "auth/metadata-default": "2025-11-25 2026-07-28",
    "auth/metadata-var1": "2025-11-25 2026-07-28",
    "auth/metadata-var2": "2025-11-25 2026-07-28",
    "auth/metadata-var3": "2025-11-25 2026-07-28",
    "auth/basic-cimd": "2025-11-25 2026-07-28",
    "auth/scope-from-www-authenticate": "2025-11-25 2026-07-28",
    "auth/scope-from-scopes-supported": "2025-11-25 2026-07-28",
    "auth/scope-omitted-when-undefined": "2025-11-25 2026-07-28",
    "auth/scope-step-up": "2025-11-25 2026-07-28",
    "auth/scope-retry-limit": "2025-11-25 2026-07-28",
    "auth/token-endpoint-auth-basic": "2025-06-18 2025-11-25 2026-07-28",
    "auth/token-endpoint-auth-post": "2025-06-18 2025-11-25 2026-07-28",
    "auth/token-endpoint-auth-none": "2025-06-18 2025-11-25 2026-07-28",
    "auth/pre-registration": "2025-11-25 2026-07-28",
    "auth/2025-03-26-oauth-metadata-backcompat": "2025-03-26",
    "auth/2025-03-26-oauth-endpoint-fallback": "2025-03-26",
    "auth/resource-mismatch": "2026-07-28",
    "auth/offline-access-scope": "2026-07-28",
    "auth/offline-access-not-supported": "2026-07-28",
    "auth/authorization-server-migration": "2026-07-28",
    "auth/iss-supported": "2026-07-28",
    "auth/iss-not-advertised": "2026-07-28",
    "auth/iss-supported-missing": "2026-07-28",
    "auth/iss-wrong-issuer": "2026-07-28",
    "auth/iss-unexpected": "2026-07-28",
    "auth/iss-normalized": "2026-07-28",
    "auth/metadata-issuer-mismatch": "2026-07-28",
    "auth/client-credentials-jwt": "extension",
    "auth/client-credentials-basic": "extension",
    "auth/enterprise-managed-authorization": "extension",
    "auth/wif-jwt-bearer": "extension",
    "auth/dpop": "extension",
    "auth/dpop-nonce": "extension",
    "sep-2640-client-no-prefetch": "extension",
    "sep-2640-client-verify-digest": "extension",
    "sep-2640-client-verify-size": "extension",
    "sep-2640-client-verify-frontmatter": "extension",
}
"""Each with the revisions of the specification that it is for, as the suite lists them."""

NOT_OFFERED = {
    "auth/dpop": "neither the SDK nor httpx2 has DPoP, and a proof for each request is not ours to write",
    "auth/dpop-nonce": "as `auth/dpop`",
    **dict.fromkeys(
        (name for name in SCENARIOS if name.startswith("sep-2640-")),
        "the suite skips it for a client that lists no skills",
    ),
}
"""Scenarios that are not run, each with the reason."""

REFUSING = frozenset(
    f"auth/{name}"
    for name in (
        *("iss-normalized", "iss-supported-missing", "iss-unexpected", "iss-wrong-issuer"),
        *("metadata-issuer-mismatch", "resource-mismatch", "scope-retry-limit"),
    )
)
"""Scenarios in which the client must not get in."""

REMARKS = {
    "elicitation-sep1034-client-defaults": "the defaults of a form are sent as an untouched Submit sends them",
    "sep-2322-client-request-state": (
        "a result that does not say of what kind it is, is taken as complete, which the SDK (mcp 2.3.0) does not do"
    ),
    "auth/basic-cimd": "`Auth(client_metadata_url=…)`",
    "auth/pre-registration": "`Auth(client_id=…, client_secret=…)`",
    "auth/client-credentials-basic": "`Auth(…, client_credentials=True)`",
    "auth/client-credentials-jwt": "`Auth(…, private_key=…, client_credentials=True)`",
    "auth/wif-jwt-bearer": "`Auth(client_id=…, assertion=…)`",
    "auth/enterprise-managed-authorization": (
        "with the SDK's `IdentityAssertionOAuthProvider`, given as `connect(…, auth=…)`, which takes any `httpx2.Auth`"
    ),
    **dict.fromkeys(REFUSING, "the client does not go in, as it must not"),
}
