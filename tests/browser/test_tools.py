"""Tools as functions on a page: Tab and Shift-Tab, and many calls from one cell, whose forms come in turn."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.lab import Lab

SETUP = """
%load_ext mcp_notebook
from typing import Annotated, Literal
from mcp.server.mcpserver import Elicit, ElicitationResult, MCPServer, Resolve
from pydantic import BaseModel, Field
import pandas as pd
from mcp_notebook import server
class Size(BaseModel):
    size: Literal["S", "M", "L"] = Field(title="Size")
def ask_size(guest: str) -> Elicit[Size]:
    return Elicit(f"Which size for {guest}?", Size)
shirts = MCPServer("shirts")
@shirts.tool(description="Order a shirt.")
def order(guest: Annotated[str, Field(description="Who it is for")],
          answer: Annotated[ElicitationResult[Size], Resolve(ask_size)]) -> dict[str, str]:
    return {"guest": guest, "size": answer.data.size} if answer.action == "accept" else {"guest": guest}
%mcp connect shirts shirts
order_shirt = server("shirts").tools.order
guests = pd.DataFrame({"guest": ["Ada", "Bo", "Cy", "Di", "Ed"]}, index=["a", "b", "c", "d", "e"])
"""


@pytest.mark.newest_kernel
def test_many_calls_ask_in_turn_and_end_in_a_table(lab: Lab, ipykernel: str):
    notebook = lab.open([SETUP, "order_shirt.map(guests, concurrency=2)", "order_shirt("], kernel=ipykernel)
    assert "connected" in notebook.run(0, timeout=30)

    notebook.start(1)
    cell = notebook.cell(1)
    expect(cell.locator(".mcp-form")).to_contain_text("Which size for Ada?")
    expect(cell.locator(".mcp-progress")).to_contain_text("0 of 5")
    cell.locator(".mcp-field-size select, .mcp-field-size input").first.wait_for()
    cell.get_by_text("S", exact=True).click()
    notebook.screenshot("map-form")
    cell.locator("button.mcp-submit").click()
    expect(cell.locator(".mcp-form")).to_contain_text("Which size for Bo?")
    cell.get_by_text("M", exact=True).click()
    cell.locator(".mcp-rest input").check()
    cell.locator("button.mcp-submit").click()
    expect(cell.locator("table")).to_contain_text("guest")
    expect(cell.locator("table tbody tr")).to_have_count(5)
    expect(cell.locator("table tbody tr", has_text="Di")).to_contain_text("M")
    expect(cell.locator(".mcp-receipt")).to_have_count(2)

    notebook.cell(2).locator(".cm-content").click()
    notebook.page.keyboard.press("End")
    notebook.page.keyboard.press("Tab")
    offered = notebook.page.locator(".jp-Completer-item", has_text="guest=")
    offered.or_(notebook.cell(2).get_by_text("guest=")).first.wait_for()
    if offered.count():  # beside words of the notebook
        offered.first.click()
    expect(notebook.cell(2).locator(".cm-content")).to_contain_text("order_shirt(guest=")
    notebook.page.keyboard.press("Shift+Tab")
    expect(notebook.page.locator(".jp-Tooltip")).to_contain_text("Who it is for")
    notebook.screenshot("map-done")
