"""`%mcp connect`."""

from __future__ import annotations

import os
from typing import Any

from mcp_notebook.answers.plain import plain
from mcp_notebook.errors import McpNotebookError, UsageError
from mcp_notebook.notebook.line import Word
from mcp_notebook.notebook.verb import Connection, Parser, Request, Verb
from mcp_notebook.types import Auth, Question

_TOKEN = {"type": "string", "title": "Token", "format": "password"}


def _arguments(parser: Parser) -> None:
    parser.usage = (
        "%(prog)s NAME [TARGET] [options]\n       %(prog)s NAME [options] -- COMMAND [ARG ...]\n"
        "       %(prog)s --all [--config FILE]"
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="what to call the server here; alone, its name in a "
                        "configuration file")  # fmt: skip
    parser.add_argument("target", metavar="TARGET", nargs="?", help="a URL, or a variable that holds a server object")
    parser.add_argument("--env", metavar="K=V", action="append", default=[], help="a variable for the command")
    parser.add_argument("--cwd", metavar="DIR", help="the folder to run the command in")
    parser.add_argument("--header", metavar='"K: V"', action="append", default=[], help="a header for the URL")
    parser.add_argument("--bearer-env", metavar="VARIABLE", help="the environment variable with the URL's token")
    parser.add_argument("--ask-bearer", action="store_true", help="ask for the URL's token, hidden, in a form")
    parser.add_argument("--client-id", metavar="ID", help="sign in with the client that was registered under this id")
    parser.add_argument("--client-secret-env", metavar="VARIABLE", help="the environment variable with its secret")
    parser.add_argument("--client-credentials", action="store_true", help="sign in as that client, with nobody there")
    parser.add_argument("--scope", metavar="S", help="the scopes to ask for, in quotes where there are several")
    parser.add_argument("--config", metavar="FILE", help="the configuration file to look in")
    parser.add_argument("--all", action="store_true", help="connect every server of the nearest configuration file")
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
    parser.add_argument("--allow-redirects", action="store_true",
                        help="go where the URL sends requests, on another host too; tokens stay behind")  # fmt: skip
    parser.add_argument("--root", metavar="DIR", action="append", default=[],
                        help="a folder that the server may know of, if it asks (older servers)")  # fmt: skip
    parser.add_argument("--no-elicit", action="store_true", help="let it ask nothing")


def _run(request: Request) -> None:
    options = request.options
    if options.all:
        return _connect_all(request)
    if options.name is None:
        raise UsageError("%mcp connect: say which: NAME, or --all for those of a configuration file")
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
        bearer=_bearer(request),
        auth=_auth(request),
        allow_redirects=options.allow_redirects,
        roots=[word.text for word in options.root],
        config=options.config and options.config.text,
    )
    return print(connected(server))


def _connect_all(request: Request) -> None:
    options = request.options
    if options.name is not None or request.command:
        raise UsageError("%mcp connect: --all takes no NAME")
    found = request.api.configured(options.config and options.config.text)
    nearest = [server for server in found if server.file == found[0].file and server.state != "off"]
    if not nearest:
        raise UsageError("no server is configured; %mcp config --help tells where they are looked for")
    failed: list[str] = []
    for each in nearest:
        try:
            print(connected(request.api.connect(each.name, config=str(each.file), elicit=not options.no_elicit)))
        except McpNotebookError as error:
            failed.append(each.name)
            print(f"{each.name} is not connected: {plain(getattr(error, 'problem', str(error)))}")
    if failed:
        raise UsageError(f"not connected: {', '.join(failed)}; the others are. Mend them in {nearest[0].file}")


def _auth(request: Request) -> Auth | None:
    options = request.options
    if not (options.client_id or options.scope or options.client_secret_env or options.client_credentials):
        return None
    if (options.client_secret_env or options.client_credentials) and not options.client_id:
        raise UsageError("%mcp connect: a client's secret and credentials go with --client-id")
    return Auth(
        client_id=options.client_id and options.client_id.text,
        client_secret=options.client_secret_env and _environment("--client-secret-env", options.client_secret_env),
        scope=options.scope and options.scope.text,
        client_credentials=options.client_credentials,
    )


def _environment(option: str, variable: Word) -> str:
    if variable.text not in os.environ:
        raise UsageError(f"{option}: the environment variable {variable.text} is not set")
    return os.environ[variable.text]


def _bearer(request: Request) -> str | None:
    variable: Word | None = request.options.bearer_env
    if variable is not None:
        return _environment("--bearer-env", variable)
    if not request.options.ask_bearer:
        return None
    name = request.options.name.text
    schema = {"type": "object", "properties": {"token": _TOKEN}, "required": ["token"]}
    question = Question(server=name, message="Which token shall be sent with each request?", schema=schema, own=True)
    answer = request.api.registry().ask(question)
    if answer.action != "accept":
        raise UsageError(f"{name} is not connected: it was given no token")
    return str((answer.content or {})["token"])


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
  %mcp connect api https://example.org/mcp --header "Authorization: Bearer "{token}
  %mcp connect api https://example.org/mcp --bearer-env API_TOKEN""",
    arguments=_arguments,
    run=_run,
    takes_command=True,
)
