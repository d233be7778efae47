"""A tool asks, a form opens in the cell, the person answers, the call resumes; mostly on the plain shell channel."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

from tests.kernel.client import Frontend

LOAD = "%load_ext mcp_notebook\nfrom mcp_notebook import connect, server\nimport asyncio\n%mcp connect demo"


@pytest.fixture
def page(frontend: Frontend) -> Frontend:
    """A page with the demo server connected."""
    return connected(frontend)


def connected(page: Frontend) -> Frontend:
    cell = page.run(LOAD, timeout=60)
    assert cell.status == "ok", cell.text
    return page


def answer(page: Frontend, **values: str) -> None:
    """Fill in the newest form and click its own Submit button, as where the guard can't load."""
    for name, value in values.items():
        page.set(page.find(f"mcp-field-{name}"), value=value)
    page.click(page.find("mcp-submit"))


def press(page: Frontend, button: str) -> None:
    page.click(page.find(f"mcp-{button}"))


def opened(page: Frontend) -> bool:
    return bool(page.models.by_class("mcp-form"))


CALLS = {
    "magic": "result = %mcp call demo.greet\nprint(result.text)",
    "python": "print(server('demo').call('greet').text)",
    "await": "result = await server('demo').acall('greet')\nprint(result.text)",
    "function": "def greet():\n    return server('demo').call('greet')\nprint(greet().text)",
    "task": "result = await asyncio.create_task(server('demo').acall('greet'))\nprint(result.text)",
}


@pytest.mark.parametrize("code", CALLS.values(), ids=CALLS)
def test_an_answer_given_in_the_form_reaches_the_tool_and_the_cell_goes_on(page: Frontend, code: str):
    cell = page.execute(code)
    answer(page, name="Ada")
    assert page.finish(cell).status == "ok", cell.text
    assert "Ada" in cell.text.splitlines()[-1]


def test_a_subshell_of_the_page_carries_the_answer_as_well(kernel: KernelManager, ipykernel: str):
    if ipykernel.startswith("6."):
        pytest.skip("ipykernel 6 has no subshells")
    page = Frontend(kernel, subshell=True)
    try:
        connected(page)
        cell = page.execute(CALLS["await"])
        answer(page, name="Grace")
        assert "Grace" in page.finish(cell).text
    finally:
        page.close()


def test_each_call_of_a_loop_asks_in_turn(page: Frontend):
    cell = page.execute("for _ in range(3):\n    print(server('demo').call('greet').text)")
    for name in ("Ada", "Grace", "Edsger"):
        form = page.find("mcp-form")
        answer(page, name=name)
        page.until(lambda form=form: form.closed)
    assert page.finish(cell).status == "ok"
    assert all(name in cell.text for name in ("Ada", "Grace", "Edsger"))


@pytest.mark.parametrize(("button", "word"), [("decline", "declined"), ("cancel", "cancelled")])
def test_decline_and_cancel_reach_the_tool_and_the_receipt_says_so(page: Frontend, button: str, word: str):
    cell = page.execute("result = %mcp call demo.greet")
    press(page, button)
    assert page.finish(cell).status == "ok"
    assert f"You {word}" in cell.text


def test_the_form_gives_way_to_a_receipt_of_text_and_html_with_no_widget_left(page: Frontend):
    cell = page.execute("result = %mcp call demo.greet")
    answer(page, name="<b>Ada</b>")
    page.finish(cell)
    assert len(cell.outputs) == 1, cell.text
    (output,) = cell.outputs
    assert set(output["data"]) == {"text/plain", "text/html"}
    assert "<b>Ada</b>" in output["data"]["text/plain"]
    assert "&lt;b&gt;Ada&lt;/b&gt;" in output["data"]["text/html"]
    assert "mcp-receipt" in output["data"]["text/html"]
    assert not opened(page)
    assert all(model.closed for model in page.models.values())


def test_an_invalid_answer_stays_in_the_form_with_its_error_beside_the_field(page: Frontend):
    cell = page.execute("result = %mcp call demo.register_user\nprint(result.text)")
    answer(page, username="al", email="ada@example.org")
    field = page.find("mcp-invalid")
    assert "mcp-field-username" in field.classes
    page.until(lambda: any("mcp-error" in str(model.state.get("value")) for model in page.models.values()))
    assert field["value"] == "al"
    answer(page, username="alan")
    assert page.finish(cell).status == "ok"
    assert "alan" in cell.text


def test_values_that_come_with_the_guards_message_count_over_those_that_were_sent_before(page: Frontend):
    cell = page.execute("print(server('demo').call('greet').text)")
    field = page.find("mcp-field-name")
    page.set(field, value="third on")
    guard = page.until(lambda: [model for model in page.models.values() if model.is_anywidget])[-1]
    values = {field.comm_id: {"value": "third one"}}
    page.send(guard, {"type": "answer", "id": 1, "action": "accept", "values": values, "secrets": []})
    assert "third one" in page.finish(cell).text


def test_a_second_click_and_a_late_one_are_harmless(page: Frontend):
    cell = page.execute("result = %mcp call demo.greet")
    submit = page.find("mcp-submit")
    page.click(submit)
    page.click(submit)
    assert page.finish(cell).status == "ok"
    page.click(submit)
    assert page.run("6 * 7").text == "42"


def test_what_is_typed_while_the_form_closes_is_not_complained_of(page: Frontend):
    # Call after call, with threads that take turns all the time: so it comes at every moment of the closing.
    page.run("import sys\nsys.setswitchinterval(1e-6)")
    cell = page.execute("for _ in range(5):\n    server('demo').call('greet')")
    for _ in range(5):
        field = page.find("mcp-field-name")
        page.click(page.find("mcp-submit"))
        for number in range(100):
            page.set(field, value=f"Ada {number}")
        page.until(lambda field=field: field.closed)
    assert page.finish(cell).status == "ok"
    assert [output["output_type"] for output in cell.outputs] == 5 * ["display_data"]
    assert page.run("6 * 7").text == "42"


def test_two_forms_at_once_may_be_answered_in_reverse(page: Frontend):
    cell = page.execute(
        "demo = server('demo')\n"
        "results = await asyncio.gather(demo.acall('greet'), demo.acall('register_user'))\n"
        "print(results[0].text, '|', results[1].text)"
    )
    page.until(lambda: len(page.models.by_class("mcp-form")) == 2)
    answer_of = {name: page.find(f"mcp-field-{name}") for name in ("name", "username", "email")}
    page.set(answer_of["username"], value="grace")
    page.set(answer_of["email"], value="grace@example.org")
    form_of_username = next(
        form for form in page.models.by_class("mcp-form") if answer_of["username"] in page.models.tree(form)
    )
    other = next(form for form in page.models.by_class("mcp-form") if form is not form_of_username)
    for form in (form_of_username, other):
        if form is other:
            page.set(answer_of["name"], value="Ada")
        page.click(next(model for model in page.models.tree(form) if "mcp-submit" in model.classes))
    assert page.finish(cell).status == "ok", cell.text
    greeting, registration = cell.text.splitlines()[-1].split("|")
    assert "Ada" in greeting
    assert "grace" in registration


def test_several_forms_in_turn_end_in_one_result(page: Frontend):
    cell = page.execute("result = %mcp call demo.check_health\nprint(result.text)")
    for _ in range(4):
        form = page.find("mcp-form")
        for model in page.models.tree(form):
            if "mcp-field" in model.classes:
                page.set(model, **({"index": 0} if "index" in model.state else {"value": "7"}))
        page.click(next(model for model in page.models.tree(form) if "mcp-submit" in model.classes))
        page.until(lambda form=form: form.closed)
    assert page.finish(cell).status == "ok", cell.text
    assert len(cell.shown("text/html")) == 4


@pytest.mark.parametrize("code", [CALLS["magic"], CALLS["await"]], ids=["magic", "await"])
def test_stop_ends_the_wait_the_form_says_so_and_the_next_cell_runs(page: Frontend, code: str):
    cell = page.execute(code)
    page.find("mcp-submit")
    queued = page.execute("print('queued')")
    started = time.monotonic()
    page.interrupt()
    page.finish(cell, timeout=5)
    assert time.monotonic() - started < 1.5  # a second, and the way there and back on a busy machine
    assert cell.status == "error"
    assert "Stopped before you answered" in cell.text
    assert page.finish(queued).status == "aborted"
    assert page.run("6 * 7").text == "42"
    again = page.execute(code)
    answer(page, name="Ada")
    assert "Ada" in page.finish(again).text


SLOW_SERVER = """
from mcp.server.mcpserver import MCPServer, Context
from pydantic import BaseModel
import asyncio
class Name(BaseModel):
    name: str = ""
slow = MCPServer("slow")
seen = []
@slow.tool()
async def ask(ctx: Context) -> str:
    try:
        return str(await ctx.elicit("Your name?", Name))
    except asyncio.CancelledError:
        seen.append("cancelled")
        raise
%mcp connect slow slow --protocol legacy
"""


def test_stop_cancels_the_call_at_the_server(page: Frontend):
    assert page.run(SLOW_SERVER).status == "ok"
    cell = page.execute("%mcp call slow.ask")
    page.find("mcp-submit")
    page.interrupt()
    page.finish(cell, timeout=5)
    assert (
        page.run(
            "import time\nend = time.monotonic() + 5\n"
            "while not seen and time.monotonic() < end:\n    time.sleep(0.01)\nprint(seen)"
        ).text.strip()
        == "['cancelled']"
    )


def test_cells_queued_behind_a_form_run_in_their_order(page: Frontend):
    page.run("order = []")
    asking = page.execute("%mcp call demo.greet\norder.append('asked')")
    later = [page.execute(f"order.append({number})") for number in range(3)]
    answer(page, name="Ada")
    page.finish(asking)
    for cell in later:
        page.finish(cell)
    assert page.run("order").text == "['asked', 0, 1, 2]"


@pytest.mark.parametrize("code", [CALLS["magic"], CALLS["await"]], ids=["magic", "await"])
def test_a_page_that_reloads_gets_its_form_back_with_what_was_typed(page: Frontend, code: str):
    cell = page.execute(code)
    page.set(page.find("mcp-field-name"), value="Ada")
    page.reload()
    assert page.find("mcp-field-name")["value"] == "Ada"
    press(page, "submit")
    assert "Ada" in page.finish(cell).text


def test_every_message_of_a_form_is_answered_with_busy_and_idle(page: Frontend):
    cell = page.execute("%mcp call demo.greet")
    sent = page.set(page.find("mcp-field-name"), value="Ada")
    page.until(lambda: page.statuses[sent] == ["busy", "idle"])
    press(page, "submit")
    page.finish(cell)


def test_a_users_own_widget_keeps_its_place_in_the_queue(page: Frontend):
    page.run(
        "import ipywidgets\nclicks = []\nbutton = ipywidgets.Button()\n"
        "button.add_class('mine')\nbutton.on_click(lambda _: clicks.append(1))\nbutton"
    )
    cell = page.execute("%mcp call demo.greet\nprint(clicks)")
    page.find("mcp-submit")
    page.click(page.find("mine"))
    press(page, "submit")
    page.finish(cell)
    page.until(lambda: page.run("print(clicks)").text.strip() == "[1]")


def test_with_nobody_to_ask_the_call_fails_at_once_and_names_both_ways_to_answer(kernel: KernelManager):
    page = Frontend(kernel, allow_stdin=False)
    try:
        connected(page)
        cell = page.run("%mcp call demo.register_user", timeout=5)
        assert cell.status == "error"
        assert str(cell.error).startswith("NoAnswerError")
        assert "%mcp answer demo" in cell.text
        assert "MCP_NOTEBOOK_ANSWERS" in cell.text
    finally:
        page.close()


@pytest.fixture
def headless(kernel: KernelManager) -> Iterator[Frontend]:
    page = Frontend(kernel, allow_stdin=False)
    yield connected(page)
    page.close()


def test_a_scripted_answer_is_given_and_marked_as_such(headless: Frontend):
    headless.run("""%mcp answer demo '{"username": "ada", "email": "ada@example.org"}'""")
    cell = headless.run("result = %mcp call demo.register_user\nprint(result.text)")
    assert cell.status == "ok", cell.text
    assert "Answered from a script" in cell.text
    assert "ada" in cell.text.splitlines()[-1]


def test_answers_come_from_the_file_that_the_environment_names(headless: Frontend, tmp_path: Path):
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"version": 1, "answers": [{"server": "demo", "content": {"name": "Ada"}}]}))
    headless.run(f"import os\nos.environ['MCP_NOTEBOOK_ANSWERS'] = {str(file)!r}")
    assert "Ada" in headless.run("%mcp call demo.greet").text


def test_a_frontend_without_widgets_is_asked_by_input(kernel: KernelManager):
    page = Frontend(kernel, widgets=False)
    try:
        connected(page)
        page.run("import mcp_notebook.notebook.asking_by_form as asking\nasking.READY_SECONDS = 0.2")
        cell = page.execute("result = %mcp call demo.greet\nprint(result.text)")
        page.answer("Ada")
        assert "Ada" in page.finish(cell).text
    finally:
        page.close()


def test_the_extension_unloads_without_a_trace(frontend: Frontend):
    unchanged = "print(get_ipython().kernel.shell_stream._recv_callback == before)"
    frontend.run("before = get_ipython().kernel.shell_stream._recv_callback")
    connected(frontend)
    cell = frontend.execute("%mcp call demo.greet")
    press(frontend, "submit")
    frontend.finish(cell)
    assert frontend.run(unchanged).text.strip() == "False"
    frontend.run("%unload_ext mcp_notebook")
    assert frontend.run(unchanged).text.strip() == "True"
    assert "`%mcp` not found" in frontend.run("%mcp servers").text
