"""Many calls of one tool, against real servers: in order, so many at a time, kept when stopped, and resumed."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Annotated, Any

import pandas as pd
import polars as pl
import pytest
from mcp.server.mcpserver import Elicit, ElicitationResult, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError as Failed
from pydantic import BaseModel, Field

from mcp_notebook.errors import MapError, NoAnswerError, ToolError, UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.servers.server import Server
from tests.protocol.conftest import Session
from tests.protocol.places import BOUND, Scripted, Stoppable, StoppedError, accept

server = MCPServer("sums")


class Gate:
    """Holds calls back until a test lets them go, and counts how many are inside."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.full = threading.Event()
        self.inside = 0
        self.most = 0
        self.wanted = 0

    def reset(self, wanted: int) -> None:
        self.open.clear()
        self.full.clear()
        self.inside = self.most = 0
        self.wanted = wanted

    async def passed(self) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        if self.inside == self.wanted:
            self.full.set()
        while not self.open.is_set():
            await asyncio.sleep(0.005)
        self.inside -= 1


gate = Gate()


class Point(BaseModel):
    """What `add` gives."""

    sum: int
    of: str


@server.tool()
def add(a: Annotated[int, Field(ge=0)], b: int = 10) -> Point:
    if a == 13:
        raise Failed("13 brings bad luck")
    return Point(sum=a + b, of=f"{a} and {b}")


@server.tool()
def double(number: int) -> int:
    return 2 * number


@server.tool()
async def gated(number: int) -> int:
    if number >= 3:
        await gate.passed()
    return number


class Size(BaseModel):
    """What is asked of each guest."""

    size: str


def ask_size(guest: str) -> Elicit[Size]:
    return Elicit(f"Which size for {guest}?", Size)


@server.tool()
def order(guest: str, answer: Annotated[ElicitationResult[Size], Resolve(ask_size)]) -> str:
    return f"{guest}: {answer.data.size}" if answer.action == "accept" else f"{guest}: none"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = Session()
    session.connect("sums", server)
    session.connect("demo")
    yield session
    session.registry.close_all()


@pytest.fixture
def sums(session: Session) -> Iterator[Server]:
    yield session.registry.get("sums")
    session.place = Scripted()


def test_results_come_in_the_order_of_the_rows(sums: Server):
    mapped = sums.tools.add.map([{"a": 20 + n, "b": 1} for n in range(50)], concurrency=7)
    assert [each["sum"] for each in mapped.data] == [21 + n for n in range(50)]
    assert len(mapped) == 50
    assert isinstance(mapped[3], ToolResult)
    assert repr(mapped) == "<50 calls of sums.add: 50 done>"


def test_plain_values_are_the_one_argument_that_the_tool_takes_or_needs(sums: Server):
    assert sums.tools.double.map(range(4)).data == [0, 2, 4, 6]
    assert [each["sum"] for each in sums.tools.add.map([1, 2]).data] == [11, 12]


def test_a_frame_gives_its_index_back_and_its_gaps_take_the_default(sums: Server):
    frame = pd.DataFrame({"a": [1, 2], "b": [5, None]}, index=["x", "y"])
    found = sums.tools.add.map(frame).to_frame()
    pd.testing.assert_frame_equal(
        found, pd.DataFrame({"sum": [6, 12], "of": ["1 and 5", "2 and 10"]}, index=["x", "y"]), check_dtype=False
    )


def test_series_and_polars_frames_are_rows_too(sums: Server):
    mapped = sums.tools.double.map(pd.Series([4, 5], index=["p", "q"]))
    assert (mapped.data, list(mapped.labels)) == ([8, 10], ["p", "q"])
    assert sums.tools.double.map(pl.Series([1, 2])).data == [2, 4]
    found = sums.tools.add.map(pl.DataFrame({"a": [1], "b": [None]})).to_frame("polars")
    assert found.to_dicts() == [{"sum": 11, "of": "1 and 10"}]


def test_rows_may_be_models_and_dataclasses(sums: Server):
    @dataclass
    class Sum:
        a: int
        b: int = 3

    class Sum2(BaseModel):
        a: int

    assert [each["sum"] for each in sums.tools.add.map([Sum(1), Sum2(a=2)]).data] == [4, 12]


@pytest.mark.parametrize("rows", ["abc", {"a": 1}, 7])
def test_what_are_no_rows_is_said(sums: Server, rows: Any):
    with pytest.raises(UsageError, match="rows are a frame, or a list with the arguments of each call"):
        sums.tools.add.map(rows)


def test_all_rows_are_checked_before_anything_is_sent(sums: Server):
    before = sums.calls
    with pytest.raises(UsageError, match=r"row 1: a must be at least 0"):
        sums.tools.add.map([{"a": 1}, {"a": -1}])
    with pytest.raises(TypeError, match=r"row 0: add\(\) .*did you mean 'b'"):
        sums.tools.add.map([{"a": 1, "bb": 1}])
    assert sums.calls == before


def test_one_failure_ends_the_rest_and_says_which_row_it_was(sums: Server):
    with pytest.raises(MapError, match=r"row y: sums: add failed: .*13 brings bad luck. 1 of 3 calls") as caught:
        sums.tools.add.map(pd.DataFrame({"a": [1, 13, 3]}, index=["x", "y", "z"]), concurrency=1)
    mapped = caught.value.mapped
    assert mapped.left == ["z"]
    assert isinstance(mapped.errors["y"], ToolError)
    assert mapped is sums.tools.add.last_map
    assert [outcome is None for outcome in mapped.resume()] == [False, False, False]


def test_errors_are_kept_beside_their_rows(sums: Server):
    mapped = sums.tools.add.map([{"a": 1}, {"a": 13}, {"a": -1}], errors="keep")
    assert list(mapped.errors) == [1, 2]
    assert isinstance(mapped.errors[2], UsageError)
    assert repr(mapped) == "<3 calls of sums.add: 1 done, 2 failed>"
    frame = mapped.to_frame()
    assert frame["error"].tolist()[1].endswith("13 brings bad luck")
    assert frame["sum"].tolist() == [11, pd.NA, pd.NA]


def test_no_more_than_so_many_run_at_a_time(sums: Server):
    gate.reset(wanted=4)
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(sums.tools.gated.map(range(3, 12), concurrency=4)))
    thread.start()
    assert gate.full.wait(BOUND)
    gate.open.set()
    thread.join(BOUND)
    assert found[0].data == list(range(3, 12))
    assert gate.most == 4


def test_stop_keeps_what_is_done_and_resume_goes_on(sums: Server, session: Session):
    session.place = place = Stoppable()
    gate.reset(wanted=2)
    caught: list[BaseException] = []

    def work() -> None:
        try:
            sums.tools.gated.map(range(8), concurrency=2)
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    assert gate.full.wait(BOUND)
    place.stop()
    thread.join(BOUND)
    assert isinstance(caught[0], StoppedError)
    mapped = sums.tools.gated.last_map
    assert mapped is not None
    assert (mapped.data[:3], mapped.left) == ([0, 1, 2], [3, 4, 5, 6, 7])
    assert repr(mapped) == "<8 calls of sums.gated: 3 done, 5 still to do: .resume() goes on>"

    gate.open.set()
    assert mapped.resume().data == list(range(8))


def test_it_can_be_awaited(sums: Server):
    async def work() -> Any:
        return (await sums.tools.double.amap([1, 2, 3])).data

    assert asyncio.run(work()) == [2, 4, 6]


def test_questions_come_one_by_one_and_say_how_many_calls_are_left(sums: Server, session: Session):
    open_now: list[str] = []

    class OneByOne(Scripted):
        async def ask(self, question: Any) -> Any:
            open_now.append(question.message)
            await asyncio.sleep(0)  # any other question would come now
            assert len(open_now) == 1
            open_now.clear()
            return await super().ask(question)

    session.place = place = OneByOne(lambda question: accept(size=question.message.split()[-1].rstrip("?")))
    assert sums.tools.order.map(["Ada", "Bo", "Cy"]).data == ["Ada: Ada", "Bo: Bo", "Cy: Cy"]
    assert [question.rest for question in place.questions] == [2, 1, 0]


def test_a_question_that_nobody_answers_is_that_rows_error(sums: Server, session: Session):
    class Picky(Scripted):
        async def ask(self, question: Any) -> Any:
            if "Bo" in question.message:
                raise NoAnswerError(question, "nobody knows")
            return accept(size="M")

    session.place = Picky()
    mapped = sums.tools.order.map(["Ada", "Bo", "Cy"], errors="keep")
    assert [str(each) for each in mapped.errors.values()] == ["nobody knows"]
    assert mapped.data == ["Ada: M", None, "Cy: M"]


def test_progress_is_told_of_all_calls_together(sums: Server, session: Session):
    session.place = place = Scripted()
    sums.tools.add.map([{"a": 1}, {"a": 13}], errors="keep", concurrency=1)
    told = [(what, done, total) for what, done, total, _ in place.progressed]
    assert (told[0], told[-1]) == (("add", 0, 2), ("add", 2, 2))
    assert len(told) <= 3  # and not once for each, when they come fast
    assert place.progressed[-1][3] == "2 of 2 · 1 failed"


def test_an_executors_threads_have_connections_of_their_own(sums: Server):
    with ThreadPoolExecutor(2) as executor:
        mapped = sums.tools.add.map([1, 13, 3], executor=executor, errors="keep")
    assert [each and each["sum"] for each in mapped.data] == [11, None, 13]
    assert isinstance(mapped.errors[1], ToolError)


def test_an_executors_processes_reach_the_server_by_themselves(session: Session):
    demo = session.registry.get("demo")
    rows = [{"party": n, "date": "2026-12-31"} for n in (2, 3)] + [{"party": 4}]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        mapped = demo.tools.book_table.map(rows, executor=executor, errors="keep")
    assert [each and each[:25] for each in mapped.data] == [
        "Booked: a table for 2 on ",
        "Booked: a table for 3 on ",
        None,
    ]
    assert "nobody to ask in a worker of an executor" in str(mapped.errors[2])


def test_a_server_of_this_process_can_not_be_reached_from_others(sums: Server):
    with ProcessPoolExecutor(1) as executor, pytest.raises(UsageError, match="sums can't be reached from workers"):
        sums.tools.double.map([1], executor=executor)


def test_errors_come_through_another_process_whole(sums: Server):
    with pytest.raises(ToolError) as caught:
        sums.tools.add(a=13)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (type(again), str(again), again.result.text) == (
        ToolError,
        str(caught.value),
        caught.value.result.text,
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [({"errors": "ignore"}, 'errors is "raise" or "keep"'), ({"concurrency": 0}, "concurrency is a whole number")],
)
def test_options_that_are_none_are_said(sums: Server, wrong: dict[str, Any], told: str):
    with pytest.raises(UsageError, match=told):
        sums.tools.double.map([1], **wrong)


def test_no_rows_are_no_calls(sums: Server):
    assert repr(sums.tools.double.map([])) == "<0 calls of sums.double: 0 done>"
