"""What the bar of a call makes of the numbers and the words that a server reports."""

from __future__ import annotations

import math
import threading

import pytest

from mcp_notebook.notebook.latest import EVERY_SECONDS
from mcp_notebook.notebook.progress import MAX_MESSAGE, Bar
from tests.protocol.conftest import until
from tests.protocol.places import BOUND


class Shown:
    """A cell: what it has shown, one after the other."""

    def __init__(self) -> None:
        self.bundles: list[dict[str, str]] = []

    def __call__(self, bundle: dict[str, str]) -> Shown:
        self.update(bundle)
        return self

    def update(self, bundle: dict[str, str]) -> None:
        self.bundles.append(bundle)


@pytest.fixture
def shown() -> Shown:
    return Shown()


@pytest.fixture
def bar(shown: Shown) -> Bar:
    return Bar(shown)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("done", "total", "told", "width"),
    [
        (1, 4, "work · 25%", "25%"),
        (5, 4, "work · 100%", "100%"),
        (-1, 4, "work · 0%", "0%"),
        (1e308, 1e308, "work · 100%", "100%"),
        (3, None, "work · 3", None),
        (3, 0, "work · 3", None),
        (3, -4, "work · 3", None),
        (3, math.nan, "work · 3", None),
        (3, math.inf, "work · 3", None),
        (1e300, None, "work · 1e+300", None),
        (math.nan, 4, "work", None),
        (math.inf, None, "work", None),
    ],
)
def test_numbers_that_make_no_sense_make_no_share(
    bar: Bar, shown: Shown, done: float, total: float | None, told: str, width: str | None
):
    bar.draw("work", done, total, None)
    (bundle,) = shown.bundles
    assert bundle["text/plain"] == told
    assert (f"width:{width}" in bundle["text/html"]) if width else ("height" not in bundle["text/html"])


def test_a_servers_words_are_escaped_and_bounded_and_on_one_line(bar: Bar, shown: Shown):
    bar.draw("work", 1, 4, "<b>one\ntwo</b>" + "x" * 10_000)
    (bundle,) = shown.bundles
    assert "&lt;b&gt;one" in bundle["text/html"]
    assert "\n" not in bundle["text/plain"]
    assert len(bundle["text/plain"]) < MAX_MESSAGE + 40


def test_a_flood_is_drawn_now_and_then_and_its_last_word_for_sure(bar: Bar, shown: Shown):
    for step in range(1000):
        bar.draw("work", step, 1000, f"step {step}")
    until(lambda: "step 999" in shown.bundles[-1]["text/plain"], "the last is drawn")
    assert len(shown.bundles) < 10 / EVERY_SECONDS


def test_it_is_gone_at_the_end_and_stays_so(bar: Bar, shown: Shown):
    bar.draw("work", 1, 4, None)
    bar.draw("work", 2, 4, None)
    bar.end()
    bar.draw("work", 3, 4, None)
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.join(BOUND)
    assert shown.bundles[-1] == {"text/plain": "", "text/html": ""}


def test_what_reports_nothing_shows_nothing(bar: Bar, shown: Shown):
    bar.end()
    assert shown.bundles == []
