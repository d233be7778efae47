"""Who answers in a real kernel: handlers, also async ones on the kernel's own loop; recordings; and the history."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from jupyter_client.manager import KernelManager

from tests.kernel.client import Frontend

LOAD = """%load_ext mcp_notebook
from mcp_notebook import answering, ask_person, connect, server, set_handler
import asyncio
%mcp connect demo"""

CALLS = {
    "magic": "result = %mcp call demo.greet\nprint(result.text)",
    "python": "print(server('demo').call('greet').text)",
    "await": "result = await server('demo').acall('greet')\nprint(result.text)",
    "task": "result = await asyncio.create_task(server('demo').acall('greet'))\nprint(result.text)",
    "thread": "print((await asyncio.to_thread(server('demo').call, 'greet')).text)",
}
BLOCKING_AND_AWAITED = pytest.mark.parametrize("code", [CALLS["magic"], CALLS["await"]], ids=["magic", "await"])


def loaded(page: Frontend) -> Frontend:
    cell = page.run(LOAD, timeout=60)
    assert cell.status == "ok", cell.text
    return page


def says(page: Frontend, code: str) -> str:
    cell = page.run(code)
    assert cell.status == "ok", cell.text
    return cell.text


@pytest.fixture
def page(frontend: Frontend) -> Frontend:
    """A page with the demo server connected."""
    return loaded(frontend)


@pytest.mark.parametrize("code", CALLS.values(), ids=CALLS)
def test_a_handler_answers_and_its_output_lands_in_the_cell_of_the_call(page: Frontend, code: str):
    says(page, "def handler(question):\n    print('asked:', question.message)\n    return {'name': 'Ada'}")
    says(page, "set_handler(handler, 'demo')")
    text = says(page, code)
    assert "asked: Who may I greet?" in text
    assert "Hello, Ada!" in text


USES_WHAT_LIVES_ON_THE_KERNELS_LOOP = """
wanted, given = asyncio.Queue(), asyncio.Queue()
async def know_names():
    while True:
        await given.put('Ada of ' + await wanted.get())
names, lock, home = asyncio.create_task(know_names()), asyncio.Lock(), asyncio.get_running_loop()
await asyncio.sleep(0)
async def handler(question):
    assert asyncio.get_running_loop() is home
    async with lock:
        await asyncio.sleep(0.05)
        await wanted.put(question.tool)
        print('asked:', question.message)
        return {'name': await given.get()}
connect('demo', on_elicit=handler)
"""


@pytest.mark.parametrize("code", [CALLS[name] for name in ("magic", "python", "await", "task")])
def test_an_async_handler_runs_on_the_kernels_own_loop_while_cells_wait_behind_it(page: Frontend, code: str):
    says(page, USES_WHAT_LIVES_ON_THE_KERNELS_LOOP)
    cells = [page.execute(f"{code}\norder = ['called']"), *(page.execute(f"order.append({n})") for n in range(3))]
    for cell in cells:
        assert page.finish(cell).status == "ok", cell.text
    assert "asked: Who may I greet?" in cells[0].text
    assert "Hello, Ada of greet!" in cells[0].text
    assert says(page, "order") == "['called', 0, 1, 2]"
    assert "Hello, Ada of greet!" in says(page, code)


def test_async_handlers_of_calls_at_the_same_time_run_side_by_side(page: Frontend):
    says(page, USES_WHAT_LIVES_ON_THE_KERNELS_LOOP)
    text = says(page, "print(*(r.text for r in await asyncio.gather(*(server('demo').acall('greet') for _ in '123'))))")
    assert text.count("Hello, Ada of greet!") == 3


def test_an_async_handler_may_call_another_tool_that_asks(page: Frontend):
    says(
        page,
        """
async def handler(question):
    if question.tool == 'greet':
        return {'name': (await server('demo').acall('confirm')).text.split(':')[0]}
    return {}
set_handler(handler)""",
    )
    assert "Hello, Confirmed!" in says(page, CALLS["magic"])
    assert "Hello, Confirmed!" in says(page, CALLS["await"])


@BLOCKING_AND_AWAITED
def test_stop_cancels_an_async_handler_and_the_next_cell_runs(page: Frontend, code: str):
    says(
        page,
        """
ended = []
async def handler(question):
    print('begun')
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        ended.append('cancelled')
        raise
set_handler(handler)""",
    )
    cell = page.execute(code)
    page.until(lambda: "begun" in cell.text)
    page.interrupt()
    assert page.finish(cell, timeout=5).status == "error"
    assert says(page, "await asyncio.sleep(0.01)\nended") == "['cancelled']"
    says(page, "set_handler(lambda question: {'name': 'Ada'})")
    assert "Hello, Ada!" in says(page, code)


@BLOCKING_AND_AWAITED
@pytest.mark.newest_kernel
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_what_a_handler_raises_ends_the_call_with_that(page: Frontend, code: str, kind: str):
    says(page, f"{kind} handler(question):\n    raise LookupError('no such person')\nset_handler(handler)")
    cell = page.run(code)
    assert cell.error == "LookupError: no such person"
    assert "handler" in "".join(cell.outputs[-1]["traceback"])


def test_a_handler_that_asks_the_person_leaves_the_question_to_the_form(page: Frontend):
    says(page, "async def handler(question):\n    return ask_person\nset_handler(handler)")
    cell = page.execute(CALLS["magic"])
    page.set(page.find("mcp-field-name"), value="Grace")
    page.click(page.find("mcp-submit"))
    assert "Hello, Grace!" in page.finish(cell).text
    assert "You answered" in cell.text


def test_a_loop_that_is_nested_already_is_no_hindrance(page: Frontend):
    says(page, "import nest_asyncio2\nnest_asyncio2.apply()")
    says(page, USES_WHAT_LIVES_ON_THE_KERNELS_LOOP)
    assert "Hello, Ada of greet!" in says(page, CALLS["magic"])
    says(page, "set_handler(None, 'demo')")
    cell = page.execute(CALLS["await"])
    page.click(page.find("mcp-submit"))
    assert page.finish(cell).status == "ok"


@pytest.mark.newest_kernel
def test_what_is_recorded_is_asked_again_by_nobody_after_a_restart(kernel: KernelManager, tmp_path: Path):
    file = tmp_path / "answers.json"
    work = [
        f"%mcp record {file} --replay",
        CALLS["magic"],
        CALLS["await"],
        "print(server('demo').call('confirm').text)",
    ]

    page = Frontend(kernel)
    loaded(page)
    cell = page.run(work[0])
    assert "0 answers taken" in cell.text
    for code, name, button in zip(work[1:], ("Ada", "", None), ("submit", "decline", "cancel"), strict=True):
        cell = page.execute(code)
        form = page.find("mcp-form")
        if name:
            page.set(page.find("mcp-field-name"), value=name)
        page.click(page.find(f"mcp-{button}"))
        assert page.finish(cell).status == "ok", cell.text
        page.until(lambda form=form: form.closed)
    recorded = json.loads(file.read_text("utf-8"))["answers"]
    assert [entry["action"] for entry in recorded] == ["accept", "decline", "cancel"]
    page.close()

    kernel.restart_kernel(now=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # its console is closed
    page = loaded(Frontend(kernel, allow_stdin=False))
    texts = [says(page, code) for code in work]
    assert "3 answers taken" in texts[0]
    assert "Hello, Ada!" in texts[1]
    assert "rather not say" in texts[2]
    assert "Dismissed" in texts[3]
    assert all("by a script" in text or "from a script" in text for text in texts[1:])
    assert json.loads(file.read_text("utf-8"))["answers"] == recorded
    page.close()


@pytest.mark.newest_kernel
def test_the_history_tells_who_answered_what_and_why_nobody_did(page: Frontend):
    cell = page.execute(CALLS["magic"])
    page.set(page.find("mcp-field-name"), value="Ada")
    page.click(page.find("mcp-submit"))
    page.finish(cell)
    cell = page.execute(CALLS["magic"])
    page.find("mcp-submit")
    page.interrupt()
    page.finish(cell)
    says(page, "set_handler(lambda question: 'decline')")
    says(page, CALLS["magic"])
    says(page, "set_handler(None)\nwith answering({'name': 'Bo'}):\n    server('demo').call('greet')")
    history = json.loads(says(page, "%mcp history demo --json"))
    assert [(each.get("action"), each.get("source"), each.get("content")) for each in history] == [
        ("accept", "person", {"name": "Ada"}),
        (None, None, None),
        ("decline", "handler", None),
        ("accept", "script", {"name": "Bo"}),
    ]
    assert "stopped" in history[1]["unanswered"].lower()
    assert "name: Ada" in says(page, "%mcp history")


ASKS_A_SECRET = """
from mcp.server.mcpserver import MCPServer, Context
from pydantic import BaseModel
class Account(BaseModel):
    user: str
    password: str
asks = MCPServer("asks")
@asks.tool()
async def sign_in(ctx: Context) -> str:
    answer = await ctx.elicit("Sign in", Account)
    return f"{answer.data.user}, {len(answer.data.password)} characters"
%mcp connect asks asks --protocol legacy
"""


@pytest.mark.newest_kernel
def test_a_secret_is_neither_in_the_history_nor_in_the_recording(page: Frontend, tmp_path: Path):
    file = tmp_path / "answers.json"
    says(page, ASKS_A_SECRET)
    says(page, f"%mcp record {file}\nset_handler(lambda question: {{'user': 'ada', 'password': 'hunter' + '2'}})")
    assert "ada, 7 characters" in says(page, "print(server('asks').call('sign_in').text)")
    assert "hunter2" not in says(page, "%mcp history --json") + file.read_text("utf-8")
    (entry,) = json.loads(file.read_text("utf-8"))["answers"]
    assert (entry["content"], entry["secrets"]) == ({"user": "ada"}, ["password"])
    says(page, f"set_handler(None)\n%mcp record --stop\n%mcp replay {file}")
    says(page, "import os\nos.environ['MCP_NOTEBOOK_SECRET_PASSWORD'] = 'hunter22'")
    assert "ada, 8 characters" in says(page, "print(server('asks').call('sign_in').text)")
