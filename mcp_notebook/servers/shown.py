"""What of a server may be shown to people: no secrets, no control characters, not too long."""

from __future__ import annotations

import re
import shlex
import unicodedata
from urllib.parse import urlsplit, urlunsplit

from mcp_notebook.types import ServerSpec

_MASK = "•••"
_SHORTEST_SECRET = 4
_SECRET_WORD = re.compile(r"token|key|secret|passw|pwd|auth|credential|bearer", re.IGNORECASE)


def target(spec: ServerSpec) -> str:
    """Say where a server is, for people to read: one line, secrets masked.

    Args:
        spec: How the server is reached.

    Returns:
        The URL without user and query values, the command with its secret arguments masked, or "in this process".
    """
    if spec.transport == "in-process":
        return "in this process"
    if spec.url is not None:
        return escaped(_masked_url(spec.url), 200)
    return escaped(masked(spec, shlex.join(_masked_arguments(spec.command))), 200)


def masked(spec: ServerSpec, text: str) -> str:
    """Take the secrets of a spec out of a text: values of variables, headers and the URL's user and query."""
    secrets = [*spec.env.values(), *spec.headers.values()]
    secrets += [word for value in spec.headers.values() for word in value.split()[1:]]  # "Bearer TOKEN"
    if spec.url is not None:
        parts = urlsplit(spec.url)
        secrets += [parts.username or "", parts.password or "", parts.query]
        secrets += [pair.partition("=")[2] for pair in parts.query.split("&")]
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, _MASK)
    return text


def escaped(text: str, limit: int) -> str:
    """Make a server's text fit to print: control and format characters written out, at most `limit` characters."""
    text = text if len(text) <= limit else f"{text[: limit - 1]}…"
    return "".join(_written_out(character) for character in text)


def _written_out(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character)[0] != "C":
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def _masked_url(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    query = re.sub(r"=[^&]*", f"={_MASK}", parts.query)
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def _masked_arguments(command: tuple[str, ...]) -> list[str]:
    """Mask `--token=X`, `--token X` and `API_KEY=X`."""
    shown: list[str] = []
    secret_follows = False
    for argument in command:
        name, equals, _ = argument.partition("=")
        named = bool(_SECRET_WORD.search(name))
        if secret_follows and not argument.startswith("-"):
            shown.append(_MASK)
        elif named and equals:
            shown.append(f"{name}={_MASK}")
        else:
            shown.append(argument)
        secret_follows = named and not equals and argument.startswith("-")
    return shown
