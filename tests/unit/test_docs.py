"""The documentation's schemas are ones that make a form, and the committed tutorials are readable with no kernel."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest

from mcp_notebook.schema.fields import fields_of

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "for-server-authors.md").read_text("utf-8")
FIELD = re.compile(r"```json\n([^`]+)\n```\n\n!\[[^]]*\]\((fields/[a-z-]+\.png)\)")
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
OF_ONE_MACHINE = re.compile(r"/(?:tmp|home|root|Users|var)/|\b0x[0-9a-f]{6,}|127\.0\.0\.1:\d|\b\d\d:\d\d:\d\d\b")


@pytest.mark.parametrize(("schema", "picture"), FIELD.findall(GUIDE))
def test_a_schema_of_the_guide_is_a_field_and_has_its_picture(schema: str, picture: str):
    (field,) = fields_of({"type": "object", "properties": {"it": json.loads(schema)}})

    assert field.title == json.loads(schema)["title"]
    assert (ROOT / "docs" / picture).exists()


def test_every_schema_of_the_guide_has_a_picture():
    assert GUIDE.count("```json") == len(FIELD.findall(GUIDE)) >= 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_tutorial_is_committed_with_outputs_that_need_no_widget_and_are_of_no_one_machine(path: Path):
    notebook: Any = nbformat.read(path, as_version=4)
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]

    assert outputs
    assert "widgets" not in notebook.metadata
    assert "widget-view" not in json.dumps(outputs)
    assert OF_ONE_MACHINE.findall(json.dumps(outputs)) == []
    assert not [output for output in outputs if output.output_type == "error"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_tutorial_shows_and_links_to_is_there(path: Path):
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            for target in re.findall(r'src="([^"]+)"|\]\((?!https?:)([^)#]+)\)', cell.source):
                assert (path.parent / "".join(target)).exists(), target
