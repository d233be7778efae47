"""Structured content checked against the output schema that the tool declares (MCP specification, server/tools).

The SDK would do that with jsonschema, which takes two seconds to import where JupyterLab is installed and all of its
formats with it, stops every connection meanwhile, and gives nothing back of what the tool did.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from mcp_notebook.errors import ResultError
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.bounds import Uncheckable
from mcp_notebook.schema.check import problems
from mcp_notebook.schema.limits import in_line
from mcp_notebook.schema.words import dotted, sentence

if TYPE_CHECKING:
    from mcp.types import CallToolResult

_SHOWN_PROBLEMS = 3


async def unchecked(name: str, result: CallToolResult) -> None:
    """Stand in for the check of the SDK: `require_declared` does it."""


def require_declared(result: ToolResult, tell: Callable[[str], None]) -> None:
    """Make sure that a result is what its tool declares.

    Args:
        result: The result; one that is an error need not be.
        tell: Is told where the schema is such that nothing can be said; then the result passes.

    Raises:
        ResultError: It is not, or has no structured content at all.
    """
    if result.output_schema is None or result.is_error:
        return
    try:
        found = problems(result.output_schema, result.structured, formats=False)
    except Uncheckable as broken:
        name = in_line(f"{result.server}.{result.tool}", 100)
        tell(f"{name}: its result can't be checked against the schema that it declares: {broken}")
        return
    if not found:
        return
    told = dict.fromkeys(sentence(dotted(each.path) or "the whole", each.text) for each in found[:_SHOWN_PROBLEMS])
    problem = f"what it gave back is not what it declares: {in_line('; '.join(told), 500)}"
    if result.structured is None:
        problem = "it declares structured content, and gave none back"
    raise ResultError(
        result.server,
        f"{in_line(result.tool, 100)}: {problem}. That is the server's fault; the error's `.result` holds all of it",
        result,
    )
