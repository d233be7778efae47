"""The public names: few, sorted, and each told of in the README."""

from __future__ import annotations

import re
from pathlib import Path

import mcp_notebook

README = Path(__file__).parents[2] / "README.md"


def documented() -> list[str]:
    """The names in the first column of the README's table "From Python"."""
    section = README.read_text(encoding="utf-8").split("## From Python")[1].split("\n## ")[0]
    return re.findall(r"^\| `(\w+)", section, re.MULTILINE)


def test_the_public_names_are_sorted_and_exist():
    assert mcp_notebook.__all__ == sorted(mcp_notebook.__all__)
    assert all(hasattr(mcp_notebook, name) for name in mcp_notebook.__all__)


def test_the_readme_tells_of_exactly_the_public_names():
    assert sorted(documented()) == mcp_notebook.__all__
