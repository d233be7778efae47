"""One JupyterLab for all browser tests, and a picture of the page when a test fails."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from tests.browser.lab import Lab


@pytest.fixture(scope="package")
def jupyterlab() -> Iterator[Lab]:
    """JupyterLab and a browser, started once: that takes most of a test's time."""
    with Lab() as lab:
        yield lab


@pytest.fixture
def lab(jupyterlab: Lab) -> Iterator[Lab]:
    """JupyterLab with no notebook open."""
    yield jupyterlab
    jupyterlab.close_notebooks()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, Any]:
    report = yield
    lab = item.funcargs.get("lab") if isinstance(item, pytest.Function) else None
    if report.when == "call" and report.failed and isinstance(lab, Lab):
        for number, notebook in enumerate(lab.notebooks, start=1):
            picture = notebook.screenshot(f"failed-{re.sub(r'[^A-Za-z0-9.]+', '-', item.name)}-{number}")
            report.sections.append((f"picture {number}", str(picture)))
            report.sections.append((f"browser console {number}", "\n".join(notebook.console)))
    return report
