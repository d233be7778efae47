"""Several questions of one call: at once, again and again, taken back, and asked anew after a call that failed."""

from __future__ import annotations

import pytest

from tests.kernel.client import Frontend

pytestmark = pytest.mark.newest_kernel  # tests/kernel/test_forms.py varies the kernel

SERVER = """
%load_ext mcp_notebook
from typing import Annotated
from mcp.server.mcpserver import Elicit, ElicitationResult, MCPServer, Resolve
from mcp.types import ToolAnnotations
from pydantic import BaseModel

class Guest(BaseModel):
    guest: str

class Host(BaseModel):
    host: str

def ask_guest() -> Elicit[Guest]:
    return Elicit("Who comes?", Guest)

def ask_host() -> Elicit[Host]:
    return Elicit("Who invites?", Host)

party = MCPServer("party", log_level="ERROR")

@party.tool()
def invite(
    guest: Annotated[ElicitationResult[Guest], Resolve(ask_guest)],
    host: Annotated[ElicitationResult[Host], Resolve(ask_host)],
) -> str:
    return f"{host.data.host} invites {guest.data.guest}"

@party.tool()
def fail(guest: Annotated[ElicitationResult[Guest], Resolve(ask_guest)]) -> str:
    raise ValueError(f"{guest.data.guest} is not on the list")

%mcp connect party party
"""

NAGGING = """
from mcp.server.mcpserver import Context
@party.tool()
async def nag(ctx: Context) -> str:
    actions = []
    for number in range(8):
        actions.append((await ctx.elicit(f"Question {number + 1}", Guest)).action)
    return " ".join(actions)
%mcp connect nagging party --protocol legacy
"""


@pytest.fixture
def page(frontend: Frontend) -> Frontend:
    cell = frontend.run(SERVER, timeout=60)
    assert cell.status == "ok", cell.text
    return frontend


def submit(page: Frontend, form_with: str, value: str) -> None:
    field = page.find(f"mcp-field-{form_with}")
    form = page.until(
        lambda: next((form for form in page.models.by_class("mcp-form") if field in page.models.tree(form)), None)
    )
    page.set(field, value=value)
    page.click(next(model for model in page.models.tree(form) if "mcp-submit" in model.classes))
    page.until(lambda: field.closed)


def test_the_questions_of_a_round_stand_under_one_heading_and_are_answered_in_any_order(page: Frontend):
    cell = page.execute("result = %mcp call party.invite\nprint(result.text)")
    page.until(lambda: len(page.models.by_class("mcp-form")) == 2)
    assert "party asks 2 questions at once, to go on with invite" in cell.text
    submit(page, "host", "Ada")
    submit(page, "guest", "Grace")
    assert "Ada invites Grace" in page.finish(cell).text


@pytest.mark.parametrize("call", ["%mcp call party.fail", "server('party').call('fail')"], ids=["magic", "python"])
def test_after_a_call_that_failed_the_same_question_comes_filled_in(page: Frontend, call: str):
    page.run("from mcp_notebook import server")
    cell = page.execute(call)
    submit(page, "guest", "Grace")
    assert str(page.finish(cell).error).startswith("ToolError")
    cell = page.execute(call)
    page.until(lambda: page.find("mcp-field-guest")["value"] == "Grace")
    page.until(lambda: any("typed before" in str(model.state.get("value")) for model in page.models.values()))
    page.click(page.find("mcp-cancel"))
    page.finish(cell)
    other = page.execute("result = %mcp call party.invite")
    page.until(lambda: len(page.models.by_class("mcp-form")) == 2)
    assert page.find("mcp-field-guest")["value"] == ""
    page.interrupt()
    page.finish(other)


def test_what_was_typed_when_stop_was_pressed_comes_back(page: Frontend):
    cell = page.execute("result = %mcp call party.fail")
    typed = page.set(page.find("mcp-field-guest"), value="Grace")
    page.until(lambda: "idle" in page.statuses[typed])
    page.interrupt()
    page.finish(cell)
    cell = page.execute("result = %mcp call party.fail")
    page.until(lambda: page.find("mcp-field-guest")["value"] == "Grace")
    page.interrupt()
    page.finish(cell)


def test_no_value_goes_from_a_call_that_succeeded_to_the_next(page: Frontend):
    for _ in range(2):
        cell = page.execute("result = %mcp call party.invite")
        page.until(lambda: len(page.models.by_class("mcp-form")) == 2)
        assert page.find("mcp-field-guest")["value"] == ""
        submit(page, "guest", "Grace")
        submit(page, "host", "Ada")
        assert page.finish(cell).status == "ok"


def test_a_server_that_asks_on_and_on_can_be_silenced_for_the_session(page: Frontend):
    assert page.run(NAGGING).status == "ok"
    cell = page.execute("result = %mcp call nagging.nag\nprint(result.text)")
    for number in range(5):
        assert not page.models.by_class("mcp-silence")
        submit(page, "guest", str(number))
    page.click(page.find("mcp-silence"))
    assert page.finish(cell).status == "ok", cell.text
    assert cell.text.splitlines()[-1] == "accept accept accept accept accept cancel cancel cancel"
    assert "you silenced nagging" in page.run("result = %mcp call nagging.nag").text


DYING = """
import os, sys, tempfile
source = tempfile.NamedTemporaryFile("w", suffix=".py", delete=False)
source.write('''
import asyncio, os, threading
from typing import Annotated
from mcp.server.mcpserver import Context, MCPServer
from pydantic import BaseModel
class Guest(BaseModel):
    guest: str
dying = MCPServer("dying", log_level="ERROR")
@dying.tool()
async def die(ctx: Context) -> str:
    threading.Timer(1, os._exit, [1]).start()
    return str(await ctx.elicit("Who comes?", Guest))
@dying.tool()
async def hurry(ctx: Context) -> str:
    try:
        return str(await asyncio.wait_for(ctx.elicit("Quick, who comes?", Guest), 1))
    except asyncio.TimeoutError:
        return "too late"
dying.run()
''')
source.close()
%mcp connect dying --protocol legacy -- {sys.executable} {source.name}
"""


def test_the_form_of_a_server_that_dies_closes_and_says_why_and_a_late_click_is_harmless(page: Frontend):
    assert page.run(DYING).status == "ok"
    cell = page.execute("%mcp call dying.die")
    submit_button = page.find("mcp-submit")
    page.finish(cell, timeout=10)
    assert str(cell.error).startswith("ConnectionLost")
    assert "is gone" in cell.text
    page.click(submit_button)
    assert page.run("6 * 7").text == "42"


def test_the_form_of_a_server_that_gives_up_closes_and_says_why(page: Frontend):
    assert page.run(DYING).status == "ok"
    cell = page.execute("result = %mcp call dying.hurry\nprint(result.text)")
    page.find("mcp-submit")
    page.finish(cell, timeout=10)
    assert "too late" in cell.text
    assert "The server took its question back" in cell.text
