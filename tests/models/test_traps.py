"""What goes wrong with models and their endpoints: told, mended, or bounded, and the conversation can go on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mcp_notebook import Chat, ModelError, NoAnswerError, Server, UsageError, connect
from tests.models import rules
from tests.models.conftest import KEY, Player, office
from tests.models.test_answers import states


def told(chat: Chat) -> list[str]:
    return [message["text"] for message in chat.messages if message["role"] == "tool"]


def test_a_tool_that_is_not_there_is_told_to_the_model(player: Player, servers: Server):
    player.plays("Fly", ("office__fly", {}), "I can't.")
    chat = Chat(approve="never")
    assert chat.ask("Fly").text == "I can't."
    assert states(chat) == [("office__fly", "refused")]
    assert "office__look" in told(chat)[0]


def test_arguments_that_the_tool_does_not_take_and_failures_of_it_are_told_to_the_model(
    player: Player, servers: Server
):
    player.plays("Try", [("office__write", {"words": "x"}), ("office__fail", {})], "It failed.")
    chat = Chat(approve="never")
    assert chat.ask("Try").text == "It failed."
    assert states(chat) == [("write", "failed"), ("fail", "failed")]
    assert "text" in told(chat)[0]
    assert "the printer is on fire" in told(chat)[1]


def test_an_image_is_told_of_where_the_api_takes_none(player: Player, servers: Server):
    player.plays("Draw", ("office__draw", {}), "A dot.")
    chat = Chat(approve="never")
    chat.ask("Draw")
    assert told(chat) == ["(an image, image/png: the person sees it in the notebook)"]


def test_it_has_to_conclude_after_so_many_steps(player: Player, servers: Server):
    player.plays("Look", *[("office__look", {"what": str(n)}) for n in range(3)], "Enough.")
    chat = Chat(approve="never", max_steps=3)
    reply = chat.ask("Look")
    assert reply.text == "Enough."
    assert "after 3 steps" in reply.note
    assert "tools" not in player.requests[-1]
    assert len(states(chat)) == 3


def test_the_very_same_call_is_made_twice_and_no_more(player: Player, servers: Server):
    player.plays("Look", *[("office__look", {"what": "sky"})] * 3, "It is blue.")
    chat = Chat(approve="never")
    reply = chat.ask("Look")
    assert reply.text == "It is blue."
    assert "again and again" in reply.note
    assert states(chat) == [("look", "done"), ("look", "done"), ("look", "refused")]
    assert servers.calls == 2


def test_a_long_result_is_cut_for_the_model_and_whole_in_the_value(player: Player, servers: Server):
    player.plays("Read", ("office__read_all", {"length": 50_000}), "Long.")
    chat = Chat(approve="never")
    chat.ask("Read")
    (text,) = told(chat)
    assert len(text) < 20_100
    assert text.startswith("<xxx")
    assert text.endswith("xxx>")
    assert "30,002 characters left out" in text


def test_what_no_longer_fits_is_left_out_the_oldest_result_first(player: Player, servers: Server):
    player.plays("Read", ("office__read_all", {"length": 500}), ("office__read_all", {"length": 600}), "Long.")
    chat = Chat(approve="never")
    chat.ask("Read")
    player.goes_on(3)
    player.plays("More", "More.")
    player.fails(400, "This model's maximum context length is 8192 tokens", "context_length_exceeded")
    assert chat.ask("More").text == "More."
    results = [message["content"] for message in player.requests[-1]["messages"] if message["role"] == "tool"]
    assert results[0].startswith("(left out")
    assert results[1].startswith("<xxx")
    assert len(told(chat)[0]) > 500


def test_a_question_that_is_too_long_by_itself_says_so(player: Player, servers: Server):
    player.fails(400, "the request exceeds the available context size", "exceed_context_size_error")
    with pytest.raises(ModelError, match="too long for it"):
        Chat().ask("Long")


def test_the_responses_api_is_taken_where_the_model_wants_it(player: Player, servers: Server):
    player.fails(400, "Function tools are not supported with this model in chat: use /v1/responses instead")
    player.counts_calls = True
    player.plays("Look", ("office__look", {"what": "sky"}), "Blue.")
    assert Chat(approve="never").ask("Look").text == "Blue."
    assert ["input" in request for request in player.requests] == [False, True, True]


def test_completions_are_taken_where_there_are_no_responses(openai_api: Player, servers: Server):
    openai_api.fails(404, "no such path")
    openai_api.plays("Look", ("office__look", {"what": "sky"}), "Blue.")
    chat = Chat(approve="never")
    assert chat.ask("Look").text == "Blue."
    assert ["input" in request for request in openai_api.requests] == [True, False, False]


def test_too_many_requests_are_tried_again_in_a_moment(player: Player, servers: Server):
    player.plays("Hello", "Hi.")
    player.fails(429, "slow down")
    assert Chat().ask("Hello").text == "Hi."


def test_a_failure_tells_of_no_key_and_the_question_can_be_asked_again(player: Player, servers: Server):
    player.fails(401, f"Incorrect API key provided: {KEY}")
    player.plays("Hello", "Hi.")
    chat = Chat()
    with pytest.raises(ModelError, match="the key in OPENAI_API_KEY is refused") as caught:
        chat.ask("Hello")
    assert KEY not in str(caught.value)
    assert chat.messages == []
    assert chat.ask("Hello").text == "Hi."


def test_nobody_to_agree_ends_the_answer_and_leaves_a_conversation_that_goes_on(player: Player, servers: Server):
    player.plays("Write", [("office__write", {"text": "x"}), ("office__draw", {})])
    chat = Chat()
    with pytest.raises(NoAnswerError, match="--approve never"):
        chat.ask("Write")
    assert states(chat) == [("write", "stopped"), ("draw", "stopped")]
    player.goes_on(1)
    player.plays("And?", "Well.")
    assert chat.ask("And?").text == "Well."


def test_the_same_tool_on_two_servers_stays_apart(player: Player, servers: Server):
    connect("annex", office())
    player.plays("Look", [("office__look", {"what": "a"}), ("annex__look", {"what": "b"})], "Ok")
    chat = Chat(approve="never")
    reply = chat.ask("Look")
    assert [call["server"] for call in reply.calls] == ["office", "annex"]
    player.plays("Only", "Ok")
    Chat(servers=["annex"]).ask("Only")
    assert all(tool["function"]["name"].startswith("annex__") for tool in player.requests[-1]["tools"])
    with pytest.raises(UsageError, match="cellar"):
        Chat(servers=["cellar"]).ask("Only")


def test_nothing_but_functions_is_sent(player: Player, openai_api: Player, servers: Server):
    openai_api.plays("Look", "Ok")
    Chat().ask("Look")
    (request,) = openai_api.requests
    assert "tool_choice" not in request
    assert all(tool["strict"] is False for tool in request["tools"])


def chunks(*deltas: dict[str, Any], finish: str | None = "stop", done: bool = True) -> str:
    """A stream of chat.completions, piece by piece."""
    lines = [json.dumps({"choices": [{"delta": delta, "finish_reason": None}]}) for delta in deltas]
    lines += [json.dumps({"choices": [{"delta": {}, "finish_reason": finish}]})] if finish else []
    return "".join(f"data: {line}\n\n" for line in lines) + ("data: [DONE]\n\n" if done else "")


@pytest.fixture
def odd(httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """An endpoint that answers with the very bytes it is given, one after the other."""
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("MCP_NOTEBOOK_MODEL", "odd")

    def answers(*bodies: str, content_type: str = "text/event-stream") -> None:
        for body in bodies:
            httpserver.expect_ordered_request("/v1/chat/completions").respond_with_data(body, content_type=content_type)

    return answers


def _piece(**more: Any) -> dict[str, Any]:
    arguments = more.pop("arguments", None)
    name = more.pop("name", None)
    return {"tool_calls": [{**more, "function": {"name": name, "arguments": arguments}}]}


@pytest.mark.parametrize(
    "deltas",
    [
        # no index
        [_piece(id="a", name="office__write", arguments='{"text"'), _piece(id="a", arguments=': "x"}')],
        # the name again and again
        [
            _piece(index=0, id="a", name="office__write", arguments='{"text"'),
            _piece(index=0, name="office__write", arguments=': "x"}'),
        ],
        # nothing to tell the pieces apart by
        [_piece(name="office__write", arguments='{"text": "x"}')],
        # two calls of one index
        [
            _piece(index=0, id="a", name="office__write", arguments='{"text": "x"}'),
            _piece(index=0, id="b", name="office__write", arguments='{"text": "y"}'),
        ],
    ],
    ids=["no index", "name repeated", "no id", "one index"],
)
def test_calls_are_put_together_however_they_are_cut(
    odd: Callable[..., None], servers: Server, deltas: list[dict[str, Any]]
):
    odd(chunks(*deltas, finish="tool_calls"), chunks({"content": "Ok"}))
    chat = Chat(approve="never")
    reply = chat.ask("Write")
    assert reply.calls[0]["text"] == "wrote x"
    assert len({call["id"] for call in reply.calls}) == len(reply.calls)
    assert reply.usage is None
    assert chat.usage is None


@pytest.mark.parametrize("arguments", ['{"text": "x', "[1]", "nonsense"])
def test_arguments_that_are_no_object_are_not_run_and_sent_back_as_none(
    odd: Callable[..., None], httpserver: HTTPServer, servers: Server, arguments: str
):
    odd(chunks(_piece(index=0, id="a", name="office__write", arguments=arguments)), chunks({"content": "Ok"}))
    chat = Chat(approve="never")
    chat.ask("Write")
    assert states(chat) == [("write", "refused")]
    assert servers.calls == 0
    (_, _), (last, _) = httpserver.log
    sent = json.loads(last.data)
    assert rules.broken(sent) == []
    (asked,) = (message for message in sent["messages"] if message.get("tool_calls"))
    assert asked["tool_calls"][0]["function"]["arguments"] == "{}"


def test_no_arguments_at_all_are_none(odd: Callable[..., None], servers: Server):
    odd(chunks(_piece(index=0, id="a", name="office__draw", arguments="")), chunks({"content": "Ok"}))
    chat = Chat(approve="never")
    chat.ask("Draw")
    assert states(chat) == [("draw", "done")]


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("<html>Welcome</html>", "text/html"),
        (chunks({"content": "Once upon"}, finish=None, done=False), "text/event-stream"),
        ("data: {broken\n\n", "text/event-stream"),
        ('data: {"error": {"message": "out of memory"}}\n\n', "text/event-stream"),
        ("", "text/event-stream"),
    ],
    ids=["a page", "cut off", "broken", "error within", "empty"],
)
def test_a_stream_that_is_none_or_breaks_off_is_told(
    odd: Callable[..., None], servers: Server, body: str, content_type: str
):
    odd(body, content_type=content_type)
    odd(chunks({"content": "Hi."}))
    chat = Chat()
    with pytest.raises(ModelError, match=r"^odd, http://"):
        chat.ask("Hello")
    assert chat.ask("Hello").text == "Hi."


def test_an_answer_that_was_cut_at_the_limit_says_so(odd: Callable[..., None], servers: Server):
    odd(chunks({"content": "Once upon a"}, finish="length"))
    assert "cut off" in Chat().ask("Tell").note


def test_cancelling_ends_the_stream_and_the_conversation_can_go_on(
    httpserver: HTTPServer, odd: Callable[..., None], servers: Server
):
    reached = asyncio.Event()

    async def ask(chat: Chat) -> None:
        loop = asyncio.get_running_loop()

        def slow(_: Request) -> Response:
            def pieces() -> Any:
                yield chunks({"content": "Once upon"}, finish=None, done=False)
                loop.call_soon_threadsafe(reached.set)
                for _ in range(2000):  # until nobody listens any more
                    yield ": still there\n\n"
                    import time

                    time.sleep(0.01)

            return Response(pieces(), content_type="text/event-stream")

        httpserver.expect_ordered_request("/v1/chat/completions").respond_with_handler(slow)
        asking = asyncio.create_task(chat.aask("Tell"))
        await asyncio.wait_for(reached.wait(), 20)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    chat = Chat()
    asyncio.run(ask(chat))
    odd(chunks({"content": "Hi."}))
    assert chat.ask("Hello").text == "Hi."


def test_without_a_model_the_three_ways_are_told(servers: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("mcp_notebook.chat.local.is_ready", lambda: False)
    with pytest.raises(UsageError) as caught:
        Chat().ask("Hello")
    told = str(caught.value)
    assert "OPENAI_API_KEY" in told
    assert "--model ollama/NAME" in told
    assert 'pip install "mcp-notebook[local]"' in told
    assert "\n" not in told


def test_an_ollama_that_runs_here_is_offered_and_its_models_can_be_asked(
    servers: Server, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("mcp_notebook.chat.local.is_ready", lambda: False)
    monkeypatch.setenv("OLLAMA_HOST", f"{httpserver.host}:{httpserver.port}")
    models = {"object": "list", "data": [{"id": "llama3.2"}, {"id": "qwen3"}]}
    httpserver.expect_request("/v1/models").respond_with_json(models)
    with pytest.raises(UsageError, match=r"--model ollama/llama3.2 .* \(it has qwen3 as well\)"):
        Chat().ask("Hello")
    body = chunks({"content": "Hi."})
    httpserver.expect_request("/v1/chat/completions").respond_with_data(body, content_type="text/event-stream")
    reply = Chat("ollama/llama3.2").ask("Hello")
    assert reply.text == "Hi."
    assert reply.model.startswith("llama3.2, Ollama at")


def test_an_endpoint_that_nobody_listens_at_is_told(servers: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    with pytest.raises(ModelError, match="does not say which models it has"):
        Chat().ask("Hello")
    with pytest.raises(ModelError, match="can't be reached"):
        Chat("any").ask("Hello")
