"""The pytest plugin, on notebooks and tests of somebody else, in a folder of theirs, with their pytest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

CALL = "%load_ext mcp_notebook\n%mcp connect demo\nprint(get_ipython().run_line_magic('mcp', 'call demo.greet').text)"
ADA = {"server": "demo", "tool": "greet", "content": {"name": "Ada"}}
BOB = {"server": "demo", "tool": "confirm", "content": {}}

TESTS = """
import pytest
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel

from mcp_notebook import NoAnswerError

office = MCPServer("office", log_level="CRITICAL")


class Visitor(BaseModel):
    name: str


@office.tool(structured_output=False)
async def greet(ctx: Context) -> str:
    answer = await ctx.elicit("Who are you?", Visitor)
    return f"Hello, {answer.data.name}!" if answer.action == "accept" else answer.action


def test_greeting(mcp_server, mcp_answers):
    server = mcp_server("office", office)
    mcp_answers({"name": "Ada"})
    assert server.call("greet").text == "Hello, Ada!"


def test_declining(mcp_server, mcp_answers):
    mcp_answers([{"action": "decline"}])
    assert mcp_server("office", office).call("greet").text == "decline"


def test_nothing_of_the_tests_before_is_left(mcp_server):
    with pytest.raises(NoAnswerError):
        mcp_server("office", office).call("greet")
"""


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What came of each test in that folder: "" where it passed, else what was told."""
    folder = tmp_path_factory.mktemp("theirs")
    notebook(folder / "right.ipynb", "Hello, Ada!", [ADA])
    notebook(folder / "surplus.ipynb", "Hello, Ada!", [ADA, BOB])
    notebook(folder / "wanting.ipynb", "Hello, Ada!", [BOB])
    notebook(folder / "elsewhere.ipynb", "Hello, Ada!", None)
    notebook(folder / "plain.ipynb", "2", None, code="print(1 + 1)")
    (folder / "test_office.py").write_text(TESTS)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "MCP_"))}
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "--nbval", "--nbval-current-env", f"--junit-xml={report}"]
    subprocess.run(command, cwd=folder, env=environment, check=False, timeout=100)
    return {
        f"{case.get('classname')}.{case.get('name')}": "".join(part.text or "" for part in case)
        for case in ElementTree.parse(report).getroot().iter("testcase")
    }


def notebook(path: Path, printed: str, answers: list[dict[str, Any]] | None, code: str = CALL) -> None:
    told = [new_output("stream", name="stdout", text=f"{printed}\n")]
    cells = [
        new_markdown_cell("# Theirs"),
        new_code_cell(f"# NBVAL_IGNORE_OUTPUT\n{code}", outputs=told, execution_count=1),
    ]
    nbformat.write(new_notebook(cells=cells), path)
    if answers is not None:
        path.with_suffix(".answers.json").write_text(json.dumps({"version": 1, "answers": answers}))


def of(outcomes: dict[str, str], file: str) -> dict[str, str]:
    return {name: told for name, told in outcomes.items() if file in name}


def test_a_notebook_with_its_answers_passes_and_its_answers_are_one_more_test(outcomes: dict[str, str]):
    assert list(of(outcomes, "right").values()) == ["", ""]


def test_an_answer_that_is_never_asked_for_fails_and_is_named(outcomes: dict[str, str]):
    cell, answers = of(outcomes, "surplus").values()

    assert cell == ""
    assert "surplus.answers.json: never asked for: accept of demo.confirm" in answers


def test_a_question_without_an_answer_fails_in_its_cell(outcomes: dict[str, str]):
    cell = next(iter(of(outcomes, "wanting").values()))

    assert "NoAnswerError" in cell


def test_the_answers_of_one_notebook_are_not_those_of_the_next(outcomes: dict[str, str]):
    (cell,) = of(outcomes, "elsewhere").values()

    assert "NoAnswerError" in cell


def test_a_notebook_without_answers_has_no_test_of_them(outcomes: dict[str, str]):
    assert list(of(outcomes, "plain").values()) == [""]


def test_fixtures_connect_and_answer_for_one_test(outcomes: dict[str, str]):
    assert list(of(outcomes, "test_office").values()) == ["", "", ""]
