"""URL mode in a real browser: the card, the person's own click, the page in a tab of its own, and the way back."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.lab import Lab, Notebook
from tests.kernels import NEWEST

CALL = "result = %mcp call demo.set_password\nprint('>', result.text)"
AWAIT = "result = await server('demo').acall('set_password')\nprint('>', result.text)"
PASSWORD = "correct horse battery"

ASKER = """
from mcp.server.mcpserver import Context, MCPServer
asker = MCPServer("asker", log_level="ERROR")
@asker.tool()
async def go(ctx: Context, url: str) -> str:
    answer = await ctx.elicit_url("Please *go* <b>there</b>: https://evil.example/", url, "1")
    return answer.action
%mcp connect asker asker --protocol legacy
"""


pytestmark = pytest.mark.newest_kernel  # tests/kernel/test_url_mode.py varies the kernel


def asking(lab: Lab, ipykernel: str, code: str = CALL, *, protocol: str = "auto", fresh: bool = False) -> Notebook:
    """Open a notebook, and call `demo.set_password` in its second cell."""
    setup = f"%load_ext mcp_notebook\nfrom mcp_notebook import server\n%mcp connect demo --protocol {protocol}"
    notebook = lab.open([setup, code, "6 * 7"], kernel=ipykernel, fresh=fresh)
    assert "connected" in notebook.run(0, timeout=30)
    notebook.start(1)
    notebook.cell(1).locator(".mcp-url[role]").wait_for()
    return notebook


def open_page(notebook: Notebook) -> Page:
    """Click the card's link, and give the page that opens."""
    with notebook.page.context.expect_page() as opened:
        notebook.cell(1).locator("a.mcp-link").click()
    opened.value.wait_for_load_state()
    return opened.value


def set_password(page: Page) -> None:
    page.get_by_label("A new password for ada").fill(PASSWORD)
    page.get_by_role("button", name="Set it").click()
    expect(page.get_by_role("heading")).to_have_text("The password was set")


@pytest.mark.parametrize(
    "code", [pytest.param(CALL, id="magic"), pytest.param(AWAIT, id="await", marks=pytest.mark.matrix)]
)
def test_a_password_is_set_on_the_servers_page_and_the_call_goes_on_after_retry(lab: Lab, ipykernel: str, code: str):
    notebook = asking(lab, ipykernel, code)
    requested: list[str] = []
    notebook.page.context.on("request", lambda request: requested.append(request.url))
    card = notebook.cell(1).locator(".mcp-form")
    url = card.locator(".mcp-address").inner_text()
    assert card.locator("a").get_attribute("href") == url
    expect(card.locator(".mcp-submit")).to_have_count(0)
    notebook.page.wait_for_timeout(300)
    assert not [each for each in requested if each.startswith(url)]
    page = open_page(notebook)
    assert page.url == url
    assert page.evaluate("[window.opener, document.referrer]") == [None, ""]
    set_password(page)
    page.close()
    card.locator(".mcp-submit").click()
    notebook.finish()
    assert "> The password was set." in notebook.text(1)
    receipt = notebook.cell(1).locator(".mcp-receipt")
    expect(receipt).to_contain_text("You opened the page")
    expect(receipt).to_contain_text("http://127.0.0.1:")
    expect(receipt.locator("a")).to_have_count(0)
    assert PASSWORD not in str(notebook.saved())


@pytest.mark.parametrize(
    ("button", "told"),
    [("decline", "as you declined"), pytest.param("cancel", "the question was closed", marks=pytest.mark.matrix)],
)
def test_without_a_click_on_the_link_nothing_is_opened(lab: Lab, ipykernel: str, button: str, told: str):
    notebook = asking(lab, ipykernel)
    pages = len(notebook.page.context.pages)
    notebook.cell(1).locator(f".mcp-{button}").click()
    notebook.finish()
    assert told in notebook.text(1)
    assert len(notebook.page.context.pages) == pages


@pytest.mark.matrix
def test_a_retry_that_comes_too_early_is_told_and_the_same_page_is_still_there(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel)
    page = open_page(notebook)
    card = notebook.cell(1).locator(".mcp-form")
    card.locator(".mcp-submit").click()
    expect(card).to_contain_text("demo asks for the same page again: it has not seen you finish there")
    set_password(page)
    page.close()
    card.locator(".mcp-submit").click()
    notebook.finish()
    assert "> The password was set." in notebook.text(1)


def test_in_the_older_era_the_card_closes_by_itself_once_the_server_has_seen_it(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, protocol="legacy")
    page = open_page(notebook)
    card = notebook.cell(1).locator(".mcp-form")
    expect(card).to_contain_text("Waiting for demo to see you finish")
    expect(card.locator("button")).to_have_count(1)
    set_password(page)
    page.close()
    notebook.finish()
    assert "> The password was set." in notebook.text(1)
    expect(notebook.cell(1).locator(".mcp-receipt")).to_contain_text("You opened the page")


@pytest.mark.matrix
@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_it_can_be_cancelled_after_the_page_was_opened(lab: Lab, ipykernel: str, protocol: str):
    notebook = asking(lab, ipykernel, protocol=protocol)
    open_page(notebook).close()
    notebook.cell(1).locator(".mcp-cancel").click()
    notebook.finish()
    told = "No password was set" if protocol == "auto" else "set_password: you cancelled it while demo waited"
    assert told in notebook.text(1)
    assert notebook.run(2) == "42"


@pytest.mark.matrix
def test_stop_while_the_page_is_open_ends_the_wait(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, protocol="legacy")
    open_page(notebook).close()
    expect(notebook.cell(1).locator(".mcp-form")).to_contain_text("Waiting for demo")
    notebook.stop()
    notebook.finish(timeout=5)
    expect(notebook.cell(1).locator(".mcp-form")).to_have_count(0)
    assert notebook.run(2) == "42"


@pytest.mark.matrix
def test_a_card_survives_a_reload_of_the_page(lab: Lab, ipykernel: str):
    notebook = asking(lab, ipykernel, fresh=True)
    page = open_page(notebook)
    notebook.saved()
    notebook.reload()
    set_password(page)
    page.close()
    notebook.cell(1).locator(".mcp-submit").click(timeout=20_000)
    expect(notebook.cell(1).locator(".mcp-receipt")).to_contain_text("You opened the page")


@pytest.mark.matrix
@pytest.mark.parametrize(
    "url",
    [
        "javascript:window.ran=1",
        "data:text/html,<b>x</b>",
        "file:///etc/passwd",
        "vbscript:x",
        "https://a.example\\\\@b/",
    ],
)
def test_an_address_that_is_not_opened_has_no_link_and_can_only_be_declined(lab: Lab, url: str):
    notebook = lab.open(
        [f"%load_ext mcp_notebook\n{ASKER}", f"result = %mcp call asker.go url='{url}'\nprint(result.text)"],
        kernel=NEWEST,
    )
    notebook.run(0, timeout=30)
    notebook.start(1)
    card = notebook.cell(1).locator(".mcp-url[role]")
    expect(card).to_contain_text("This address is not opened")
    expect(card.locator("a, [href], [onclick], iframe, img")).to_have_count(0)
    expect(card.locator("button")).to_have_text(["Decline", "Cancel"])
    card.locator(".mcp-decline").click()
    notebook.finish()
    assert "decline" in notebook.text(1)


def test_the_only_thing_to_be_clicked_is_our_link_which_leads_to_the_whole_address(lab: Lab):
    url = f'https://user@xn--80ak6aa92e.example:8443/"><script>window.ran=1</script>/{"x" * 3000}?next=https://good.example'
    notebook = lab.open(
        [f"%load_ext mcp_notebook\n{ASKER}", f"result = %mcp call asker.go url={{{url!r}}}"], kernel=NEWEST
    )
    notebook.run(0, timeout=30)
    notebook.start(1)
    card = notebook.cell(1).locator(".mcp-url[role]")
    card.wait_for()
    (link,) = card.locator("a").all()
    href = link.get_attribute("href") or ""
    assert href == card.locator(".mcp-address").inner_text()
    assert href.startswith("https://user@xn--80ak6aa92e.example:8443/%22%3E%3Cscript%3E")
    assert href.endswith("x?next=https://good.example")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")
    assert card.locator(".mcp-address b").inner_text() == "xn--80ak6aa92e.example"
    for warning in ("before the @", "it reads аррӏе.example", "port is unusual: 8443"):
        expect(card).to_contain_text(warning)
    assert card.locator("b b, script").count() == 0
    assert notebook.page.evaluate("window.ran") is None
    box = card.bounding_box()
    assert box is not None
    assert box["height"] < 700
    card.locator(".mcp-cancel").click()
    notebook.finish()
