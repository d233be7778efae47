"""Commands that errors, notices and help name: each is one that works."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mcp_notebook
from mcp_notebook.demo.model import play
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import split
from mcp_notebook.notebook.verbs import VERBS

Notebook = Any

PACKAGE = Path(mcp_notebook.__file__).parent
COMMAND = re.compile(r"%%?mcp +(?P<line>(?:(?!%%?mcp )[^\n`<])+)")
HOLE = "\N{REFERENCE MARK}"
SENTENCES = ("connects", "has", "magic")
"""Words that follow `%mcp` where a text speaks of it, and names no command."""


def commands() -> Iterator[tuple[str, str]]:
    """Every `%mcp …` that stands in a text of the package, with the file it stands in."""
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
        inside |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
        for node in ast.walk(tree):
            if not isinstance(node, ast.expr) or id(node) in inside:
                continue
            text = _text(node)
            yield from (
                (f"{path.relative_to(PACKAGE)}:{node.lineno}", found["line"]) for found in COMMAND.finditer(text)
            )


def _text(node: ast.AST) -> str:
    """A text of the source, with a name in the place of what is put in."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
    return ""


def reads(line: str) -> bool:
    """Whether a line, or the beginning of one that a sentence goes on from, is one that `%mcp` takes."""
    name, *rest = line.replace(HOLE, "demo").split(" ")
    name = name.strip(".,;)'")
    if line.startswith(HOLE) or name.endswith(":") or name in ("--help", "VERB", *SENTENCES):
        return True  # any verb; or "%mcp call: …", the beginning of an error
    if name not in VERBS:
        return False
    for end in range(len(rest), -1, -1):
        words = " ".join(rest[:end]).partition(" -- ")[0]
        try:
            VERBS[name].parser().read(
                split(words, {"folder": ".", "token": "t", "n": 1, "my_tags": [], "server": "demo"})
            )
        except UsageError:
            continue
        left = rest[end:]  # a sentence's, and no option that there is not
        return not any(word.startswith("--") and word != "--help" for word in left)
    return not rest or rest[0] in ("--help", "…")  # a verb that wants more, named by itself


@pytest.mark.parametrize(("where", "line"), [*dict.fromkeys(commands())])
def test_a_command_that_a_text_names_is_one_that_the_magic_takes(where: str, line: str):
    assert reads(line), f"{where}: %mcp {line}"


EXAMPLES = {verb.name: next(iter(verb.examples.splitlines())).strip() for verb in VERBS.values()}
LAST = ("reconnect", "disconnect")
NEEDS_A_SIGN_IN = ("login", "logout")


def test_the_first_example_of_every_verb_runs(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    turns = [{"said": "what can", "text": "They greet."}]
    (tmp_path / "turns.json").write_text(json.dumps({"turns": turns}))
    (tmp_path / "answers.json").write_text(json.dumps({"version": 1, "answers": []}))
    monkeypatch.setenv("OPENAI_BASE_URL", play(tmp_path / "turns.json"))
    monkeypatch.setenv("OPENAI_API_KEY", "")
    notebook.says("%mcp answer demo defaults --tool greet")
    order = [name for name in VERBS if name not in (*LAST, *NEEDS_A_SIGN_IN)]
    assert order[0] == "connect"

    for name in (*order, *LAST):
        outcome = notebook.run(re.sub(r"\s{3,}\(.*\)$", "", EXAMPLES[name]))
        assert outcome.error is None, f"{EXAMPLES[name]}\n{outcome.output}"
