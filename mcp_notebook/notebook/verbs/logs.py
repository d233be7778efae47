"""`%mcp logs`."""

from __future__ import annotations

from datetime import datetime

from mcp_notebook.answers.plain import one_line
from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.page import Page
from mcp_notebook.notebook.verb import Parser, Request, Verb
from mcp_notebook.types import LOG_LEVELS, LogRecord

_LAST = 50


def _arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", help="the server")
    parser.add_argument("--level", metavar="LEVEL", choices=(*LOG_LEVELS, "stderr"),
                        help="this level and those above it; stderr is what its process wrote there")  # fmt: skip
    parser.add_argument("--last", metavar="N", help=f"how many records (default: {_LAST})")


def _run(request: Request) -> Page:
    options = request.options
    server = request.api.registry().get(options.name.text)
    records = [record for record in server.logs if _fits(record, options.level)]
    last = _number(options.last.text) if options.last else _LAST
    if not records:
        return Page().note(f"{server.name} has said nothing.")
    rows = [_row(record) for record in records[-last:]]
    page = Page(whole=f"server({server.name!r}).logs").table(("time", "level", "from", "text"), rows)
    return page if len(rows) == len(records) else page.note(f"the last {len(rows)} of {len(records)} records")


def _fits(record: LogRecord, level: str | None) -> bool:
    if level is None or level == "stderr" or record.level not in LOG_LEVELS:
        return level in (None, record.level)
    return LOG_LEVELS.index(record.level) >= LOG_LEVELS.index(level)


def _number(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise UsageError("--last takes a whole number from 1 on")
    return int(text)


def _row(record: LogRecord) -> tuple[str, str, str, str]:
    time = datetime.fromtimestamp(record.time).strftime("%H:%M:%S")
    return time, record.level, one_line(record.logger, 60), record.text


VERB = Verb(
    name="logs",
    summary="Show what a server has said of its work: its log messages and its stderr.",
    examples="  %mcp logs demo\n  %mcp logs demo --level warning --last 10",
    arguments=_arguments,
    run=_run,
)
