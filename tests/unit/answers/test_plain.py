"""Untrusted text made fit to show."""

from __future__ import annotations

import json

import pytest

from mcp_notebook.answers.plain import escaped, one_line, plain


@pytest.mark.parametrize(
    "unsafe",
    ["\x1b[31m", "\x07", "\x00", "\x9b", "\u202e", "\u2066", "\u200b", "\u2028", "\ufeff", "\ud800", "\U000e0041"],
)
def test_characters_that_are_obeyed_or_hidden_are_taken_out(unsafe: str):
    assert unsafe[0] not in plain(f"a{unsafe}b")


def test_text_of_any_language_lines_and_emoji_stay():
    text = "健康チェック\n\tعربي ǅ é 👩‍💻"
    assert plain(text) == text


def test_a_long_text_is_cut_with_an_ellipsis():
    assert plain("x" * 5_000_000, 10) == "xxxxxxxxxx…"
    assert plain("x" * 10, 10) == "xxxxxxxxxx"


def test_one_line_is_one_line():
    assert one_line(" a\n\r\n b\u2028c ") == "a b c"


def test_escaped_json_means_the_same_and_holds_no_apostrophe():
    value = {"it's": "\u202e \x07 \U000e0041 é"}
    text = escaped(json.dumps(value, ensure_ascii=False))
    assert json.loads(text) == value
    assert "'" not in text
    assert "\u202e" not in text
    assert "é" in text
