"""Every schema of tests/schemas: what its form shows, and what an input sends or is told.

Each file holds a `schema`, and either `refused` (a part of the reason) or `fields` (those attributes of each field
that matter, options as [value, title]), `sends` (entries and the content they make) and `errors` (entries and all
complaints).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.schema.entries import content_of
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of

CASES = {
    path.stem: json.loads(path.read_text("utf-8"))
    for path in sorted((Path(__file__).parents[2] / "schemas").glob("*.json"))
}


def shown(field: Field, attribute: str) -> Any:
    if attribute == "options":
        return [[option.value, option.title] for option in field.options]
    return getattr(field, attribute)


def test_the_corpus_holds_at_least_eighty_schemas() -> None:
    assert len(CASES) >= 80


@pytest.mark.parametrize("name", CASES)
def test_a_form_shows_and_sends_what_its_schema_asks_for(name: str) -> None:
    case = CASES[name]
    if "refused" in case:
        with pytest.raises(UnsupportedSchema) as refusal:
            fields_of(case["schema"])
        assert case["refused"] in str(refusal.value)
        assert "\n" not in str(refusal.value)
        return
    fields = fields_of(case["schema"])
    assert [
        {key: shown(field, key) for key in wanted} for field, wanted in zip(fields, case["fields"], strict=True)
    ] == (case["fields"])
    for example in case.get("sends", ()):
        content, errors = content_of(fields, example["entries"], case["schema"])
        assert errors == {}, example
        assert json.dumps(content, sort_keys=True) == json.dumps(example["content"], sort_keys=True)
    for example in case.get("errors", ()):
        _, errors = content_of(fields, example["entries"], case["schema"])
        assert errors == example["errors"], example
