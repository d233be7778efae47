"""A `%mcp` line: quotes, JSON, brackets, and Python values in it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import split

NAMES: dict[str, Any] = {
    "n": 4,
    "name": "Ada Lovelace",
    "rows": [{"a": 1}],
    "where": {"city": "Kyoto"},
    "empty": "",
}


def value(text: str) -> Any:
    (word,) = split(f"k={text}", NAMES)
    assert word.key == "k"
    return word.value


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r'"C:\new dir\x"', r"C:\new dir\x"),
        ('"it\'s"', "it's"),
        ("""'{"k": 1}'""", '{"k": 1}'),
        ("'{n} and $n'", "{n} and $n"),
        ('"two  spaces "', "two  spaces "),
        ('""', ""),
        ("", ""),
        ('a" b "c', "a b c"),
        ("a=b&c=d", "a=b&c=d"),
    ],
)
def test_a_quoted_part_is_taken_as_it_is(written: str, meant: str):
    assert value(written) == meant


@pytest.mark.parametrize(
    "written",
    [
        '{"a": 1, "b": [1, 2]}',
        '[1, "two words", {"a": null}]',
        '{"a": "}"}',
        '{"a": "say \\"hi\\" {n}"}',
        "{}",
        "[]",
    ],
)
def test_a_json_value_is_that_json_and_one_word(written: str):
    assert value(written) == written


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("{n}", 4),
        ("$n", 4),
        ("{n + 1}", 5),
        ("{rows}", [{"a": 1}]),
        ("$rows", [{"a": 1}]),
        ("{where['city']}", "Kyoto"),
        ('{where["city"]}', "Kyoto"),
        ("{[x * 2 for x in range(n)]}", [0, 2, 4, 6]),
        ('{"}"}', "}"),
        ("$name.upper", "Ada Lovelace".upper),
        ("{'a': n}", {"a": 4}),
        ('{"a": n, "b": [n]}', {"a": 4, "b": [4]}),
        ("{n, n}", (4, 4)),
        ("{empty}", ""),
    ],
)
def test_a_value_that_is_one_expression_is_the_value_of_the_expression(written: str, meant: Any):
    (word,) = split(f"k={written}", NAMES)
    assert (word.value, word.evaluated) == (meant, True)


def test_the_value_of_an_expression_is_the_very_object():
    (word,) = split("rows={rows}", NAMES)
    assert word.value is NAMES["rows"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("out_{n}.csv", "out_4.csv"),
        ("$n/$name", "4/Ada Lovelace"),
        ("{n}{n}", "44"),
        ("{n}x", "4x"),
        ("[{n}, 2]", "[4, 2]"),
        ('{{"a": {n}}}', '{"a": 4}'),
        ("{{n}}", "{n}"),
        ("$$n", "$n"),
        ("$5", "$5"),
        ('"Bearer "{name}', "Bearer Ada Lovelace"),
    ],
)
def test_an_expression_within_a_text_is_filled_in(written: str, meant: str):
    (word,) = split(f"k={written}", NAMES)
    assert (word.value, word.evaluated) == (meant, False)


def test_words_are_divided_by_spaces_outside_quotes_and_brackets():
    words = split("call  demo.f a={n + 1} b='x y' -- {n} plain", NAMES)
    assert words == ["call", "demo.f", "a={n + 1}", "b=x y", "--", "{n}", "plain"]
    assert [word.text for word in words] == ["call", "demo.f", "a=5", "b=x y", "--", "4", "plain"]
    assert [word.key for word in words] == [None, None, "a", "b", None, None, None]


def test_what_an_expression_gives_never_looks_like_an_option():
    (word,) = split("{flag}", {"flag": "--clear"})
    assert word == "{flag}"
    assert word.text == "--clear"


def test_a_quoted_equals_sign_belongs_to_the_name():
    (word,) = split('"a=b"=3', {})
    assert (word.key, word.value) == ("a=b", "3")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("t=O'Brien", "the quote ' in t=… is never closed"),
        ('"open', 'the quote " is never closed'),
        ("k={a", "{ in k=… is never closed"),
        ("k=[1, 2", "[ in k=… is never closed"),
        ("k=a]", "] in k=… is never opened"),
        ("k=a}", "} in k=… is never opened"),
        ("k={missing}", "{missing} is taken as Python, and failed: NameError: name 'missing' is not defined"),
        ("k={1 +}", "{1 +} is taken as Python, and failed: SyntaxError"),
        ("k={1/0}", "ZeroDivisionError"),
        ("k=$missing", "$missing is taken as Python"),
    ],
)
def test_a_line_that_cannot_be_read_says_why_and_what_to_do(written: str, told: str):
    with pytest.raises(UsageError) as caught:
        split(written, NAMES)
    assert told in str(caught.value)
    assert "quotes" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_error_repeats_a_value_that_may_be_a_secret():
    with pytest.raises(UsageError) as caught:
        split("--env TOKEN=abc'def", {})
    assert "abc" not in str(caught.value)
    assert "def" not in str(caught.value)


@settings(max_examples=300)
@given(st.text(st.characters(blacklist_characters='"', blacklist_categories=("Cs",))))
def test_any_text_without_double_quotes_goes_through_in_double_quotes(text: str):
    assert value(f'"{text}"') == text


@settings(max_examples=300)
@given(st.text("{}[]'\"$\\= ab1,:"))
def test_any_line_is_read_or_refused_in_one_line(line: str):
    try:
        told = " ".join(split(line, {"a": 1}))
    except UsageError as error:
        told = str(error)
    assert "\n" not in told
