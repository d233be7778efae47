"""The tutorials by hand: run all, answer every form as a person who reads the page, and see what the replay saw."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab
from tests.kernels import NEWEST
from tests.real.servers import link_programs

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
TUTORIALS = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))
TITLES = {
    "window": "By the window",
    "bar": "At the bar",
    "garden": "In the winter garden",
    "good": "良い",
    "#0000cc": "Blue",
    "p4": "Mars",
    "#00cc00": "Green",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
    True: "Yes",
    False: "No",
}
"""What people see of a value, where that is something else."""


def fill_in(field: Locator, value: Any) -> None:
    """Fill in a field, whatever its control."""
    if field.locator("input[type=checkbox]").count():
        wanted = [TITLES.get(each, each) for each in value]
        for option in field.locator("label").filter(has=field.page.locator("input")).all():
            option.locator("input").set_checked(option.inner_text().strip() in wanted)
    elif field.locator("input[type=radio]").count():
        field.get_by_label(str(TITLES.get(value, value)), exact=True).check()
    elif field.locator(".noUi-target, .widget-slider").count():
        expect(field.locator(".widget-readout")).to_have_text(str(value))
    else:
        field.locator("input, textarea").first.fill(str(value))


def answer(form: Locator, entry: dict[str, Any]) -> None:
    """Answer a form as an entry of an answers file has it."""
    for name, value in entry.get("content", {}).items():
        fill_in(form.locator(f".mcp-field-{name}").first, value)
    button = {"accept": "submit"}.get(entry.get("action", "accept"), entry.get("action"))
    form.locator(f"button.mcp-{button}").click()


def results(notebook: nbformat.NotebookNode) -> list[list[str]]:
    """What each cell printed and gave, but for the history, which says when it was and who answered."""
    return [
        [
            output["text"] if output.output_type == "stream" else output["data"]["text/plain"]
            for output in cell.outputs
            if output.output_type in ("stream", "execute_result") and "%mcp history" not in cell.source
        ]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.fixture(scope="module", autouse=True)
def programs() -> None:
    link_programs()


@pytest.mark.parametrize("name", TUTORIALS)
def test_by_hand_it_comes_to_what_the_replay_has(lab: Lab, name: str):
    path = NOTEBOOKS / f"{name}.ipynb"
    answers = path.with_suffix(".answers.json")
    entries = json.loads(answers.read_text("utf-8"))["answers"] if answers.exists() else []
    notebook = lab.open(path, kernel=NEWEST)

    notebook.start_all()
    for number, entry in enumerate(entries):
        form = notebook.page.locator(".jp-Notebook .mcp-form[role]").first
        form.wait_for(timeout=30_000)
        handle = form.element_handle()
        form.scroll_into_view_if_needed()
        if number == len(entries) - 1:
            notebook.screenshot(f"tutorial-{name}")
        answer(form, entry)
        handle.wait_for_element_state("hidden")
    notebook.finish(timeout=90)

    saved = notebook.saved()
    errors = [output for cell in saved.cells for output in cell.get("outputs", []) if output.output_type == "error"]
    assert errors == []
    assert results(saved) == results(nbformat.read(path, as_version=4))
    notebook.use_theme("JupyterLab Dark")
    notebook.screenshot(f"tutorial-{name}-dark")
    notebook.use_theme("JupyterLab Light")
