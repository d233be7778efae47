"""What all tests share."""

from __future__ import annotations

import pytest

from tests import kernels, matrix


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-kernels", action="store_true", help="test on every ipykernel release that differs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that takes an `ipykernel` on the newest and on the oldest release, or on the newest alone."""
    if "ipykernel" in metafunc.fixturenames:
        every = bool(metafunc.config.getoption("--all-kernels"))
        releases = kernels.versions(all_of_them=every)
        in_browser = "browser" in metafunc.definition.path.parts  # tests/kernel varies the kernel
        newest_will_do = (in_browser or metafunc.definition.get_closest_marker("newest_kernel")) and not every
        metafunc.parametrize("ipykernel", releases[:1] if newest_will_do else releases)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked for the matrix to `make matrix`, unless it is asked for by its name."""
    if config.getoption("--all-kernels") or config.option.keyword:
        return
    left_out = [item for item in items if item.get_closest_marker("matrix")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.getoption("--all-kernels"):
        outcomes = [
            (report.nodeid, outcome)
            for outcome in matrix.OUTCOMES
            for report in terminalreporter.getreports(outcome)
            if report.when == "call" or outcome != "passed"
        ]
        terminalreporter.section("what was tried")
        for line in matrix.table(outcomes):
            terminalreporter.write_line(line)
