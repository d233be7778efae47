"""The table of docs/conformance.md: `python -m tests.conformance.table` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conformance.scenarios import NOT_OFFERED, REMARKS, SCENARIOS

PAGE = Path(__file__).parents[2] / "docs" / "conformance.md"


def table() -> str:
    """Make the table: what is not named as not offered passes, since a test fails otherwise."""
    lines = ["| scenario | specification | result | remark |", "|---|---|---|---|"]
    for name, revisions in SCENARIOS.items():
        result = "not offered" if name in NOT_OFFERED else "passes"
        remark = NOT_OFFERED.get(name) or REMARKS.get(name, "")
        lines.append(f"| `{name}` | {revisions.replace(' ', ', ')} | {result} | {remark} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(re.sub(r"(^\|.*\n)+", lambda _: table(), PAGE.read_text(), flags=re.MULTILINE))
