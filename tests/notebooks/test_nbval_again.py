"""Kernels that die as they start, under nbval as `make notebooks` runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output


@pytest.mark.parametrize(("deaths", "passes"), [(1, True), (2, False)])
def test_a_kernel_that_dies_at_its_start_is_started_once_more(tmp_path: Path, deaths: int, passes: bool) -> None:
    spec = tmp_path / "kernels" / "frail" / "kernel.json"
    spec.parent.mkdir(parents=True)
    died = tmp_path / "died"
    script = f'test $(cat {died} | wc -l) -ge {deaths} || {{ echo >> {died}; exit 1; }}; exec "$@"'
    launch = [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.write_text(
        json.dumps({"argv": ["sh", "-c", script, "sh", *launch], "display_name": "frail", "language": "python"})
    )
    died.touch()
    printed = [new_output("stream", name="stdout", text="2\n")]
    cell = new_code_cell("print(1 + 1)", execution_count=1, outputs=printed)
    nbformat.write(new_notebook(cells=[cell]), tmp_path / "sum.ipynb")

    options = ["-p", "tests.nbval_again", "--nbval", "--nbval-kernel-name", "frail", "--rootdir", str(tmp_path)]
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options, str(tmp_path / "sum.ipynb")],
        env={**os.environ, "JUPYTER_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )

    assert (run.returncode == 0) is passes, run.stdout
    assert len(died.read_text().splitlines()) == deaths
