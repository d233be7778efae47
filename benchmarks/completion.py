"""Tab with a thousand tools: how long it takes to complete, in lines of `%mcp` and in Python.

    python benchmarks/completion.py [TOOLS]

Beside it what IPython's own completion takes for an attribute of a plain object with as many, in the same run. The
median of twenty, and the slowest.
"""

from __future__ import annotations

import statistics
import sys
import time
from types import SimpleNamespace

from IPython.core.completer import provisionalcompleter
from IPython.core.interactiveshell import InteractiveShell
from mcp.server.mcpserver import MCPServer

from mcp_notebook import connect, load_ipython_extension

TRIES = 20


def main(count: int) -> None:
    """Print a table."""
    shell = InteractiveShell.instance()
    load_ipython_extension(shell)
    big = MCPServer("big")
    for number in range(count):

        def tool(place: str, number: int = number) -> str:
            return f"{place} {number}"

        big.add_tool(tool, name=f"tool_{number}")
    shell.user_ns["big"] = connect("big", big)
    shell.user_ns["plain"] = SimpleNamespace(**{f"tool_{number}": number for number in range(count)})
    cells = (
        "%mcp call big.tool_99",
        "%mcp call big.",
        "big.tools.tool_99",
        "big.tools.",
        "big.tools.tool_99(pl",
        "plain.tool_99",
    )
    print(f"| at the end of, with {count:,} tools | median | slowest |\n|:--|--:|--:|")
    with provisionalcompleter():
        for cell in cells:
            times: list[float] = []
            for _ in range(TRIES):
                began = time.perf_counter()
                found = list(shell.Completer.completions(cell, len(cell)))
                times.append(1000 * (time.perf_counter() - began))
                assert found, cell
            print(f"| `{cell}` | {statistics.median(times):.1f} ms | {max(times):.1f} ms |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1000)
