r"""Where a URL leads that a server wants a person to open: read as a browser reads it, or refused.

A browser forgives much that a person can't see: it drops tabs, takes `\` for `/`, and reads `2130706433` as an IP
address. What is shown must be where the link leads, so whatever is read in two ways is refused, and the link is made
anew from what was understood. MCP specification, client/elicitation, "Safe URL Handling".
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import quote

from mcp_notebook.schema.hosts import BadHost, Host, host_of

MAX_CHARACTERS = 16_384
"""A URL has to be shown whole, and nobody can read a longer one."""

_URL = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*):(?P<rest>.*)", re.DOTALL)
_REST = re.compile(r"//(?P<authority>[^/?#]+)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?", re.DOTALL)
_PORT = re.compile(r":([0-9]*)\Z")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"})
"""Categories of characters that a person can't see, or that move others about."""
_KEPT = "!#$%&'()*+,/:;=?@[]~"
_SHOWN = 500
_MASK = "•••"


class RefusedUrl(ValueError):  # noqa: N818 (says what it is about)
    """Nobody is asked to open this URL; the message says why, in a clause that follows "it"."""


@dataclass(frozen=True, kw_only=True)
class Link:
    """A URL that a person may be asked to open."""

    scheme: str
    user: str
    """What stands before the @, or nothing."""
    host: Host
    port: str
    path: str
    query: str
    """With its question mark, or nothing."""
    fragment: str
    """With its number sign, or nothing."""
    warnings: tuple[str, ...]
    """What a person should know before going there: a sentence each."""

    @property
    def before(self) -> str:
        """What of the URL comes before its host."""
        return f"{self.scheme}://{self.user}{'@' if self.user else ''}"

    @property
    def after(self) -> str:
        """What of the URL follows its host."""
        return f"{self.port and ':'}{self.port}{self.path}{self.query}{self.fragment}"

    @property
    def href(self) -> str:
        """The whole URL, in ASCII: every reader takes it the same way."""
        return f"{self.before}{self.host.address}{self.after}"

    @property
    def masked(self) -> str:
        """The URL with nothing in it that may be secret, to be kept: no user, no values of the query, no fragment."""
        pairs = [pair.partition("=") for pair in self.query[1:].split("&") if pair]
        query = "&".join(f"{name}={_MASK}" if equals else _MASK for name, equals, _ in pairs)
        user = f"{_MASK}@" if self.user else ""
        fragment = f"#{_MASK}" if self.fragment else ""
        port = f"{self.port and ':'}{self.port}"
        return f"{self.scheme}://{user}{self.host.address}{port}{self.path}{query and '?'}{query}{fragment}"


def link_of(url: str) -> Link:
    """Judge a URL that a server wants a person to open.

    Args:
        url: The URL, as the server sent it.

    Raises:
        RefusedUrl: It is not opened, whatever the person says.
    """
    if len(url) > MAX_CHARACTERS:
        raise RefusedUrl(f"has {len(url):,} characters, and must be shown whole before it is opened")
    for character in url:
        if character == "\\" or unicodedata.category(character) in _UNSEEN:
            raise RefusedUrl(f"holds the character U+{ord(character):04X}, which can hide where it leads")
    parts = _URL.fullmatch(url)
    if parts is None:
        raise RefusedUrl("is no full web address")
    scheme = parts["scheme"].lower()
    if scheme not in ("https", "http"):
        raise RefusedUrl(f"begins with {scheme[:40]}:, and only https: and http: are opened")
    rest = _REST.fullmatch(parts["rest"])
    if rest is None:
        raise RefusedUrl("names no host")
    user, _, place = rest["authority"].rpartition("@")
    name, port = _port(place)
    try:
        host = host_of(name)
    except BadHost as reason:
        raise RefusedUrl(str(reason)) from None
    return Link(
        scheme=scheme,
        user=quote(user, _KEPT.replace("@", "")),
        host=host,
        port=port,
        path=quote(rest["path"], _KEPT),
        query=quote(rest["query"] or "", _KEPT),
        fragment=quote(rest["fragment"] or "", _KEPT),
        warnings=_warnings(scheme, user, host, port),
    )


def refusal_of(url: str) -> str | None:
    """Why a URL is not opened, as a clause that follows "it"; None for one that may be."""
    try:
        link_of(url)
    except RefusedUrl as reason:
        return str(reason)
    return None


def visible(url: str) -> str:
    """A URL that may be refused, with what can't be seen in it written out, and bounded: only to be shown."""
    shown = url[:_SHOWN].encode("unicode_escape", "backslashreplace").decode("ascii")
    return shown if len(url) <= _SHOWN else f"{shown}… ({len(url):,} characters)"


def masked_url(url: str) -> str:
    """A URL fit to be kept, without what may be secret; of one that is refused no more than its scheme."""
    try:
        return link_of(url).masked
    except RefusedUrl:
        parts = _URL.match(url)
        return f"{parts['scheme'][:40]}:{_MASK}" if parts else _MASK


def _port(place: str) -> tuple[str, str]:
    found = _PORT.search(place)
    if found is None:
        return place, ""
    port = found[1] and str(int(found[1][:6]))
    if port and (len(found[1]) > 5 or int(port) > 65535):
        raise RefusedUrl("names a port that does not exist")
    return place[: found.start()], port


def _warnings(scheme: str, user: str, host: Host, port: str) -> tuple[str, ...]:
    warnings = list(host.warnings)
    if user:
        warnings.insert(0, f"What stands before the @ is not where it leads. It leads to {host.address}.")
    if scheme == "http" and not host.is_loopback:
        warnings.append("It is not encrypted (http): others on the way can read what you enter there.")
    if port not in ("", "443" if scheme == "https" else "80") and not host.is_loopback:
        warnings.append(f"Its port is unusual: {port}.")
    return tuple(warnings)
