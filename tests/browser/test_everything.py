"""A server of somebody else's: the form of server-everything, filled in as a person does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests import everything
from tests.browser.lab import Lab, Notebook
from tests.kernels import NEWEST

CALL = "result = %mcp call everything.trigger-elicitation-request\nprint(result.text)"
DEFAULTS = {
    "firstLine": "It was a dark and stormy night.",
    "integer": 42,
    "number": 3.14,
    "untitledSingleSelectEnum": "Monica",
    "untitledMultipleSelectEnum": ["Guitar"],
    "titledSingleSelectEnum": "hero-1",
    "titledMultipleSelectEnum": ["fish-1"],
    "legacyTitledEnum": "pet-1",
}


@pytest.fixture
def notebook(lab: Lab) -> Notebook:
    connect = f"%load_ext mcp_notebook\n%mcp connect everything -- {' '.join(everything.command())}"
    notebook = lab.open([connect, CALL], kernel=NEWEST)
    assert "connected" in notebook.run(0, timeout=60), notebook.text(0)
    notebook.start(1)
    # The role is set once the guard is in the form, and with it all that the page adds.
    expect(notebook.cell(1).locator(".mcp-form[role]")).to_be_visible(timeout=20_000)
    return notebook


def field(notebook: Notebook, name: str) -> Locator:
    return notebook.cell(1).locator(f".mcp-field-{name}")


def received(notebook: Notebook) -> dict[str, Any]:
    """What the server says it got."""
    notebook.finish()
    return json.loads(notebook.text(1).split("Raw result: ")[1])


def test_every_value_of_its_form_of_13_fields_arrives(notebook: Notebook):
    keyboard = notebook.page.keyboard
    expect(notebook.cell(1).locator(".mcp-field")).to_have_count(13)
    expect(field(notebook, "name").locator("input")).to_be_focused()
    keyboard.type("Ada Lovelace")
    field(notebook, "check").get_by_label("Yes").check()
    first_line = field(notebook, "firstLine").locator("input")
    expect(first_line).to_have_value(DEFAULTS["firstLine"])
    first_line.fill("Call me Ishmael.")
    field(notebook, "email").locator("input").fill("ada@example.org")
    field(notebook, "homepage").locator("input").fill("https://example.org/~ada?x=1#y")
    field(notebook, "birthdate").locator("input").click(position={"x": 12, "y": 12})
    keyboard.type("12101815")
    field(notebook, "integer").locator("input").fill("100")
    field(notebook, "number").locator("input").fill("999.5")
    field(notebook, "untitledSingleSelectEnum").get_by_label("Phoebe").check()
    for instrument in ("Guitar", "Violin", "Bass"):
        field(notebook, "untitledMultipleSelectEnum").get_by_text(instrument).click()
    field(notebook, "titledSingleSelectEnum").get_by_label("Wonder Woman").check()
    field(notebook, "titledMultipleSelectEnum").get_by_text("Trout").click()
    field(notebook, "legacyTitledEnum").get_by_label("Reptiles").check()
    notebook.cell(1).locator(".mcp-submit").click()
    assert received(notebook) == {
        "action": "accept",
        "content": {
            "name": "Ada Lovelace",
            "check": True,
            "firstLine": "Call me Ishmael.",
            "email": "ada@example.org",
            "homepage": "https://example.org/~ada?x=1#y",
            "birthdate": "1815-12-10",
            "integer": 100,
            "number": 999.5,
            "untitledSingleSelectEnum": "Phoebe",
            "untitledMultipleSelectEnum": ["Violin", "Bass"],
            "titledSingleSelectEnum": "hero-3",
            "titledMultipleSelectEnum": ["fish-1", "fish-3"],
            "legacyTitledEnum": "pet-5",
        },
    }


@pytest.mark.matrix
def test_what_it_refuses_is_told_before_anything_is_sent_and_defaults_go_untouched(notebook: Notebook):
    field(notebook, "integer").locator("input").fill("101")
    for instrument in ("Piano", "Violin", "Drums"):
        field(notebook, "untitledMultipleSelectEnum").get_by_text(instrument).click()
    notebook.cell(1).locator(".mcp-submit").click()
    errors = notebook.cell(1).locator(".mcp-error")
    expect(errors).to_contain_text(["This is required", "This must be at most 100", "Choose at most 3"])
    field(notebook, "name").locator("input").fill("Ada")
    field(notebook, "integer").locator("input").fill("42")
    for instrument in ("Piano", "Violin", "Drums"):
        field(notebook, "untitledMultipleSelectEnum").get_by_text(instrument).click()
    notebook.cell(1).locator(".mcp-submit").click()
    assert received(notebook) == {"action": "accept", "content": {"name": "Ada", **DEFAULTS}}


@pytest.mark.matrix
@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_it_hears_the_other_two_answers_verbatim(notebook: Notebook, action: str):
    notebook.cell(1).locator(f".mcp-{action}").click()
    assert received(notebook)["action"] == action
