from __future__ import annotations

from typing import Any

import pytest
from mcp.server.elicitation import render_elicitation_schema

from mcp_notebook.demo.fields import EveryField

PROPERTIES: dict[str, dict[str, Any]] = render_elicitation_schema(EveryField)["properties"]


@pytest.mark.parametrize(
    "kind",
    [
        {"type": "string"},
        {"type": "string", "minLength": 2, "maxLength": 12},
        {"type": "string", "format": "email"},
        {"type": "string", "format": "uri"},
        {"type": "string", "format": "date"},
        {"type": "string", "format": "date-time"},
        {"type": "string", "default": "Good morning"},
        {"type": "integer", "minimum": 1, "maximum": 500},
        {"type": "integer", "default": -1},
        {"type": "number", "minimum": 0.5, "maximum": 99.5},
        {"type": "number", "default": 0.25},
        {"type": "boolean"},
        {"type": "boolean", "default": True},
        {"type": "string", "enum": ["S", "M", "L"]},
        {"type": "string", "enum": ["p3", "p4", "p5"], "enumNames": ["Earth", "Mars", "Jupiter"]},
        {"type": "array", "minItems": 1, "maxItems": 2},
        {"type": "array", "default": ["sat", "sun"]},
    ],
    ids=str,
)
def test_every_kind_of_field_is_there(kind: dict[str, Any]):
    """MCP specification, client/elicitation, "Requested Schema"."""
    assert any(kind.items() <= each.items() for each in PROPERTIES.values())


def test_titled_options_are_there_for_one_and_for_several():
    assert PROPERTIES["colour"]["oneOf"][0] == {"const": "#cc0000", "title": "Red"}
    assert PROPERTIES["days"]["items"]["anyOf"][0] == {"const": "fri", "title": "Friday"}
    assert PROPERTIES["toppings"]["items"]["enum"] == ["cheese", "olives", "mushrooms", "rocket"]


def test_every_field_has_a_title_and_some_are_required():
    assert all(each["title"] for each in PROPERTIES.values())
    assert set(render_elicitation_schema(EveryField)["required"]) == {
        "text", "email", "day", "count", "agreed", "size", "toppings"
    }  # fmt: skip
