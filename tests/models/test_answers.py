"""A model answers with the servers' tools, over chat.completions, in several steps."""

from __future__ import annotations

import pytest

from mcp_notebook import Answer, Chat, Question, Server, answering, set_handler
from tests.models.conftest import Player


def states(chat: Chat) -> list[tuple[str, str]]:
    return [(message["tool"], message["state"]) for message in chat.messages if message["role"] == "tool"]


def test_an_answer_without_tools_is_a_value_and_a_part_of_the_conversation(player: Player, servers: Server):
    player.plays("Say hello", "Hello **you**")
    chat = Chat()
    reply = chat.ask("Say hello")
    assert reply.text == str(reply) == "Hello **you**"
    assert [(message["role"], message["text"]) for message in chat.messages] == [
        ("user", "Say hello"),
        ("assistant", "Hello **you**"),
    ]
    assert reply.usage is not None
    assert reply.usage == chat.usage


def test_tools_are_called_in_several_steps_and_the_model_gets_what_they_gave(player: Player, servers: Server):
    player.plays(
        "What is blue?",
        ("office__look", {"what": "sky"}),
        [("office__look", {"what": "sea"}), ("office__write", {"text": "both"})],
        "Sky and sea.",
    )
    chat = Chat(approve="never")
    reply = chat.ask("What is blue?")
    assert reply.text == "Sky and sea."
    assert [call["text"] for call in reply.calls] == ["sky is blue", "sea is blue", "wrote both"]
    *_, last = player.requests
    assert [message["content"] for message in last["messages"] if message["role"] == "tool"] == [
        "sky is blue",
        "sea is blue",
        "wrote both",
    ]


def test_a_form_in_the_middle_is_answered_by_the_person_and_shown_in_the_conversation(player: Player, servers: Server):
    player.plays("Greet me", ("office__greet", {}), "Done.")
    chat = Chat(approve="never")
    with answering({"name": "Ada"}):
        reply = chat.ask("Greet me")
    assert reply.calls[0]["text"] == "Hello, Ada!"
    (form,) = (message for message in chat.messages if message["role"] == "form")
    assert form == {
        "role": "form",
        "server": "office",
        "tool": "greet",
        "message": "Who are you?",
        "action": "accept",
        "content": {"name": "Ada"},
    }


def test_the_next_question_goes_on_and_a_fork_goes_its_own_way(player: Player, servers: Server):
    player.plays("First", "One.")
    chat = Chat()
    chat.ask("First")
    player.goes_on(1)
    player.plays("Second", "Two.")
    player.plays("Other", "Else.")
    fork = chat.fork()
    assert fork.ask("Other").text == "Else."
    assert chat.ask("Second").text == "Two."
    assert [message["text"] for message in chat.messages] == ["First", "One.", "Second", "Two."]
    assert [message["text"] for message in fork.messages] == ["First", "One.", "Other", "Else."]


async def _ask(chat: Chat) -> str:
    return (await chat.aask("Say hello")).text


def test_it_is_awaited_as_well(player: Player, servers: Server):
    import asyncio

    player.plays("Say hello", "Hello")
    assert asyncio.run(_ask(Chat())) == "Hello"


@pytest.mark.parametrize(
    ("answer", "state", "told"),
    [
        (Answer(action="accept", content={"arguments": '{"text": "x"}'}), "done", "wrote x"),
        (Answer(action="accept", content={"arguments": '{"text": "y"}'}), "done", 'to {"text": "y"}.\nwrote y'),
        (Answer(action="decline"), "skipped", "Not done: the person declined this call."),
    ],
)
def test_a_tool_that_may_write_is_run_changed_or_skipped_by_the_person(
    player: Player, servers: Server, answer: Answer, state: str, told: str
):
    asked: list[Question] = []

    def decide(question: Question) -> Answer:
        asked.append(question)
        return answer

    set_handler(decide)
    player.plays("Write x", ("office__write", {"text": "x"}), "Done.")
    chat = Chat()
    reply = chat.ask("Write x")
    set_handler(None)
    assert [(question.tool, question.approval) for question in asked] == [("write", True)]
    assert states(chat) == [("write", state)]
    assert reply.calls[0]["text"].endswith(told)
    assert reply.text == "Done."


def test_stop_in_an_approval_ends_the_answer_and_every_call_is_answered(player: Player, servers: Server):
    set_handler(lambda _: "cancel")
    player.plays("Write", [("office__write", {"text": "x"}), ("office__write", {"text": "y"})])
    chat = Chat()
    reply = chat.ask("Write")
    assert reply.note == "you stopped it"
    assert states(chat) == [("write", "stopped"), ("write", "stopped")]
    set_handler(None)
    player.goes_on(1)
    player.plays("Go on", "Gladly.")
    assert chat.ask("Go on").text == "Gladly."


def test_run_all_like_this_asks_no_more_about_that_tool(player: Player, servers: Server):
    asked: list[str | None] = []

    def agree(question: Question) -> Answer:
        asked.append(question.tool)
        return Answer(action="accept", content={}, for_rest=True)

    set_handler(agree)
    player.plays(
        "Write", ("office__write", {"text": "x"}), ("office__write", {"text": "y"}), ("office__draw", {}), "Ok"
    )
    chat = Chat()
    chat.ask("Write")
    set_handler(None)
    assert asked == ["write", "draw"]
    assert states(chat) == [("write", "done"), ("write", "done"), ("draw", "done")]


def test_hints_count_only_where_the_person_trusts_the_server(player: Player, servers: Server):
    from mcp_notebook.api import pins

    asked: list[str | None] = []

    def agree(question: Question) -> str | Answer:
        asked.append(question.tool)
        return "decline"

    set_handler(agree)
    player.plays("Look", ("office__look", {"what": "sky"}), "Ok")
    Chat().ask("Look")
    assert asked == ["look"]
    pins().trust(servers)
    chat = Chat()
    chat.ask("Look")
    assert asked == ["look"]
    assert states(chat) == [("look", "done")]
    Chat(approve="always").ask("Look")
    assert asked == ["look", "look"]
    set_handler(None)
