"""`%mcp resources`, `read`, `prompts`, `prompt` and `logs`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

Notebook = Any

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # of the server


@pytest.fixture
def library(notebook: Notebook) -> Iterator[Notebook]:
    notebook.says("from tests.protocol.servers.library import server as shelf\n%mcp connect library shelf")
    yield notebook
    notebook.says("%mcp disconnect library")


def test_resources_are_listed_and_read(library: Notebook):
    told = library.shows("%mcp resources library")["text/plain"]
    assert "book://sea" in told
    assert "weather://{country}/{city}" in told
    assert "Read one: %mcp read library book://sea" in told
    assert "%mcp read library weather://{{country}}/{{city}} k=v" in told
    assert "The sea is" in library.shows("%mcp read library book://sea")["text/plain"]
    assert library.run("x = %mcp read book://facts\nx.data").value == {"pages": 3}
    told = library.shows("%mcp read weather://{{country}}/{{city}} country=no city=Oslo")["text/plain"]
    assert "Oslo, no: rain" in told
    assert "2 bytes" in library.shows("%mcp read library book://cover")["text/plain"]


def test_prompts_are_listed_and_got(library: Notebook):
    assert "library.summarise  book*, words" in library.shows("%mcp prompts")["text/plain"]
    told = library.shows("%mcp prompt library.summarise book=sea")["text/plain"]
    assert told == "Summarise a book.\nuser\nSummarise sea in 10 words."


def test_log_messages_are_shown_by_level(library: Notebook):
    library.says("shown = %mcp call library.work steps=2")
    told = library.shows("%mcp logs library")["text/plain"]
    assert [line.split()[1:] for line in told.splitlines()[1:]] == [
        ["info", "did", "1"], ["info", "did", "2"], ["warning", "that", "was", "all"]]  # fmt: skip
    told = library.shows("%mcp logs library --level warning")["text/plain"]
    assert "did" not in told
    assert "the last 1 of 3 records" in library.shows("%mcp logs library --last 1")["text/plain"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("read library book://none", "book://none"),
        ("read library weather://{{country}}/{{city}} city=Oslo", "country is missing"),
        ("prompt library.summarise", "summarise needs book"),
        ("prompt library.sumarise", "library has no prompt sumarise; did you mean summarise?"),
        ("prompt summarise", "say whose prompt, as in SERVER.PROMPT; did you mean library.summarise?"),
        ("logs library --last none", "--last takes a whole number from 1 on"),
        ("logs nobody", "no server 'nobody' is connected"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(library: Notebook, line: str, told: str):
    output = library.fails(f"%mcp {line}")
    assert told in output
    assert len(output.strip().splitlines()) == 1
