"""The Responses API: what the OpenAI API has, and how an endpoint turns out to have one API or the other."""

from __future__ import annotations

from typing import Any

from mcp_notebook import Chat, Server
from tests.models.conftest import PIXEL, Player


def test_tools_are_called_in_several_steps(openai_api: Player, servers: Server):
    openai_api.plays(
        "What is blue?",
        [("office__look", {"what": "sky"}), ("office__look", {"what": "sea"})],
        ("office__write", {"text": "both"}),
        "Sky and sea.",
    )
    chat = Chat(approve="never")
    assert chat.ask("What is blue?").text == "Sky and sea."
    assert chat.usage is not None
    first, _, last = openai_api.requests
    assert "tools" in first
    outputs = [item["output"] for item in _items(last, "function_call_output")]
    assert outputs == ["sky is blue", "sea is blue", "wrote both"]
    asked = [item["call_id"] for item in _items(last, "function_call")]
    assert asked == [item["call_id"] for item in _items(last, "function_call_output")]


def test_images_reach_the_model(openai_api: Player, servers: Server):
    import base64

    openai_api.plays("Draw", ("office__draw", {}), "A dot.")
    Chat(approve="never").ask("Draw")
    *_, last = openai_api.requests
    (output,) = _items(last, "function_call_output")
    assert output["output"][1]["image_url"] == f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}"


def test_the_conversation_goes_on_with_what_was_said(openai_api: Player, servers: Server):
    openai_api.plays("Look", ("office__look", {"what": "sky"}), "Blue.")
    chat = Chat(approve="never")
    chat.ask("Look")
    openai_api.goes_on(2)
    openai_api.plays("And?", "Nothing more.")
    assert chat.ask("And?").text == "Nothing more."


def _items(request: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [item for item in request["input"] if item.get("type") == kind]
