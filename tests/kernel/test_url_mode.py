"""URL mode in real kernels: the card's messages, by a frontend that does what the guard's JavaScript does."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from html import unescape

import pytest
from jupyter_client.manager import KernelManager

from tests import everything
from tests.kernel.client import Frontend

pytestmark = pytest.mark.newest_kernel  # how a cell waits is the same as for forms, which are tried on both

LOAD = "%load_ext mcp_notebook\nfrom mcp_notebook import answering, server\n%mcp connect demo --protocol {protocol}"
CALL = "result = %mcp call demo.set_password\nprint('>', result.text)"
PAGES = """
%load_ext mcp_notebook
from mcp import UrlElicitationRequiredError
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ElicitRequestURLParams
pages = MCPServer("pages", log_level="ERROR")
calls = 0
@pages.tool()
def need(number: int) -> str:
    global calls
    calls += 1
    if calls > 1:
        return f"let in at call {calls}"
    raise UrlElicitationRequiredError([
        ElicitRequestURLParams(message="?", url=f"https://ada:hunter2@p{n}.example/?t=hunter2", elicitation_id=f"{n}")
        for n in range(number)
    ])
@pages.tool()
async def go(ctx: Context, url: str) -> str:
    return (await ctx.elicit_url("Please sign in", url, "1")).action
%mcp connect pages pages --protocol legacy
"""


@pytest.fixture(params=["auto", "legacy"])
def era(request: pytest.FixtureRequest, frontend: Frontend) -> str:
    """The demo connected, in each era."""
    cell = frontend.run(LOAD.format(protocol=request.param), timeout=60)
    assert cell.status == "ok", cell.text
    return request.param


@pytest.fixture
def pages(frontend: Frontend) -> Frontend:
    cell = frontend.run(PAGES, timeout=60)
    assert cell.status == "ok", cell.text
    return frontend


def card(page: Frontend) -> str:
    """Wait for the card, and give all that it shows as HTML."""
    root = page.find("mcp-url")
    return "\n".join(str(model.state.get("value", "")) for model in page.models.tree(root))


def address(page: Frontend) -> str:
    """Wait for the card's link, and give where it leads."""
    found = page.until(lambda: re.search(r'<a class="mcp-link" href="([^"]*)"', card(page)))
    return unescape(found[1])


def click_link(page: Frontend) -> None:
    """Click the link: the page hears nothing of it but the guard's message."""
    root = page.find("mcp-url")
    page.send(next(model for model in page.models.tree(root) if model.is_anywidget), {"type": "opened"})


def shows(page: Frontend, text: str) -> None:
    page.until(lambda: text in card(page))


def buttons(page: Frontend) -> list[str]:
    return [
        model["description"] for model in page.models.tree(page.find("mcp-buttons")) if "description" in model.state
    ]


def press(page: Frontend, button: str) -> None:
    page.click(page.find(f"mcp-{button}"))


def set_password(url: str) -> None:
    body = urllib.parse.urlencode({"password": "correct horse"}).encode()
    urllib.request.urlopen(url, body, timeout=10).close()


def test_the_call_goes_on_once_the_person_has_been_there(frontend: Frontend, era: str):
    cell = frontend.execute(CALL)
    url = address(frontend)
    assert set(buttons(frontend)) == {"Decline", "Cancel"}
    click_link(frontend)
    shows(frontend, "come back and retry" if era == "auto" else "Waiting for demo to see you finish")
    set_password(url)
    if era == "auto":
        press(frontend, "submit")
    frontend.finish(cell)
    assert "> The password was set." in cell.text
    assert "✓ You opened the page" in cell.text
    assert all(model.closed for model in frontend.models.values())
    with pytest.raises(OSError):  # noqa: PT011 (nothing listens any more)
        urllib.request.urlopen(url, timeout=10)


def test_asked_again_for_the_same_page_the_card_says_so(frontend: Frontend):
    assert frontend.run(LOAD.format(protocol="auto"), timeout=60).status == "ok"
    cell = frontend.execute(CALL)
    url = address(frontend)
    click_link(frontend)
    press(frontend, "submit")
    shows(frontend, "demo asks for the same page again: it has not seen you finish there.")
    assert address(frontend) == url
    set_password(url)
    press(frontend, "submit")
    assert "> The password was set." in frontend.finish(cell).text


@pytest.mark.parametrize("button", ["decline", "cancel"])
def test_decline_and_cancel_before_and_after_the_click(frontend: Frontend, era: str, button: str):
    cell = frontend.execute(CALL)
    address(frontend)
    press(frontend, button)
    assert "> No password was set" in frontend.finish(cell).text
    cell = frontend.execute(CALL)
    address(frontend)
    click_link(frontend)
    shows(frontend, 'role="status">Waiting' if era == "legacy" else "come back and retry")
    press(frontend, button if era == "auto" else "cancel")
    frontend.finish(cell)
    assert ("> No password was set" if era == "auto" else "you cancelled it while demo waited") in cell.text


def test_stop_ends_it_before_and_after_the_click(frontend: Frontend, era: str):
    for clicked in (False, True):
        cell = frontend.execute(CALL)
        url = address(frontend)
        if clicked:
            click_link(frontend)
            page_shows = "Waiting for demo" if era == "legacy" else "come back and retry"
            shows(frontend, page_shows)
        frontend.interrupt()
        frontend.finish(cell, timeout=10)
        assert cell.status == "error"
        opened = clicked and era == "legacy"
        assert ("You opened the page" if opened else "Stopped before you answered") in cell.text
        assert url.rpartition("/")[0] in cell.text
    assert frontend.run("6 * 7").text == "42"


def test_a_retry_without_a_click_on_the_link_is_no_consent(frontend: Frontend):
    assert frontend.run(LOAD.format(protocol="legacy"), timeout=60).status == "ok"
    cell = frontend.execute(CALL)
    address(frontend)
    root = frontend.find("mcp-url")
    guard = next(model for model in frontend.models.tree(root) if model.is_anywidget)
    frontend.send(guard, {"type": "answer", "id": 1, "action": "accept", "values": {}, "secrets": []})
    press(frontend, "decline")
    assert "as you declined" in frontend.finish(cell).text


def test_the_pages_that_a_call_needs_come_one_after_the_other_and_then_the_call_is_made_again(pages: Frontend):
    cell = pages.execute("result = %mcp call pages.need number=2\nprint('>', result.text)")
    for number in range(2):
        pages.until(lambda number=number: address(pages) == f"https://ada:hunter2@p{number}.example/?t=hunter2")
        click_link(pages)
        shows(pages, "come back and retry")
        press(pages, "submit")
    assert "> let in at call 2" in pages.finish(cell).text
    assert cell.text.count("You opened the page") == 2
    assert "Address: https://•••@p0.example/?t=•••" in cell.text
    assert "hunter2" not in str(cell.outputs)
    kept = pages.run("%mcp history --json").text
    assert "p0.example" in kept
    assert "hunter2" not in kept


def test_a_page_that_a_call_needs_and_that_is_declined_ends_it(pages: Frontend):
    cell = pages.execute("%mcp call pages.need number=2")
    press(pages, "decline")
    pages.finish(cell)
    told = "ProtocolError: pages: need: it needs a page to be opened first, and that was declined"
    assert str(cell.error).startswith(told)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://a.example\\@b"]
)
def test_an_address_that_must_not_be_opened_has_no_link_and_no_way_to_accept(pages: Frontend, url: str):
    cell = pages.execute(f"result = %mcp call pages.go url={{{url!r}}}\nprint('>', result.text)")
    shows(pages, "This address is not opened: it ")
    assert "<a" not in card(pages)
    assert set(buttons(pages)) == {"Decline", "Cancel"}
    click_link(pages)
    press(pages, "cancel")
    assert "> cancel" in pages.finish(cell).text


def test_a_script_may_accept_a_page_and_the_receipt_says_that_nobody_opened_it(pages: Frontend):
    call = "result = %mcp call pages.go url=https://p.example/\nprint('>', result.text)"
    pages.run("%mcp answer pages --action accept")
    cell = pages.run(call)
    assert "> accept" in cell.text
    assert "✓ Accepted by a script: nobody has opened the page" in cell.text
    pages.run("%mcp answer pages --action accept")
    cell = pages.run(call.replace("https://p.example/", "javascript:x"))
    assert str(cell.error).startswith("NoAnswerError")
    assert "its address is not opened, since it begins with javascript:" in str(cell.error)


def test_without_widgets_the_whole_address_and_its_warnings_are_told_as_text(kernel: KernelManager):
    page = Frontend(kernel, widgets=False)
    try:
        assert page.run(PAGES, timeout=60).status == "ok"
        url = f"http://ada@p.example/{'x' * 3000}"
        cell = page.execute(f"result = %mcp call pages.go url={{{url!r}}}\nprint('>', result.text)")
        page.answer("yes", timeout=30)
        page.finish(cell)
        assert url in cell.text
        assert "It leads to p.example." in cell.text
        assert "not encrypted" in cell.text
        assert "> accept" in cell.text
        cell = page.execute("result = %mcp call pages.go url=javascript:x\nprint('>', result.text)")
        page.answer("yes")
        page.answer(":decline")
        assert "> decline" in page.finish(cell).text
        assert "begins with javascript:" in cell.text
    finally:
        page.close()


def test_where_nobody_is_the_error_shows_what_would_answer(kernel: KernelManager):
    page = Frontend(kernel, allow_stdin=False)
    try:
        assert page.run(PAGES, timeout=60).status == "ok"
        cell = page.run("%mcp call pages.go url='https://p.example/a?t=hunter2'")
        assert "It wants a person to go to https://p.example/a?t=•••" in str(cell.error)
        assert "%mcp answer pages --action accept" in str(cell.error)
        cell = page.run("%mcp call pages.go url=javascript:x")
        assert "%mcp answer pages --action decline" in str(cell.error)
    finally:
        page.close()


@pytest.mark.parametrize("error_path", [False, True], ids=["request", "error"])
def test_the_url_tool_of_server_everything(frontend: Frontend, error_path: bool):
    connect = f"%load_ext mcp_notebook\n%mcp connect everything -- {' '.join(everything.command())}"
    assert frontend.run(connect, timeout=60).status == "ok"
    arguments = f"url=https://example.com/sign-in errorPath={json.dumps(error_path)}"
    cell = frontend.execute(
        f"result = %mcp call everything.trigger-url-elicitation {arguments}\nprint('>', result.text)"
    )
    if error_path:  # it answers with error -32042, and asks by a request once the call comes again
        frontend.until(lambda: address(frontend) == "https://modelcontextprotocol.io")
        click_link(frontend)
        shows(frontend, "come back and retry")
        press(frontend, "submit")
    frontend.until(lambda: address(frontend) == "https://example.com/sign-in")
    click_link(frontend)
    assert "User completed the URL elicitation flow" in frontend.finish(cell).text
    assert cell.text.count("You opened the page") == 1 + error_path
