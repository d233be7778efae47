"""What a handler may return, and whose questions it gets."""

from __future__ import annotations

import re
from typing import Any

import pytest

from mcp_notebook import Answer, NoAnswerError, Question, UsageError, ask_person
from mcp_notebook.answers.handler import Handlers, answer_from

SCHEMA = {"type": "object", "properties": {"age": {"type": "integer", "minimum": 0}}, "required": ["age"]}


def question(**changes: Any) -> Question:
    return Question(**{"server": "demo", "message": "?", "schema": SCHEMA, **changes})


def my_handler(_: Question) -> Any: ...


def taken(returned: Any, **changes: Any) -> Any:
    answer = answer_from(question(**changes), my_handler, returned)
    assert answer is None or answer.source == "handler"
    return answer and (answer.action, answer.content)


@pytest.mark.parametrize(
    ("returned", "sent"),
    [
        ({"age": 4}, ("accept", {"age": 4})),
        (Answer(action="accept", content={"age": 4}), ("accept", {"age": 4})),
        ("decline", ("decline", None)),
        ("cancel", ("cancel", None)),
        (Answer(action="decline"), ("decline", None)),
        (ask_person, None),
    ],
)
def test_a_handler_answers_by_what_it_returns(returned: Any, sent: Any):
    assert taken(returned) == sent


@pytest.mark.parametrize("returned", [{}, Answer(action="accept")])
def test_a_url_is_accepted_without_content(returned: Any):
    assert taken(returned, mode="url", url="https://example.org/", schema={}) == ("accept", None)
    with pytest.raises(NoAnswerError, match="has no content"):
        taken({"age": 4}, mode="url", url="https://example.org/", schema={})


def test_a_url_that_nobody_may_open_is_not_accepted():
    assert taken("decline", mode="url", url="javascript:x", schema={}) == ("decline", None)
    with pytest.raises(NoAnswerError, match="its address is not opened, since it begins with javascript:"):
        taken({}, mode="url", url="javascript:x", schema={})


@pytest.mark.parametrize("content", [{"age": -1}, {"age": "4"}, {}, {"age": float("nan")}])
def test_content_that_does_not_fit_is_refused_by_field_and_handler(content: Any):
    with pytest.raises(NoAnswerError, match=r"demo: what the handler my_handler returned .* nothing was sent: age: "):
        taken(content)


@pytest.mark.parametrize(("returned", "named"), [(None, "None"), ("accept", "str"), (True, "True"), (["x"], "list")])
def test_anything_else_is_told_with_what_it_may_return(returned: Any, named: str):
    told = f"the handler my_handler returned {named}, so nothing was sent; it returns an Answer, a mapping"
    with pytest.raises(NoAnswerError, match=re.escape(told)):
        taken(returned)


def test_a_handler_without_a_name_is_called_by_its_type():
    class Rules:
        def __call__(self, _: Question) -> None: ...

    with pytest.raises(NoAnswerError, match="the handler Rules returned None"):
        answer_from(question(), Rules(), None)


def test_a_servers_own_handler_goes_before_the_one_for_all():
    handlers, own, general = Handlers(), lambda _: "decline", lambda _: "cancel"
    handlers.set(general)
    handlers.set(own, "demo")
    assert (handlers.of("demo"), handlers.of("other")) == (own, general)
    handlers.set(None, "demo")
    assert handlers.of("demo") is general
    handlers.set(None)
    assert handlers.of("demo") is None


def test_what_is_no_function_is_no_handler():
    with pytest.raises(UsageError, match="a handler is a function that takes a Question, not dict"):
        Handlers().set({"age": 4})  # pyright: ignore[reportArgumentType]
