"""What `%mcp` alone says: what is connected, and three things to do next."""

from __future__ import annotations

from mcp_notebook.answers.history import history
from mcp_notebook.answers.plain import one_line
from mcp_notebook.notebook.verb import Api, Connection

_BEGIN = """\
%mcp connects MCP servers and calls their tools from this notebook. To begin:

  %mcp connect demo
  %mcp tools demo
  %mcp call demo.greet

%mcp --help lists all it can do."""


def start(api: Api) -> str:
    """Say how things are and what to do next; asks no server anything.

    Args:
        api: Knows the servers.
    """
    servers = [server for server in api.registry().all() if server.state != "closed"]
    if not servers:
        return _BEGIN
    told = "\n".join(f"  {one_line(server.name, 60)}: {_state(server)}" for server in servers)
    steps = "\n".join(f"  {step}" for step in _steps(servers))
    return f"Connected:\n\n{told}\n\nTo go on:\n\n{steps}\n\n%mcp --help lists all it can do."


def _state(server: Connection) -> str:
    tools = len(server.known_tools)
    gone = ", gone: it is connected again when it is used next" if server.state == "gone" else ""
    return f"{tools} tool{'' if tools == 1 else 's'}{gone}"


def _steps(servers: list[Connection]) -> list[str]:
    server = next((each for each in servers if each.known_tools), servers[0])
    steps = [f"%mcp tools {server.name}"]
    tools = [
        tool.info for tool in server.known_tools.values() if tool.info.name.isascii() and " " not in tool.info.name
    ]
    ready = next((tool for tool in tools if not tool.input_schema.get("required")), None)
    if ready is not None:
        steps.append(f"%mcp call {server.name}.{ready.name}")
    elif tools:
        steps.append(f"%mcp describe {server.name}.{tools[0].name}")
    asked = any(True for _ in history().of(None))
    steps.append("%mcp history" if asked else '%mcp ask "What can your tools do?"')
    return steps
