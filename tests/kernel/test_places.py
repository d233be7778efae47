"""Wherever code calls a tool the form is seen and answered, or the error says at once why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kernel.client import Frontend
from tests.kernel.test_forms import answer, connected


@pytest.fixture
def page(frontend: Frontend) -> Frontend:
    connected(frontend)
    frontend.run("import ipywidgets, threading, asyncio\ndemo = server('demo')")
    return frontend


PLACES = {
    "capture": "%%capture captured\nresult = demo.call('greet')",
    "time": "%%time\nresult = demo.call('greet')",
    "capture_output": "from IPython.utils.capture import capture_output\n"
    "with capture_output():\n    result = demo.call('greet')",
    "redirected": "import contextlib, io\n"
    "with contextlib.redirect_stdout(io.StringIO()):\n    result = demo.call('greet')",
    "output": "out = ipywidgets.Output()\ndisplay(out)\nwith out:\n    result = demo.call('greet')",
    "module": "import calls_a_tool\nresult = calls_a_tool.greet()",
    "to_thread": "result = await asyncio.to_thread(demo.call, 'greet')",
    "task": "result = await asyncio.create_task(demo.acall('greet'))",
    "comprehension": "(result,) = [demo.call('greet') for _ in range(1)]",
    "property": "class Greeter:\n"
    "    @property\n    def result(self):\n        return demo.call('greet')\n"
    "result = Greeter().result",
}


@pytest.mark.parametrize("code", PLACES.values(), ids=PLACES)
def test_a_call_is_answered_from_the_form_it_opens(page: Frontend, tmp_path: Path, code: str):
    (tmp_path / "calls_a_tool.py").write_text(
        "import mcp_notebook\n\ndef greet():\n    return mcp_notebook.server('demo').call('greet')\n"
    )
    cell = page.execute(code)
    answer(page, name="Ada")
    assert page.finish(cell).status == "ok", cell.text
    assert "Ada" in page.run("print(result.text)").text
    assert any("mcp-receipt" in html for html in cell.shown("text/html")), cell.text


def test_a_task_left_running_asks_under_the_cell_that_started_it(page: Frontend):
    started = page.run("task = asyncio.create_task(demo.acall('greet'))")
    page.find("mcp-submit")
    answer(page, name="Ada")
    assert "Ada" in page.run("print((await task).text)").text
    assert "You answered" in started.text


def test_a_thread_that_the_cell_blocks_on_is_answered_or_says_why_it_cannot_be(page: Frontend, ipykernel: str):
    cell = page.execute(
        "failure = []\n"
        "def work():\n"
        "    try:\n        print(demo.call('greet').text)\n"
        "    except Exception as error:\n        failure.append(error)\n"
        "thread = threading.Thread(target=work)\nthread.start()\nthread.join()\nprint(failure)"
    )
    if ipykernel.startswith("6."):
        page.finish(cell, timeout=10)
        assert "NoAnswerError" in cell.text
        assert "to_thread" in cell.text
    else:
        answer(page, name="Ada")
        assert "Ada" in page.finish(cell).text


BUTTON = """
button = ipywidgets.Button()
button.add_class("mine")
out = ipywidgets.Output()
results = []
def on_click(_):
    {body}
button.on_click(on_click)
display(button, out)
"""


@pytest.mark.parametrize(
    "body",
    ["results.append(demo.call('greet').text)", "with out:\n        results.append(demo.call('greet').text)"],
    ids=["plain", "in an Output"],
)
def test_the_callback_of_the_users_own_button_may_ask(page: Frontend, body: str):
    dashboard = page.run(BUTTON.format(body=body))
    page.click(page.find("mine"))
    answer(page, name="Ada")
    page.until(lambda: "Ada" in page.run("print(results)").text)
    if "with out" not in body:
        assert "You answered" in dashboard.text


def test_after_a_callback_that_asked_cells_run_as_before(page: Frontend):
    page.run(BUTTON.format(body="results.append(demo.call('greet').text)"))
    page.click(page.find("mine"))
    queued = page.execute("print(results)")
    answer(page, name="Ada")
    assert "Ada" in page.finish(queued).text
