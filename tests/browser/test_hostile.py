"""Texts of a hostile server, in every place where a server can put one: each is shown, and none of them does anything.

All texts go into each form at once (tests/hostile.py), so that the whole takes one notebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Dialog, expect

from mcp_notebook.answers.plain import one_line
from tests.browser.lab import Lab, Notebook
from tests.hostile import ROOT, TEXTS
from tests.kernels import NEWEST

SETUP = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from tests import hostile
theirs = hostile.server()
%load_ext mcp_notebook
%mcp connect hostile theirs --protocol legacy
"""
DESCRIBE = """
from IPython.display import display
for number in range({}, {}):  # JupyterLab shows 50 outputs of a cell
    display(get_ipython().run_line_magic("mcp", f"describe hostile.t{{number}}"))
"""
DESCRIPTIONS = [DESCRIBE.format(start, min(start + 40, len(TEXTS))) for start in range(0, len(TEXTS), 40)]

DANGEROUS = """cell => {
    const found = [...cell.querySelectorAll(".jp-OutputArea-output *, .jp-OutputArea-output")];
    const kinds = "script, iframe, object, embed, img, video, audio, svg, math, style, link, meta, base, form, a, " +
        "area, marquee, details:not(.mcp-fold), template, mjx-container, [href], [srcdoc], [action], [formaction]";
    const handlers = part => [...part.attributes].some(({ name }) => name.startsWith("on"));
    // JupyterLab makes links of paths in any traceback: they do nothing. Of addresses it must find none.
    const ofJupyter = part => part.matches("[data-mime-type='application/vnd.jupyter.error'] a, .jp-RenderedText a") &&
        !part.getAttribute("href");
    const covers = part => ["fixed", "sticky"].includes(getComputedStyle(part).position);
    return found.filter(part => !ofJupyter(part)).filter(part => part.matches(kinds) || handlers(part) || covers(part))
        .map(part => part.outerHTML.slice(0, 300));
}"""
SHOWN = """cell => [...cell.querySelectorAll(".jp-OutputArea-output")].map(output =>
    [output.textContent, ...[...output.querySelectorAll("input, option, textarea")].map(({ value }) => value)].join(" ")
).join(" ")"""


@dataclass
class Watched:
    """A notebook with the hostile server connected, and what went on in its page."""

    notebook: Notebook
    cells: list[str]
    dialogs: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def open(self, code: str) -> int:
        """Run one more cell and wait for its form; return the cell's index."""
        index = self._start(code)
        self.notebook.cell(index).locator(".mcp-form[role]").wait_for()
        return index

    def run(self, code: str) -> int:
        """Run one more cell to its end; return its index."""
        index = self._start(code)
        self.notebook.finish(timeout=30)
        return index

    def press(self, index: int, button: str) -> None:
        self.notebook.cell(index).locator(f".mcp-{button}").click()

    def close_forms(self) -> None:
        """Cancel what a test left open."""
        for button in self.notebook.page.locator(".mcp-form .mcp-cancel").all():
            button.click()
        self.notebook.finish()

    def must_be_harmless(self, index: int, *, showing: int = len(TEXTS)) -> None:
        """Nothing ran, nothing was made of a text, nothing left the page; and so many texts can be read there."""
        page, cell = self.notebook.page, self.notebook.cell(index)
        page.wait_for_timeout(100)  # what an event handler or a typesetter does, it does a moment later
        assert cell.evaluate(DANGEROUS) == []
        assert page.evaluate("() => window.pwned") is None
        assert self.dialogs == []
        assert self.requests == []
        there = _squeezed(cell.evaluate(SHOWN))
        missing = [
            text[:60] for text in TEXTS if _squeezed(one_line(text.partition("\n")[0], 25)).rstrip("…") not in there
        ]
        assert len(TEXTS) - len(missing) >= showing, missing

    def _start(self, code: str) -> int:
        index = self.cells.index(code)
        self.notebook.start(index)
        return index


def _squeezed(text: str) -> str:
    return re.sub(r"[\s…]", "", one_line(text, 10_000_000))


CALLS = {name: f"result = %mcp call hostile.{name}" for name in ("texts", "patterns", "options", "refused", "fails")}
SHOW = "%mcp call hostile.everything"
PARTS = "%mcp call hostile.parts"
PRINT = "result = %mcp call hostile.everything\nresult"
HISTORY = "%mcp history"
SERVERS = "%mcp servers"
TOOLS = "%mcp tools hostile"


@pytest.fixture(scope="module")
def watched(jupyterlab: Lab) -> Iterator[Watched]:
    cells = [SETUP, TOOLS, *DESCRIPTIONS, *CALLS.values(), SHOW, PARTS, PRINT, HISTORY, SERVERS]
    notebook = jupyterlab.open(cells, kernel=NEWEST, fresh=True)
    watched = Watched(notebook, cells)
    home = f"http://127.0.0.1:{jupyterlab.port}/"

    def on_request(url: str) -> None:
        if not url.startswith((home, home.replace("http", "ws"), "data:", "blob:")):
            watched.requests.append(url)

    notebook.page.on("request", lambda request: on_request(request.url))

    def on_dialog(dialog: Dialog) -> None:
        watched.dialogs.append(dialog.message)
        dialog.dismiss()

    notebook.page.on("dialog", on_dialog)
    watched.run(SETUP)
    assert "connected" in notebook.text(0), notebook.text(0)
    yield watched
    jupyterlab.close_notebooks()


@pytest.fixture(autouse=True)
def _no_form_left_open(watched: Watched) -> Iterator[None]:
    yield
    watched.close_forms()


@pytest.mark.parametrize(("code", "showing"), [(TOOLS, 80), (SHOW, 80), (PARTS, 80), (PRINT, 80), (SERVERS, 0)])
def test_lists_and_results_show_texts_as_they_are(watched: Watched, code: str, showing: int):
    watched.must_be_harmless(watched.run(code), showing=showing)


@pytest.mark.parametrize("code", DESCRIPTIONS, ids=range(len(DESCRIPTIONS)))
def test_descriptions_show_texts_as_they_are(watched: Watched, code: str):
    watched.must_be_harmless(watched.run(code), showing=40)


def test_a_failure_is_told_in_the_servers_words_and_no_more(watched: Watched):
    watched.must_be_harmless(watched.run(CALLS["fails"]), showing=1)


def test_a_form_shows_names_titles_descriptions_and_defaults_as_they_are(watched: Watched):
    index = watched.open(CALLS["texts"])
    watched.must_be_harmless(index)
    watched.press(index, "submit")
    watched.notebook.finish()
    expect(watched.notebook.cell(index).locator(".mcp-receipt")).to_contain_text("You answered")
    watched.must_be_harmless(index, showing=len(TEXTS) - 3)  # all but two that are too long and a secret


def test_a_refused_submit_tells_patterns_as_they_are(watched: Watched):
    index = watched.open(CALLS["patterns"])
    watched.press(index, "submit")
    expect(watched.notebook.cell(index).locator(".mcp-error").first).to_be_visible()
    watched.must_be_harmless(index, showing=40)  # the others are no patterns that can be told of
    watched.press(index, "decline")
    watched.notebook.finish()
    watched.must_be_harmless(index, showing=0)


def test_every_control_with_options_shows_them_as_they_are(watched: Watched):
    index = watched.open(CALLS["options"])
    cell = watched.notebook.cell(index)
    watched.must_be_harmless(index)
    for box in cell.locator(".mcp-field input[type=radio]:first-child, .mcp-field input[type=checkbox]").all():
        box.check()
    cell.locator(".mcp-field select[multiple] option").nth(3).click()
    watched.must_be_harmless(index)
    watched.press(index, "submit")
    watched.notebook.finish()
    watched.must_be_harmless(index, showing=20)


def test_a_form_that_cannot_be_drawn_shows_its_schema_as_it_is(watched: Watched):
    index = watched.open(CALLS["refused"])
    fold = watched.notebook.cell(index).locator("details.mcp-fold summary")
    if fold.count():
        fold.click()
    watched.must_be_harmless(index, showing=60)  # as much as is shown of a schema
    watched.press(index, "cancel")
    watched.notebook.finish()
    watched.must_be_harmless(index, showing=1)


def test_the_history_and_the_saved_notebook_hold_them_as_text(watched: Watched):
    watched.must_be_harmless(watched.run(HISTORY), showing=1)
    notebook = watched.notebook
    notebook.saved()
    notebook.page.reload()
    notebook.wait_until_connected(idle=False)
    for index in range(1, len(watched.cells)):
        notebook.cell(index).scroll_into_view_if_needed()
        watched.must_be_harmless(index, showing=0)
