"""What has become of a server's tools since they were last seen."""

from __future__ import annotations

from mcp_notebook.servers.drift import told
from mcp_notebook.types import ToolInfo


def tools(**descriptions: str) -> dict[str, ToolInfo]:
    return {name: ToolInfo(server="s", name=name, description=text) for name, text in descriptions.items()}


def test_nothing_is_told_of_what_stays():
    assert told(tools(a="1", b="2"), tools(b="2", a="1")) == ""


def test_what_was_added_removed_and_changed_is_named():
    assert told(tools(a="1", b="2"), tools(b="3", c="4")) == "added: c, removed: a, changed: b"


def test_many_names_are_cut_and_odd_ones_escaped():
    many = told({}, tools(**{f"t{number}": "" for number in range(30)}))
    assert many.endswith("t9 and 20 more")
    assert told({}, tools(**{"a\x1b[31m": ""})) == r"added: a\x1b[31m"
