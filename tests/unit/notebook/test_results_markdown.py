"""Markdown that a server declares: formatted, with nothing in it that can be clicked, run or fetched."""

from __future__ import annotations

import re
import time

import pytest
from mcp.types import TextResourceContents

from mcp_notebook.notebook.page import MAX_TEXT
from mcp_notebook.notebook.results import resource_bundle
from mcp_notebook.notebook.results.markdown import html_of
from mcp_notebook.results import ResourceResult


def bare(text: str) -> str:
    return re.sub(' style="[^"]*"', "", html_of(text)).replace("\n", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a* **b** ~~c~~ `d`", "<p><em>a</em> <strong>b</strong> <s>c</s> <code>d</code></p>"),
        ("# One\n\nSix\n---", "<p><strong>One</strong></p><p><strong>Six</strong></p>"),
        ("- a\n- b\n  1. c", "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>"),
        ("> a\n\n---\n\nb  \nc", "<blockquote><p>a</p></blockquote><hr><p>b<br>c</p>"),
        ("```html\n<b>\n```\n\n    d & e", "<pre><code>&lt;b&gt;</code></pre><pre><code>d &amp; e</code></pre>"),
        ("|a|b|\n|-|-:|\n|1|2|", "<table><thead><tr><th>a</th><th>b</th></tr></thead>"
                                 "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>"),
        ("[a *b*](https://x.y/z)", "<p>a <em>b</em> (https://x.y/z)</p>"),
        ("<https://x.y>", "<p>https://x.y</p>"),
        ("![a cat](https://x.y/c.png) [![b](i)](l)", "<p>[image: a cat (https://x.y/c.png)] [image: b (i)] (l)</p>"),
        ("[a](javascript:b)", "<p>[a](javascript:b)</p>"),
        ("<b>a</b>\n\n<div>b</div>", "<p>&lt;b&gt;a&lt;/b&gt;</p><p>&lt;div&gt;b&lt;/div&gt;</p>"),
        ("&#x202e;a &#0; &lt;i&gt;", "<p>a � &lt;i&gt;</p>"),
    ],
)  # fmt: skip
def test_markdown_is_formatted_and_links_are_text(text: str, expected: str):
    assert bare(text) == expected


def test_the_columns_of_a_table_keep_their_sides():
    assert re.findall("text-align:(\\w+)", html_of("|a|b|c|\n|:-|-:|:-:|\n|1|2|3|")) == ["left", "right", "center"] * 2


def test_long_markdown_is_cut_and_says_so():
    words = "word " * MAX_TEXT
    part = TextResourceContents(uri="file:///a.md", mime_type="text/markdown", text=words)
    html = resource_bundle(ResourceResult(server="s", uri="file:///a.md", contents=(part,)))["text/html"]
    assert len(html) < 2 * MAX_TEXT
    assert f"{MAX_TEXT:,} of {len(words):,} characters; its .contents has all of it" in html


@pytest.mark.parametrize(
    "text",
    ["[" * MAX_TEXT, "*a_" * 3_000, "> " * 5_000, "- " * 5_000, "`" * MAX_TEXT, "![[]()" * 1_600,
     "|a" * 5_000 + "\n" + "|-" * 2500,
     "[a]: <" + "x" * 5_000 + ">\n\n" + "[a]" * 1_500, "&" * MAX_TEXT, "<" * MAX_TEXT, "\\" * MAX_TEXT, "**x" * 3_000],
    ids=lambda text: text[:6],
)  # fmt: skip
def test_markdown_that_is_made_to_be_slow_or_to_grow_is_neither(text: str):
    start = time.process_time()
    html = html_of(text)
    assert time.process_time() - start < 5
    assert len(html) < 1_000_000
