"""Pages: escaped, bounded, and readable as plain text."""

from __future__ import annotations

import re

from mcp_notebook.notebook.page import MAX_ROWS, MAX_TEXT, Page

HOSTILE = "<img src=x onerror=alert(1)>\x1b[31m\u202e"


def tags(page: Page) -> set[str]:
    return set(re.findall(r"<(\w+)", page._repr_html_()))


def test_no_part_of_a_page_lets_markup_or_control_characters_through():
    page = Page().heading(HOSTILE).note(HOSTILE).text(HOSTILE).table([HOSTILE], [[HOSTILE]])
    page.image("image/png", "AAAA", HOSTILE)
    assert tags(page) == {"div", "pre", "table", "thead", "tbody", "tr", "th", "td", "img"}
    assert page._repr_html_().count("<img") == 1
    assert not re.search("[\x1b\u202e]", page._repr_html_() + repr(page))


def test_a_table_lines_up_in_plain_text_also_with_wide_characters():
    page = Page().table(["名前", "n"], [["さくら", 5], ["Ada", 10]])
    assert repr(page) == "名前     n\nさくら   5\nAda     10"


def test_a_long_text_is_cut_and_says_so():
    page = Page(whole="its .content").text("x" * (MAX_TEXT + 1))
    assert f"{MAX_TEXT:,} of {MAX_TEXT + 1:,} characters; its .content has all of it" in page._repr_html_()
    assert len(page._repr_html_()) < MAX_TEXT + 2_000


def test_a_long_table_is_cut_and_says_so():
    page = Page().table(["a"], [[n] for n in range(MAX_ROWS * 3)])
    assert f"{MAX_ROWS} of {MAX_ROWS * 3} rows" in page._repr_html_()
    assert page._repr_html_().count("<tr>") == MAX_ROWS + 1


def test_a_frontend_is_told_not_to_typeset_formulas():
    assert 'class="mathjax_ignore tex2jax_ignore"' in Page().text("between $5 and $6")._repr_html_()
