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
SIGN_IN = (
    "2025-03-26-oauth-endpoint-fallback",
    "2025-03-26-oauth-metadata-backcompat",
    "authorization-server-migration",
    "basic-cimd",
    "enterprise-managed-authorization",
    "wif-jwt-bearer",
    "client-credentials-basic",
    "client-credentials-jwt",
    "iss-normalized",
    "iss-not-advertised",
    "iss-supported",
    "iss-supported-missing",
    "iss-unexpected",
    "iss-wrong-issuer",
    "metadata-default",
    "metadata-issuer-mismatch",
    "metadata-var1",
    "metadata-var2",
    "metadata-var3",
    "offline-access-not-supported",
    "offline-access-scope",
    "pre-registration",
    "resource-mismatch",
    "scope-from-scopes-supported",
    "scope-from-www-authenticate",
    "scope-omitted-when-undefined",
    "scope-retry-limit",
    "scope-step-up",
    "token-endpoint-auth-basic",
    "token-endpoint-auth-none",
    "token-endpoint-auth-post",
)
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
    *(f"auth/{name}" for name in SIGN_IN),
)
REFUSING = frozenset(
    f"auth/{name}"
    for name in (
        *("iss-normalized", "iss-supported-missing", "iss-unexpected", "iss-wrong-issuer"),
        *("metadata-issuer-mismatch", "resource-mismatch", "scope-retry-limit"),
    )
)
"""Scenarios in which the client must not get in."""


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_passes(scenario: str, tmp_path: Path):
    everything.command()  # installs the suite as well
    suite = [str(everything.BIN / "node"), str(SUITE)]
    client = f"{sys.executable} {CLIENT}"
    run = subprocess.run(
        [*suite, "client", "--command", client, "--scenario", scenario, "-o", str(tmp_path / "results")],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "XDG_DATA_HOME": str(tmp_path / "data")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    output = run.stdout + run.stderr
    assert run.returncode == 0, output
    (folder,) = (tmp_path / "results").rglob("checks.json")
    checks = json.loads(folder.read_text())
    assert [check["id"] for check in checks if check["status"] == "SUCCESS"], output
    assert not [check["id"] for check in checks if check["status"] == "FAILURE"], output
    assert ("ConnectError" in folder.with_name("stderr.txt").read_text()) == (scenario in REFUSING)
