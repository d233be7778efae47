"""Names of a server as names of Python: `odd.name` becomes `odd_name`, `class` becomes `class_`."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Iterable

_NOT_IN_A_NAME = re.compile(r"\W+")


def python_names(names: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """Give each name one that Python can spell.

    A name that Python can spell stays as it is. In others, each run of what can't stand in a name becomes one
    underscore; one goes before a leading digit, and one after a keyword or what is taken. Of two that would come out
    the same, the later is numbered: `a_b`, `a_b_2`.

    Args:
        names: The server's names, each once.
        taken: Names that none may have.

    Returns:
        The server's names by Python's, in the order they came.
    """
    names = list(names)
    free = {name for name in names if _is_free(name, taken)}
    found: dict[str, str] = {}
    for name in names:
        if name in free:
            found[name] = name
            continue
        base = _spelled(name)
        base = base if _is_free(base, taken) else f"{base}_"
        python, number = base, 1
        while python in found or python in free or not _is_free(python, taken):
            number += 1
            python = f"{base}_{number}"
        found[python] = name
    return found


def _is_free(name: str, taken: Collection[str]) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name) and name not in taken


def _spelled(name: str) -> str:
    spelled = _NOT_IN_A_NAME.sub("_", name[:100])
    if not spelled.isidentifier():  # begins with a digit, or is empty
        spelled = f"_{spelled}"
    return spelled if spelled.isidentifier() else "_"
