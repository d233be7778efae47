"""The rooms of the package and the arrows between them: imports go downward only."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mcp_notebook

ROOT = Path(mcp_notebook.__file__).parent
PACKAGE = ROOT.name

GROUND = {"errors", "types", "results"}
ROOMS_BELOW = {
    "errors": {"types", "results", "servers"},  # for its annotations alone
    "schema": {"errors"},
    "frames": {"errors", "schema"},
    "results": {"frames"},
    "types": set[str](),
    "servers": GROUND | {"frames", "schema"},
    "answers": GROUND | {"schema"},
    "demo": set[str](),
    "chat": GROUND | {"schema", "servers", "answers"},
    "widgets": GROUND | {"schema", "answers", "chat"},
    "notebook": GROUND | {"frames", "schema", "answers", "chat", "widgets"},
    "process": {"servers", "notebook"},
    "chats": GROUND | {"servers", "chat", "notebook", "process"},
    "api": GROUND | {"schema", "servers", "answers", "chat", "widgets", "notebook", "process", "chats"},
    "controls": {"notebook"},
    "testing": {"servers", "answers", "api"},
    "__init__": GROUND | {"schema", "servers", "answers", "chat", "widgets", "notebook", "api", "chats", "controls"},
}
"""What each room may import: all that lies below it. `servers` and `notebook` meet in `types` alone."""

ROOMS_OF_THIRD_PARTIES = {
    "mcp": {"servers", "demo"},
    "mcp_types": {"servers", "demo"},
    "httpx2": {"servers", "demo"},
    "jsonschema_rs": {"schema"},
    "openai": {"chat"},
    "pandas": {"frames"},
    "polars": {"frames"},
    "markdown_it": {"notebook"},
    "pytest": {"testing"},
    "imagesize": {"notebook"},
    "ipywidgets": {"notebook", "widgets"},
    "anywidget": {"widgets"},
    "traitlets": {"notebook", "widgets"},
    "IPython": {"notebook", "widgets", "api", "__init__"},
    "ipykernel": {"notebook/router"},
    "zmq": {"notebook/router"},
    "tornado": {"notebook/router"},
}

LAZY = (
    "mcp",
    "openai",
    "httpx2",
    "pydantic",
    "jsonschema",
    "jsonschema_rs",
    "ipywidgets",
    "anywidget",
    "IPython",
    "pandas",
    "polars",
    "markdown_it",
)


def modules() -> list[str]:
    return sorted(path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.rglob("*.py"))


def imports(module: str) -> Iterator[tuple[int, str]]:
    """Every import in a module, also inside functions and under TYPE_CHECKING, as (line, dotted name)."""
    for node in ast.walk(ast.parse((ROOT / f"{module}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}.py:{node.lineno}: write imports in full, so that arrows can be seen"
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def room_of(module: str) -> str:
    return module.split("/")[0]


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_from_rooms_below_its_own(module: str):
    allowed = ROOMS_BELOW[room_of(module)] | {room_of(module), "__version__"}
    upward = [
        f"{module}.py:{line}: {name}"
        for line, name in imports(module)
        if name.split(".")[0] == PACKAGE and [*name.split("."), ""][1] not in allowed
    ]
    assert not upward


@pytest.mark.parametrize("module", modules())
def test_third_parties_stay_in_their_rooms(module: str):
    strays = [
        f"{module}.py:{line}: {name}"
        for line, name in imports(module)
        if (rooms := ROOMS_OF_THIRD_PARTIES.get(name.split(".")[0])) and not rooms & {room_of(module), module}
    ]
    assert not strays


def test_importing_the_package_pulls_in_nothing_that_is_slow():
    code = f"import sys, {PACKAGE}; print(*(name for name in {LAZY!r} if name in sys.modules))"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30)
    assert fresh.stdout.split() == []
