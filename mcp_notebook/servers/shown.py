"""What of a server may be shown to people: no secrets, no control characters, not too long."""

from __future__ import annotations

import re
import shlex
import sys
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
    return "in this process" if spec.transport == "in-process" else escaped(_whole(spec, spec.command), 200)


def identity(spec: ServerSpec) -> str:
    """Say what a server is, for a file to keep and compare: as `target`, but whole, and the same on other computers.

    The Python of this environment is "python", wherever it is; a server in this process goes by its own name.
    """
    if spec.transport == "in-process":
        return f"in process: {getattr(spec.server, 'name', '')}"
    program = ("python",) if spec.command[:1] == (sys.executable,) else spec.command[:1]
    return _whole(spec, (*program, *spec.command[1:]))


def _whole(spec: ServerSpec, command: tuple[str, ...]) -> str:
    shown = " ".join(_masked_arguments(command)) if spec.url is None else _masked_url(spec.url)
    return masked(spec, shown).replace("\n", "\\n")


def masked(spec: ServerSpec, text: str) -> str:
    """Take the secrets of a spec out of a text: values of variables, headers and the URL's user and query."""
    secrets = [*spec.secrets, *spec.env.values(), *spec.headers.values()]
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
    written = "".join(_written_out(character) for character in text[: limit + 1])
    return written if len(written) <= limit else f"{written[: limit - 1]}…"


def _written_out(character: str) -> str:
    if character in "\n\t" or unicodedata.category(character)[0] != "C":
        return character
    return character.encode("unicode_escape", "backslashreplace").decode("ascii")


def _masked_url(url: str) -> str:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    pairs = [pair.partition("=") for pair in parts.query.split("&") if pair]
    query = "&".join(f"{name}={_MASK}" if equals else _MASK for name, equals, _ in pairs)
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def _masked_arguments(command: tuple[str, ...]) -> list[str]:
    """Quote as a shell does, and mask `--token=X`, `--token X` and `API_KEY=X`."""
    shown: list[str] = []
    secret_follows = False
    for argument in command:
        name, equals, _ = argument.partition("=")
        named = bool(_SECRET_WORD.search(name))
        if secret_follows and not argument.startswith("-"):
            shown.append(_MASK)
        elif named and equals:
            shown.append(f"{shlex.quote(name)}={_MASK}")
        else:
            shown.append(shlex.quote(argument))
        secret_follows = named and not equals and argument.startswith("-")
    return shown
