"""Handlers where no kernel runs: in scripts, and in threads of their own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from mcp_notebook import NoAnswerError, Question, Server, UsageError, ask_person, connect, server, set_handler
from mcp_notebook.answers.handler import handlers
from mcp_notebook.api import close_all


@pytest.fixture(scope="module")
def demo() -> Iterator[Server]:
    yield connect("demo")
    close_all()


@pytest.fixture(autouse=True)
def no_handlers() -> Iterator[None]:
    yield
    handlers.clear()


def test_a_handler_gets_the_question_in_the_thread_of_the_call(demo: Server):
    seen: list[Any] = []

    def handler(question: Question) -> Any:
        seen.append((question.server, question.tool, question.message, threading.current_thread()))
        return {"name": "Ada"}

    set_handler(handler, "demo")
    with ThreadPoolExecutor(1) as pool:
        texts = [demo.call("greet").text, pool.submit(demo.call, "greet").result(20).text]
        thread = pool.submit(threading.current_thread).result(20)
    assert texts == ["Hello, Ada!", "Hello, Ada!"]
    asked = ("demo", "greet", "Who may I greet?")
    assert seen == [(*asked, threading.current_thread()), (*asked, thread)]


async def name_in_time(_: Question) -> Any:
    await asyncio.sleep(0.01)
    return {"name": "Ada"}


@pytest.mark.parametrize("handler", [name_in_time, lambda question: name_in_time(question)], ids=["async", "awaitable"])
def test_an_async_handler_just_runs(demo: Server, handler: Any):
    set_handler(handler)
    assert demo.call("greet").text == "Hello, Ada!"
    with ThreadPoolExecutor(4) as pool:
        assert {each.text for each in pool.map(lambda _: demo.call("greet"), range(4))} == {"Hello, Ada!"}
    assert asyncio.run(demo.acall("greet")).text == "Hello, Ada!"


def test_an_async_handler_runs_on_the_loop_that_awaits_the_call(demo: Server):
    async def main() -> Any:
        home = asyncio.get_running_loop()

        async def handler(_: Question) -> Any:
            return {"name": str(asyncio.get_running_loop() is home)}

        set_handler(handler)
        return await demo.acall("greet")

    assert asyncio.run(main()).text == "Hello, True!"


def test_cancelling_the_call_cancels_its_handler(demo: Server):
    ended: list[str] = []

    async def main() -> None:
        begun = asyncio.Event()

        async def handler(_: Question) -> Any:
            begun.set()
            try:
                await asyncio.sleep(60)
            finally:
                ended.append("ended")

        set_handler(handler)
        call = asyncio.ensure_future(demo.acall("greet"))
        await asyncio.wait_for(begun.wait(), 20)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(call, 20)

    asyncio.run(main())
    assert ended == ["ended"]


@pytest.mark.parametrize("error", [LookupError("nobody"), asyncio.TimeoutError()], ids=repr)
def test_what_a_handler_raises_ends_the_call(demo: Server, error: Exception):
    def handler(_: Question) -> Any:
        raise error

    set_handler(handler)
    with pytest.raises(type(error)) as caught:
        demo.call("greet")
    assert (caught.type, caught.value.args) == (type(error), error.args)


def test_a_handler_whose_iterator_has_run_out_ends_the_call_too(demo: Server):
    names = iter(["Ada"])
    set_handler(lambda _: {"name": next(names)})
    assert demo.call("greet").text == "Hello, Ada!"
    with pytest.raises(RuntimeError, match="the handler raised StopIteration"):
        demo.call("greet")


def test_a_handler_may_leave_the_question_to_whoever_else_is_there(demo: Server):
    set_handler(lambda _: ask_person)
    with pytest.raises(NoAnswerError, match="nobody is here to answer"):
        demo.call("greet")


def test_an_answer_that_does_not_fit_is_not_sent(demo: Server):
    set_handler(lambda _: {"name": "x" * 61})
    with pytest.raises(NoAnswerError, match=r"what the handler <lambda> returned does not fit .* name: "):
        demo.call("greet")


def test_a_handler_goes_with_its_connection(demo: Server):
    again = connect("again", demo.spec.command, on_elicit=lambda _: {"name": "Ada"})
    assert again.call("greet").text == "Hello, Ada!"
    again = connect("again", demo.spec.command)
    with pytest.raises(NoAnswerError):
        again.call("greet")


def test_a_mistake_is_told(demo: Server):
    with pytest.raises(UsageError, match="a handler is a function that takes a Question, not str"):
        connect("x", ["true"], on_elicit="decline")  # pyright: ignore[reportArgumentType]
    with pytest.raises(UsageError, match="elicit=False lets it ask nothing"):
        connect("x", ["true"], on_elicit=name_in_time, elicit=False)
    with pytest.raises(UsageError, match="no server 'nowhere' is connected"):
        set_handler(name_in_time, "nowhere")
    assert server("demo") is demo
