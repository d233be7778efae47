"""A model in a real kernel: its answer streams into the cell, asks before it calls, and forms open in the same cell."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.kernel.client import Cell, Frontend

TURNS = [
    {"said": "greet", "text": "Let me see.", "calls": [{"name": "demo__greet"}]},
    {"said": "greet", "text": "**Done**: {result} <b>![x](https://example.com/x.png)"},
    {"said": "story", "text": "Once upon a time " * 500},
    {"said": "weather", "calls": [{"name": "demo__forecast", "arguments": {"city": "Oslo"}}]},
    {"said": "weather", "text": "Cold."},
]
LOAD = """%load_ext mcp_notebook
import os
from mcp_notebook import Chat
from mcp_notebook.demo.model import play
%mcp connect demo
os.environ.update(OPENAI_BASE_URL=play({path!r}, pace={pace}), OPENAI_API_KEY="")
"""

pytestmark = pytest.mark.newest_kernel


@pytest.fixture
def page(frontend: Frontend, tmp_path: Path) -> Frontend:
    """A page with the demo server connected, and a recorded model to ask."""
    path = tmp_path / "model.json"
    path.write_text(json.dumps({"turns": TURNS}))
    cell = frontend.run(LOAD.format(path=str(path), pace=0.01), timeout=60)
    assert cell.status == "ok", cell.text
    return frontend


def texts(cell: Cell) -> list[str]:
    return [output["data"].get("text/plain", "") for output in cell.outputs if "data" in output]


@pytest.mark.parametrize("code", ["%%mcp ask\nGreet me", "reply = await Chat().aask('Greet me')"])
def test_a_call_is_agreed_to_and_its_form_opens_in_the_same_cell(page: Frontend, code: str):
    cell = page.execute(code)
    page.find("mcp-accept-all")
    form = page.find("mcp-form")
    assert not page.models.by_class("mcp-field-name")
    page.click(page.find("mcp-submit"))
    page.until(lambda: form.closed)
    page.set(page.find("mcp-field-name"), value="Ada")
    page.click(page.find("mcp-submit"))
    page.finish(cell)
    assert cell.status == "ok", cell.error
    said, approval, call, form_receipt, answer, who = texts(cell)
    assert said.strip() == "Let me see."
    assert approval.endswith("✓ Run\n  Arguments: {}")
    assert "Ada" in form_receipt
    assert re.fullmatch(r"✓ demo\.greet\(\) · \d+\.\d s", call)
    assert answer.startswith("**Done**: Hello, Ada!")
    assert who.startswith("recorded, http://127.0.0.1:")
    (html,) = (shown for shown in cell.shown("text/html") if "mcp-answer" in shown and "Done" in shown)
    assert "<strong>Done</strong>" in html
    assert "<b>" not in html
    assert "<img" not in html
    assert "\\<b>!\\[x](https" in cell.shown("text/markdown")[-1]


def test_arguments_are_changed_in_the_card_and_wrong_ones_refused_there(page: Frontend):
    cell = page.execute("%%mcp ask\nHow is the weather?")
    arguments = page.find("mcp-field-arguments")
    assert json.loads(arguments["value"]) == {"city": "Oslo"}
    page.set(arguments, value='{"town": "Rome"}')
    page.click(page.find("mcp-submit"))
    page.until(lambda: page.models.by_class("mcp-invalid"))
    page.set(arguments, value='{"city": "Rome"}')
    page.click(page.find("mcp-submit"))
    page.finish(cell)
    assert any('forecast(city="Rome")' in text for text in texts(cell))
    assert any("<table" in shown for shown in cell.shown("text/html"))


def test_run_all_like_this_skip_and_stop_do_as_they_say(page: Frontend):
    cell = page.execute("%%mcp ask\nHow is the weather?")
    page.click(page.find("mcp-accept-all"))
    assert "Cold." in page.finish(cell).text
    again = page.run("%%mcp ask\nHow is the weather now?")
    assert "Cold." in again.text

    skipped = page.execute("%%mcp ask --new\nHow is the weather?")
    page.click(page.find("mcp-decline"))
    assert "✗ Skipped" in page.finish(skipped).text
    assert "Cold." in skipped.text

    stopped = page.execute("%%mcp ask --new\nHow is the weather?")
    page.click(page.find("mcp-cancel"))
    assert "✗ Stopped" in page.finish(stopped).text
    assert stopped.status == "ok"
    assert "Cold." not in stopped.text


def test_stop_ends_the_stream_and_the_conversation_goes_on(page: Frontend):
    cell = page.execute("%%mcp ask\nTell me a story")
    page.until(lambda: "Once upon" in cell.text)
    page.interrupt()
    page.finish(cell)
    assert cell.error == "KeyboardInterrupt: "
    assert "the conversation can go on" in cell.text
    again = page.execute("%%mcp ask\nHow is the weather?")
    page.click(page.find("mcp-submit"))
    assert "Cold." in page.finish(again).text
    roles = page.run("print(*(m['role'] for m in Chat.current().messages))").text.split()
    assert roles == ["user", "assistant", "user", "assistant", "tool", "approval", "assistant"]
