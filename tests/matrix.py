"""The table at the end of `make matrix`: which frontend was tried with which ipykernel, and how that went."""

from __future__ import annotations

import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache

from tests import kernels

OUTCOMES = ("passed", "failed", "skipped")


def table(outcomes: Iterable[tuple[str, str]]) -> list[str]:
    """Make the table.

    Args:
        outcomes: The id of each test, and "passed", "failed" or "skipped".

    Returns:
        Its lines: a row for each frontend, a column for each ipykernel.
    """
    counts: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    releases = kernels.versions(all_of_them=True)
    for test, outcome in outcomes:
        frontend = _frontend(test)
        if frontend:
            release = next(
                (release for release in releases if re.search(rf"\[(.*-)?{re.escape(release)}\b", test)), None
            )
            counts[frontend][release or kernels.NEWEST][outcome] += 1
    rows = [["frontend", *(f"ipykernel {release}" for release in releases)]]
    rows += [[frontend, *(_told(counts[frontend][release]) for release in releases)] for frontend in sorted(counts)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _frontend(test: str) -> str:
    if test.startswith("tests/kernel/test_terminal"):
        return "jupyter console, IPython's terminal"
    if test.startswith("tests/kernel/"):
        return "raw protocol: plain shell channel, subshells"
    if test.startswith("tests/browser/"):
        return f"Notebook {_version('notebook')}" if "notebook_7" in test else f"JupyterLab {_version('jupyterlab')}"
    return ""


@cache
def _version(package: str) -> str:
    from tests.browser.lab import SERVER_PYTHON

    code = f"from importlib.metadata import version; print(version({package!r}))"
    return subprocess.run([SERVER_PYTHON, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome]) or "-"
