"""Text from a server, made fit to be shown as plain text."""

from __future__ import annotations

import re

# C0 and C1 controls but tab and newline, the bidirectional controls (they reorder what a person reads), the invisible
# tags and fillers that hide text, line separators, and lone surrogates (they can't be encoded).
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)


def plain(text: str, limit: int = 2000) -> str:
    """Take the characters out of `text` that a person can't see but a terminal or a page obeys, and bound it.

    Args:
        text: Untrusted text.
        limit: How many characters to keep.

    Returns:
        The text, on as many lines as it had, with an ellipsis where it was cut.
    """
    safe = _UNSAFE.sub("", text[: limit + 1000].replace("\r\n", "\n"))
    return safe if len(safe) <= limit and len(text) <= limit + 1000 else f"{safe[:limit]}…"


def one_line(text: str, limit: int = 200) -> str:
    """Like `plain`, on one line."""
    return plain(" ".join(text[: limit + 1000].split()), limit)


def escaped(json_text: str) -> str:
    r"""Write the unsafe characters of a JSON text, and its apostrophes, as `\uXXXX`.

    The text means the same then, and can be pasted between apostrophes.
    """
    return re.sub(f"{_UNSAFE.pattern}|'", _escape, json_text)


def _escape(match: re.Match[str]) -> str:
    units = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[i : i + 4]}" for i in range(0, len(units), 4))
