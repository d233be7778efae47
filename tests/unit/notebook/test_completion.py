"""Tab, as IPython asks for it: in lines of `%mcp` and in Python."""

from __future__ import annotations

from typing import Any

import pytest
from IPython.core.completer import provisionalcompleter

Notebook = Any

SHOP = """
from enum import Enum
from typing import Annotated, Literal
from mcp.server.mcpserver import MCPServer
from pydantic import Field
from mcp_notebook import connect, server
shop_server = MCPServer("shop")
@shop_server.tool(name="search.all", description="Search.")
def search(words: str, kind: Literal["new", "used", "as good as new"] = "new", sold: bool = False) -> str:
    return words
@shop_server.tool()
def stock(number: int) -> int:
    return number
%mcp connect shop shop_server
%mcp connect demo
shop = server("shop")
demo = server("demo")
"""


@pytest.fixture(scope="module")
def shop(notebook: Notebook) -> Notebook:
    notebook.says(SHOP)
    return notebook


def offered(notebook: Notebook, text: str) -> list[str]:
    """What Tab offers at the end of a cell: each as the whole text would be with it."""
    with provisionalcompleter():
        found = list(notebook.shell.Completer.completions(text, len(text)))
    return [text[: each.start] + each.text for each in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%mcp con", ["%mcp connect", "%mcp config"]),
        ("%mcp  hist", ["%mcp  history"]),
        ("x = %mcp des", ["x = %mcp describe"]),
        ("%%mcp ca", ["%%mcp call"]),
        ("a = 1\n%mcp disc", ["a = 1\n%mcp disconnect"]),
        ("%mcp connect de", ["%mcp connect demo"]),
        ("%mcp connect x --pro", ["%mcp connect x --protocol"]),
        ("%mcp connect x --protocol le", ["%mcp connect x --protocol legacy"]),
        ("%mcp tools ", ["%mcp tools shop", "%mcp tools demo"]),
        ("%mcp disconnect s", ["%mcp disconnect shop"]),
        ("%mcp pin de", ["%mcp pin demo"]),
        ("%mcp drift sh", ["%mcp drift shop"]),
        ("%mcp trust d", ["%mcp trust demo"]),
        ("%mcp approve d", ["%mcp approve demo"]),
        ("%mcp approve shop st", ["%mcp approve shop stock"]),
        ("%mcp ask --ap", ["%mcp ask --approve"]),
        ("%mcp ask --approve n", ["%mcp ask --approve never"]),
        ("%mcp ask --servers shop,de", ["%mcp ask --servers shop,demo"]),
        ("%mcp call sho", ["%mcp call shop.search.all", "%mcp call shop.stock"]),
        ("%mcp describe demo.gr", ["%mcp describe demo.greet"]),
        ("%mcp call shop.search.all k", ["%mcp call shop.search.all kind="]),
        ("%mcp call shop.search.all words=sea s", ["%mcp call shop.search.all words=sea sold="]),
        (
            "%mcp call shop.search.all kind=",
            [f"%mcp call shop.search.all kind={value}" for value in ("new", "used", '"as good as new"')],
        ),
        ("%mcp call shop.search.all kind=u", ["%mcp call shop.search.all kind=used"]),
        ('%mcp call shop.search.all kind="as', ['%mcp call shop.search.all kind="as good as new"']),
        ("%mcp call shop.search.all sold=t", ["%mcp call shop.search.all sold=true"]),
        ("%mcp read demo restaurant://h", ["%mcp read demo restaurant://hours"]),
        ("%mcp read demo restaurant://m", ["%mcp read demo restaurant://menu/{{season}}"]),
        ("%mcp read demo restaurant://menu/{{season}} ", ["%mcp read demo restaurant://menu/{{season}} season="]),
        (
            "%mcp read demo restaurant://menu/{{season}} season=w",
            ["%mcp read demo restaurant://menu/{{season}} season=winter"],
        ),
        ("%mcp prompt demo.", ["%mcp prompt demo.invitation"]),
        ("%mcp prompt demo.invitation g", ["%mcp prompt demo.invitation guest="]),
    ],
)  # fmt: skip
def test_a_line_is_completed(shop: Notebook, line: str, expected: list[str]):
    assert offered(shop, line)[: len(expected) + 1] == expected


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("shop.tools.sto", ["shop.tools.stock"]),
        ("shop.tools.se", ["shop.tools.search_all"]),
        ("x = server('shop').tools.sto", ["x = server('shop').tools.stock"]),
        ("shop.tools[", ['shop.tools["search.all"', 'shop.tools["stock"']),
        ("shop.tools['sea", ["shop.tools['search.all"]),
        ("shop.tools.search_all(k", ["shop.tools.search_all(kind="]),
        ('shop.tools["search.all"](so', ['shop.tools["search.all"](sold=']),
        ('shop.tools.search_all(words="a, b", k', ['shop.tools.search_all(words="a, b", kind=']),
        (
            "shop.tools.search_all(\n    words=f(1, 2),  # (\n    k",
            ["shop.tools.search_all(\n    words=f(1, 2),  # (\n    kind="],
        ),
        ("await shop.tools.search_all.acall(k", ["await shop.tools.search_all.acall(kind="]),
        ('shop.tools.search_all(kind="u', ['shop.tools.search_all(kind="used']),
        (
            "shop.tools.search_all(kind=",
            [f'shop.tools.search_all(kind="{value}"' for value in ("new", "used", "as good as new")],
        ),
        ("shop.tools.search_all(sold=T", ["shop.tools.search_all(sold=True"]),
        ('shop.call("sto', ['shop.call("stock']),
        ('shop.call("search.all", ki', ['shop.call("search.all", kind=']),
        ('shop.call("search.all", kind="n', ['shop.call("search.all", kind="new']),
        ("server('sh", ["server('shop"]),
        ('connect("de', ['connect("demo']),
        ('demo.resource("restaurant://h', ['demo.resource("restaurant://hours']),
        (
            'demo.resource("restaurant://menu/{season}", season="w',
            ['demo.resource("restaurant://menu/{season}", season="winter'],
        ),
        ('demo.prompt("inv', ['demo.prompt("invitation']),
        ('demo.prompt("invitation", gu', ['demo.prompt("invitation", guest=']),
        ('shop.tools.only("sto', ['shop.tools.only("stock']),
        ("tool = shop.tools.stock\ntool.ma", ["tool = shop.tools.stock\ntool.map"]),
    ],
)  # fmt: skip
def test_python_is_completed(shop: Notebook, cell: str, expected: list[str]):
    shop.says("tool = shop.tools.stock")
    assert offered(shop, cell)[: len(expected) + 1] == expected


@pytest.mark.parametrize("cell", ["pri", "import o", "[1, 2].app", 'open("', '"shop.tools.st'])
def test_other_code_is_left_to_ipython(shop: Notebook, cell: str):
    assert [each for each in offered(shop, cell) if each.endswith(("search_all", "stock"))] == []


def test_nothing_is_asked_and_nothing_hangs_where_a_server_is_gone(shop: Notebook):
    shop.says("gone_server = MCPServer('gone')\n%mcp connect gone gone_server\ngone = server('gone')\ngone.close()")
    assert offered(shop, "%mcp read gone ") == offered(shop, "%mcp read gone ")
    assert offered(shop, 'gone.resource("') is not None


def test_unloading_takes_it_away(shop: Notebook):
    before = len(shop.shell.Completer.custom_matchers)
    shop.says("%unload_ext mcp_notebook")
    assert len(shop.shell.Completer.custom_matchers) == before - 1
    shop.says("%load_ext mcp_notebook")
    assert len(shop.shell.Completer.custom_matchers) == before
