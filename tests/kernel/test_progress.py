"""What a server tells while a call runs, or between calls, in the cell it belongs to."""

from __future__ import annotations

import pytest

from tests.kernel.client import Frontend
from tests.protocol.conftest import script

SETUP = """
%load_ext mcp_notebook
from mcp.server.mcpserver import MCPServer, Context
import asyncio
worker = MCPServer("worker")
go = asyncio.Event()
@worker.tool()
async def work(ctx: Context) -> str:
    await ctx.report_progress(1, 4, "<b>step</b> one")
    while not released:
        await asyncio.sleep(0.01)
    return "done"
released = []
%mcp connect worker worker
"""


@pytest.mark.newest_kernel
@pytest.mark.parametrize("call", ["%mcp call worker.work", "await server('worker').acall('work')"])
def test_a_bar_tells_how_far_a_call_has_come_and_is_gone_afterwards(frontend: Frontend, call: str):
    frontend.run(SETUP + "import threading\nfrom mcp_notebook import server\n")
    frontend.run("threading.Timer(1.0, lambda: released.append(1)).start()")
    cell = frontend.execute(f"result = {call}\nprint(result.text)")
    frontend.until(lambda: any("mcp-progress" in page for page in cell.shown("text/html")))
    (page,) = cell.shown("text/html")
    assert "work · 25% · &lt;b&gt;step&lt;/b&gt; one" in page
    frontend.finish(cell)
    assert cell.shown("text/html") == [""]
    assert cell.text.strip() == "done"


@pytest.mark.newest_kernel
def test_a_call_that_reports_nothing_shows_no_bar(frontend: Frontend):
    frontend.run(f"%load_ext mcp_notebook\n%mcp connect raw -- {' '.join(script('raw'))}")
    shown = frontend.run("%mcp call raw.heard").shown("text/html")
    assert not [page for page in shown if not page or "mcp-progress" in page]


@pytest.mark.newest_kernel
def test_calls_that_run_at_once_have_a_bar_each(frontend: Frontend):
    frontend.run(SETUP + "import threading\nfrom mcp_notebook import server\n")
    frontend.run("threading.Timer(1.0, lambda: released.append(1)).start()")
    both = "asyncio.gather(server('worker').acall('work'), server('worker').acall('work'))"
    cell = frontend.execute(f"print([result.text for result in await {both}])")
    frontend.until(lambda: sum("mcp-progress" in page for page in cell.shown("text/html")) == 2)
    frontend.finish(cell)
    assert cell.shown("text/html") == ["", ""]
    assert cell.text.strip() == "['done', 'done']"


def test_what_a_subscriber_prints_is_in_the_cell_that_subscribed(frontend: Frontend):
    frontend.run(f"%load_ext mcp_notebook\n%mcp connect library -- {' '.join(script('library'))}")
    frontend.run("from mcp_notebook import server\nlibrary = server('library')")
    cell = frontend.run(
        "told = library.subscribe('book://sea', lambda: print('now:', library.resource('book://sea').text))"
    )
    other = frontend.run("library.call('rewrite', text='deep')")
    frontend.until(lambda: "now: deep" in cell.text)
    assert "now:" not in other.text
    frontend.run("told.close()")
