from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.config.inputs import forget
from mcp_notebook.servers.shown import target
from mcp_notebook.servers.specs import spec_for
from mcp_notebook.types import Answer, Question, ServerSpec


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
        ({"servers": {"a": 1}}, "line 1, column 19: servers.a: must be an object"),
        ({"servers": {"a": {}}}, 'servers.a: needs a "command" or a "url"'),
        ({"servers": {"a": {"command": 1}}}, "line 1, column 31: servers.a.command: must be text"),
        ({"servers": {"a": {"command": "x", "args": "y"}}}, "servers.a.args: must be a list of texts"),
        ({"servers": {"a": {"command": "x", "args": [1]}}}, "line 1, column 45: servers.a.args.0: must be text"),
        ({"servers": {"a": {"command": "x", "env": {"A": []}}}}, "servers.a.env.A: must be text"),
        ({"servers": {"a": {"command": "${NO_SUCH_THING}"}}}, "the variable NO_SUCH_THING is not set"),
        ({"servers": {"a": {"command": "${input:key}"}}}, "${input:key} is used, and there is no input of that id"),
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


INPUTS = [
    {"id": "api-key", "type": "promptString", "description": "Key of the service", "password": True},
    {"id": "place", "type": "pickString", "options": ["test", {"label": "Live", "value": "live"}], "default": "test"},
]


@pytest.fixture
def asking(folder: Path) -> Iterator[Path]:
    entry = {
        "command": "run",
        "args": ["--where", "${input:place}", "${input:api-key}"],
        "env": {"K": "${input:api-key}"},
    }
    write(folder / ".vscode" / "mcp.json", {"servers": {"a": entry}, "inputs": INPUTS})
    yield folder
    forget()


def test_inputs_are_asked_for_in_one_form_once_and_are_shown_nowhere(asking: Path):
    asked: list[Question] = []

    def ask(question: Question) -> Answer:
        asked.append(question)
        return Answer(action="accept", content={"api-key": "s3cret", "place": "live"})

    for _ in range(2):
        spec = spec_for("a", ask=ask)
        assert spec.command == ("run", "--where", "live", "s3cret")
        assert spec.env == {"K": "s3cret"}
        assert "s3cret" not in repr(spec) + target(spec)
    (question,) = asked
    assert (question.server, question.own) == ("a", True)
    assert question.schema == {
        "type": "object",
        "properties": {
            "place": {"type": "string", "title": "place", "enum": ["test", "live"], "default": "test"},
            "api-key": {"type": "string", "title": "Key of the service", "format": "password"},
        },
        "required": ["place", "api-key"],
    }


def test_inputs_of_the_environment_are_not_asked_for(asking: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("MCP_NOTEBOOK_INPUT_API_KEY", "k")
    monkeypatch.setenv("MCP_NOTEBOOK_INPUT_PLACE", "live")
    assert spec_for("a").command == ("run", "--where", "live", "k")


def test_inputs_that_nobody_gives_are_named_with_what_would_give_them(asking: Path):
    with pytest.raises(UsageError, match="set MCP_NOTEBOOK_INPUT_PLACE, MCP_NOTEBOOK_INPUT_API_KEY"):
        spec_for("a")
    with pytest.raises(UsageError, match="a is not connected: it needs place, api-key"):
        spec_for("a", ask=lambda _: Answer(action="decline"))


def test_variables_come_from_a_file_too(folder: Path):
    (folder / ".env").write_text("# comment\nexport A=1\nB='two words'\n")
    write(folder / ".mcp.json", {"mcpServers": {"a": {"command": "x", "envFile": ".env", "env": {"A": "2"}}}})
    assert spec_for("a").env == {"A": "2", "B": "two words"}


def test_the_users_own_files_come_last(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home" / "config"))
    write_all = {"mcp-notebook/mcp.json": "own", "Claude/claude_desktop_config.json": "claude"}
    for place, name in write_all.items():
        path = tmp_path / "home" / "config" / place
        path.parent.mkdir(parents=True)
        write(path, {"mcpServers": {name: {"command": name}, "both": {"command": name}}})
    write(folder / "mcp.json", {"mcpServers": {"near": {"command": "near"}}})

    assert [spec_for(name).command for name in ("near", "own", "claude", "both")] == [
        ("near",), ("own",), ("claude",), ("own",)]  # fmt: skip


def test_one_file_can_be_named(folder: Path):
    write(folder / ".mcp.json", {"mcpServers": {"a": {"command": "near"}}})
    write(folder / "other.json", {"mcpServers": {"a": {"command": "other", "args": ["${workspaceFolder}"]}}})
    assert spec_for("a", config=str(folder / "other.json")).command == ("other", str(folder))


def test_a_server_that_is_turned_off_is_not_connected(folder: Path):
    write(folder / ".mcp.json", {"mcpServers": {"a": {"command": "x", "disabled": True}}})
    with pytest.raises(UsageError, match=r"mcpServers\.a\.disabled: it is turned off"):
        spec_for("a")


def test_the_notebook_may_be_elsewhere_than_the_working_directory(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    notebook = tmp_path / "elsewhere" / "a.ipynb"
    write(notebook, "{}")
    write(notebook.parent / ".mcp.json", {"mcpServers": {"a": {"command": "there"}}})
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    assert spec_for("a").command == ("there",)
