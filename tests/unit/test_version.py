"""One version, told in three places."""

from __future__ import annotations

import json
import re
from pathlib import Path

import mcp_notebook

ROOT = Path(__file__).parents[2]


def test_python_and_javascript_agree_on_the_version():
    package = json.loads((ROOT / "js/package.json").read_text(encoding="utf-8"))
    lock = json.loads((ROOT / "js/package-lock.json").read_text(encoding="utf-8"))
    assert package["version"] == lock["version"] == mcp_notebook.__version__


def test_the_changelog_tells_of_this_version_first():
    headings = re.findall(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == mcp_notebook.__version__
