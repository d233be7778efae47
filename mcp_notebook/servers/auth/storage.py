"""Where tokens are kept: in a keyring where one is installed and works, else in a file that only its owner may read."""

from __future__ import annotations

import importlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.values import as_object

if TYPE_CHECKING:
    from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

_SERVICE = "mcp-notebook"


def tokens_file() -> Path:
    """The file for tokens, in the user's own folder for data."""
    from platformdirs import user_data_path

    return user_data_path("mcp-notebook", appauthor=False) / "tokens.json"


class Storage:
    """What is kept of one sign-in, by the server's URL; the SDK's `TokenStorage`.

    The credentials of a registered client carry the issuer that they were made by, and the SDK uses them and the tokens
    with that one alone (MCP specification, basic/authorization).

    Args:
        resource: The server's URL.
    """

    def __init__(self, resource: str) -> None:
        self._resource = resource

    async def get_tokens(self) -> OAuthToken | None:
        """Give the tokens, if there are any."""
        from mcp.shared.auth import OAuthToken

        kept = self.kept().get("tokens")
        return None if kept is None else OAuthToken.model_validate(kept)

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Keep tokens."""
        self._keep({**self.kept(), "tokens": tokens.model_dump(mode="json", exclude_none=True)})

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """Give the credentials of the registered client, if there are any."""
        from mcp.shared.auth import OAuthClientInformationFull

        kept = self.kept().get("client")
        return None if kept is None else OAuthClientInformationFull.model_validate(kept)

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Keep the credentials of a registered client."""
        self._keep({**self.kept(), "client": client_info.model_dump(mode="json", exclude_none=True)})

    def kept(self) -> dict[str, Any]:
        """Give all that is kept for this server."""
        ring = _keyring()
        text = ring.get_password(_SERVICE, self._resource) if ring else None
        found = json.loads(text) if text else _read().get(self._resource)
        return dict(as_object(found) or {})

    def forget(self) -> bool:
        """Forget the sign-in; whether there was one."""
        there = bool(self.kept())
        self._keep(None)
        return there

    def _keep(self, value: dict[str, Any] | None) -> None:
        ring = _keyring()
        if ring and value is not None:
            ring.set_password(_SERVICE, self._resource, json.dumps(value))
            return
        if ring and ring.get_password(_SERVICE, self._resource) is not None:
            ring.delete_password(_SERVICE, self._resource)
        whole = _read()
        whole.pop(self._resource, None)
        _write(whole if value is None else {**whole, self._resource: value})


def _keyring() -> Any:
    """The keyring, where the package is there and has a place of its own to keep things."""
    try:
        ring: Any = importlib.import_module("keyring")
    except ImportError:
        return None
    return ring if getattr(ring.get_keyring(), "priority", 0) >= 1 else None


def _read() -> dict[str, Any]:
    path = tokens_file()
    try:
        return dict(as_object(json.loads(path.read_text("utf-8"))) or {})
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        msg = f"{path} cannot be read ({type(error).__name__}): mend or remove it, then sign in again"
        raise UsageError(msg) from None


def _write(whole: dict[str, Any]) -> None:
    path = tokens_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, new = tempfile.mkstemp(dir=path.parent)  # of mode 0600
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump(whole, file)
    os.replace(new, path)
