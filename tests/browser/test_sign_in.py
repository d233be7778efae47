"""Signing in on a card: by the person's own browser, and by pasting where it ended."""

from __future__ import annotations

from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab, Notebook
from tests.kernels import NEWEST
from tests.protocol.conftest import script, serve  # noqa: F401 (a fixture)

SETUP = """
import os; os.environ["XDG_DATA_HOME"] = {data!r}
%load_ext mcp_notebook
"""


@pytest.fixture
def notebook(lab: Lab, serve: object, tmp_path: Path) -> Notebook:  # noqa: F811
    url = serve([*script("guarded"), "PORT"]) + "/mcp"  # type: ignore[operator]
    cells = [
        SETUP.format(data=str(tmp_path)),
        f"%mcp connect guarded {url}",
        "%mcp call guarded.secret",
        "%mcp history",
    ]
    notebook = lab.open(cells, kernel=NEWEST, fresh=True)
    notebook.run(0, timeout=30)
    notebook.start(1)
    notebook.cell(1).locator(".mcp-url[role]").wait_for()
    return notebook


def where_it_ends(url: str) -> str:
    """Give the address that a browser ends on which can't reach the kernel's loopback."""
    page = urlsplit(url)
    with closing(HTTPConnection(page.netloc, timeout=20)) as browser:
        browser.request("GET", f"{page.path}?{page.query}")
        return browser.getresponse().getheader("Location") or ""


def test_the_card_closes_by_itself_when_the_browser_comes_back(notebook: Notebook):
    card = notebook.cell(1).locator(".mcp-form")
    expect(card).to_contain_text("guarded asks")
    expect(card).to_contain_text("127.0.0.1")
    notebook.screenshot("sign-in")
    with notebook.page.context.expect_page() as opened:
        card.locator("a.mcp-link").click()
    expect(opened.value.locator("body")).to_contain_text("You are signed in")
    opened.value.close()
    notebook.finish()
    assert "guarded is connected" in notebook.text(1)
    assert "the treasure" in notebook.run(2)


@pytest.mark.matrix
def test_an_address_that_is_pasted_lets_one_in_and_is_shown_nowhere(notebook: Notebook):
    card = notebook.cell(1).locator(".mcp-form")
    address = where_it_ends(card.locator("a.mcp-link").get_attribute("href") or "")
    card.locator(".mcp-secret-input").fill(address)
    notebook.screenshot("sign-in-paste")
    card.locator(".mcp-submit").click()
    notebook.finish()
    assert "guarded is connected" in notebook.text(1)
    assert "the treasure" in notebook.run(2)
    code = address.partition("code=")[2].partition("&")[0]
    notebook.run(3)
    notebook.saved()
    assert code not in notebook.path.read_text()
    assert code not in notebook.text(3)
