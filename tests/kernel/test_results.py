"""Results as a kernel sends them: by MIME type, of bounded size, whole in the value, in process and over stdio."""

from __future__ import annotations

import json
import sys

import pytest

from tests.hostile import ROOT
from tests.kernel.client import Cell, Frontend

SETUP = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
%load_ext mcp_notebook
"""
OWN = "from tests import gallery\nown = gallery.server()\n%mcp connect gallery own"
STDIO = f"%mcp connect gallery --cwd {json.dumps(str(ROOT))} -- {json.dumps(sys.executable)} -m tests.gallery"

pytestmark = pytest.mark.newest_kernel


def size(cell: Cell) -> int:
    return len(json.dumps(cell.outputs))


@pytest.mark.parametrize("connect", [OWN, STDIO], ids=["in process", "stdio"])
def test_each_result_is_sent_once_and_bounded_and_its_value_is_whole(frontend: Frontend, connect: str):
    assert "connected" in frontend.run(SETUP + connect, timeout=40).text

    (image,) = frontend.run("%mcp call gallery.image").outputs
    assert set(image["data"]) == {"text/plain", "image/png"}

    for code, mime in (("gallery.large_image", "image/png"), ("gallery.large_image beside=true", "text/html")):
        large = frontend.run(f"%mcp call {code}")
        (page,) = large.shown(mime)
        assert 6_600_000 < len(page) <= size(large) < len(page) + 1_000
        assert len(large.text) < 100

    (page,) = frontend.run("%mcp call gallery.media").shown("text/html")
    assert page.count("<img ") == page.count("<audio controls ") == 1

    (page,) = frontend.run("%mcp call gallery.markdown").shown("text/html")
    assert "<strong>strength</strong>" in page
    assert "link (https://example.com/page)" in page

    links = frontend.run("%mcp call gallery.links")
    assert "%mcp read gallery docs://guide.md" in links.text

    table = frontend.run("%mcp call gallery.table")
    assert table.text.splitlines()[:2] == ["unit: C", "city    °C  rain  tags               day"]
    assert frontend.run("_.to_frame()['city'].tolist()").text == "['Oslo', 'Rome']"

    wide = frontend.run("wide = %mcp call gallery.wide_table\nwide")
    assert "100 of 500 rows and 20 of 40 columns" in wide.shown("text/html")[0]
    assert size(wide) < 300_000
    assert frontend.run("wide.to_frame().shape").text == "(500, 40)"

    tree = frontend.run("%mcp call gallery.tree size=5000")
    assert "more of 5,000" in tree.shown("text/html")[0]
    assert size(tree) < 300_000


def test_a_frame_is_an_argument(frontend: Frontend):
    frontend.run(SETUP + OWN)
    frontend.run("import pandas as pd, polars as pl\nfrom mcp_notebook import server\nrows = [{'a': 1, 'b': None}]")
    expected = repr(repr([{"a": 1, "b": None}]))
    frontend.run("frame = pd.DataFrame(rows)")
    assert frontend.run("%mcp call gallery.echo rows={frame}").text == "[{'a': 1, 'b': None}]"
    assert frontend.run("server('gallery').tools.echo(rows=pl.DataFrame(rows)).text").text == expected
    assert frontend.run("server('gallery').call('echo', rows=frame).text").text == expected
    assert frontend.run("%mcp call gallery.echo rows={object()}").error == (
        "UsageError: rows cannot be sent: JSON has no object, convert it first"
    )


def test_a_failure_with_more_than_text_shows_it_above_the_error(frontend: Frontend):
    frontend.run(SETUP + OWN)
    page, error = frontend.run("%mcp call gallery.fails").outputs
    assert "The chart has a gap." in page["data"]["text/html"]
    assert page["data"]["text/html"].count("<img ") == 1
    assert error["traceback"] == ["ToolError: gallery: fails failed: The chart has a gap."]
