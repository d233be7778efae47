"""Where a form is seen in JupyterLab, besides right under the cell that calls."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab, Notebook

SETUP = (
    "%load_ext mcp_notebook\nfrom mcp_notebook import server\nimport asyncio, ipywidgets\n%mcp connect demo\n"
    "demo = server('demo')"
)
DASHBOARD = """
button = ipywidgets.Button(description="Greet")
out = ipywidgets.Output(layout={{"border": "1px solid gray", "min_height": "20px"}})
results = []
def on_click(_):
    {body}
button.on_click(on_click)
ipywidgets.VBox([button, out])
"""


pytestmark = pytest.mark.newest_kernel  # tests/kernel/test_places.py varies the kernel


def ready(lab: Lab, ipykernel: str, *cells: str) -> Notebook:
    notebook = lab.open([SETUP, *cells], kernel=ipykernel)
    assert "connected" in notebook.run(0, timeout=30)
    return notebook


def answer(place: Locator) -> None:
    field = place.locator(".mcp-field-name input")
    field.fill("Ada")
    field.press("Enter")
    expect(place.locator(".mcp-receipt")).to_contain_text("Ada")
    expect(place.locator(".mcp-form")).to_have_count(0)


def test_a_task_asks_under_the_cell_that_started_it_though_that_has_ended(lab: Lab, ipykernel: str):
    notebook = ready(lab, ipykernel, "task = asyncio.create_task(demo.acall('greet'))", "print((await task).text)")
    notebook.run(1)
    answer(notebook.cell(1))
    assert "Ada" in notebook.run(2)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("results.append(demo.call('greet').text)", id="plain", marks=pytest.mark.matrix),
        pytest.param("with out:\n        results.append(demo.call('greet').text)", id="in an Output"),
    ],
)
def test_a_dashboards_button_may_call_a_tool_that_asks(lab: Lab, ipykernel: str, body: str):
    notebook = ready(lab, ipykernel, DASHBOARD.format(body=body), "print(results)")
    notebook.run(1)
    notebook.cell(1).get_by_role("button", name="Greet").click()
    answer(notebook.cell(1))
    notebook.screenshot(f"dashboard-{'output' if 'out:' in body else 'plain'}-{ipykernel}")
    assert "Ada" in notebook.run(2)


def test_a_form_inside_an_output_widget_gives_way_to_its_receipt(lab: Lab, ipykernel: str):
    notebook = ready(
        lab, ipykernel, "out = ipywidgets.Output()\ndisplay(out)\nwith out:\n    print('>', demo.call('greet').text)"
    )
    notebook.start(1)
    answer(notebook.cell(1))
    notebook.finish()
    expect(notebook.cell(1)).to_contain_text("> Hello, Ada")
