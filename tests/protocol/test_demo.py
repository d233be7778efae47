"""Every tool of the demo server, over every transport, in both eras, for each of the three actions."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mcp_notebook.demo import everyday
from mcp_notebook.errors import ProtocolError
from mcp_notebook.servers.server import Server
from mcp_notebook.types import Action, Answer, Question
from tests.protocol.conftest import WAYS, Session
from tests.protocol.places import CANCEL, DECLINE, Scripted, accept

EVERY_FIELD: dict[str, Any] = {
    "text": "Ünïcödé \U0001f375",
    "nickname": "tea",
    "greeting": "Good evening",
    "email": "ada@example.com",
    "website": "https://example.com/a?b=c#d",
    "day": "2026-02-28",
    "moment": "2026-02-28T23:59:59.5+09:00",
    "count": 500,
    "floor": -3,
    "weight": 0.5,
    "ratio": 1e-3,
    "agreed": False,
    "reminder": True,
    "newsletter": False,
    "size": "L",
    "colour": "#0000cc",
    "planet": "p4",
    "toppings": ["rocket", "olives"],
    "days": [],
}
HEALTH: list[dict[str, Any]] = [
    {"name": "花子", "age": 42},
    {"hours": 7.5, "mood": "good"},
    {"exercises": True},
    {"smokes": False, "remarks": "肩こり"},
]
HEALTH_SUMMARY = (
    "花子さん(42歳)の健康チェックの結果\n・睡眠: 7.5時間、体調: 良い\n・運動: しています\n"
    "・たばこ: 吸いません\n・気になること: 肩こり"
)
ANSWERS: dict[str, list[dict[str, Any]]] = {
    "greet": [{"name": "Ada"}],
    "register_user": [{"username": "ada", "email": "ada@example.com", "newsletter": True}],
    "book_table": [{"date": "2026-12-27", "seat": "window"}],
    "check_health": HEALTH,
    "every_field": [EVERY_FIELD],
    "confirm": [{}],
}
ARGUMENTS: dict[str, dict[str, Any]] = {"book_table": {"party": 4}}
TEXTS: dict[tuple[str, Action], str] = {
    ("greet", "accept"): "Hello, Ada!",
    ("greet", "decline"): "Hello, whoever you are. You would rather not say, and that is fine.",
    ("greet", "cancel"): "No greeting, then: the question was closed.",
    ("register_user", "accept"): "Welcome, ada! A confirmation went to ada@example.com. The newsletter will come.",
    ("register_user", "decline"): "No account was opened, as you declined.",
    ("register_user", "cancel"): "Registration was cancelled. You can start it again at any time.",
    ("book_table", "accept"): "Booked: a table for 4 on 27 December 2026, by the window.",
    ("book_table", "decline"): "No table was booked: you declined another date than 24 December 2026.",
    ("book_table", "cancel"): "The booking was cancelled before it was made.",
    ("check_health", "accept"): HEALTH_SUMMARY,
    ("check_health", "decline"): "健康チェックは1番目の質問で辞退されました。",
    ("check_health", "cancel"): "健康チェックは1番目の質問で中止されました。",
    ("every_field", "accept"): "Received 19 fields.",
    ("every_field", "decline"): "Every field was declined.",
    ("every_field", "cancel"): "The form was closed with no field filled in.",
    ("confirm", "accept"): "Confirmed: the plants have been watered.",
    ("confirm", "decline"): "Refused: the plants stay dry.",
    ("confirm", "cancel"): "Dismissed: nothing was decided about the plants.",
}


@pytest.fixture(scope="session", params=WAYS, ids="-".join)
def demo(request: pytest.FixtureRequest, long_session: Session) -> Server:
    way, protocol = request.param
    name = f"demo-{way}-{protocol}"
    if way == "stdio":
        return long_session.connect(name, [sys.executable, "-m", "mcp_notebook.demo"], protocol=protocol)
    target = request.getfixturevalue("demo_url") if way == "http" else everyday.server
    return long_session.connect(name, target, protocol=protocol)


@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
@pytest.mark.parametrize("tool", ANSWERS)
def test_each_action_gets_its_own_text(long_session: Session, demo: Server, tool: str, action: Action):
    contents = iter(ANSWERS[tool])
    other = {"decline": DECLINE, "cancel": CANCEL}

    def answer(question: Question) -> Answer:
        return other.get(action) or accept(**next(contents))

    long_session.place = place = Scripted(answer)

    result = demo.call_with(tool, ARGUMENTS.get(tool, {}))

    assert result.text == TEXTS[tool, action]
    assert len(place.questions) == (len(ANSWERS[tool]) if action == "accept" else 1)
    assert {(each.server, each.tool, each.mode) for each in place.questions} == {(demo.name, tool, "form")}


def test_every_field_arrives_as_it_was_sent(long_session: Session, demo: Server):
    long_session.place = Scripted(lambda _: accept(**EVERY_FIELD))

    assert demo.call("every_field").data == {"action": "accept", "received": EVERY_FIELD}


def test_a_later_step_can_be_declined(long_session: Session, demo: Server):
    answers = iter([accept(**HEALTH[0]), accept(**HEALTH[1]), DECLINE])
    long_session.place = Scripted(lambda _: next(answers))

    assert demo.call("check_health").text == "健康チェックは3番目の質問で辞退されました。"


def test_a_table_is_booked_unasked_on_an_evening_with_room(long_session: Session, demo: Server):
    long_session.place = Scripted()

    assert demo.call("book_table", party=2, date="2026-12-27").text == "Booked: a table for 2 on 27 December 2026."


def test_the_full_evening_stays_full(long_session: Session, demo: Server):
    long_session.place = Scripted(lambda _: accept(date="2026-12-24", seat="bar"))

    assert demo.call("book_table", party=2).text == "No table was booked: 24 December 2026 is still full."


def test_structured_content_comes_with_its_schema(long_session: Session, demo: Server):
    long_session.place = Scripted()

    assert demo.call("forecast", city="Bonn", days=1).data == {
        "city": "Bonn",
        "days": [{"day": "Mon", "celsius": 3, "sky": "rain"}],
    }
    schema = demo.tools["forecast"].info.output_schema
    assert schema is not None
    assert schema["required"] == ["city", "days"]


def test_an_image_comes_with_its_text(long_session: Session, demo: Server):
    long_session.place = Scripted()

    text, image = demo.call("plot_forecast", city="Bonn").content

    assert (text.type, text.text) == ("text", "Temperatures in Bonn, up to 9 °C")
    assert (image.type, image.mime_type) == ("image", "image/png")


def test_the_era_is_the_one_asked_for(demo: Server):
    expected = ("legacy", "2025-11-25") if demo.spec.protocol == "legacy" else ("modern", "2026-07-28")
    assert (demo.era, demo.protocol_version) == expected
    assert demo.info["name"] == "demo"
    assert demo.instructions
    assert demo.transport in demo.name


def test_the_demo_offers_resources_a_prompt_and_completions(demo: Server):
    assert demo.resource(*demo.resources).data["weekdays"] == "17:00-23:00"
    (template,) = demo.resource_templates
    assert demo.resource(template, season="winter").text.startswith("In winter: beetroot soup")
    with pytest.raises(ProtocolError, match=r"the seasons are spring, summer, autumn, winter"):
        demo.resource(template, season="monsoon")
    assert "dinner to Ada" in demo.prompt("invitation", guest="Ada").text
    assert demo.complete("season", "s", prompt="invitation") == ["spring", "summer"]
    assert demo.complete("season", "w", template=template) == ["winter"]
