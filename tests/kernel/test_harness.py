"""The kernel tests' own tools do what a frontend does."""

from __future__ import annotations

import pytest
from jupyter_client.manager import KernelManager

from tests.kernel.client import Frontend

pytestmark = pytest.mark.newest_kernel  # tests/kernel/test_forms.py varies the kernel

BUTTON = """
import ipywidgets
button = ipywidgets.Button(description="press")
button.add_class("the-button")
button.on_click(lambda _: setattr(button, "description", "pressed"))
button
"""


def test_the_kernel_is_of_the_release_that_was_asked_for(frontend: Frontend, ipykernel: str):
    assert frontend.run("import ipykernel; print(ipykernel.__version__)").text.strip() == ipykernel


def test_a_button_is_shown_clicked_and_changed_by_its_handler(frontend: Frontend):
    frontend.run(BUTTON)
    button = frontend.find("the-button")
    assert button["description"] == "press"
    frontend.click(button)
    frontend.until(lambda: button["description"] == "pressed")


def test_comm_messages_go_through_a_subshell(kernel: KernelManager, ipykernel: str):
    if ipykernel.startswith("6."):
        pytest.skip("ipykernel 6 has no subshells")
    page = Frontend(kernel, subshell=True)
    page.run(BUTTON)
    button = page.find("the-button")
    page.click(button)
    page.until(lambda: button["description"] == "pressed")
    page.close()


def test_a_reloaded_page_gets_its_widgets_back(frontend: Frontend):
    frontend.run(BUTTON)
    frontend.set(frontend.find("the-button"), description="changed on the page")
    frontend.reload()
    assert frontend.find("the-button")["description"] == "changed on the page"


def test_an_updated_display_changes_where_it_stands(frontend: Frontend):
    cell = frontend.run("from IPython.display import display; handle = display('first', display_id=True)")
    assert cell.text == "'first'"
    frontend.run("handle.update('second')")
    assert cell.text == "'second'"


def test_input_is_answered(frontend: Frontend):
    cell = frontend.execute("print('hello', input('who? '))")
    assert frontend.answer("ada") == "who? "
    assert frontend.finish(cell).text.strip() == "hello ada"


def test_stop_ends_a_cell_and_aborts_the_next(frontend: Frontend):
    running = frontend.execute("import time; print('in', flush=True); time.sleep(60)")
    queued = frontend.execute("print('never')")
    frontend.until(lambda: "in" in running.text)
    frontend.interrupt()
    assert frontend.finish(running).error == "KeyboardInterrupt: "
    assert frontend.finish(queued).status == "aborted"
