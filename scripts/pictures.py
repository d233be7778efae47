"""Take the pictures of the documentation from live forms."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.lab import Lab, Notebook
from tests.kernels import NEWEST

DOCS = Path(__file__).parents[1] / "docs"
CELLS = (
    "%load_ext mcp_notebook\n%mcp connect demo",
    "booking = %mcp call demo.book_table party=4",
    "account = %mcp call demo.register_user",
    "",
)


def take(lab: Lab, theme: str, suffix: str) -> None:
    """Take the form, a refused Submit and a receipt in one theme."""
    notebook = lab.open(list(CELLS), kernel=NEWEST)
    notebook.page.set_viewport_size({"width": 900, "height": 900})
    notebook.use_theme(theme)  # type: ignore[arg-type]
    notebook.command("application:toggle-left-area")
    notebook.run(0, timeout=30)
    notebook.start(1)
    form = notebook.cell(1).locator(".mcp-form")
    form.locator(".mcp-field-date input").fill("2026-12-27")
    form.locator(".mcp-field-seat input").first.check()
    picture(notebook, 1, f"form{suffix}")
    form.locator(".mcp-submit").click()
    notebook.finish()
    notebook.start(2)
    form = notebook.cell(2).locator(".mcp-form")
    form.locator(".mcp-field-username input").fill("grace")
    form.locator(".mcp-field-email input").fill("grace@")
    form.locator(".mcp-submit").click()
    form.locator(".mcp-error").first.wait_for()
    picture(notebook, 2, f"refused{suffix}")
    form.locator(".mcp-field-email input").fill("grace@example.org")
    form.locator(".mcp-submit").click()
    notebook.finish()
    picture(notebook, 2, f"receipt{suffix}")
    lab.close_notebooks()


def picture(notebook: Notebook, index: int, name: str) -> None:
    """Save a cell with its outputs."""
    notebook.cell(index).screenshot(path=DOCS / f"{name}.png")


if __name__ == "__main__":
    with Lab() as lab:
        take(lab, "JupyterLab Light", "")
        take(lab, "JupyterLab Dark", "-dark")
