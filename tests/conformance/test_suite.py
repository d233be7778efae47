"""The official conformance suite (npm @modelcontextprotocol/conformance, the release in tests/node/package.json).

Each scenario is run alone and judged by its checks as well as by the client's exit code: run as a whole, the suite
ignores the latter, and a client that does nothing passes some.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import everything
from tests.conformance.scenarios import NOT_OFFERED, REFUSING, SCENARIOS
from tests.conformance.table import PAGE, table

CLIENT = Path(__file__).with_name("client.py")
SUITE = everything.NODE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
RUNS = [
    pytest.param(name, revision, id=f"{name} {revision}")
    for name, revisions in SCENARIOS.items()
    if name not in NOT_OFFERED
    for revision in revisions.split()
]


def suite(*arguments: str, **environment: str) -> str:
    """Run the suite's program, which must succeed, and give what it writes."""
    everything.command()  # installs it as well
    run = subprocess.run(
        [everything.PROGRAM, str(SUITE), *arguments],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 0, run.stdout
    return run.stdout


@pytest.mark.parametrize(("scenario", "revision"), RUNS)
def test_a_scenario_passes(scenario: str, revision: str, tmp_path: Path):
    output = suite(
        *("client", "--command", f"{sys.executable} {CLIENT}", "--scenario", scenario, "-o", str(tmp_path / "results")),
        *(() if revision == "extension" else ("--spec-version", revision)),
        PYTHONPATH=str(PAGE.parents[1]),
        XDG_DATA_HOME=str(tmp_path / "data"),
    )
    (found,) = (tmp_path / "results").rglob("checks.json")
    checks = json.loads(found.read_text())
    assert [check["id"] for check in checks if check["status"] == "SUCCESS"], output
    assert not [check["id"] for check in checks if check["status"] == "FAILURE"], output
    assert ("ConnectError" in found.with_name("stderr.txt").read_text()) == (scenario in REFUSING)


def test_every_scenario_that_the_suite_has_for_clients_is_accounted_for():
    listed = suite("list").partition("Client scenarios")[2].partition("\n\n")[0]
    assert {
        name: revisions.replace(",", " ") for name, revisions in re.findall(r"- (\S+) \[(.+)\]", listed)
    } == SCENARIOS


def test_the_table_in_the_documentation_is_up_to_date():
    assert table() in PAGE.read_text(), "run: python -m tests.conformance.table"
