"""Servers that nobody here wrote: connected, called, failing, killed, and there again."""

from __future__ import annotations

import ast
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_notebook.errors import ConnectionLost, ToolError
from mcp_notebook.servers.server import Server
from tests.protocol.conftest import Session, free_port, session, until, wait_for_port  # noqa: F401 (a fixture)
from tests.protocol.places import BOUND, Scripted
from tests.real.servers import NEW, OLD, from_npm, from_pypi

pytestmark = pytest.mark.timeout(300)  # the first of them installs what it needs


def test_time_speaks_the_newest_protocol_and_gives_structured_results(session: Session):  # noqa: F811
    time = session.connect("time", [from_pypi("mcp-server-time", NEW), "--local-timezone", "UTC"])
    assert (time.protocol_version, time.era) == ("2026-07-28", "modern")
    asked = {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}
    assert time.tools.convert_time(**asked).data["target"]["datetime"].endswith("T21:00:00+09:00")
    with pytest.raises(ToolError, match=r"time: get_current_time failed: .*Nowhere/X"):
        time.tools.get_current_time(timezone="Nowhere/X")


def test_git_reads_a_repository_and_keeps_to_it(session: Session, tmp_path: Path):  # noqa: F811
    commands = ("init -q", "-c user.name=A -c user.email=a@example.org commit -q --allow-empty -m first")
    for command in commands:
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    git = session.connect("git", [from_pypi("mcp-server-git", NEW), "--repository", str(tmp_path)])
    assert git.protocol_version == "2026-07-28"
    assert "Message: first" in git.tools.git_log(repo_path=str(tmp_path)).text
    with pytest.raises(ToolError, match="outside the allowed repository"):
        git.tools.git_status(repo_path="/")


def test_motherduck_queries_a_csv(session: Session, tmp_path: Path):  # noqa: F811
    (tmp_path / "weather.csv").write_text("city,celsius\nOslo,3\nBonn,7\n")
    program = from_pypi("mcp-server-motherduck", NEW)
    duck = session.connect("duck", [program, "--db-path", ":memory:", "--read-write"], cwd=str(tmp_path))
    assert duck.protocol_version == "2026-07-28"
    answer = json.loads(duck.tools.execute_query(sql="select * from 'weather.csv' order by city").data)
    assert (answer["columns"], answer["rows"]) == (["city", "celsius"], [["Bonn", 7], ["Oslo", 3]])
    with pytest.raises(ToolError, match="nope"):
        duck.tools.execute_query(sql="select nope")


def test_sqlite_of_the_sdk_of_before(session: Session, tmp_path: Path):  # noqa: F811
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


def test_filesystem_reads_in_its_folder_alone(session: Session, tmp_path: Path):  # noqa: F811
    (tmp_path / "a.txt").write_text("hello")
    files = session.connect("files", [*from_npm("server-filesystem"), str(tmp_path)])
    assert files.tools.read_text_file(path=str(tmp_path / "a.txt")).data == {"content": "hello"}
    files.tools.write_file(path=str(tmp_path / "b.txt"), content="ü")
    assert (tmp_path / "b.txt").read_text() == "ü"
    with pytest.raises(ToolError, match="Access denied"):
        files.tools.read_text_file(path="/etc/passwd")
    assert files.tools["read_text_file"].info.annotations["readOnlyHint"] is True


def test_memory_keeps_what_it_is_told_over_a_new_connection(session: Session, tmp_path: Path):  # noqa: F811
    env = {"MEMORY_FILE_PATH": str(tmp_path / "memory.jsonl")}
    memory = session.connect("memory", from_npm("server-memory"), env=env)
    ada = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    assert memory.tools.create_entities(entities=[ada]).data == {"entities": [ada]}
    memory = session.connect("memory", from_npm("server-memory"), env=env)
    assert memory.tools.search_nodes(query="Ada").data["entities"] == [ada]


@pytest.fixture(params=["stdio", "http", "sse"])
def everything(request: pytest.FixtureRequest, session: Session) -> Iterator[Server]:  # noqa: F811
    node = from_npm("server-everything")
    if request.param == "stdio":
        yield session.connect("everything", [*node, "stdio"])
        return
    port = free_port()
    mode = "streamableHttp" if request.param == "http" else "sse"
    process = subprocess.Popen([*node, mode], env=os.environ | {"PORT": str(port)}, stderr=subprocess.DEVNULL)
    try:
        wait_for_port(port)
        path = "mcp" if request.param == "http" else "sse"
        yield session.connect("everything", f"http://127.0.0.1:{port}/{path}", transport=request.param)
    finally:
        process.kill()
        process.wait(BOUND)


def test_every_tool_of_server_everything_gives_what_it_should(session: Session, everything: Server):  # noqa: F811
    session.place = place = Scripted()
    assert everything.era == "legacy"
    tools = everything.tools
    assert tools.echo(message="hi").text == "Echo: hi"
    assert tools.get_sum(a=2, b=3).text == "The sum of 2 and 3 is 5."
    assert [block.type for block in tools.get_tiny_image().content] == ["text", "image", "text"]
    assert tools.get_annotated_message(messageType="error").content[0].annotations.priority == 1
    assert set(tools.get_structured_content(location="Chicago").data) == {"temperature", "conditions", "humidity"}
    links = tools.get_resource_links(count=2).content
    assert [block.type for block in links] == ["text", "resource_link", "resource_link"]
    assert everything.resource(str(links[1].uri)).contents
    assert "resource" in [block.type for block in tools.get_resource_reference(resourceId=1).content]
    assert "PATH" in tools.get_env().data
    assert tools.gzip_file_as_resource(name="a.gz", data="data:text/plain,hi").content[0].type == "resource_link"
    assert "completed" in tools.trigger_long_running_operation(duration=0.2, steps=2).text
    assert [step[1:3] for step in place.progressed][-1] == (2, 2)
    assert "Started" in tools.toggle_simulated_logging().text
    assert "Started" in tools.toggle_subscriber_updates().text


def test_the_rest_of_server_everything(everything: Server):
    assert "demo://resource/static/document/architecture.md" in everything.resources
    text = everything.resource("demo://resource/dynamic/text/{resourceId}", resourceId="1").text
    assert "Resource 1" in text
    assert everything.prompt("args-prompt", city="Oslo").text == "What's weather in Oslo?"
    assert everything.complete("department", "E", prompt="completable-prompt") == ["Engineering"]
    context = {"department": "Engineering"}
    assert everything.complete("name", "", prompt="completable-prompt", context=context)[0] == "Alice"


@pytest.mark.parametrize("name", ["server-memory", "server-everything"])
def test_one_that_is_killed_is_lost_and_there_again(session: Session, name: str):  # noqa: F811
    server = session.connect("killed", from_npm(name))
    tools = list(server.tools)
    pid = server._session._connection._process._child.pid  # type: ignore[union-attr]
    os.kill(pid, signal.SIGKILL)
    until(lambda: server.state == "gone", "its end is seen")
    if name == "server-everything":
        assert server.tools.echo(message="again").text == "Echo: again"
    else:
        assert server.tools.read_graph().data == {"entities": [], "relations": []}
    assert list(server.tools) == tools
    assert "was gone and is connected again" in (server.notice or "")


def test_a_call_in_the_middle_of_which_a_server_is_killed_is_lost(session: Session):  # noqa: F811
    server = session.connect("killed", from_npm("server-everything"))
    pid = server._session._connection._process._child.pid  # type: ignore[union-attr]
    killer = subprocess.Popen([sys.executable, "-c", f"import os, time; time.sleep(1); os.kill({pid}, 9)"])
    with pytest.raises(ConnectionLost, match="killed: its process has ended"):
        server.tools.trigger_long_running_operation(duration=60, steps=60)
    killer.wait(20)
