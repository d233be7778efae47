"""The tools that a model is offered: named so that it can spell them, and kept from it where its API would break."""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp.server.lowlevel import Server as LowLevelServer
from mcp.types import ListToolsResult, Tool

from mcp_notebook import Chat, connect
from mcp_notebook.api import pins
from mcp_notebook.chat.fit import Unfit, parameters_of
from mcp_notebook.chat.names import names_of
from tests.models.conftest import Player

REF_BOMB = {
    "properties": {"a": {"$ref": "#/$defs/d0"}},
    "$defs": {
        **{f"d{n}": {"anyOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 4} for n in range(8)},
        "d8": {"type": "string"},
    },
}


def test_names_are_spelt_unique_and_stable():
    tools = [
        ("demo", "greet"),
        ("демо", "greet"),
        ("demo", "greet.all"),
        ("a__b", "c"),
        ("a", "b__c"),
        ("x" * 60, "yz"),
    ]
    tools += [("x" * 60, "y" * 9), ("demo", "greet all")]
    names = names_of(tools)
    assert names["demo", "greet"] == "demo__greet"
    assert len(set(names.values())) == len(tools)
    for name in names.values():
        assert 0 < len(name) <= 64
        assert name.isascii()
        assert name.replace("_", "").replace("-", "").isalnum()
    shuffled = random.Random(1).sample(tools, len(tools))
    assert names_of(shuffled) == names


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, {"properties": {}}, {"$schema": "https://x", "$id": "y"}])
def test_a_schema_without_properties_becomes_one_with_none(schema: Mapping[str, Any]):
    assert parameters_of(schema) == {"type": "object", "properties": {}}


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"properties": {"a": {"$ref": "https://example.com/a.json"}}}, "another document"),
        ({"properties": {"a": True}}, "true or false"),
        ({"properties": {"a": {"type": "array", "items": {}, "minItems": 10**9}}}, "minItems"),
        ({"type": "array"}, "not an object"),
        ({"properties": [1]}, "not an object"),
        (REF_BOMB, "grows too large"),
        ({"properties": {"a": {"$ref": "#/$defs/missing"}}}, "not there"),
    ],
)
def test_a_schema_that_would_spoil_the_request_is_refused(schema: Mapping[str, Any], why: str):
    with pytest.raises(Unfit, match=why):
        parameters_of(schema)


def test_what_is_large_but_harmless_is_left_out_and_circles_and_extras_are_taken():
    schema = {
        "properties": {
            "text": {"type": "string", "maxLength": 10**9, "minLength": 1},
            "tree": {"$ref": "#/$defs/tree"},
        },
        "$defs": {"tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}},
        "additionalProperties": False,
    }
    assert parameters_of(schema)["properties"]["text"] == {"type": "string", "minLength": 1}
    assert parameters_of(schema)["additionalProperties"] is False
    assert schema["properties"]["text"]["maxLength"] == 10**9  # type: ignore[index]


async def _tools(*_: Any) -> ListToolsResult:
    return ListToolsResult(
        tools=[
            Tool(name="good", description="plain\u200b\u202eword" + "x" * 2000, input_schema={"type": "object"}),
            Tool(name="bad", input_schema={"type": "object", "properties": {"a": {"$ref": "file:///etc/passwd"}}}),
        ]
    )


@pytest.mark.usefixtures("terminal")
def test_one_bad_schema_keeps_that_tool_from_the_model_and_says_so(player: Player, capsys: pytest.CaptureFixture[str]):
    with connect("mixed", LowLevelServer("mixed", on_list_tools=_tools)):
        player.plays("Hello", "Hi.")
        assert Chat().ask("Hello").text == "Hi."
    (request,) = player.requests
    (tool,) = request["tools"]
    assert tool["function"]["name"] == "mixed__good"
    assert tool["function"]["description"].startswith("plain\\u{200B}\\u{202E}word")
    assert "mixed.bad is kept from the model: its schema can't be followed" in capsys.readouterr().out


@pytest.mark.usefixtures("terminal")
def test_what_has_changed_since_it_was_pinned_is_neither_offered_nor_called(
    player: Player, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MCP_NOTEBOOK_PINS_FILE", str(tmp_path / "pins.json"))
    with connect("cafe", [sys.executable, "-m", "mcp_notebook.demo.drifting"]) as cafe:
        pins().pin(cafe)
        before = {tool["function"]["name"] for tool in _offered(player, "Nothing")}
        cafe.call("update")
        changed = {each.name for each in pins().drift(cafe).tools}
        assert changed
        after = {tool["function"]["name"] for tool in _offered(player, "Anything")}
        assert {f"cafe__{name}" for name in changed}.isdisjoint(after)
        assert before - after == {f"cafe__{name}" for name in changed} & before
        assert "is kept from the model: it has changed since cafe was pinned" in capsys.readouterr().out


def test_a_tool_that_changes_in_the_midst_of_an_answer_is_not_called(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("MCP_NOTEBOOK_PINS_FILE", str(tmp_path / "pins.json"))
    with connect("cafe", [sys.executable, "-m", "mcp_notebook.demo.drifting"]) as cafe:
        pins().pin(cafe)
        others = [each for each in cafe.tools if each != "update"]
        player.plays("Order", ("cafe__update", {}), *[(f"cafe__{each}", {}) for each in others], "Ok")
        reply = Chat(approve="never", max_steps=9).ask("Order")
        refused = [call["tool"] for call in reply.calls if "as a model asks for it" in call["text"]]
        assert refused == [each.name for each in pins().drift(cafe).tools if each.kind == "changed"]


def _offered(player: Player, prompt: str) -> list[dict[str, Any]]:
    player.plays(prompt, "Ok")
    Chat().ask(prompt)
    return player.requests[-1]["tools"]
