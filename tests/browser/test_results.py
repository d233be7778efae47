"""Every kind of result on a page, in light and dark: pictures and sounds load, trees fold, and nothing is a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab
from tests.hostile import ROOT

SETUP = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from tests import gallery
own = gallery.server()
%load_ext mcp_notebook
%mcp connect gallery own
"""
TOOLS = ("image", "media", "markdown", "links", "files", "table", "tree", "tree size=30", "fails")
CELLS = [f"%mcp call gallery.{tool}" for tool in TOOLS]


@pytest.mark.newest_kernel
def test_every_kind_of_result_shows_in_light_and_dark_and_in_a_saved_notebook(lab: Lab, ipykernel: str):
    notebook = lab.open([SETUP, *CELLS], kernel=ipykernel, fresh=True)
    page = notebook.page
    page.set_viewport_size({"width": 1100, "height": 3400})
    assert "connected" in notebook.run(0, timeout=30)
    for index in range(1, len(CELLS) + 1):
        notebook.run(index)
    cells = {tool: notebook.cell(index) for index, tool in enumerate(TOOLS, 1)}

    for tool, images in (("image", 1), ("media", 1), ("fails", 1), ("markdown", 0)):
        pictures = cells[tool].locator(".jp-OutputArea-output img")
        expect(pictures).to_have_count(images)
        assert pictures.evaluate_all("all => all.every(each => each.naturalWidth === 240)")
    sound = cells["media"].locator("audio")
    notebook.until(lambda: sound.evaluate("sound => sound.duration") == 1)
    assert sound.evaluate("sound => sound.paused")

    assert not page.locator(".jp-OutputArea-output a[href]").count()
    expect(cells["markdown"]).to_contain_text("link (https://example.com/page)")
    expect(cells["links"]).to_contain_text("%mcp read gallery docs://guide.md")

    fold = cells["tree size=30"].locator("details").first
    expect(fold.locator("details").first).not_to_be_visible()
    fold.locator("summary").first.click()
    expect(fold.locator("details").first).to_be_visible()
    expect(cells["tree"].get_by_text("34.8")).to_be_visible()

    notebook.use_theme("JupyterLab Dark")
    notebook.screenshot("results-dark")
    notebook.use_theme("JupyterLab Light")
    notebook.screenshot("results-light")

    notebook.saved()
    notebook.reload()
    for tool in ("media", "tree", "markdown"):
        expect(cells[tool].locator(".jp-OutputArea-output")).to_be_visible()
    expect(cells["tree"].locator("details").first).to_be_visible()
    assert cells["media"].locator("img").evaluate("image => image.naturalWidth") == 240
    notebook.screenshot("results-reloaded")
