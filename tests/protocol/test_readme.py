"""The README's Python runs as it stands, in an interpreter of its own."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"^```python\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("block", BLOCKS, ids=[f"block {number}" for number in range(len(BLOCKS))])
def test_a_block_runs(block: str, tmp_path: Path):
    answers = tmp_path / "answers.json"
    later = {"date": "2026-12-31", "seat": "bar"}
    answers.write_text(
        json.dumps({"version": 1, "answers": [{"tool": "book_table", "content": later, "repeat": True}]})
    )
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", block],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"MCP_NOTEBOOK_ANSWERS": str(answers), "PATH": ""},
        timeout=60,
    )
    assert ran.returncode == 0, ran.stderr
