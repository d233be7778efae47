"""A requested schema as the fields of a form (MCP specification, client/elicitation, "Requested Schema")."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any, Literal, cast

from mcp_notebook.schema import limits
from mcp_notebook.schema.check import Uncheckable, problems
from mcp_notebook.schema.hints import hint_for
from mcp_notebook.schema.limits import cut
from mcp_notebook.schema.refs import BadReference, plain
from mcp_notebook.schema.secrets import looks_secret
from mcp_notebook.schema.strings import format_problem

Kind = Literal["string", "integer", "number", "boolean", "choice", "choices", "date", "date-time", "time"]

_TEMPORAL: tuple[Kind, ...] = ("date", "date-time", "time")
_LONG = 200
"""A text that may be longer than this many characters gets room for several lines."""


class UnsupportedSchema(ValueError):  # noqa: N818 (says what it is)
    """No form can be drawn for the schema; the message is one line, fit to show a person."""


@dataclass(frozen=True)
class Option:
    """One of the values a choice offers."""

    value: Any
    """What is sent."""
    title: str
    """What is shown: untrusted text."""


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
    schema: Mapping[str, Any] = attribute(default_factory=dict, repr=False, compare=False)
    """The field's own schema, with its references followed."""


def fields_of(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """Read the fields out of a requested schema.

    All or nothing: where one field can't be drawn, even an optional one, the form is refused, because a form that leaves
    something out would let a person agree to what they have not seen.

    Args:
        schema: The requested schema, as the server sent it.

    Returns:
        The fields in the server's order; none at all for a mere confirmation.

    Raises:
        UnsupportedSchema: It can't be drawn.
    """
    if limits.too_large(schema):
        msg = "the schema is too large"
        raise UnsupportedSchema(msg)
    properties, required = _outline(schema)
    try:
        next(problems(schema, {}), None)
    except Uncheckable as broken:
        msg = f"the schema is broken: {broken}"
        raise UnsupportedSchema(msg) from None
    fields: list[Field] = []
    for name, part in properties.items():
        try:
            fields.append(_field(name, part, schema, required=name in required))
        except ValueError as reason:
            msg = f"the field {json.dumps(cut(name, 60), ensure_ascii=False)} can't be shown: {reason}"
            raise UnsupportedSchema(msg) from None
    return tuple(fields)


def _outline(schema: Mapping[str, Any]) -> tuple[Mapping[str, Any], list[Any]]:
    try:
        top, _ = plain(schema, schema)
    except BadReference as bad:
        msg = f"the schema can't be shown: {bad}"
        raise UnsupportedSchema(msg) from None
    properties, required = top.get("properties", {}), top.get("required", [])
    if top.get("type", "object") != "object" or not isinstance(properties, Mapping) or not isinstance(required, list):
        msg = "the schema does not describe an object with fields"
        raise UnsupportedSchema(msg)
    properties = cast("Mapping[str, Any]", properties)
    if len(properties) > limits.MAX_FIELDS:
        msg = f"the form has {len(properties):,} fields, more than {limits.MAX_FIELDS}"
        raise UnsupportedSchema(msg)
    missing = [name for name in cast("list[Any]", required) if name not in properties]
    if missing:
        msg = f"the schema requires {cut(json.dumps(missing[0], ensure_ascii=False), 60)}, which it does not describe"
        raise UnsupportedSchema(msg)
    return properties, cast("list[Any]", required)


def _field(name: str, part: Any, root: Mapping[str, Any], *, required: bool) -> Field:
    own, nullable = plain(part, root)
    kind = _kind(own)
    options: tuple[Option, ...] = ()
    if kind == "choice":
        options = _options(own, _types(own))
    elif kind == "choices":
        items, _ = plain(own.get("items"), root)
        options = _options(items, _types(items))
    title = _text(own.get("title"), limits.MAX_TITLE) or cut(name, limits.MAX_TITLE) or "(no name)"
    has_default, default, remark = _default(own, kind, options)
    form = own.get("format")
    return Field(
        name=name,
        kind=kind,
        title=title,
        description=_text(own.get("description"), limits.MAX_DESCRIPTION),
        required=required,
        has_default=has_default,
        default=default,
        options=options,
        format=form if isinstance(form, str) else None,
        multiline=kind == "string" and _is_long(own, default),
        nullable=nullable,
        secret=kind in ("string", "integer", "number") and _is_secret(own, name, title),
        min_items=own.get("minItems") if kind == "choices" else None,
        max_items=own.get("maxItems") if kind == "choices" else None,
        hint=hint_for(kind, own, remark=remark),
        schema=own,
    )


def _kind(schema: Mapping[str, Any]) -> Kind:
    if "enum" in schema or "const" in schema or _alternatives(schema):
        return "choice"
    if "anyOf" in schema or "oneOf" in schema or len(cast("list[Any]", schema.get("allOf", []))) > 1:
        msg = "it may be one of several kinds"
        raise ValueError(msg)
    match sorted(_types(schema) or _guessed(schema)):
        case ["string"]:
            form = schema.get("format")
            return form if form in _TEMPORAL else "string"
        case ["integer"]:
            return "integer"
        case ["number"] | ["integer", "number"]:
            return "number"
        case ["boolean"]:
            return "boolean"
        case ["array"]:
            return "choices"
        case ["object"]:
            msg = "it has fields of its own"
        case []:
            msg = "it does not say what kind of value it wants"
        case ["null"]:
            msg = "it allows nothing but null"
        case _:
            msg = "it may be one of several kinds"
    raise ValueError(msg)


def _types(schema: Mapping[str, Any]) -> list[str]:
    kinds = schema.get("type")
    return [kinds] if isinstance(kinds, str) else [str(kind) for kind in cast("list[Any]", kinds or [])]


def _guessed(schema: Mapping[str, Any]) -> list[str]:
    """What a schema without `type` is about, by the keywords it uses."""
    for kind, keywords in (
        ("string", ("minLength", "maxLength", "pattern", "format")),
        ("number", ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")),
        ("array", ("items", "minItems", "maxItems", "uniqueItems")),
        ("object", ("properties", "additionalProperties")),
    ):
        if any(keyword in schema for keyword in keywords):
            return [kind]
    return []


def _alternatives(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The branches of an `anyOf` or `oneOf` in which each is a single value."""
    branches = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(branches, list) and all(isinstance(b, Mapping) and "const" in b for b in cast("list[Any]", branches)):
        return cast("list[Mapping[str, Any]]", branches)
    return []


def _options(schema: Mapping[str, Any], types: list[str]) -> tuple[Option, ...]:
    if "enum" in schema:
        names = schema.get("enumNames")
        values = cast("list[Any]", schema["enum"])
        named = isinstance(names, list) and len(cast("list[Any]", names)) == len(values)
        pairs = (
            list(zip(values, cast("list[Any]", names), strict=True)) if named else [(value, None) for value in values]
        )
    elif "const" in schema:
        pairs = [(schema["const"], None)]
    else:
        pairs = [(branch["const"], branch.get("title")) for branch in _alternatives(schema)]
    if not pairs and not types:
        msg = "it is a list of something other than choices"
        raise ValueError(msg)
    if len(pairs) > limits.MAX_OPTIONS:
        msg = f"it has {len(pairs):,} options, more than {limits.MAX_OPTIONS:,}"
        raise ValueError(msg)
    options: dict[str, Option] = {}
    for value, shown in pairs:
        if not types or any(is_type(value, kind) for kind in types):
            key = json.dumps(value, sort_keys=True)
            options.setdefault(key, Option(value, _text(shown, limits.MAX_TITLE) or _title(value)))
    if not options:
        msg = "it is a list of something other than choices" if not pairs else "none of its options has the right type"
        raise ValueError(msg)
    return _told_apart(list(options.values()))


def _told_apart(options: list[Option]) -> tuple[Option, ...]:
    titles = [option.title for option in options]
    twice = {title for title in titles if titles.count(title) > 1} if len(set(titles)) < len(titles) else set[str]()
    return tuple(Option(o.value, f"{o.title} ({_title(o.value)})") if o.title in twice else o for o in options)


def _title(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return cut(text, limits.MAX_TITLE) if text.strip() else "(empty)"


def is_type(value: Any, kind: str) -> bool:
    """Tell whether a JSON value is of a JSON Schema type: 3.0 is an integer, true is no number."""
    if isinstance(value, bool):
        return kind == "boolean"
    if isinstance(value, (int, float)):
        return kind == "number" or (kind == "integer" and float(value).is_integer())
    return {"string": str, "array": list, "object": dict, "null": type(None)}.get(kind, ()) in (type(value),)


def _default(schema: Mapping[str, Any], kind: Kind, options: tuple[Option, ...]) -> tuple[bool, Any, str]:
    """Return whether there is a default to fill in, the default, and a remark where it can't be used."""
    value = schema.get("default")
    if value is None or value == "":
        return False, None, ""
    if kind == "choice":
        fits = any(same(option.value, value) for option in options)
    elif kind == "choices":
        fits = isinstance(value, list) and all(
            any(same(option.value, item) for option in options) for item in cast("list[Any]", value)
        )
    elif kind in ("integer", "number", "boolean"):
        fits = is_type(value, kind)
    else:
        fits = isinstance(value, str) and len(value) <= limits.MAX_DEFAULT
        fits = fits and (kind == "string" or not format_problem(kind, cast("str", value)))
    if not fits:
        return (
            False,
            None,
            f"the server's default ({cut(json.dumps(value, ensure_ascii=False), 40)}) does not fit and is left out",
        )
    return True, int(value) if kind == "integer" else value, ""


def same(one: Any, other: Any) -> bool:
    """Tell whether two JSON values are equal: 1 and 1.0 are, 1 and true are not."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _is_long(schema: Mapping[str, Any], default: Any) -> bool:
    most = schema.get("maxLength", 0)
    return (
        schema.get("format") in ("textarea", "multi-line", "multiline")
        or ("format" not in schema and most > _LONG)
        or (isinstance(default, str) and "\n" in default)
    )


def _is_secret(schema: Mapping[str, Any], name: str, title: str) -> bool:
    return schema.get("format") == "password" or schema.get("writeOnly") is True or looks_secret(name, title)


def _text(value: Any, limit: int) -> str:
    return cut(value.strip(), limit) if isinstance(value, str) else ""
