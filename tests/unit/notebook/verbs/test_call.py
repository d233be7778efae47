"""`%mcp call`, with the demo server."""

from __future__ import annotations

from typing import Any

import pytest

from mcp_notebook import NoAnswerError, ToolError, ToolResult, UsageError

Notebook = Any


def test_the_result_is_a_value_and_shows_as_the_cells_result(demo: Notebook):
    outcome = demo.run("%mcp call demo.forecast city=Oslo days=2")
    assert isinstance(outcome.value, ToolResult)
    assert [day["day"] for day in outcome.value.data["days"]] == ["Mon", "Tue"]
    assert outcome.output.count("Oslo") == 1


def test_an_assigned_result_does_not_show(demo: Notebook):
    assert demo.says("forecast = %mcp call demo.forecast city=Oslo") == ""
    assert demo.run("forecast.data['city']").value == "Oslo"


@pytest.mark.parametrize(
    ("arguments", "city"),
    [
        ("city=Oslo", "Oslo"),
        ("city='Los Angeles'", "Los Angeles"),
        (r'city="C:\new dir"', r"C:\new dir"),
        ("""city='{"k": 1}'""", '{"k": 1}'),
        ("""city="it's {here}" """, "it's {here}"),
        ("city={place}", "Nara"),
        ("city=$place", "Nara"),
        ("city={place}-$place", "Nara-Nara"),
        ("city=42", "42"),
        ("'city=Los Angeles'", "Los Angeles"),
    ],
)
def test_values_arrive_as_they_were_meant(demo: Notebook, arguments: str, city: str):
    outcome = demo.run(f"place = 'Nara'\n%mcp call demo.forecast {arguments}")
    assert outcome.error is None, outcome.output
    assert outcome.value.data["city"] == city


def test_a_number_is_sent_as_a_number(demo: Notebook):
    assert len(demo.run("%mcp call demo.forecast city=Oslo days=1").value.data["days"]) == 1
    assert len(demo.run("n = 1\n%mcp call demo.forecast city=Oslo days={n}").value.data["days"]) == 1


def test_the_cell_body_holds_arguments_as_json(demo: Notebook):
    outcome = demo.run('%%mcp call demo.forecast days=1\n{"city": "Oslo {x}"}\n')
    assert outcome.value.data["city"] == "Oslo {x}"
    assert len(outcome.value.data["days"]) == 1


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("%mcp call demo.forecst city=x", "demo has no tool forecst; did you mean forecast?"),
        ("%mcp call forecast city=x", "forecast: say whose tool, as in SERVER.TOOL; did you mean demo.forecast?"),
        ("%mcp call nobody.tool", "no server 'nobody' is connected"),
        ("%mcp call demo.forecast Oslo", "Oslo: arguments are written as NAME=VALUE"),
        ("%mcp call demo.forecast ={3}", "={3}: arguments are written as NAME=VALUE"),
        ("%mcp call demo.forecast city=a city=b", "city is given twice"),
        ('%%mcp call demo.forecast city=a\n{"city": "b"}', "city is given twice: on the line and in the cell's body"),
        ('%%mcp call demo.forecast\n{"city":\n oops}', "the cell's body is not JSON: line 3 of the cell"),
        ("%%mcp call demo.forecast\n[1]", "the cell's body must be a JSON object of arguments"),
        ("%mcp call demo.forecast city=a days=two", "days must be a whole number"),
        ("%mcp call demo.forecast days=2", "city is required"),
        ("%mcp call demo.forecast city=a dys=2", "days"),
        ("%mcp call demo.forecast city=a days={'two'}", "days"),
    ],
)
def test_a_mistake_is_told_in_one_line_before_anything_is_sent(demo: Notebook, cell: str, told: str):
    outcome = demo.run(cell)
    assert isinstance(outcome.error, UsageError)
    assert told in outcome.output
    assert len(outcome.output.strip().splitlines()) == 1


def test_what_the_tool_asks_is_answered_by_the_script(demo: Notebook):
    demo.says("""%mcp answer demo '{"date": "2026-12-27", "seat": "window"}'""")
    assert "27 December" in demo.run("%mcp call demo.book_table party=4").value.text


def test_with_nobody_to_ask_the_cell_fails_and_shows_the_way_out(demo: Notebook):
    outcome = demo.run("%mcp call demo.greet")
    assert isinstance(outcome.error, NoAnswerError)
    assert """%mcp answer demo '{"name": """ in outcome.output
    assert "MCP_NOTEBOOK_ANSWERS" in outcome.output
    assert "magic.py" not in outcome.output


def test_a_scripted_answer_that_does_not_fit_fails_the_cell_and_says_where(demo: Notebook):
    demo.says("""%mcp answer demo '{"date": "soon", "seat": "window"}'""")
    outcome = demo.run("%mcp call demo.book_table party=4")
    assert isinstance(outcome.error, NoAnswerError)
    assert "nothing was sent: date: is not a date" in outcome.output


def test_a_tools_failure_is_a_tool_error_without_a_traceback(demo: Notebook):
    demo.says(
        "from mcp.server.mcpserver import MCPServer\nfrom mcp.server.mcpserver.exceptions import ToolError\n"
        "faulty = MCPServer('faulty')\n@faulty.tool()\ndef fail() -> str:\n"
        "    raise ToolError('the well is dry \\x1b[31m')\n%mcp connect faulty faulty"
    )
    outcome = demo.run("%mcp call faulty.fail")
    assert isinstance(outcome.error, ToolError)
    assert outcome.output.startswith("ToolError: faulty: fail failed: ")
    assert "the well is dry" in outcome.output
    assert "\x1b" not in outcome.output
    assert "Traceback" not in outcome.output


def test_values_of_python_arrive_whole(demo: Notebook):
    demo.says(
        "from mcp.server.mcpserver import MCPServer\necho = MCPServer('echo')\n"
        "@echo.tool()\ndef count(rows: list[dict[str, int]]) -> int:\n    return sum(row['n'] for row in rows)\n"
        "%mcp connect echo echo\nrows = [{'n': 1}, {'n': 41}]"
    )
    assert demo.run("%mcp call echo.count rows={rows}").value.data == 42
    assert demo.run('%mcp call echo.count rows=[{"n": 1}, {"n": 2}]').value.data == 3
    assert demo.run('%mcp call echo.count rows=[{{"n": {len(rows)}}}]').value.data == 2
