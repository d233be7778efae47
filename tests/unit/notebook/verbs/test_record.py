"""`%mcp record` and `%mcp replay`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook import UsageError, set_handler
from mcp_notebook.answers.recording import recorder

Notebook = Any


@pytest.fixture(autouse=True)
def nothing_goes_on() -> Iterator[None]:
    yield
    recorder().stop()
    set_handler(None)


@pytest.fixture
def file(demo: Notebook, tmp_path: Path) -> Path:
    demo.shell.user_ns["file"] = path = tmp_path / "my answers.json"
    return path


def greeted(demo: Notebook, name: str) -> str:
    set_handler(lambda _: {"name": name})
    try:
        return demo.says("print(server('demo').call('greet').text)")
    finally:
        set_handler(None)


@pytest.fixture(autouse=True)
def imported(demo: Notebook) -> None:
    demo.says("from mcp_notebook import server")


def test_what_was_recorded_is_replayed(demo: Notebook, file: Path):
    assert demo.says("%mcp record {file}") == f"What you answer from now on is written to {file}, without secrets.\n"
    greeted(demo, "Ada")
    assert demo.says("%mcp record --stop") == f"Recorded into {file}; now no longer.\n"
    greeted(demo, "Bo")
    assert demo.says("%mcp replay {file}") == f"1 answer taken from {file}.\n"
    text = demo.says("print(server('demo').call('greet').text)")
    assert "Answered from a script" in text
    assert "Hello, Ada!" in text
    assert "nobody is here" in demo.fails("%mcp call demo.greet")


def test_one_cell_does_for_the_first_run_and_for_all_after(demo: Notebook, file: Path):
    assert demo.says("%mcp record {file} --replay").startswith(f"0 answers taken from {file}.\n")
    greeted(demo, "Ada")
    recorded = file.read_text("utf-8")
    for _ in range(2):
        assert demo.says("%mcp record {file} --replay").startswith(f"1 answer taken from {file}.\n")
        assert "Hello, Ada!" in demo.says("print(server('demo').call('greet').text)")
        assert file.read_text("utf-8") == recorded


def test_an_answer_that_cannot_be_written_down_is_sent_all_the_same_and_it_is_told(demo: Notebook, file: Path):
    demo.says("%mcp record {file}")
    file.write_text("no longer JSON", "utf-8")
    text = greeted(demo, "Ada")
    assert "Hello, Ada!" in text
    assert "This answer is not recorded:" in text


def test_stop_with_nothing_going_on_says_so(notebook: Notebook):
    assert notebook.says("%mcp record --stop") == "Nothing is being recorded.\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("record", "name the file to record into, or --stop"),
        ("record a.json --stop", "name the file to record into, or --stop"),
        ("record /nowhere/at/all.json", "can't be written"),
        ("record {file}", "line 1, column 1"),
        ("replay", "the following arguments are required: FILE"),
        ("replay nowhere.json", "nowhere.json: can't be read"),
    ],
)
def test_a_mistake_is_told_in_one_line(demo: Notebook, file: Path, line: str, told: str):
    file.write_text("oops", "utf-8")
    outcome = demo.run(f"%mcp {line}")
    assert isinstance(outcome.error, UsageError)
    assert told in outcome.output
    assert len(outcome.output.strip().splitlines()) == 1


def test_the_file_is_made_at_once_so_that_it_is_there_though_nothing_is_asked(demo: Notebook, file: Path):
    demo.says("%mcp record {file}")
    assert json.loads(file.read_text("utf-8")) == {"version": 1, "answers": []}
