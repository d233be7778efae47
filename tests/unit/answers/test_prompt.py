"""Questions at a text terminal."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_notebook.answers.prompt import prompt
from mcp_notebook.errors import NoAnswerError
from mcp_notebook.types import Answer, Question

NAME = {"name": {"type": "string", "title": "Your name", "description": "As on the list"}}
BOOKING: dict[str, Any] = {
    "date": {"type": "string", "format": "date"},
    "seat": {"type": "string", "oneOf": [{"const": "w", "title": "Window"}, {"const": "b", "title": "Bar"}]},
    "vegan": {"type": "boolean", "default": False},
    "note": {"type": "string"},
}


class Terminal:
    """A person who types these lines; the input ends after them."""

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)
        self.screen = ""

    def read(self, text: str) -> str:
        if not self.typed:
            raise EOFError
        line = self.typed.pop(0)
        self.screen += f"{text}{line}\n"
        return line

    def write(self, text: str) -> None:
        self.screen += f"{text}\n"

    def ask(self, properties: dict[str, Any], required: tuple[str, ...] = (), **changes: Any) -> Answer:
        schema = {"type": "object", "properties": properties, "required": list(required)}
        question = {"server": "demo", "tool": "book", "message": "Another day?", "schema": schema, **changes}
        answer = prompt(Question(**question), self.read, self.write)
        assert not self.typed, "the prompt ended before everything was typed"
        return answer


def accepted(**content: Any) -> Answer:
    return Answer(action="accept", content=content)


def test_the_server_and_its_message_come_first_without_control_characters():
    terminal = Terminal("Ada")
    terminal.ask(NAME, message="Who\x1b[2J are you?")
    assert terminal.screen.startswith("demo asks, to go on with book:\nWho[2J are you?\n")


def test_one_field_is_asked_and_sent_at_once():
    terminal = Terminal("Ada")
    assert terminal.ask(NAME) == accepted(name="Ada")
    assert "As on the list" in terminal.screen
    assert "Your name: Ada" in terminal.screen


def test_several_fields_are_shown_before_they_are_sent():
    terminal = Terminal("2026-12-27", "1", "", "", "")
    assert terminal.ask(BOOKING, required=("date",)) == accepted(date="2026-12-27", seat="w", vegan=False)
    assert "1. date: 2026-12-27\n  2. seat: Window\n  3. vegan: no\n  4. note: (left out)\n" in terminal.screen


def test_a_field_can_be_changed_before_it_is_sent():
    terminal = Terminal("2026-12-27", "Window", "yes", "", "2", "Bar", "")
    assert terminal.ask(BOOKING, required=("date",)) == accepted(date="2026-12-27", seat="b", vegan=True)


@pytest.mark.parametrize(
    ("field", "default", "shown"),
    [
        ({"type": "string", "default": "Ada"}, "Ada", "[Ada]"),
        ({"type": "integer", "default": 3}, 3, "[3]"),
        ({"type": "boolean", "default": True}, True, "[yes]"),
        ({"type": "string", "enum": ["a", "b"], "default": "b"}, "b", "[b]"),
        ({"type": "array", "items": {"enum": ["a", "b", "c"]}, "default": ["a", "c"]}, ["a", "c"], "[a, c]"),
    ],
)
def test_enter_takes_the_default(field: dict[str, Any], default: Any, shown: str):
    terminal = Terminal("")
    assert terminal.ask({"f": field}) == accepted(f=default)
    assert shown in terminal.screen


def test_enter_leaves_an_optional_field_out():
    assert Terminal("").ask(NAME) == accepted()


@pytest.mark.parametrize(
    ("field", "wrong", "right", "value"),
    [
        ({"type": "integer", "minimum": 1}, "two", "2", 2),
        ({"type": "integer", "minimum": 1}, "0", "1", 1),
        ({"type": "boolean"}, "perhaps", "y", True),
        ({"type": "string", "enum": ["a", "b"]}, "3", "2", "b"),
        ({"type": "string", "format": "email"}, "ada", "ada@example.org", "ada@example.org"),
        ({"type": "string"}, "", "x", "x"),
        ({"type": "array", "items": {"enum": ["a", "b", "c"]}, "maxItems": 2}, "1,2,3", "1,3", ["a", "c"]),
    ],
)
def test_what_does_not_fit_is_told_and_asked_again(field: dict[str, Any], wrong: str, right: str, value: Any):
    terminal = Terminal(wrong, right)
    assert terminal.ask({"f": field}, required=("f",)) == accepted(f=value)
    assert "\n! " in terminal.screen


@pytest.mark.parametrize("action", ["decline", "cancel"])
@pytest.mark.parametrize("typed", [(), ("2026-12-27",), ("2026-12-27", "1", "", "")])
def test_every_prompt_can_be_declined_or_cancelled(action: str, typed: tuple[str, ...]):
    assert Terminal(*typed, f":{action}").ask(BOOKING) == Answer(action=action)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("typed", [(), ("2026-12-27",), ("2026-12-27", "1", "", "")])
def test_the_end_of_the_input_is_no_answer(typed: tuple[str, ...]):
    with pytest.raises(NoAnswerError, match=r"demo asked, and the input ended .* nothing was sent"):
        Terminal(*typed).ask(BOOKING)


def test_stop_ends_the_prompt():
    def stopped(_: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prompt(Question(server="demo", message="?", schema={"properties": NAME}), stopped, lambda _: None)


def test_a_question_without_fields_wants_a_yes():
    assert Terminal("", "no", "Yes").ask({}) == accepted()
    assert Terminal(":decline").ask({}) == Answer(action="decline")


def test_a_schema_that_cannot_be_drawn_leaves_decline_and_cancel():
    terminal = Terminal("anything", ":cancel")
    assert terminal.ask({"a": {"type": "object"}}) == Answer(action="cancel")
    assert "can't be answered here" in terminal.screen


def test_a_url_is_shown_whole_and_consented_to():
    url = f"https://example.org/{'x' * 500}"
    terminal = Terminal("no", "yes")
    assert terminal.ask({}, mode="url", url=url, schema={}) == Answer(action="accept")
    assert url in terminal.screen


def test_a_secret_is_read_without_being_shown_where_that_can_be():
    terminal = Terminal("")
    question = Question(
        server="demo", message="?", schema={"type": "object", "properties": {"pin": {"type": "string"}}}
    )
    answer = prompt(question, terminal.read, terminal.write, read_secret=lambda _: "1234")
    assert answer == accepted(pin="1234")


def test_a_secret_is_warned_of_and_hidden_in_the_review():
    terminal = Terminal("hunter2", "ada", "")
    answer = terminal.ask({"password": {"type": "string"}, "user": {"type": "string"}})
    assert answer == accepted(password="hunter2", user="ada")
    assert "looks like a secret" in terminal.screen
    assert "1. password: ••••" in terminal.screen
