"""The browser tests' own tools do what a person at JupyterLab does."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab

BUTTON = """
import ipywidgets
button = ipywidgets.Button(description="press")
button.on_click(lambda _: setattr(button, "description", "pressed"))
button
"""


def test_a_cell_runs_and_its_output_is_on_the_page_and_in_the_file(lab: Lab, ipykernel: str):
    notebook = lab.open(["1 + 1", "import ipykernel; ipykernel.__version__"], kernel=ipykernel)
    assert notebook.run(0) == "2"
    assert notebook.run(1) == repr(ipykernel)
    assert notebook.saved()["cells"][0]["outputs"][0]["data"]["text/plain"] == "2"


@pytest.mark.newest_kernel
def test_a_button_is_clicked_also_from_afar(lab: Lab, ipykernel: str):
    notebook = lab.open([BUTTON], kernel=ipykernel, latency=0.15)
    notebook.run(0)
    clicked = time.monotonic()
    notebook.cell(0).get_by_role("button", name="press").click()
    expect(notebook.cell(0).get_by_role("button", name="pressed")).to_be_visible()
    assert time.monotonic() - clicked > 0.3


@pytest.mark.newest_kernel
def test_stop_ends_a_cell_and_the_page_goes_on_after_a_restart(lab: Lab, ipykernel: str):
    notebook = lab.open(["import time; print('in', flush=True); time.sleep(60)", "6 * 7"], kernel=ipykernel)
    notebook.start(0)
    expect(notebook.outputs(0).first).to_contain_text("in")
    notebook.stop()
    notebook.finish()
    assert "KeyboardInterrupt" in notebook.text(0)
    notebook.restart()
    assert notebook.run(1) == "42"
