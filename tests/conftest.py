"""What all tests share."""

from __future__ import annotations

import pytest

from tests import kernels


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-kernels", action="store_true", help="test on every ipykernel release that differs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that takes an `ipykernel` on the newest and on the oldest release."""
    if "ipykernel" in metafunc.fixturenames:
        every = bool(metafunc.config.getoption("--all-kernels"))
        metafunc.parametrize("ipykernel", kernels.versions(all_of_them=every))
