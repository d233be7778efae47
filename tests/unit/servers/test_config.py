from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.specs import spec_for
from mcp_notebook.types import ServerSpec


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = tmp_path / "project" / "notebooks"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    return here.parent


def write(path: Path, document: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")


def test_a_command_runs_in_the_folder_of_its_configuration(folder: Path):
    entry = {"type": "stdio", "command": "npx", "args": ["-y", "server"], "env": {"A": "b"}, "disabled": False}
    write(folder / ".mcp.json", {"mcpServers": {"files": entry}})

    assert spec_for("files", env={"C": "d"}) == ServerSpec(
        name="files", command=("npx", "-y", "server"), env={"A": "b", "C": "d"}, cwd=f"{folder}"
    )


@pytest.mark.parametrize(("kind", "transport"), [(None, "http"), ("http", "http"), ("sse", "sse")])
def test_a_url_is_taken_with_its_headers(folder: Path, kind: str | None, transport: str):
    entry = {"type": kind, "url": "https://example.com/mcp", "headers": {"A": "b"}}
    write(folder / ".vscode" / "mcp.json", {"servers": {"web": entry}, "inputs": []})

    spec = spec_for("web", headers={"C": "d"})
    assert (spec.url, spec.headers, spec.transport) == (entry["url"], {"A": "b", "C": "d"}, transport)


def test_the_nearest_file_that_has_the_name_is_taken(folder: Path):
    write(folder.parent / ".mcp.json", {"mcpServers": {"a": {"command": "far"}, "b": {"command": "far"}}})
    write(folder / ".vscode" / "mcp.json", {"servers": {"a": {"command": "near"}}})

    assert spec_for("a").command == ("near",)
    assert spec_for("b").command == ("far",)


def test_comments_and_trailing_commas_are_allowed(folder: Path):
    text = """\ufeff// servers
    {"mcpServers": { /* one, */ "a": {"command": "x", // "not": "this",
        "args": ["http://x//y", "a /* b */", ",]", "\\"//",],},
    },}"""
    write(folder / ".mcp.json", text)

    assert spec_for("a").command == ("x", "http://x//y", "a /* b */", ",]", '"//')


def test_variables_are_filled_in_everywhere(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HERE", "1")
    monkeypatch.delenv("GONE", raising=False)
    entry = {
        "command": "${HERE}/run",
        "args": ["${env:HERE}-${HERE}", "${GONE:-a:b}", "${GONE:-}", "$HERE", "${workspaceFolder}/x"],
        "env": {"A": "${HERE:-2}"},
        "cwd": "sub",
    }
    write(folder / ".mcp.json", {"mcpServers": {"a": entry}})

    spec = spec_for("a")
    assert spec.command == ("1/run", "1-1", "a:b", "", "$HERE", f"{folder}/x")
    assert spec.env == {"A": "1"}
    assert spec.cwd == f"{folder}/sub"


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ('{"mcpServers": {\n  /* a\n comment */ "a": {"command": x}}}', "line 3, column 30: Expecting value"),
        ('{"mcpServers": {\n "a": 1 2}}', "line 2, column 9: Expecting ',' delimiter"),
        ("[]", 'an object with "mcpServers" or "servers"'),
        ({"servers": []}, 'an object with "mcpServers" or "servers"'),
        ({"servers": {"a": 1}}, "server 'a': must be an object"),
        ({"servers": {"a": {}}}, 'server \'a\': needs a "command" or a "url"'),
        ({"servers": {"a": {"command": 1}}}, '"command" must be text'),
        ({"servers": {"a": {"command": "x", "args": "y"}}}, '"args" must be a list of texts'),
        ({"servers": {"a": {"command": "x", "args": [1]}}}, '"args" must be text'),
        ({"servers": {"a": {"command": "x", "env": {"A": 1}}}}, '"env" must be text'),
        ({"servers": {"a": {"command": "${NO_SUCH_THING}"}}}, "the variable NO_SUCH_THING is not set"),
        ({"servers": {"a": {"command": "${input:key}"}}}, "${input:key} is not supported"),
        ({"servers": {"b": {"command": "x"}}}, "no server 'a' is configured"),
    ],
)
def test_a_fault_is_told_in_one_line_with_its_place(folder: Path, document: Any, told: str):
    write(folder / ".mcp.json", document)

    with pytest.raises(UsageError, match=re.escape(told)) as caught:
        spec_for("a")
    assert str(folder / ".mcp.json") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_text_is_told(folder: Path):
    (folder / ".mcp.json").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(UsageError, match="is not UTF-8 text"):
        spec_for("a")
