"""A model asked in a cell of a page: it streams, asks before it calls, and its tools' forms open in the same cell."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab

TURNS = [
    {
        "said": "table",
        "text": "I will look for a **table** for four, and tell you the day. " * 3,
        "calls": [{"name": "demo__book_table", "arguments": {"party": 4, "date": "2026-12-31"}}],
    },
    {"said": "table", "text": "It is done:\n\n> {result}\n\n| what | who |\n|---|---|\n| table | 4 |\n"},
    {"said": "weather", "calls": [{"name": "demo__plot_forecast", "arguments": {"city": "Oslo"}}]},
    {"said": "weather", "text": "Take a coat."},
    {"said": "story", "text": "Once upon a time there was a table. " * 200},
]
SETUP = """%load_ext mcp_notebook
import os
from mcp_notebook.demo.model import play
%mcp connect demo
os.environ.update(OPENAI_BASE_URL=play({path!r}, pace=0.02), OPENAI_API_KEY="")
"""


@pytest.mark.newest_kernel
def test_it_streams_asks_opens_a_form_and_stops(lab: Lab, ipykernel: str, tmp_path: Path):
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"turns": TURNS}))
    cells = [
        SETUP.format(path=str(path)),
        "%%mcp ask\nBook a table for four, and tell me the day.",
        "%%mcp ask\nHow is the weather in Oslo?",
        "%%mcp ask\nTell me a story.",
    ]
    notebook = lab.open(cells, kernel=ipykernel)
    assert "connected" in notebook.run(0, timeout=60)

    notebook.start(1)
    cell = notebook.cell(1)
    expect(cell.locator(".mcp-answer")).to_contain_text("I will look")  # while it streams
    card = cell.locator(".mcp-form")
    expect(card).to_contain_text("recorded wants to call this tool")
    expect(card.locator(".mcp-field-arguments textarea")).to_have_value(
        json.dumps(TURNS[0]["calls"][0]["arguments"], indent=2)
    )  # type: ignore[index]
    notebook.screenshot("ask-approval")
    card.locator(".mcp-field-arguments textarea").fill('{"party": "many"}')
    card.locator("button.mcp-submit").click()
    expect(card.locator(".mcp-error")).to_contain_text("Party must be a whole number")
    card.locator(".mcp-field-arguments textarea").fill('{"party": 4}')
    card.locator("button.mcp-submit").click()

    form = cell.locator(".mcp-form", has=notebook.page.locator(".mcp-field-date"))
    expect(form).to_contain_text("There is no table for 4")
    form.locator(".mcp-field-date input").first.fill("2026-12-27")
    cell.get_by_text("At the bar", exact=True).click()
    notebook.screenshot("ask-form")
    form.locator("button.mcp-submit").click()
    expect(cell.locator(".mcp-answer table")).to_contain_text("table")
    expect(cell.locator(".mcp-call")).to_contain_text("✓ demo.book_table(party=4)")
    cell.locator(".mcp-call summary").click()
    expect(cell.locator(".mcp-call")).to_contain_text("What the model was told")
    notebook.screenshot("ask-done")

    notebook.start(2)
    weather = notebook.cell(2)
    weather.locator("button.mcp-accept-all").click()
    expect(weather.locator("img").first).to_be_visible()
    expect(weather.locator(".mcp-answer")).to_contain_text("Take a coat")
    notebook.screenshot("ask-image")

    notebook.start(3)
    expect(notebook.cell(3).locator(".mcp-answer")).to_contain_text("Once upon a time")
    notebook.command("notebook:interrupt-kernel")
    expect(notebook.cell(3)).to_contain_text("the conversation can go on")
    expect(notebook.cell(3)).to_contain_text("KeyboardInterrupt")
    notebook.screenshot("ask-stopped")
