"""`%mcp answer`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook import Question, UsageError
from mcp_notebook.answers.script import script

Notebook = Any


def asked(tool: str = "t", server: str = "demo") -> Question:
    schema = {"type": "object", "properties": {"name": {"type": "string", "default": "Ada"}}}
    return Question(server=server, tool=tool, message="?", schema=schema)


def answered(question: Question) -> Any:
    answer = script().answer(question)
    return answer and (answer.action, answer.content)


@pytest.mark.parametrize(
    "cell",
    [
        """%mcp answer demo '{"name": "Bo"}'""",
        """%mcp answer demo {"name": "Bo"}""",
        """who = "Bo"\n%mcp answer demo {'name': who}""",
        """%%mcp answer demo\n{"name": "Bo"}""",
    ],
)
def test_content_is_json_a_python_value_or_the_cells_body(notebook: Notebook, cell: str):
    assert notebook.says(cell) == "1 answer waits for what demo asks.\n"
    assert answered(asked()) == ("accept", {"name": "Bo"})


def test_an_answer_on_the_line_and_in_the_body_is_a_mistake(notebook: Notebook):
    assert "is given twice" in notebook.fails('%%mcp answer demo {}\n{"name": "Bo"}')


def test_defaults_decline_and_tool_are_for_the_asking(notebook: Notebook):
    notebook.says("%mcp answer demo defaults --tool a")
    assert notebook.says("%mcp answer demo --action decline --tool b") == "2 answers wait for what demo asks.\n"
    assert answered(asked("c")) is None
    assert answered(asked("b")) == ("decline", None)
    assert answered(asked("a")) == ("accept", {"name": "Ada"})


def test_a_file_is_read(notebook: Notebook, tmp_path: Path):
    path = tmp_path / "my answers.json"
    path.write_text(json.dumps({"version": 1, "answers": [{"content": {"name": "Bo"}}]}), "utf-8")
    notebook.shell.user_ns["path"] = path
    assert notebook.says("%mcp answer --file {path}") == f"1 answer taken from {path}.\n"
    assert answered(asked(server="any")) == ("accept", {"name": "Bo"})


def test_clear_forgets(notebook: Notebook):
    notebook.says("%mcp answer demo --action cancel\n%mcp answer other --action cancel\n%mcp answer demo --clear")
    assert answered(asked()) is None
    notebook.says("%mcp answer --clear")
    assert answered(asked(server="other")) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("demo", "say what to answer"),
        ("", "say what to answer"),
        ("--action decline", "say which server asks"),
        ("demo '{oops}'", "not JSON at column 2"),
        ("demo [1]", "'content' must be an object of values"),
        ("demo {} --action decline", "'content' goes with \"accept\" only"),
        ("demo --action no", "argument --action: invalid choice"),
        ("--file nowhere.json", "nowhere.json: can't be read"),
    ],
)
def test_a_mistake_is_told_in_one_line(notebook: Notebook, line: str, told: str):
    outcome = notebook.run(f"%mcp answer {line}")
    assert isinstance(outcome.error, UsageError)
    assert told in outcome.output
    assert len(outcome.output.strip().splitlines()) == 1
