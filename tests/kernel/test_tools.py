"""Tools as a kernel tells of them (Tab, Shift-Tab, ?), and many calls from one cell with their forms."""

from __future__ import annotations

import re
import sys

import pytest

from tests.kernel.client import Frontend

SERVER = """
from typing import Annotated, Literal
from mcp.server.mcpserver import Elicit, ElicitationResult, MCPServer, Resolve
from pydantic import BaseModel, Field
class Size(BaseModel):
    size: Literal["S", "M"]
def ask_size(guest: str) -> Elicit[Size]:
    return Elicit(f"Which size for {guest}?", Size)
shirts = MCPServer("shirts")
@shirts.tool(name="order.shirt", description="Order a shirt.")
def order(guest: Annotated[str, Field(description="Who it is for")],
          answer: Annotated[ElicitationResult[Size], Resolve(ask_size)],
          colour: Literal["red", "blue"] = "red") -> str:
    return f"{guest} {answer.data.size} {colour}" if answer.action == "accept" else f"{guest} none"
"""
LOAD = "%load_ext mcp_notebook\nfrom mcp_notebook import MapError, server\n"
ASK = "shirts_ = server('shirts')\norder_shirt = shirts_.tools.order_shirt"

pytestmark = pytest.mark.newest_kernel

COLOURS = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("where", ["in process", "stdio"])
def test_a_tool_is_told_of_as_a_function_is(frontend: Frontend, where: str):
    frontend.run(LOAD)
    if where == "stdio":
        serve = f"{SERVER}\nshirts.run()"
        frontend.run(f"code = {serve!r}\n%mcp connect shirts -- {{{sys.executable!r}}} -c {{code}}", timeout=60)
    else:
        frontend.run(f"{SERVER}\n%mcp connect shirts shirts")
    assert frontend.run(ASK).status == "ok"

    for asked in ("shirts_.tools.order_shirt", "order_shirt(", "order_shirt"):
        told = COLOURS.sub("", frontend.inspect(asked))
        assert "(*, guest: str, colour: Literal['red', 'blue'] = 'red')" in re.sub(r"\s+", " ", told).replace(
            "( *", "(*"
        )
        assert "guest: Who it is for" in told
        assert "Order a shirt." in told
    assert "Order a shirt." in COLOURS.sub("", str(frontend.run("order_shirt?").reply))

    assert frontend.complete("shirts_.tools.or") == ["shirts_.tools.order_shirt"]
    assert frontend.complete("order_shirt(gu") == ["order_shirt(guest="]
    assert frontend.complete('order_shirt(colour="b') == ['order_shirt(colour="blue']
    assert frontend.complete("%mcp call shirts.order.shirt colour=") == [
        f"%mcp call shirts.order.shirt colour={colour}" for colour in ("red", "blue")
    ]
    assert frontend.complete("%mcp desc") == ["%mcp describe"]


def test_many_calls_ask_in_turn_until_one_answer_does_for_the_rest(frontend: Frontend):
    frontend.run(f"{LOAD}{SERVER}\n%mcp connect shirts shirts")
    frontend.run(f"{ASK}\nguests = ['Ada', 'Bo', 'Cy', 'Di', 'Ed']")
    cell = frontend.execute("ordered = order_shirt.map(guests, concurrency=2)\nordered.data")
    frontend.find("mcp-form")
    first = frontend.find("mcp-rest")
    assert first["description"] == "Same answer for the rest (4 more calls)"
    frontend.set(frontend.find("mcp-field-size"), index=0)
    frontend.click(frontend.find("mcp-submit"))
    frontend.until(lambda: first.closed)
    second = frontend.find("mcp-rest")
    assert second["description"] == "Same answer for the rest (3 more calls)"
    frontend.set(frontend.find("mcp-field-size"), index=1)
    frontend.set(second, value=True)
    frontend.click(frontend.find("mcp-submit"))
    frontend.finish(cell)
    assert sorted(size for _, size, _ in map(str.split, eval(cell.outputs[-1]["data"]["text/plain"]))) == list("MMMMS")
    receipts = [page for page in cell.shown("text/html") if "mcp-receipt" in page]
    assert len(receipts) == 2
    assert "You answered, and for 3 more calls" in receipts[1]
    assert frontend.run("%mcp history").text.count("Which size for") == 5


def test_stop_keeps_what_is_done_and_resume_asks_on(frontend: Frontend):
    frontend.run(f"{LOAD}{SERVER}\n%mcp connect shirts shirts")
    frontend.run(f"{ASK}\nguests = ['Ada', 'Bo', 'Cy']")
    cell = frontend.execute("order_shirt.map(guests, concurrency=1)")
    frontend.set(frontend.find("mcp-field-size"), index=0)
    first = frontend.find("mcp-rest")
    frontend.click(frontend.find("mcp-submit"))
    frontend.until(lambda: first.closed)
    frontend.find("mcp-rest")
    frontend.until(lambda: any("mcp-progress" in page and "1 of 3" in page for page in cell.shown("text/html")))
    frontend.interrupt()
    frontend.finish(cell)
    assert cell.error is not None
    assert cell.error.startswith("KeyboardInterrupt")
    assert frontend.run("order_shirt.last_map").text == (
        "<3 calls of shirts.order.shirt: 1 done, 2 still to do: .resume() goes on>"
    )
    again = frontend.execute("order_shirt.last_map.resume().data")
    frontend.set(frontend.find("mcp-rest"), value=True)
    frontend.click(frontend.find("mcp-decline"))
    frontend.finish(again)
    assert again.outputs[-1]["data"]["text/plain"] == "['Ada S red', 'Bo none', 'Cy none']"
