"""What has become of a server's tools since they were last seen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mcp_notebook.servers.shown import escaped
from mcp_notebook.types import ToolInfo

_MAX_NAMES = 10


def told(before: Mapping[str, ToolInfo], now: Mapping[str, ToolInfo]) -> str:
    """Say which tools were added, removed and changed; empty when none was.

    Args:
        before: The tools as they were, by name.
        now: The tools as they are.
    """
    changes = {
        "added": [name for name in now if name not in before],
        "removed": [name for name in before if name not in now],
        "changed": [name for name, tool in now.items() if name in before and before[name] != tool],
    }
    return ", ".join(f"{kind}: {_listed(names)}" for kind, names in changes.items() if names)


def _listed(names: Iterable[str]) -> str:
    shown = [escaped(name, 60) for name in names]
    more = f" and {len(shown) - _MAX_NAMES} more" if len(shown) > _MAX_NAMES else ""
    return f"{' '.join(shown[:_MAX_NAMES])}{more}"
