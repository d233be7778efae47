"""`%mcp` itself: what it dispatches to, how it fails, and that it goes as it came."""

from __future__ import annotations

import builtins
import json
import subprocess
import sys
from typing import Any

import pytest

from mcp_notebook import ConnectError, ToolResult, UsageError, server
from mcp_notebook.notebook.verbs import VERBS

Notebook = Any


def test_alone_it_says_how_to_begin(notebook: Notebook):
    assert "%mcp connect demo" in notebook.says("%mcp")


def test_alone_it_says_what_is_connected_and_three_things_to_do_that_work(notebook: Notebook):
    notebook.says("%mcp connect demo\n%mcp answer demo defaults")
    try:
        told = notebook.says("%mcp")
        assert "  demo: 9 tools" in told
        steps = [line.strip() for line in told.split("To go on:")[1].splitlines() if line.startswith("  %mcp")]
        assert steps[:2] == ["%mcp tools demo", "%mcp call demo.greet"]
        assert len(steps) == 3
        assert "greet" in notebook.says(steps[0])
        assert "Hello, stranger!" in notebook.says(steps[1])
        assert "  %mcp history" in notebook.says("%mcp")  # now that something has been asked
    finally:
        notebook.says("%mcp disconnect demo")


def test_its_help_names_every_verb(notebook: Notebook):
    told = notebook.says("%mcp --help")
    assert all(f"%mcp {verb} " in told for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_examples(notebook: Notebook, verb: str):
    told = notebook.says(f"%mcp {verb} --help")
    assert told.startswith(f"usage: %mcp {verb}")
    assert f"examples:\n  %mcp {verb}" in told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("conect demo", "%mcp has no verb conect; did you mean connect?"),
        ("xyzzy", "%mcp has no verb xyzzy; %mcp --help lists them"),
        ("disconnect", "%mcp disconnect: the following arguments are required: NAME (see %mcp disconnect --help)"),
        ("disconnect nobody", "no server 'nobody' is connected"),
        ("disconnect one two", "too many words; put a value with spaces in quotes"),
        ("servers --all", "there is no option --all"),
        ("servers -- ls", "it takes no command after --"),
        ("connect x --protocol old", "argument --protocol: invalid choice: 'old'"),
        ("connect x 'open", "the quote ' is never closed"),
    ],
)
def test_a_mistake_is_told_in_one_line_and_fails_the_cell(notebook: Notebook, line: str, told: str):
    outcome = notebook.run(f"%mcp {line}\nafterwards = True")
    assert isinstance(outcome.error, UsageError)
    assert told in outcome.output
    assert len(outcome.output.strip().splitlines()) == 1
    assert "afterwards" not in notebook.shell.user_ns


def test_a_servers_fault_is_told_without_a_traceback_of_ours(notebook: Notebook):
    outcome = notebook.run("import sys\n%mcp connect broken -- {sys.executable} -c 'import sys; sys.exit(3)'")
    assert isinstance(outcome.error, ConnectError)
    assert outcome.output.startswith("ConnectError: broken: ")
    assert "magic.py" not in outcome.output
    assert "Traceback" not in outcome.output


@pytest.mark.skipif(sys.version_info < (3, 11), reason="groups came with Python 3.11")
def test_an_error_with_a_group_of_others_behind_it_is_told_without_them(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
):
    def connect(*_: Any, **__: Any) -> None:
        try:
            raise vars(builtins)["ExceptionGroup"]("many", [ValueError("inner")])
        except Exception:
            raise ConnectError("w", "is not there") from None

    monkeypatch.setattr("mcp_notebook.api.connect", connect)
    assert notebook.fails("%mcp connect w http://h").strip() == "ConnectError: w: is not there"


def test_stop_is_told_in_one_line(notebook: Notebook):
    outcome = notebook.run("def stop():\n    raise KeyboardInterrupt\n%mcp tools {stop()}")
    assert isinstance(outcome.error, KeyboardInterrupt)
    assert outcome.output.strip() == "KeyboardInterrupt"


def test_it_reads_the_variables_of_the_function_it_is_in(demo: Notebook):
    demo.says("def forecast(place):\n    result = %mcp call demo.forecast city={place}\n    return result.data['city']")
    assert demo.run("forecast('Oslo')").value == "Oslo"


def test_ipython_leaves_the_line_alone(demo: Notebook):
    told = demo.shows("n = 3\n%mcp call demo.forecast city='{n} $n'")["text/plain"]
    assert "{n} $n" in told


def test_a_cell_body_is_only_for_verbs_that_take_one(notebook: Notebook):
    assert "it takes no cell body" in notebook.fails("%%mcp servers\n{}")


def test_loading_is_quick_because_it_imports_nothing_heavy():
    code = (
        "import sys, threading, IPython\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance(); before = set(sys.modules)\n"
        "import mcp_notebook.servers.loop as loop; loop.warm = lambda: None\n"
        "shell.run_line_magic('load_ext', 'mcp_notebook')\n"
        "import json; print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    roots = {name.partition(".")[0] for name in json.loads(fresh.stdout.splitlines()[-1])}
    assert not roots & {"mcp", "openai", "jsonschema_rs", "ipywidgets", "anywidget", "pydantic", "httpx2"}


def test_unloading_undoes_it_all_and_loading_again_works(demo: Notebook):
    still = server("demo")
    demo.says("%unload_ext mcp_notebook")
    try:
        assert still.state == "closed"
        assert demo.shell.find_line_magic("mcp") is None
        assert demo.shell.find_cell_magic("mcp") is None
        assert ToolResult not in demo.shell.display_formatter.mimebundle_formatter
        assert "McpMagics" not in demo.shell.magics_manager.registry
    finally:
        demo.says("%load_ext mcp_notebook\n%mcp connect demo")
    assert demo.run("%mcp call demo.forecast city=Rome").error is None
