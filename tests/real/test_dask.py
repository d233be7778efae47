"""Many calls over a dask cluster: each worker has a connection of its own, and what went wrong comes back whole."""

from __future__ import annotations

from collections.abc import Iterator

import dask.config
import pytest
from distributed import Client, LocalCluster

from mcp_notebook import ToolError, connect


@pytest.fixture
def cluster(tmp_path: object) -> Iterator[Client]:
    with (
        dask.config.set({"distributed.worker.daemon": False, "temporary-directory": str(tmp_path)}),
        LocalCluster(n_workers=1, threads_per_worker=2, processes=True, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_makes_the_calls(cluster: Client):
    with connect("demo") as demo:
        rows = [{"party": party, "date": "2026-12-31"} for party in range(1, 7)]
        mapped = demo.tools.book_table.map(rows, executor=cluster.get_executor())
        assert mapped.data == [f"Booked: a table for {party} on 31 December 2026." for party in range(1, 7)]
        assert demo.calls == 0  # it was not this connection
        nobody = demo.tools.book_table.map([2], executor=cluster.get_executor(), errors="keep")
        assert "nobody to ask in a worker of an executor" in str(nobody.errors[0])
        assert not isinstance(nobody.errors[0], ToolError)
