"""A requested schema as the fields of a form (MCP specification, client/elicitation, "Requested Schema")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, cast

from mcp_notebook.schema import limits
from mcp_notebook.schema.bounds import require_bounded
from mcp_notebook.schema.check import problems
from mcp_notebook.schema.hints import hint_for
from mcp_notebook.schema.kinds import Kind, combined, kind_of
from mcp_notebook.schema.limits import cut, in_line
from mcp_notebook.schema.options import Option
from mcp_notebook.schema.refs import plain
from mcp_notebook.schema.secrets import looks_secret
from mcp_notebook.schema.strings import format_problem
from mcp_notebook.schema.values import as_list, is_type, key

__all__ = ["Field", "Kind", "Option", "UnsupportedSchema", "fields_of"]

_LONG = 200
"""A text that may be longer than this many characters gets room for several lines."""


class UnsupportedSchema(ValueError):  # noqa: N818 (says what it is)
    """No form can be drawn for the schema; the message is one line, fit to show a person."""


@dataclass(frozen=True, kw_only=True)
class Field:
    """One thing a form asks for. Texts from the server are untrusted and bounded in length."""

    name: str
    """The property's name, as the answer has to carry it; may be any text at all."""
    kind: Kind
    title: str
    description: str = ""
    required: bool = False
    has_default: bool = False
    """Whether there is a default to fill in."""
    default: Any = None
    """The JSON value to fill in; of the right type, though it may break a rule such as a maximum."""
    options: tuple[Option, ...] = ()
    format: str | None = None
    multiline: bool = False
    nullable: bool = False
    """Whether null is allowed: a required field that is left empty then sends it."""
    secret: bool = False
    """Whether it looks like a password, a key or a card number: mask it, and warn."""
    min_items: int | None = None
    max_items: int | None = None
    hint: str = ""
    """What is allowed, in a person's words."""
    schema: Mapping[str, Any] = attribute(default_factory=dict[str, Any], repr=False, compare=False)
    """The field's own schema, with its references followed."""


def fields_of(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """Read the fields out of a requested schema.

    All or nothing: where one field can't be drawn, even an optional one, the form is refused. A form that leaves
    something out would have a person agree to what they have not seen.

    Args:
        schema: The requested schema, as the server sent it.

    Returns:
        The fields in the server's order; none at all for a mere confirmation.

    Raises:
        UnsupportedSchema: It can't be drawn.
    """
    try:
        require_bounded(schema, {"any": ["any"]})
        problems(schema, {})
        properties, required = _outline(schema)
    except ValueError as fault:
        msg = f"the server's schema can't be used: {fault}"
        raise UnsupportedSchema(msg) from None
    return tuple(_drawn(name, part, schema, required=name in required) for name, part in properties.items())


def _outline(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[str]]:
    top, _ = plain(schema, schema)
    properties = cast("Mapping[str, Any]", top.get("properties", {}))
    required = cast("list[str]", top.get("required", []))
    missing = [name for name in required if name not in properties]
    if top.get("type", "object") != "object":
        msg = "it does not describe an object with fields"
    elif len(properties) > limits.MAX_FIELDS:
        msg = f"it has {len(properties):,} fields, more than {limits.MAX_FIELDS}"
    elif not properties and combined(top):
        msg = "it describes its fields in several parts"
    elif "" in properties:
        msg = "a field has no name"
    elif missing:
        msg = f"it requires {_quoted(missing[0])} without describing it"
    else:
        return properties, required
    raise ValueError(msg)


def _drawn(name: str, part: Any, root: Mapping[str, Any], *, required: bool) -> Field:
    try:
        return _field(name, part, root, required=required)
    except ValueError as reason:
        msg = f"the field {_quoted(name)} can't be shown: {reason}"
        raise UnsupportedSchema(msg) from None


def _field(name: str, part: Any, root: Mapping[str, Any], *, required: bool) -> Field:
    own, nullable = plain(part, root)
    kind, options = kind_of(own, root)
    title = _text(own.get("title"), limits.MAX_TITLE) or _text(name, limits.MAX_TITLE) or "(no name)"
    default, remark = _default(own, kind, options)
    form, description = own.get("format"), own.get("description")
    return Field(
        name=name,
        kind=kind,
        title=title,
        description=cut(description.strip(), limits.MAX_DESCRIPTION) if isinstance(description, str) else "",
        required=required,
        has_default=default is not None,
        default=default,
        options=options,
        format=form if isinstance(form, str) else None,
        multiline=kind == "string" and _is_long(own, default),
        nullable=nullable,
        secret=kind in ("string", "integer", "number") and _is_secret(own, name, title),
        min_items=_whole(own.get("minItems")) if kind == "choices" else None,
        max_items=_whole(own.get("maxItems")) if kind == "choices" else None,
        hint=hint_for(kind, own, remark=remark),
        schema=own,
    )


def _default(schema: Mapping[str, Any], kind: Kind, options: tuple[Option, ...]) -> tuple[Any, str]:
    """Return the default to fill in, None for none, and a remark where the server's can't be used."""
    value: Any = schema.get("default")
    if value is None or (value == "" and kind != "choice"):
        return None, ""
    offered = {key(option.value) for option in options}
    if kind == "choice":
        fits = key(value) in offered
    elif kind == "choices":
        fits = (items := as_list(value)) is not None and all(key(item) in offered for item in items)
    elif kind == "boolean":
        fits = is_type(value, kind)
    elif kind in ("integer", "number"):
        fits = is_type(value, kind) and abs(cast("float", value)) <= limits.MAX_NUMBER
    else:
        fits = isinstance(value, str) and len(value) <= limits.MAX_DEFAULT and not format_problem(kind, value)
    if not fits:
        return None, f"the server's default, {_quoted(value, 40)}, can't be used"
    return (int(value) if kind == "integer" else value), ""


def _is_long(schema: Mapping[str, Any], default: Any) -> bool:
    if schema.get("format") in ("textarea", "multi-line", "multiline"):
        return True
    return "\n" in (default or "") or ("format" not in schema and schema.get("maxLength", 0) > _LONG)


def _is_secret(schema: Mapping[str, Any], name: str, title: str) -> bool:
    return schema.get("format") == "password" or schema.get("writeOnly") is True or looks_secret(name, title)


def _quoted(value: Any, limit: int = 60) -> str:
    return in_line(json.dumps(value, ensure_ascii=False), limit)


def _text(value: Any, limit: int) -> str:
    return in_line(value, limit) if isinstance(value, str) else ""


def _whole(number: Any) -> int | None:
    return None if number is None else int(number)
