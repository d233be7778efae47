"""What the cursor is in, in a piece of Python that is not finished. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_STRING = re.compile(r"(?i:[rbfu]{0,2})(\"\"\"|'''|\"|')")
_NAME = re.compile(r"[^\W\d]\w*")
_CALLEE = re.compile(r"[^\W\d]\w*(?:\s*\.\s*[^\W\d]\w*|\([^()]*\)|\[[^\[\]]*\])*\s*$")


@dataclass
class Spot:
    """Where the cursor is."""

    callee: str = ""
    """The expression before the innermost bracket that is open; "" where there is none."""
    bracket: str = ""
    """That bracket: "(" or "["."""
    given: list[str] = field(default_factory=list[str])
    """The names of the arguments that are written already, "" for one without a name."""
    values: list[str] = field(default_factory=list[str])
    """What is written for each of them."""
    argument: str = ""
    """The argument that the cursor is in the value of, if it has a name."""
    quote: str = ""
    """The quote of the string that the cursor is in."""
    fragment: str = ""
    """What is written of the word or the string that the cursor is in."""
    before: str = ""
    """What stands before the fragment, up to the bracket or the line's beginning."""


def spot_of(text: str) -> Spot:
    """Find out where the cursor is.

    Args:
        text: The cell up to the cursor.
    """
    opened: list[tuple[str, int]] = []  # brackets, and where they stand
    commas: list[list[int]] = []
    at, quote, string_at = 0, "", 0
    while at < len(text):
        char = text[at]
        if char == "#":
            end = text.find("\n", at)
            if end < 0:
                return Spot()  # in a comment
            text = f"{text[:at]}{' ' * (end - at)}{text[end:]}"
            at = end
        elif (opening := _STRING.match(text, at)) is not None:
            quote, string_at = opening[1], at
            at = _end(text, opening.end(), quote)
            if at < 0:
                break
            quote = ""
            continue
        elif (name := _NAME.match(text, at)) is not None:
            at = name.end()
            continue
        elif char in "([{":
            opened.append((char, at))
            commas.append([at])
        elif char in ")]}" and opened:
            opened.pop()
            commas.pop()
        elif char == "," and opened:
            commas[-1].append(at)
        at += 1
    begins = string_at if quote else len(text) - len(_tail(text))
    fragment = text[string_at:] if quote else text[begins:]
    spot = Spot(quote=quote, fragment=fragment)
    if not opened:
        spot.before = text[text.rfind("\n", 0, begins) + 1 : begins]
        return spot
    spot.bracket, start = opened[-1]
    callee = _CALLEE.search(text[:start])
    spot.callee = callee[0].strip() if callee else ""
    *ends, last = [*commas[-1][1:], begins]
    parts = [text[begin + 1 : end] for begin, end in zip(commas[-1], [*ends, last], strict=True)]
    for part in parts[:-1]:
        named = re.match(r"\s*([^\W\d]\w*)\s*=(?!=)(.*)", part, re.DOTALL)
        spot.given.append(named[1] if named else "")
        spot.values.append((named[2] if named else part).strip())
    named = re.fullmatch(r"\s*([^\W\d]\w*)\s*=\s*", parts[-1])
    spot.argument = named[1] if named else ""
    spot.before = parts[-1]
    return spot


def _tail(text: str) -> str:
    """The part of a name that ends the text."""
    return re.search(r"\w*$", text)[0]  # pyright: ignore[reportOptionalSubscript] (it always matches)


def _end(text: str, at: int, quote: str) -> int:
    """Where a string that has begun is over; -1 where it is not."""
    while at < len(text):
        if text[at] == "\\":
            at += 2
        elif text.startswith(quote, at):
            return at + len(quote)
        elif text[at] == "\n" and len(quote) == 1:
            return at  # never closed: the cursor is in a later line
        else:
            at += 1
    return -1
