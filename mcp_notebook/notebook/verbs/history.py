"""`%mcp history`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcp_notebook.answers.history import Asked, history
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.router import install, is_attended
from mcp_notebook.notebook.verb import Parser, Request, Verb

_DID = {"accept": "accepted", "decline": "declined", "cancel": "cancelled"}


class _Json(str):
    """A text that is shown as it is."""

    def __repr__(self) -> str:
        return str(self)


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="SERVER", nargs="?", help="only what this server asked")
    parser.add_argument("--json", action="store_true", help="give all of it as JSON, a text that can be kept")


def _run(request: Request) -> Page | _Json:
    asked = history().of(request.options.name and request.options.name.text)
    if request.options.json:
        return _Json(json.dumps([each.plain() for each in asked], indent=2))
    if not asked:
        return Page().note("Nothing has been asked.")
    columns = ("server", "tool", "message", "outcome", "by", "content")
    rows = [_row(each) for each in reversed(asked)]
    router = install()
    if router is None or is_attended(router.request()):  # else no two runs would be the same
        columns = ("when (UTC)", *columns)
        rows = [(f"{each.when:%Y-%m-%d %H:%M:%S}", *row) for each, row in zip(reversed(asked), rows, strict=True)]
    return Page("%mcp history --json").table(columns, rows)


def _row(asked: Asked) -> tuple[str, ...]:
    return (
        asked.server,
        asked.tool or "",
        asked.message if asked.host is None else f"{asked.message} ({asked.host})",
        _DID[asked.action] if asked.action else asked.unanswered or "",
        asked.source or "",
        _values(asked.content or {}),
    )


def _values(content: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}: {_shown(value)}" for name, value in content.items())


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


VERB = Verb(
    name="history",
    summary="Show what servers asked in this session, and what was answered by whom.",
    examples="""\
  %mcp history
  %mcp history demo
  kept = %mcp history --json

The newest comes first; the JSON has them in the order they were answered. Secrets are masked,
and never kept. The last 1,000 questions are, until the kernel ends. Where nobody is at the
keyboard, the table leaves out when it was, so that two runs show the same.""",
    arguments=_arguments,
    run=_run,
)
