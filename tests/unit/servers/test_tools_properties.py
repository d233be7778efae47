"""What holds for every tool: schema, signature, call and arguments lose nothing on the way."""

from __future__ import annotations

import inspect
import keyword
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mcp_notebook.errors import UsageError
from mcp_notebook.schema.values import key
from mcp_notebook.servers.tools import Tool
from mcp_notebook.types import ToolInfo
from tests.unit.schema.test_properties import scalars, schemas, texts, undrawable, wrapped

values = scalars | st.lists(scalars, max_size=3) | st.dictionaries(texts, scalars, max_size=2)


def options_in(part: Any) -> list[Any]:
    if not isinstance(part, dict):
        return []
    branches = [*part.get("oneOf", []), *part.get("anyOf", []), *part.get("allOf", [])]
    own = [*part.get("enum", []), *([part["const"]] if "const" in part else [])]
    return [*own, *(option for branch in branches for option in options_in(branch))]


def tool_of(schema: dict[str, Any]) -> Tool:
    nobody: Any = None
    return Tool(ToolInfo(server="any", name="tool", input_schema=schema), nobody)


@given(schemas(wrapped | undrawable))
def test_every_argument_has_a_name_of_its_own_that_python_can_spell(schema: dict[str, Any]):
    tool = tool_of(schema)
    named = [each for each in tool.signature.parameters.values() if each.kind is inspect.Parameter.KEYWORD_ONLY]
    assert [tool.names[each.name] for each in named if each.default is inspect.Parameter.empty] == [
        name for name in schema["properties"] if name in schema["required"]
    ]
    assert sorted(tool.names.values()) == sorted(schema["properties"])
    assert all(each.name.isidentifier() and not keyword.iskeyword(each.name) for each in named)


@given(schemas(wrapped | undrawable), st.data())
def test_what_a_call_sends_is_what_it_was_given_by_either_name(schema: dict[str, Any], data: st.DataObject):
    tool = tool_of(schema)
    chosen: dict[str, Any] = {}
    for name, part in schema["properties"].items():
        if name in schema["required"] or data.draw(st.booleans()):
            listed = options_in(part)
            chosen[name] = data.draw(st.sampled_from(listed) if listed and data.draw(st.booleans()) else values)
    by_python = {python: chosen[own] for python, own in tool.names.items() if own in chosen}
    try:
        sent = tool.arguments(by_python)
    except UsageError:
        return  # what the schema does not allow; tests/unit/schema/test_arguments.py judges that
    assert key(sent) == key(chosen)
    assert key(tool.arguments(chosen)) == key(sent)
