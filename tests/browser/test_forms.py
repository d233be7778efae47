"""The first cell, in a real browser: a tool asks, a form opens in the cell, the person answers, the call resumes."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Notebook

SETUP = "%load_ext mcp_notebook\nfrom mcp_notebook import server\nimport asyncio\n%mcp connect demo"
MAGIC = "result = %mcp call demo.greet\nprint('>', result.text)"
AWAIT = "result = await server('demo').acall('greet')\nprint('>', result.text)"
REGISTER = "result = %mcp call demo.register_user\nprint('>', result.text)"

# What blocks and what awaits is told apart by tests/kernel, on every ipykernel.
BOTH = [pytest.param(MAGIC, id="magic"), pytest.param(AWAIT, id="await", marks=pytest.mark.matrix)]

FAR = 0.15
"""The latency of a hub in another country, in seconds, each way."""


def asking(lab: Lab, ipykernel: str, *cells: str, latency: float = 0, fresh: bool = False) -> Notebook:
    """Open a notebook with the demo server connected, and run its first cell that asks."""
    notebook = lab.open([SETUP, *cells], kernel=ipykernel, latency=latency, fresh=fresh)
    assert "connected" in notebook.run(0, timeout=30)
    notebook.start(1)
    return notebook


def field(notebook: Notebook, name: str, cell: int = 1) -> Locator:
    """Wait for a field's input."""
    control = notebook.cell(cell).locator(f".mcp-field-{name}").locator("input, select, textarea").first
    control.wait_for()
    return control


def press(notebook: Notebook, button: str, cell: int = 1) -> None:
    notebook.cell(cell).locator(f".mcp-{button}").click()


@pytest.mark.parametrize("latency", [0, FAR], ids=["near", "far"])
@pytest.mark.parametrize("code", BOTH)
def test_what_was_typed_a_moment_ago_is_what_arrives(lab: Lab, ipykernel: str, code: str, latency: float):
    notebook = asking(lab, ipykernel, code, code, latency=latency)
    expect(field(notebook, "name")).to_be_focused()
    notebook.page.keyboard.type("first one", delay=5)
    press(notebook, "submit")
    notebook.finish()
    assert "first one" in notebook.text(1).split(">")[-1]
    notebook.start(2)
    expect(field(notebook, "name", cell=2)).to_be_focused()
    notebook.page.keyboard.type("third one", delay=5)
    notebook.page.keyboard.press("Enter")
    notebook.finish()
    assert "third one" in notebook.text(2).split(">")[-1]


@pytest.mark.matrix
@pytest.mark.newest_kernel
@pytest.mark.parametrize(("button", "outcome"), [("decline", "You declined"), ("cancel", "You cancelled")])
def test_declining_and_cancelling_end_the_call_with_the_servers_own_words(
    lab: Lab, ipykernel: str, button: str, outcome: str
):
    notebook = asking(lab, ipykernel, MAGIC)
    field(notebook, "name")
    press(notebook, button)
    notebook.finish()
    assert outcome in notebook.text(1)
    assert ">" in notebook.text(1)


@pytest.mark.matrix
@pytest.mark.newest_kernel
def test_escape_cancels(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, MAGIC)
    field(notebook, "name").press("Escape")
    notebook.finish()
    assert "You cancelled" in notebook.text(1)


@pytest.mark.newest_kernel
def test_a_refused_submit_shows_the_error_and_keeps_the_values(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, REGISTER)
    field(notebook, "username").fill("al")
    field(notebook, "email").fill("ada@")
    press(notebook, "submit")
    form = notebook.cell(1).locator(".mcp-form")
    expect(form.locator(".mcp-error")).to_have_count(2)
    expect(field(notebook, "username")).to_be_focused()
    expect(field(notebook, "username")).to_have_value("al")
    expect(field(notebook, "email")).to_have_value("ada@")
    expect(form.locator(".mcp-field-email")).to_have_class(re.compile("mcp-invalid"))
    notebook.page.keyboard.type("an")
    field(notebook, "email").fill("ada@example.org")
    press(notebook, "submit")
    notebook.finish()
    assert "alan" in notebook.text(1).split(">")[-1]


def test_two_forms_at_once_are_answered_in_reverse(lab: Lab, ipykernel: str):
    both = (
        "demo = server('demo')\n"
        "one, two = await asyncio.gather(demo.acall('greet'), demo.acall('register_user'))\n"
        "print('>', one.text, '|', two.text)"
    )
    notebook = asking(lab, ipykernel, both)
    field(notebook, "name").fill("Ada")
    field(notebook, "username").fill("grace")
    field(notebook, "email").fill("grace@example.org")
    forms = notebook.cell(1).locator(".mcp-form")
    expect(forms).to_have_count(2)
    forms.filter(has=notebook.page.locator(".mcp-field-username")).locator(".mcp-submit").click()
    expect(forms).to_have_count(1)
    forms.locator(".mcp-submit").click()
    notebook.finish()
    greeting, registration = notebook.text(1).split(">")[-1].split("|")
    assert "Ada" in greeting
    assert "grace" in registration


@pytest.mark.parametrize("code", BOTH)
def test_stop_ends_the_wait_and_the_next_cell_runs(lab: Lab, ipykernel: str, code: str):
    notebook = asking(lab, ipykernel, code, "6 * 7")
    field(notebook, "name")
    notebook.stop()
    notebook.finish(timeout=3)
    expect(notebook.cell(1).locator(".mcp-receipt")).to_contain_text("Stopped")
    expect(notebook.cell(1).locator(".mcp-form")).to_have_count(0)
    assert notebook.run(2) == "42"


def test_run_all_keeps_its_order_behind_a_form(lab: Lab, ipykernel: str):
    cells = [SETUP + "\norder = []", MAGIC + "\norder.append('asked')", "order.append('next')", "print(order)"]
    notebook = lab.open(cells, kernel=ipykernel)
    notebook.start_all()
    field(notebook, "name").fill("Ada")
    assert notebook.text(3) == ""
    press(notebook, "submit")
    notebook.finish()
    assert notebook.text(3).strip() == "['asked', 'next']"


@pytest.mark.newest_kernel
@pytest.mark.parametrize("code", BOTH)
def test_a_form_survives_a_reload_of_the_page_with_what_was_typed(lab: Lab, ipykernel: str, code: str):
    notebook = asking(lab, ipykernel, code, "print(result.text)", fresh=True)
    field(notebook, "name").fill("Ada")
    notebook.saved()
    notebook.reload()
    expect(field(notebook, "name")).to_have_value("Ada", timeout=20_000)
    press(notebook, "submit")
    expect(notebook.cell(1).locator(".mcp-receipt")).to_contain_text("You answered")
    assert "Ada" in notebook.run(2)


@pytest.mark.newest_kernel
def test_a_form_can_be_answered_in_a_second_tab_and_the_first_has_the_receipt(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, MAGIC, "print(result.text)", fresh=True)
    field(notebook, "name").fill("Ada")
    notebook.saved()
    second = lab.open_again(notebook)
    expect(field(second, "name")).to_have_value("Ada", timeout=20_000)
    field(second, "name").fill("Grace")
    press(second, "submit")
    expect(notebook.cell(1).locator(".mcp-receipt")).to_contain_text("You answered")
    for tab in (notebook, second):
        expect(tab.cell(1).locator(".mcp-form")).to_have_count(0)
    notebook.finish()
    assert "Grace" in notebook.run(2)


@pytest.mark.matrix
@pytest.mark.newest_kernel
def test_a_form_waits_for_a_tab_that_was_closed_and_is_opened_again(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, MAGIC, "print(result.text)", fresh=True)
    field(notebook, "name").fill("Ada")
    notebook.saved()
    again = lab.open_again(notebook)
    notebook.page.close()
    expect(field(again, "name")).to_have_value("Ada", timeout=20_000)
    press(again, "submit")
    expect(again.cell(1).locator(".mcp-receipt")).to_contain_text("You answered")
    assert "Ada" in again.run(2)


@pytest.mark.matrix
@pytest.mark.newest_kernel
def test_a_second_click_on_submit_is_harmless(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, MAGIC, "6 * 7")
    field(notebook, "name").fill("Ada")
    notebook.cell(1).locator(".mcp-submit").dblclick()
    notebook.finish()
    assert notebook.text(1).count("You answered") == 1
    assert notebook.run(2) == "42"


@pytest.mark.newest_kernel
def test_keys_pressed_in_the_form_stay_there(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, REGISTER)
    cells = notebook.page.locator(".jp-Notebook .jp-Cell")
    before = cells.count()
    expect(field(notebook, "username")).to_be_focused()
    field(notebook, "newsletter").focus()
    for key in ("a", "b", "d", "d", "ArrowDown", "m", "x"):
        notebook.page.keyboard.press(key)
    assert cells.count() == before
    expect(notebook.cell(1).locator(".mcp-field-newsletter input").nth(1)).to_be_checked()
    press(notebook, "cancel")
    notebook.finish()


@pytest.mark.newest_kernel
def test_the_saved_notebook_holds_a_receipt_and_no_widget(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, MAGIC)
    field(notebook, "name").fill("Ada")
    press(notebook, "submit")
    notebook.finish()
    saved = notebook.saved()
    (receipt, _) = saved["cells"][1]["outputs"]
    assert set(receipt["data"]) == {"text/plain", "text/html"}
    assert "Ada" in "".join(receipt["data"]["text/plain"])
    assert "widget" not in str(saved["cells"])


@pytest.mark.matrix
@pytest.mark.newest_kernel
def test_the_page_reports_no_error_of_the_form(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, MAGIC)
    field(notebook, "name").fill("Ada")
    press(notebook, "submit")
    notebook.finish()
    assert not [line for line in notebook.console if "mcp" in line.lower() or "widget" in line.lower()]
