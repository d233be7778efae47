"""`%mcp stubs`: what it writes is what a type checker takes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

Notebook = Any

ODD = """
from typing import Annotated, Literal
from mcp.server.mcpserver import MCPServer
from pydantic import Field
odd = MCPServer("odd")
@odd.tool(name="say-it", description='Say "it" or not.')
def say_it(word: str, times: int = 1, how: Literal["loud", "low"] = "low", notes: list[str] | None = None) -> str:
    return word
@odd.tool(name="get", description="Bring.")
def get_it(where: dict[str, int]) -> str:
    return ""
%mcp connect my-odd odd
"""

USES = """
from typing import cast
from mcp_notebook import connect
from my_odd import MyOdd
odd = cast(MyOdd, connect("my-odd"))
odd.tools.say_it(word="a", times=2, how="loud", notes=["x"])
odd.tools.get_(where={"a": 1})

"""


def checked(folder: Path, code: str) -> str:
    (folder / "uses.py").write_text(code)
    run = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--level", "error", "uses.py"],
        capture_output=True,
        text=True,
        cwd=folder,
        timeout=100,
    )
    return run.stdout


def test_a_type_checker_takes_them_and_finds_a_wrong_argument(notebook: Notebook, tmp_path: Path):
    notebook.says(ODD)
    told = notebook.says(f"%mcp stubs my-odd > {{{str(tmp_path / 'my_odd.pyi')!r}}}")
    assert "from my_odd import MyOdd" in told
    wrong = USES + 'odd.tools.say_it(word="a", how="wild")\nodd.tools.say_it()\n'
    found = checked(tmp_path, wrong)
    assert "\"Literal['wild']\" is not assignable" in found
    assert 'Argument missing for parameter "word"' in found
    assert "2 errors" in found


def test_without_a_file_they_are_shown(notebook: Notebook):
    notebook.says(ODD)
    shown = notebook.says("%mcp stubs my-odd")
    assert "class MyOddTools(Tools):\n    say_it: MyOdd_say_it\n    get_: MyOdd_get_\n" in shown
    assert 'how: Literal["loud", "low"] = ...' in shown.replace("'", '"')


def test_a_file_that_is_no_stub_is_refused(notebook: Notebook):
    notebook.says(ODD)
    assert "write > FILE.pyi after the name" in notebook.fails("%mcp stubs my-odd > out.txt")
    assert "can't be written: No such file" in notebook.fails("%mcp stubs my-odd > nowhere/at/all.pyi")
