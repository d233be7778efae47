"""Characters that a person can't see and a model reads: made visible, and told of."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import cast

_EXCERPT = 120
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_EMOJI_STYLE = frozenset("\ufe0e\ufe0f")


def visible(text: str) -> str:
    r"""Write the characters of a text that can't be seen, or reorder what is seen, as `\u{HEX}`.

    Args:
        text: Untrusted text.

    Returns:
        The text with these written out: controls but tab and line ends, format characters (zero-width, bidirectional,
        tags), fillers, variation selectors, private and lone ones. Those that emoji and scripts need in the midst of
        their own are left.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"\\u{{{ord(character):X}}}" if _is_hidden(text, i) else character for i, character in enumerate(text)
    )


def is_hiding(text: str) -> bool:
    """Whether a text has such characters."""
    return not (text.isascii() and text.isprintable()) and any(_is_hidden(text, i) for i in range(len(text)))


def hidden_in(value: object, where: str = "") -> Iterator[str]:
    """Find the texts of a definition, names included, that hide something.

    Args:
        value: What JSON can carry.
        where: Its path, for people.

    Yields:
        Where each is, what surrounds the first such character, and what its tag characters spell (U+E0020 to U+E007E
        are ASCII that nobody sees).
    """
    if isinstance(value, str):
        if is_hiding(value):
            yield f"{where or 'text'}: {_excerpt(value)}"
    elif isinstance(value, Mapping):
        for name, part in cast("Mapping[str, object]", value).items():
            path = f"{where}.{visible(name)}" if where else visible(name)
            if is_hiding(name):
                yield f"{path[:200]}: in the name itself"
            yield from hidden_in(part, path)
    elif isinstance(value, list):
        for i, part in enumerate(cast("list[object]", value)):
            yield from hidden_in(part, f"{where}[{i}]")


def _excerpt(text: str) -> str:
    first = next(i for i in range(len(text)) if _is_hidden(text, i))
    shown = " ".join(visible(text[max(0, first - 20) : first + _EXCERPT]).split())[: 2 * _EXCERPT]
    spelled = "".join(chr(ord(each) - 0xE0000) for each in text if 0xE0020 <= ord(each) <= 0xE007E)
    return f"{shown} (spells: {spelled[:_EXCERPT]})" if spelled else shown


def _is_hidden(text: str, i: int) -> bool:
    character = text[i]
    if " " <= character <= "~" or character in "\n\t":
        return False
    before, after = text[i - 1 : i] if i else "", text[i + 1 : i + 2]
    if character == "\r":
        return after != "\n"
    if character in _EMOJI_STYLE:
        return not (before and (unicodedata.category(before)[0] == "S" or before in "0123456789#*"))
    if character in (_ZWJ, _ZWNJ):
        return not (_joins(before) and _joins(after))
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
        or character in _FILLERS
        or 0xFE00 <= ord(character) <= 0xFE0D
        or 0xE0100 <= ord(character) <= 0xE01EF
        or 0x180B <= ord(character) <= 0x180F
    )


def _joins(character: str) -> bool:
    """Whether a joiner has something to do beside it: a letter, mark or symbol beyond Latin."""
    return bool(character) and ord(character) > 0x2FF and (
        unicodedata.category(character)[0] in "LMS" and character not in _FILLERS
    )  # fmt: skip
