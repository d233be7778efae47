"""Values of Python and of its data libraries as JSON has them, by what a schema wants of them.

The libraries are recognised by what their objects can do, so that none needs to be there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from datetime import datetime, time
from decimal import Decimal
from typing import Any, cast

from mcp_notebook.schema.refs import BadReference, plain
from mcp_notebook.schema.values import as_list, as_object

_PLAIN = (str, int, bool, type(None))
_MISSING = ("NAType", "NaTType")
"""The types of pandas' `NA` and `NaT`."""


class Unsendable(TypeError):  # noqa: N818 (says what it is)
    """A value that JSON has not; the message says why, fit to show a person.

    Args:
        where: Where it is, as in "rows[3].price".
        problem: What is wrong with it.
    """

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(problem)
        self.where = where


class Reader:
    """Turns values into what JSON has.

    Args:
        root: The whole schema, in which references are followed.
    """

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        self._known: dict[int, Mapping[str, Any]] = {}  # by the schema's identity: a frame asks for each cell

    def rules(self, part: Any, *types: str) -> Mapping[str, Any]:
        """Say what a schema comes to; of several alternatives, the first of one of these types."""
        rules = self._known.get(id(part))
        if rules is None:
            try:
                rules = self._known[id(part)] = plain(part, self.root)[0] if part else {}
            except BadReference:
                rules = self._known[id(part)] = {}
        branches = as_list(rules.get("anyOf")) or as_list(rules.get("oneOf")) or []
        return next((found for each in branches if (found := self.rules(each)).get("type") in types), rules)

    def plain(self, value: Any, part: Any, where: str, *, missing: bool = False) -> Any:
        """Turn a value into what JSON has.

        Args:
            value: Any value.
            part: The schema of it, or None.
            where: Where it is, to name it in errors.
            missing: Whether NaN stands for a missing value, as it does in frames, series and arrays.

        Raises:
            Unsendable: JSON has no such thing.
        """
        if type(value) in _PLAIN:
            return value
        if isinstance(value, float):
            return self._float(value, part, where, missing=missing)
        if type(value).__name__ in _MISSING:
            return None
        if isinstance(value, Decimal):
            rules = self.rules(part, "number", "integer")
            is_number = rules.get("type") in ("number", "integer") and value.is_finite()
            return self.plain(float(value), part, where) if is_number else str(value)
        if isinstance(value, datetime):  # frames have no dates but midnights
            is_date = value.time() == time() and self.rules(part, "string").get("format") == "date"
            return _leaf(value.date() if is_date else value, where)
        if (named := as_object(value)) is not None:
            return self._object(named, part, where, missing=missing)
        if isinstance(value, (list, tuple, set, frozenset)):
            return self._array(cast("Iterable[Any]", value), part, where, missing=missing)
        if hasattr(value, "to_dicts") or (hasattr(value, "iloc") and hasattr(value, "columns")):
            return self._frame(value, part, where)
        if hasattr(value, "to_list") or hasattr(value, "tolist"):
            return self.plain(_entries(value), part, where, missing=True)
        return _leaf(value, where)

    def _float(self, value: float, part: Any, where: str, *, missing: bool) -> Any:
        if math.isnan(value) and missing:
            return None
        if not math.isfinite(value):
            raise Unsendable(where, f"JSON has no {'NaN' if math.isnan(value) else 'infinity'}; None is null")
        wants_integer = value.is_integer() and self.rules(part, "integer", "number").get("type") == "integer"
        return int(value) if wants_integer else float(value)

    def _object(self, value: Mapping[Any, Any], part: Any, where: str, *, missing: bool) -> dict[str, Any]:
        rules = self.rules(part, "object")
        parts, others = as_object(rules.get("properties")) or {}, rules.get("additionalProperties")
        return {
            (name := str(_leaf(key, where))): self.plain(
                entry, parts.get(name, others), f"{where}.{name}", missing=missing
            )
            for key, entry in value.items()
        }

    def _array(self, value: Iterable[Any], part: Any, where: str, *, missing: bool) -> list[Any]:
        items = self.rules(part, "array").get("items")
        return [self.plain(entry, items, f"{where}[{i}]", missing=missing) for i, entry in enumerate(value)]

    def _frame(self, frame: Any, part: Any, where: str) -> Any:
        if hasattr(frame, "iloc"):  # pandas: an index with a name is a column as the others are
            frame = frame.reset_index() if any(name is not None for name in frame.index.names) else frame
            if not frame.columns.is_unique:
                raise Unsendable(where, "two of its columns have one name")
            columns: dict[str, list[Any]] = {str(name): frame[name].tolist() for name in frame.columns}
        else:
            columns = frame.to_dict(as_series=False)
        rules = self.rules(part, "array", "object")
        if rules.get("type") == "object":
            return self._object(columns, part, where, missing=True)
        rows = zip(*columns.values(), strict=True)
        if self.rules(rules.get("items"), "array", "object").get("type") == "array":
            return self._array(rows, part, where, missing=True)
        return self._array((dict(zip(columns, row, strict=True)) for row in rows), part, where, missing=True)


def _entries(value: Any) -> Any:
    """Give the entries of a series, an array or a scalar of NumPy."""
    if hasattr(value, "to_list"):
        return value.to_list()
    unit = {"M": "datetime64[us]", "m": "timedelta64[us]"}.get(getattr(getattr(value, "dtype", None), "kind", ""))
    return (value.astype(unit) if unit else value).tolist()  # of nanoseconds `tolist` makes bare integers


def _leaf(value: Any, where: str) -> Any:
    from pydantic_core import to_jsonable_python

    def unknown(inner: Any) -> Any:
        if hasattr(inner, "tolist") or hasattr(inner, "to_dicts") or hasattr(inner, "iloc"):
            return Reader({}).plain(inner, None, where)  # a frame in a dataclass
        raise Unsendable(where, f"JSON has no {type(inner).__name__}, convert it first")

    return to_jsonable_python(value, inf_nan_mode="constants", fallback=unknown)
