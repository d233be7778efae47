"""What all tests share."""

from __future__ import annotations

import pytest

from tests import kernels


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all-kernels", action="store_true", help="test on every ipykernel release that differs")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test that takes an `ipykernel` on the newest and on the oldest release, or on the newest alone."""
    if "ipykernel" in metafunc.fixturenames:
        every = bool(metafunc.config.getoption("--all-kernels"))
        releases = kernels.versions(all_of_them=every)
        newest_will_do = metafunc.definition.get_closest_marker("newest_kernel") and not every
        metafunc.parametrize("ipykernel", releases[:1] if newest_will_do else releases)
