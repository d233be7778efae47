from __future__ import annotations

import pickle
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.server import Server
from mcp.server.mcpserver import MCPServer

from mcp_notebook.errors import UsageError
from mcp_notebook.servers.specs import spec_for
from mcp_notebook.types import ServerSpec


@pytest.fixture(autouse=True)
def no_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)


def test_demo_alone_is_the_built_in_server():
    assert spec_for("demo") == ServerSpec(name="demo", command=(sys.executable, "-m", "mcp_notebook.demo"))


def test_a_url_is_http_or_sse():
    assert spec_for("x", "https://example.com/mcp", headers={"A": "b"}) == ServerSpec(
        name="x", url="https://example.com/mcp", headers={"A": "b"}, transport="http"
    )
    assert spec_for("x", "http://localhost:1/sse", transport="sse").transport == "sse"


def test_a_list_is_a_command():
    assert spec_for("x", ["npx", "-y"], env={"A": "b"}, cwd="/tmp", protocol="legacy", timeout=5) == ServerSpec(
        name="x", command=("npx", "-y"), env={"A": "b"}, cwd="/tmp", protocol="legacy", timeout=5
    )


@pytest.mark.parametrize("server", [MCPServer("x"), Server("x")], ids=["MCPServer", "Server"])
def test_an_sdk_server_runs_in_this_process(server: Any):
    spec = spec_for("x", server)
    assert (spec.transport, spec.server) == ("in-process", server)


def test_a_spec_can_be_pickled_and_its_repr_holds_no_secret():
    spec = spec_for("x", "https://u:SECRET@example.com?k=SECRET", headers={"A": "SECRET"})
    assert pickle.loads(pickle.dumps(spec)) == spec
    assert "SECRET" not in repr(spec)
    assert "SECRET" not in repr(spec_for("x", ["a"], env={"A": "SECRET"}))


@pytest.mark.parametrize(
    ("target", "options", "told"),
    [
        ("npx -y server", {}, "a command is a list"),
        ("example.com/mcp", {}, "a URL starts with http:// or https://"),
        ("ftp://example.com", {}, "not ftp://"),
        ("http://", {}, "a server's URL starts with"),
        ("http://[::1", {}, "cannot be read"),
        ([], {}, "a command is a list of texts"),
        ([""], {}, "a command is a list of texts"),
        (["a", 1], {}, "a command is a list of texts"),
        (42, {}, "not int"),
        ("http://example.com", {"env": {"A": "b"}}, "env and cwd go with a command"),
        ("http://example.com", {"cwd": "/"}, "env and cwd go with a command"),
        (["a"], {"headers": {"A": "b"}}, "headers, transport and auth go with a URL"),
        (["a"], {"transport": "sse"}, "headers, transport and auth go with a URL"),
        ("http://example.com", {"transport": "carrier pigeon"}, "transport is http or sse"),
        (["a"], {"protocol": "2024"}, "protocol is one of auto, legacy, 2026-07-28"),
        (["a"], {"timeout": 0}, "timeout is a number of seconds above 0"),
        (None, {}, "no server 'x' is configured"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_with_the_way_to_mend_it(target: Any, options: dict[str, Any], told: str):
    with pytest.raises(UsageError, match=told) as caught:
        spec_for("x", target, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "x" * 101])
def test_a_name_is_short_and_printable(name: str):
    with pytest.raises(UsageError, match="a server's name"):
        spec_for(name, ["a"])
