"""The official conformance suite (npm @modelcontextprotocol/conformance, the release in tests/node/package.json).

Each scenario is run alone and judged by its checks as well as by the client's exit code: run as a whole, the suite
ignores the latter, and a client that does nothing passes some.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import everything

CLIENT = Path(__file__).with_name("client.py")
SUITE = everything.NODE / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
SCENARIOS = (
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "request-metadata",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
    "json-schema-2020-12-preservation",
)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_passes(scenario: str, tmp_path: Path):
    everything.command()  # installs the suite as well
    suite = [str(everything.BIN / "node"), str(SUITE)]
    client = f"{sys.executable} {CLIENT}"
    run = subprocess.run(
        [*suite, "client", "--command", client, "--scenario", scenario, "-o", str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    (folder,) = tmp_path.iterdir()
    checks = json.loads((folder / "checks.json").read_text())
    assert [check["id"] for check in checks if check["status"] == "SUCCESS"], output
    assert not [check["id"] for check in checks if check["status"] == "FAILURE"], output
    assert "Traceback" not in (folder / "stderr.txt").read_text()
