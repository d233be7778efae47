"""The names under which a model knows tools."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

MAX_NAME = 64
"""Characters of a function's name, which are letters, digits, "_" and "-" (OpenAI API reference, "tools")."""


def names_of(tools: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Give every tool a name of its own that a model can spell.

    The name is `SERVER__TOOL`; where that has other characters, is too long, or is that of another tool as well, it
    ends in a hash. It does not depend on the order of the tools.

    Args:
        tools: Each tool's server and name.

    Returns:
        The name by server and tool.
    """
    wanted = {each: f"{each[0]}__{each[1]}" for each in tools}
    spelt = {each: re.sub(r"[^a-zA-Z0-9_-]", "_", name) for each, name in wanted.items()}
    often = Counter(spelt.values())
    return {
        each: name if name == wanted[each] and len(name) <= MAX_NAME and often[name] == 1 else _hashed(name, each)
        for each, name in spelt.items()
    }


def _hashed(name: str, tool: tuple[str, str]) -> str:
    digest = hashlib.sha256("\0".join(tool).encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{name[: MAX_NAME - 9]}_{digest}"
