"""Servers that nobody here wrote, each with real work: what they offer, what they give, and what they refuse."""

from __future__ import annotations

import ast
import json
import subprocess
from pathlib import Path

import pytest

from mcp_notebook.errors import ToolError
from tests.protocol.conftest import Session
from tests.real.servers import NEW, OLD, from_npm, from_pypi

pytestmark = pytest.mark.timeout(300)  # the first of them installs what it needs


def test_time_speaks_the_newest_protocol_and_gives_structured_results(session: Session):
    time = session.connect("time", [from_pypi("mcp-server-time", NEW), "--local-timezone", "UTC"])
    assert (time.protocol_version, time.era) == ("2026-07-28", "modern")
    asked = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
    assert time.tools.convert_time(**asked).data["target"]["datetime"].endswith("T21:00:00+09:00")
    with pytest.raises(ToolError, match=r"time: get_current_time failed: .*Nowhere/X"):
        time.tools.get_current_time(timezone="Nowhere/X")


def test_git_reads_a_repository_and_keeps_to_it(session: Session, tmp_path: Path):
    commands = ("init -q", "-c user.name=A -c user.email=a@example.org commit -q --allow-empty -m first")
    for command in commands:
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    git = session.connect("git", [from_pypi("mcp-server-git", NEW), "--repository", str(tmp_path)])
    assert git.protocol_version == "2026-07-28"
    assert "Message: first" in git.tools.git_log(repo_path=str(tmp_path)).text
    with pytest.raises(ToolError, match="outside the allowed repository"):
        git.tools.git_status(repo_path="/")


def test_motherduck_queries_a_csv(session: Session, tmp_path: Path):
    (tmp_path / "weather.csv").write_text("city,celsius\nOslo,3\nBonn,7\n")
    program = from_pypi("mcp-server-motherduck", NEW)
    duck = session.connect("duck", [program, "--db-path", ":memory:", "--read-write"], cwd=str(tmp_path))
    assert duck.protocol_version == "2026-07-28"
    answer = json.loads(duck.tools.execute_query(sql="select * from 'weather.csv' order by city").data)
    assert (answer["columns"], answer["rows"]) == (["city", "celsius"], [["Bonn", 7], ["Oslo", 3]])
    with pytest.raises(ToolError, match="nope"):
        duck.tools.execute_query(sql="select nope")


def test_sqlite_of_the_sdk_of_before(session: Session, tmp_path: Path):
    program = from_pypi("mcp-server-sqlite", OLD)
    sqlite = session.connect("sqlite", [program, "--db-path", str(tmp_path / "a.db")])
    assert (sqlite.protocol_version, sqlite.era) == ("2025-11-25", "legacy")
    sqlite.tools.write_query(query="create table t (a int)")
    sqlite.tools.write_query(query="insert into t values (3)")
    assert ast.literal_eval(sqlite.tools.read_query(query="select a from t").text) == [{"a": 3}]
    assert "memo://insights" in sqlite.resources
    sqlite.tools.append_insight(insight="three")
    assert "three" in sqlite.resource("memo://insights").text
    assert sqlite.prompts["mcp-demo"].required == ("topic",)
    assert "shoes" in sqlite.prompt("mcp-demo", topic="shoes").text


def test_filesystem_reads_in_its_folder_alone(session: Session, tmp_path: Path):
    (tmp_path / "a.txt").write_text("hello")
    files = session.connect("files", [*from_npm("server-filesystem"), str(tmp_path)])
    assert files.tools.read_text_file(path=str(tmp_path / "a.txt")).data == {"content": "hello"}
    files.tools.write_file(path=str(tmp_path / "b.txt"), content="ü")
    assert (tmp_path / "b.txt").read_text() == "ü"
    with pytest.raises(ToolError, match="Access denied"):
        files.tools.read_text_file(path="/etc/passwd")
    assert files.tools["read_text_file"].info.annotations["readOnlyHint"] is True


def test_memory_keeps_what_it_is_told_over_a_new_connection(session: Session, tmp_path: Path):
    env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    memory = session.connect("memory", from_npm("server-memory"), env=env)
    ada = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    assert memory.tools.create_entities(entities=[ada]).data == {"entities": [ada]}
    memory = session.connect("memory", from_npm("server-memory"), env=env)
    assert memory.tools.search_nodes(query="Ada").data["entities"] == [ada]
