"""Take the pictures of the documentation and of the tutorials from live forms."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.browser.lab import Lab, Notebook
from tests.kernels import NEWEST

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
TUTORIALS = ROOT / "notebooks" / "pictures"
CELLS = (
    "%load_ext mcp_notebook\n%mcp connect demo",
    "booking = %mcp call demo.book_table party=4",
    "account = %mcp call demo.register_user",
    "",
)


def take(lab: Lab, theme: str, suffix: str) -> None:
    """Take the form, a refused Submit and a receipt in one theme."""
    notebook = lab.open(list(CELLS), kernel=NEWEST)
    prepare(notebook, 900, 900, theme)
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


def prepare(notebook: Notebook, width: int, height: int, theme: str = "JupyterLab Light") -> None:
    """Make the page as wide and high as a picture needs, with nothing beside the notebook."""
    notebook.page.set_viewport_size({"width": width, "height": height})
    notebook.use_theme(theme)  # type: ignore[arg-type]
    if notebook.page.locator("#jp-left-stack").is_visible():
        notebook.command("application:toggle-left-area")


def picture(notebook: Notebook, index: int, name: str) -> None:
    """Save a cell with its outputs."""
    notebook.cell(index).screenshot(path=DOCS / f"{name}.png")


ASK = """\
from mcp_notebook.process import registry
from mcp_notebook.types import Question

schema = {"type": "object", "properties": {"it": SCHEMA}}
registry().ask(Question(server="demo", tool="ask", message="", schema=schema))"""
ROW = """control => {
    while (!control.previousElementSibling?.querySelector(".mcp-label")) control = control.parentElement;
    control.scrollIntoView({block: "center", behavior: "instant"});
    const [label, note] = [control.previousElementSibling, control.nextElementSibling];
    const [top, all] = [label.getBoundingClientRect(), label.closest(".mcp-form").getBoundingClientRect()];
    const bottom = note.innerText.trim() ? note.getBoundingClientRect() : control.getBoundingClientRect();
    return {x: top.left - 8, y: top.top - 4, width: all.right - top.left, height: bottom.bottom - top.top + 12};
}"""
"""Gives the rectangle of a control with its label above and its note below."""
FIELD = re.compile(r"```json\n(?P<schema>[^`]+)\n```\n\n!\[[^]]*\]\(fields/(?P<name>[a-z-]+)\.png\)")


def take_fields(lab: Lab) -> None:
    """Take each field of docs/for-server-authors.md, by the schema that stands above its picture."""
    found = FIELD.findall((DOCS / "for-server-authors.md").read_text("utf-8"))
    cells = [ASK.replace("SCHEMA", repr(json.loads(schema))) for schema, _ in found]
    notebook = lab.open(["%load_ext mcp_notebook", *cells], kernel=NEWEST)
    prepare(notebook, 760, 900)
    notebook.run(0)
    for index, (_, name) in enumerate(found, 1):
        notebook.start(index)
        field = notebook.cell(index).locator(".mcp-field-it").first
        field.wait_for()
        notebook.page.screenshot(path=DOCS / "fields" / f"{name}.png", clip=field.evaluate(ROW))
        notebook.cell(index).locator(".mcp-cancel").click()
        notebook.finish()
    lab.close_notebooks()


MODEL = """\
import os
from mcp_notebook.demo.model import play
os.environ.update(OPENAI_BASE_URL=play(PATH), OPENAI_API_KEY="")
%load_ext mcp_notebook
%mcp connect demo"""
FORMS = {
    "every-field": "%mcp call demo.every_field",
    "health-check": "%mcp call demo.check_health",
    "register": "%mcp call demo.register_user",
    "book-table": "%mcp call demo.book_table party=4",
    "url-card": "%mcp call demo.set_password user=grace",
    "approval": "%%mcp ask\nHow will the weather be in Lisbon?",
}


def take_tutorials(lab: Lab) -> None:
    """Take the forms that the tutorials' cells open, for those who read them without a kernel."""
    turns = str(ROOT / "notebooks" / "04_ask_a_model.turns.json")
    notebook = lab.open([MODEL.replace("PATH", repr(turns)), *FORMS.values()], kernel=NEWEST)
    prepare(notebook, 860, 2200)
    notebook.run(0, timeout=30)
    for index, name in enumerate(FORMS, 1):
        notebook.start(index)
        form = notebook.cell(index).locator(".mcp-form")
        form.wait_for()
        if name == "register":
            form.locator(".mcp-field-username input").fill("grace")
            form.locator(".mcp-field-email input").fill("grace@")
            form.locator(".mcp-submit").click()
            form.locator(".mcp-error").first.wait_for()
        form.screenshot(path=TUTORIALS / f"{name}.png")
        form.locator(".mcp-cancel").click()
        notebook.finish()
    lab.close_notebooks()


if __name__ == "__main__":
    with Lab() as lab:
        take(lab, "JupyterLab Light", "")
        take(lab, "JupyterLab Dark", "-dark")
        take_fields(lab)
        take_tutorials(lab)
