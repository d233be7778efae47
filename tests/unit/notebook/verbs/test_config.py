"""`%mcp config`, and connecting what is configured."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook import UsageError, server

Notebook = Any

DEMO = {"command": sys.executable, "args": ["-m", "mcp_notebook.demo"]}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    here = tmp_path / "project"
    here.mkdir()
    monkeypatch.chdir(here)
    servers = {
        "one": DEMO,
        "two": {**DEMO, "env": {"KEY": "s3cret"}},
        "web": {"url": "https://example.org/mcp?key=s3cret"},
        "off": {"command": "x", "disabled": True},
    }
    (here / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))
    (tmp_path / ".mcp.json").write_text(json.dumps({"mcpServers": {"one": {"command": "far"}, "bad": {}}}))
    return here


def test_it_lists_every_server_with_its_file_and_no_secret(notebook: Notebook):
    notebook.says("%mcp connect two")
    told = notebook.shows("%mcp config")["text/plain"]
    rows = {tuple(line.split()[:2]): line for line in told.splitlines()}
    assert "-m mcp_notebook.demo" in rows["one", ".mcp.json"]
    assert rows["two", ".mcp.json"].endswith("connected")
    assert "https://example.org/mcp?key=•••" in rows["web", ".mcp.json"]
    assert rows["off", ".mcp.json"].endswith("off")
    assert "hidden" in told
    assert "faulty" in told
    assert "s3cret" not in told
    notebook.says("%mcp disconnect two")


def test_it_gives_json(notebook: Notebook):
    found = json.loads(notebook.says("%mcp config --json"))
    assert [entry["name"] for entry in found] == ["one", "two", "web", "off", "one", "bad"]


def test_all_of_the_nearest_file_are_connected_and_failures_are_told_one_by_one(notebook: Notebook, folder: Path):
    (folder / ".mcp.json").write_text(
        json.dumps({"mcpServers": {"one": DEMO, "no": {"command": "no-such"}, "two": DEMO}})
    )
    outcome = notebook.run("%mcp connect --all")
    assert isinstance(outcome.error, UsageError)
    assert "one is connected" in outcome.output
    assert "no is not connected: cannot run no-such" in outcome.output
    assert "two is connected" in outcome.output
    assert "not connected: no; the others are" in outcome.output
    for name in ("one", "two"):
        assert server(name).state == "connected"
        notebook.says(f"%mcp disconnect {name}")


def test_one_that_needs_somebody_does_not_keep_the_others_from_being_connected(notebook: Notebook, folder: Path):
    servers = {"asks": {**DEMO, "env": {"KEY": "${input:key}"}}, "two": DEMO}
    document = {"servers": servers, "inputs": [{"id": "key", "type": "promptString", "password": True}]}
    (folder / ".mcp.json").write_text(json.dumps(document))
    outcome = notebook.run("%mcp connect --all")
    assert "asks is not connected: " in outcome.output
    assert "two is connected" in outcome.output
    assert "not connected: asks; the others are" in outcome.output
    notebook.says("%mcp disconnect two")


def test_a_token_comes_from_the_environment(notebook: Notebook, monkeypatch: pytest.MonkeyPatch):
    given: dict[str, Any] = {}

    def connect(name: str, target: Any, **options: Any) -> Any:
        given.update(options)
        return server("demo")

    notebook.says("%mcp connect demo")
    monkeypatch.setattr("mcp_notebook.api.connect", connect)
    monkeypatch.setenv("API_TOKEN", "s3cret")
    assert "s3cret" not in notebook.says("%mcp connect api http://h/mcp --bearer-env API_TOKEN")
    assert given["bearer"] == "s3cret"
    assert "NO_TOKEN is not set" in notebook.fails("%mcp connect api http://h/mcp --bearer-env NO_TOKEN")


@pytest.mark.parametrize(("line", "told"), [("", "say which"), ("x --all", "--all takes no NAME")])
def test_it_is_told_what_to_connect(notebook: Notebook, line: str, told: str):
    assert told in notebook.fails(f"%mcp connect {line}")
