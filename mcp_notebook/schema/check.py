"""Answers and arguments checked against a server's schema, in bounded time, with complaints worded for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from mcp_notebook.schema.bounds import DATA, NAMED, Uncheckable, require_bounded
from mcp_notebook.schema.limits import MAX_PATTERNS, depth_of, in_line
from mcp_notebook.schema.strings import enforceable, in_every_draft, pattern_options
from mcp_notebook.schema.values import as_list, as_object
from mcp_notebook.schema.words import NOT_ASKED_FOR, complaint

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

_MAX_PROBLEMS = 100


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a value."""

    path: tuple[str | int, ...]
    """Where: property names and list indexes, from the outside in."""
    text: str
    """What: a predicate, like "is required" or "must be at least 1"; never repeats the value."""


def check(schema: Mapping[str, Any], content: Mapping[str, Any]) -> dict[str, str]:
    """Check what a form would send.

    Args:
        schema: The requested schema, as the server sent it.
        content: The value of each field that has one.

    Returns:
        What is wrong, by field name, one complaint each; "" for the form as a whole. Empty when all is well.
    """
    errors: dict[str, str] = {}
    try:
        for problem in problems(schema, content):
            errors.setdefault(str(problem.path[0]) if problem.path else "", problem.text)
    except Uncheckable as broken:
        errors[""] = f"can't be checked against the server's schema: {broken}"
    return errors


def problems(schema: Mapping[str, Any], value: Any, *, formats: bool = True) -> list[Problem]:
    """Find what is wrong with a value, by the draft that `$schema` names (2020-12 when it names none).

    A pattern is not enforced where it can't be run (see `strings`). Nothing is fetched.

    Args:
        schema: The schema, as the server sent it.
        value: The value, as JSON has it.
        formats: Whether formats are enforced; for JSON Schema they are notes.

    Raises:
        Uncheckable: Nothing can be said, because of the schema.
    """
    key = id(schema), formats
    known = _known.get(key)
    if known is None or known.schema is not schema:
        known = _known[key] = _Compiled(schema, formats)
        if len(_known) > _MAX_KNOWN:
            del _known[next(iter(_known))]
    try:
        validator = known.validator(value)
        found = [] if validator.is_valid(value) else list(islice(validator.iter_errors(value), _MAX_PROBLEMS))
    except ValueError as error:
        raise Uncheckable(_fault(error)) from None
    return [problem for error in found for problem in _problems(error)]


class _Compiled:
    """A schema, ready to check values of the depths that were tried."""

    def __init__(self, schema: Mapping[str, Any], formats: bool) -> None:
        self.schema = schema
        self._formats = formats
        self._bounded: set[int] = set()
        self._validator: Validator | None = None

    def validator(self, value: Any) -> Validator:
        if (depth := depth_of(value)) not in self._bounded:
            require_bounded(self.schema, value)
            self._bounded.add(depth)
        if self._validator is None:
            import jsonschema_rs  # 26 ms; jsonschema takes 1.3 s where JupyterLab has installed all its formats

            self._validator = jsonschema_rs.validator_for(
                _workable(self.schema),
                validate_formats=self._formats,
                formats=in_every_draft(),
                retriever=_fetch_nothing,
                pattern_options=pattern_options(),
            )
        return self._validator


_known: dict[tuple[int, bool], _Compiled] = {}
"""By the identity of the schema, which each holds, and by whether formats are enforced."""
_MAX_KNOWN = 200


def _fetch_nothing(uri: str) -> Any:
    msg = f"{uri} is another document, and nothing is fetched for a schema"
    raise LookupError(msg)


def _fault(error: ValueError) -> str:
    place = ".".join(str(part) for part in getattr(error, "instance_path", ()))
    return in_line((f"at {place}: " if place else "") + str(getattr(error, "message", error)), 200)


def _workable(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Copy a schema without the patterns that can't be enforced, and without a `$schema` nobody knows."""
    patterns = 0

    def usable(pattern: Any) -> bool:
        nonlocal patterns
        patterns += 1
        if patterns > MAX_PATTERNS:
            msg = f"it has more than {MAX_PATTERNS} patterns"
            raise Uncheckable(msg)
        return not isinstance(pattern, str) or enforceable(pattern)

    def copied(keyword: str, part: Any) -> Any:
        named, listed = as_object(part), as_list(part)
        if listed is not None and keyword not in DATA:
            return [copied("", item) for item in listed]
        if named is None or keyword in DATA:
            return part
        if keyword in NAMED:
            return {
                name: copied("", rule) for name, rule in named.items() if keyword != "patternProperties" or usable(name)
            }
        return {name: copied(name, rule) for name, rule in named.items() if name != "pattern" or usable(rule)}

    copy = copied("", schema)
    if "json-schema.org" not in str(copy.get("$schema", "")):
        copy.pop("$schema", None)
    return copy


def _problems(error: ValidationError) -> Iterator[Problem]:
    """Tell an error as problems: of the field that is missing, or of the one alternative that was meant."""
    path = tuple(error.instance_path)
    name, details = error.kind.name, error.kind.as_dict()
    if name == "required":
        yield Problem((*path, str(details["property"])), "is required")
    elif name in ("additionalProperties", "unevaluatedProperties") and "unexpected" in details:
        yield from (Problem((*path, str(extra)), NOT_ASKED_FOR) for extra in details["unexpected"])
    elif meant := _meant(details.get("context") or []):
        for cause in meant:
            yield from _problems(cause)
    elif name != "pattern" or type(error.kind).__name__ == "Pattern":  # else it took too many steps: not enforced
        yield Problem(path, complaint(name, details, error.instance))


def _meant(context: list[list[ValidationError]]) -> list[ValidationError]:
    """Pick the one alternative of an `anyOf` or `oneOf` that wants this type of value."""
    near = [branch for branch in context if branch and not any(cause.kind.name == "type" for cause in branch)]
    return near[0] if len(near) == 1 else []
