"""A session, and server-everything by each of its transports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.protocol.conftest import Session, session
from tests.real.servers import Everything

__all__ = ["session"]


@pytest.fixture(params=["stdio", "http", "sse"])
def everything(request: pytest.FixtureRequest, session: Session) -> Iterator[Everything]:
    running = Everything(session, request.param)
    yield running
    with suppress(ProcessLookupError):
        running.kill()
