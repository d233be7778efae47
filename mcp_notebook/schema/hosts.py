"""The host of a URL: the address that a browser goes to, and how a person reads it.

Follows the URL Standard (url.spec.whatwg.org, "host parsing") as far as names go that people use, and is stricter.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from ipaddress import AddressValueError, IPv4Address, IPv6Address

_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ASCII_LABEL = re.compile(r"[a-z0-9_-]{1,63}")
_READABLE = frozenset({"Ll", "Lo", "Lm", "Mn", "Mc", "Nd", "No", "So"})
_MAX_HOST = 253
_ACE = "xn--"
"""How a label begins that stands for letters beyond ASCII (RFC 5890)."""
_MINGLED = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO"})
"""Scripts that are written together with each other, and with Latin."""


class BadHost(ValueError):  # noqa: N818 (says what it is about)
    """A host that can't be, or that could be taken for another; the message is a clause that follows "it"."""


@dataclass(frozen=True, kw_only=True)
class Host:
    """The host of a URL."""

    address: str
    """As a browser goes there: lower-case ASCII, or an IP address in its usual form."""
    reading: str
    """As it reads with letters beyond ASCII: the same as `address` where it has none."""
    is_loopback: bool
    """Whether it is the computer itself that the browser runs on."""
    warnings: tuple[str, ...] = ()


def host_of(text: str) -> Host:
    """Read a host.

    Args:
        text: What stands in the URL, without user and port.

    Raises:
        BadHost: It can't be read, or not in one way only.
    """
    if text.startswith("["):
        return _ipv6(text)
    # NFKC is what browsers do as well: fullwidth letters and digits, and other full stops, become the usual ones.
    name = unicodedata.normalize("NFKC", text.lower()).lower().replace("\u3002", ".")
    labels = name.removesuffix(".").split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    readings = [_reading(label) for label in labels]
    reading = ".".join(readings)
    address = ".".join(map(_address, readings)) + "." * name.endswith(".")
    if len(address) > _MAX_HOST:
        raise BadHost("names a host that is too long")
    is_loopback = address.removesuffix(".").rpartition(".")[2] == "localhost"
    return Host(address=address, reading=reading, is_loopback=is_loopback, warnings=_warnings(address, readings))


def _ipv6(text: str) -> Host:
    try:
        if not text.endswith("]") or "%" in text:
            raise AddressValueError
        ip = IPv6Address(text[1:-1])
    except AddressValueError:
        raise BadHost("has an IPv6 address that can't be read") from None
    return _ip(ip, f"[{ip}]")


def _ipv4(labels: list[str]) -> Host:
    """Read the forms of an IPv4 address that browsers take: 127.1, 0x7f.0.0.1, 017700000001, 2130706433."""
    try:
        *first, last = [_number(label) for label in labels]
        if len(first) > 3 or any(number > 255 for number in first) or last >= 256 ** (4 - len(first)):
            raise ValueError
        number = last + sum(number * 256 ** (3 - place) for place, number in enumerate(first))
    except ValueError:
        raise BadHost("has an IP address that can't be read") from None
    return _ip(IPv4Address(number), str(IPv4Address(number)))


def _number(label: str) -> int:
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    if not (label.isascii() and label.isdigit()) or len(label) > 12:
        raise ValueError
    return int(label, 8 if label[0] == "0" else 10)


def _ip(ip: IPv4Address | IPv6Address, address: str) -> Host:
    warnings = () if ip.is_loopback else ("It is a bare IP address: no name says whose it is.",)
    return Host(address=address, reading=address, is_loopback=ip.is_loopback, warnings=warnings)


def _reading(label: str) -> str:
    """A label as it reads, decoded from punycode where it is in that."""
    if label.isascii():
        if not _ASCII_LABEL.fullmatch(label):
            raise BadHost("names a host that can't exist")
        if not label.startswith(_ACE):
            return label
        try:
            reading = label.removeprefix(_ACE).encode().decode("punycode")
        except ValueError:
            raise BadHost("names a host whose punycode can't be read") from None
        if _address(reading) != label or unicodedata.normalize("NFKC", reading.lower()) != reading:
            raise BadHost("names a host whose punycode can't be read")
    else:
        reading = label
    if not all(character == "-" or unicodedata.category(character) in _READABLE for character in reading):
        raise BadHost("names a host with characters that can be taken for others")
    return reading


def _address(reading: str) -> str:
    address = reading if reading.isascii() else f"{_ACE}{reading.encode('punycode').decode()}"
    if len(address) > 63:
        raise BadHost("names a host that is too long")
    return address


def _warnings(address: str, readings: list[str]) -> tuple[str, ...]:
    warnings: list[str] = []
    if not all(map(str.isascii, readings)):
        warnings.append(
            f"Its name has letters that may only look like others: it reads {'.'.join(readings)}, and is {address}."
        )
    for reading in readings:
        scripts = {unicodedata.name(each, "?").split()[0] for each in reading if each.isalpha()}
        if len(scripts) > 1 and not scripts - {"LATIN"} <= _MINGLED:
            told = " and ".join(sorted(script.capitalize() for script in scripts))
            warnings.append(f"It mixes letters of several alphabets ({told}), as imitations of other names do.")
            break
    return tuple(warnings)
