"""`%mcp connect`, `%mcp reconnect` and `%mcp disconnect`."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from mcp_notebook import UsageError, server

Notebook = Any


def test_it_says_in_one_line_what_is_connected_and_what_to_try(notebook: Notebook):
    told = notebook.says("%mcp connect demo")
    assert told == "demo is connected (protocol 2026-07-28 by stdio): 9 tools. Try: %mcp tools demo\n"


def test_a_command_goes_after_two_dashes_with_values_filled_in(notebook: Notebook):
    notebook.says("import sys\nmodule = 'mcp_notebook.demo'\n%mcp connect own -- {sys.executable} -m $module")
    assert server("own").spec.command == (sys.executable, "-m", "mcp_notebook.demo")


def test_the_older_protocol_can_be_asked_for(notebook: Notebook):
    assert "protocol 2025-" in notebook.says(
        "%mcp connect old --protocol legacy -- {sys.executable} -m mcp_notebook.demo"
    )


def test_a_server_object_is_found_by_its_name_or_by_an_expression(notebook: Notebook):
    notebook.says("from mcp.server.mcpserver import MCPServer\nmine = MCPServer('mine')")
    assert "(protocol 2026-07-28 by in-process): 0 tools" in notebook.says("%mcp connect mine mine")
    assert "0 tools" in notebook.says("%mcp connect other {mine}")


def test_env_and_folder_reach_the_command_and_no_value_is_echoed(notebook: Notebook, tmp_path: Any):
    notebook.shell.user_ns.update(folder=str(tmp_path), token="s3cret", sys=sys)
    told = notebook.says(
        "%mcp connect own --env TOKEN={token} --env 'A=b c' --cwd {folder} -- {sys.executable} -m mcp_notebook.demo"
    )
    spec = server("own").spec
    assert (spec.env, spec.cwd) == ({"TOKEN": "s3cret", "A": "b c"}, str(tmp_path))
    assert "s3cret" not in told + repr(server("own")) + notebook.says("%mcp servers")


def test_headers_and_transport_go_with_a_url(notebook: Notebook, monkeypatch: pytest.MonkeyPatch):
    given: dict[str, Any] = {}
    notebook.says("%mcp connect demo")

    def connect(name: str, target: Any, **options: Any) -> Any:
        given.update(options, name=name, target=target)
        return server("demo")

    monkeypatch.setattr("mcp_notebook.api.connect", connect)
    notebook.shell.user_ns["token"] = "s3cret"
    notebook.says('%mcp connect w http://h/mcp?a=b --header "X-A: b c" --header "Authorization: Bearer "{token} '
                  "--transport sse --timeout 5 --protocol legacy")  # fmt: skip
    assert given == {
        "name": "w",
        "target": "http://h/mcp?a=b",
        "headers": {"X-A": "b c", "Authorization": "Bearer s3cret"},
        "transport": "sse",
        "timeout": 5.0,
        "elicit": True,
        "max_retries": 0,
        "force_retries": False,
        "protocol": "legacy",
        "env": None,
        "cwd": None,
        "bearer": None,
        "auth": None,
        "allow_redirects": False,
        "roots": [],
        "config": None,
    }


def test_a_server_may_be_connected_so_that_it_can_ask_nothing(notebook: Notebook):
    notebook.says("%mcp connect demo --no-elicit")
    assert "did not declare the form elicitation capability" in notebook.fails("%mcp call demo.greet")
    notebook.says("%mcp reconnect demo")
    assert not server("demo").spec.elicit


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("w http://h/mcp -- ls", "give a target or a command after --, not both"),
        ("w nothing_of_that_name", "neither a URL nor a variable of this notebook; a command goes after --"),
        ("w --env s3cret -- ls", "--env takes NAME=VALUE"),
        ("w http://h --header s3cret", '--header takes "NAME: VALUE", in quotes'),
        (
            "w http://h --header Authorization: Bearer s3cret",
            "too many words; put a value with spaces in quotes",
        ),
        ("w http://h --timeout s3cret", "--timeout takes a number of seconds, such as 30"),
        ("w http://h --transport s3", "argument --transport: invalid choice"),
        ("w ftp://h", "http:// or https://"),
    ],
)
def test_a_mistake_is_told_in_one_line_that_repeats_no_secret(notebook: Notebook, line: str, told: str):
    outcome = notebook.run(f"%mcp connect {line}")
    assert isinstance(outcome.error, UsageError)
    assert told in outcome.output
    assert "s3cret" not in outcome.output
    assert len(outcome.output.strip().splitlines()) == 1


def test_reconnect_connects_anew_in_the_same_way(notebook: Notebook):
    notebook.says("%mcp connect demo")
    before = server("demo")
    assert notebook.says("%mcp reconnect demo").startswith("demo is connected (")
    assert before.state == "closed"
    assert server("demo").spec == before.spec


def test_disconnect_closes_it(notebook: Notebook):
    notebook.says("%mcp connect demo")
    before = server("demo")
    assert notebook.says("%mcp disconnect demo") == "demo is disconnected.\n"
    assert before.state == "closed"
    assert "no server 'demo' is connected" in notebook.fails("%mcp disconnect demo")
