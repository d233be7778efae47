"""Numbers as people type them: taken in plain decimal notation, told what is wrong otherwise, never guessed at."""

from __future__ import annotations

import re
from decimal import Decimal

from mcp_notebook.schema.limits import MAX_NUMBER

_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,6})?", re.ASCII)
_MAX_LENGTH = 400
_TOO_LARGE = "is too large a number"


def parse_number(text: str, *, whole: bool) -> int | float:
    """Read a number.

    One rule for both kinds: optional sign, the digits 0 to 9 with at most one decimal point, optional exponent. For a
    whole number the *value* decides, as in JSON Schema: `3.0` is 3 and `1e3` is 1000, while `3.5` is refused.

    Args:
        text: What was typed; spaces around it don't count.
        whole: Whether it has to be a whole number; the result is then an int.

    Returns:
        An int or a finite float: an int whenever the text has neither point nor exponent.

    Raises:
        ValueError: It is none; the message says what is wrong ("must be …"), without repeating what was typed.
    """
    text = text.strip()
    if len(text) > _MAX_LENGTH:
        raise ValueError(_TOO_LARGE)
    if not _DECIMAL.fullmatch(text):
        raise ValueError(_complaint(text, whole=whole))
    exact = Decimal(text)
    if abs(exact) > Decimal(MAX_NUMBER):
        raise ValueError(_TOO_LARGE)
    if whole:
        if exact != exact.to_integral_value():
            msg = "must be a whole number, without decimals"
            raise ValueError(msg)
        return int(exact)
    if exact and not float(text):
        msg = "is too small a number"
        raise ValueError(msg)
    return float(text) if set(text) & set(".eE") else int(text)


def _complaint(text: str, *, whole: bool) -> str:
    must = "must be a whole number" if whole else "must be a number"
    if re.fullmatch(r"[+-]?[0-9]+(?:[_' \u00a0\u202f][0-9]+)+|[+-]?[0-9]{1,3}(?:,[0-9]{3})+", text):
        return f"{must}: write its digits without separators"
    if re.fullmatch(r"[+-]?[0-9]*,[0-9]+", text):
        return f"{must}, without decimals" if whole else f"{must}: write decimals with a point, not a comma"
    if any(c.isdecimal() and not c.isascii() for c in text):
        return f"{must}: write it with the digits 0 to 9"
    if re.fullmatch(r"[+-]?0[xXoObB][0-9a-fA-F]+", text):
        return f"{must}: write it in ordinary decimal digits"
    return must
