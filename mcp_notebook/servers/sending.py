"""What JSON can carry, checked before it goes out: the SDK loses the connection over a value that it cannot encode."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_notebook.errors import UsageError


def sendable(values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn values into what JSON has: a date becomes text, a dataclass or a pydantic model an object.

    Args:
        values: By name, the arguments of a call or the content of an answer.

    Raises:
        UsageError: A value cannot be carried by JSON; names it.
    """
    return {name: _sendable(name, value) for name, value in values.items()}


def _sendable(name: str, value: Any) -> Any:
    from pydantic_core import to_jsonable_python

    try:
        plain = to_jsonable_python(value, inf_nan_mode="constants", fallback=_plain)
        json.dumps(plain, allow_nan=False, ensure_ascii=False).encode()
    except TypeError as error:  # of _plain
        problem = str(error)
    except UnicodeEncodeError:
        problem = "it holds half of a surrogate pair, which is no text"
    except (ValueError, RecursionError):
        problem = "JSON has no infinity, no NaN, no bytes and nothing that holds itself"
    else:
        return plain
    msg = f"{name} cannot be sent: {problem}"
    raise UsageError(msg)


def _plain(value: Any) -> Any:
    """Turn what pydantic does not know into plain Python: the scalars and arrays of NumPy and its like."""
    if hasattr(value, "tolist"):
        return value.tolist()
    msg = f"JSON has no {type(value).__name__}, convert it first"
    raise TypeError(msg)
