"""`%mcp connect`."""

from __future__ import annotations

from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.notebook.line import Word
from mcp_notebook.notebook.verb import Connection, Parser, Request, Verb


def _arguments(parser: Parser) -> None:
    parser.usage = "%(prog)s NAME [TARGET] [options]\n       %(prog)s NAME [options] -- COMMAND [ARG ...]"
    parser.add_argument("name", metavar="NAME", help="what to call the server here")
    parser.add_argument("target", metavar="TARGET", nargs="?", help="a URL, or a variable that holds a server object")
    parser.add_argument("--env", metavar="K=V", action="append", default=[], help="a variable for the command")
    parser.add_argument("--cwd", metavar="DIR", help="the folder to run the command in")
    parser.add_argument("--header", metavar='"K: V"', action="append", default=[], help="a header for the URL")
    parser.add_argument("--transport", choices=("http", "sse"), help="how to speak to the URL (default: http)")
    parser.add_argument("--protocol", choices=("auto", "legacy", "2026-07-28"), default="auto",
                        help="which protocol to speak (default: auto, the newest that the server knows)")  # fmt: skip
    parser.add_argument(
        "--timeout",
        metavar="SECONDS",
        help="how long to wait for the server (default: 60), and for an answer (default: 600)",
    )
    parser.add_argument("--max-retries", metavar="N", type=int, default=0,
                        help="send a tool call again after a transient fault of HTTP or the network, up to N times; "
                        "only for tools that may run twice (default: 0)")  # fmt: skip
    parser.add_argument("--force-retries", action="store_true",
                        help="do so for tools too that say they must not run twice")  # fmt: skip
    parser.add_argument("--no-elicit", action="store_true", help="let it ask nothing")


def _run(request: Request) -> None:
    options = request.options
    server = request.api.connect(
        options.name.text,
        _target(request),
        env=dict(_variable(word.text) for word in options.env) or None,
        cwd=options.cwd and options.cwd.text,
        headers=dict(_header(word.text) for word in options.header) or None,
        transport=options.transport and str(options.transport),
        protocol=str(options.protocol),
        timeout=_seconds(options.timeout),
        max_retries=options.max_retries,
        force_retries=options.force_retries,
        elicit=not options.no_elicit,
    )
    print(connected(server))


def connected(server: Connection) -> str:
    """Say in one line what is connected. None of it is a server's own text: a frontend would make links of it."""
    count = len(server.tools)
    tools = f"{count} tool{'' if count == 1 else 's'}"
    how = f"protocol {server.protocol_version} by {server.transport}"
    return f"{server.name} is connected ({how}): {tools}. Try: %mcp tools {server.name}"


def _target(request: Request) -> Any:
    target: Word | None = request.options.target
    if request.command:
        if target is not None:
            raise UsageError("%mcp connect: give a target or a command after --, not both")
        return [word.text for word in request.command]
    if target is None:
        return None
    if target.evaluated or "://" in target:
        return target.value if target.evaluated else target.text
    if target.text in request.namespace:
        return request.namespace[target.text]
    raise UsageError(f"{target}: neither a URL nor a variable of this notebook; a command goes after --")


def _variable(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError("--env takes NAME=VALUE")
    return name, value


def _header(text: str) -> tuple[str, str]:
    key, colon, value = text.partition(":")
    if not colon or not key.strip():
        raise UsageError('--header takes "NAME: VALUE", in quotes')
    return key.strip(), value.strip()


def _seconds(word: Word | None) -> float | None:
    if word is None:
        return None
    try:
        return float(word.value)
    except (TypeError, ValueError):
        raise UsageError("--timeout takes a number of seconds, such as 30") from None


VERB = Verb(
    name="connect",
    summary="Connect a server: built in, by URL, by command, or an object of this notebook.",
    examples="""\
  %mcp connect demo
  %mcp connect weather http://127.0.0.1:8000/mcp --header "X-Team: maps"
  %mcp connect files -- npx -y @modelcontextprotocol/server-filesystem {folder}
  %mcp connect mine my_server      (a cell above has my_server = MCPServer("mine"))

{expression} and $name are filled in with Python, outside quotes. So a secret need not
stand in the cell:
  %mcp connect api https://example.org/mcp --header "Authorization: Bearer "{token}""",
    arguments=_arguments,
    run=_run,
    takes_command=True,
)
