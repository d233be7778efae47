"""MCP servers in a Jupyter notebook, with forms for what they ask."""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

from mcp_notebook import controls
from mcp_notebook.api import connect, server, set_handler
from mcp_notebook.errors import (
    ConnectError,
    ConnectionLost,
    MapError,
    McpNotebookError,
    ModelError,
    NoAnswerError,
    ProtocolError,
    ResultError,
    ServerError,
    ServerTimeout,
    ToolError,
    UsageError,
)
from mcp_notebook.results import PromptResult, ResourceResult, ToolResult
from mcp_notebook.types import Answer, Auth, LogRecord, PromptInfo, Question, ResourceInfo, SamplingRequest, ToolInfo

if TYPE_CHECKING:
    from mcp_notebook.answers.block import answering
    from mcp_notebook.answers.handler import ask_person
    from mcp_notebook.chat.turns import Reply
    from mcp_notebook.chats import Chat
    from mcp_notebook.servers.declared import DeclaredTool
    from mcp_notebook.servers.mapped import Mapped
    from mcp_notebook.servers.pins.fingerprints import detect_drift, fingerprint_tools
    from mcp_notebook.servers.server import Server
    from mcp_notebook.servers.tools import Tool, Tools

__version__ = "0.1.0"

__all__ = [
    "Answer",
    "Auth",
    "Chat",
    "ConnectError",
    "ConnectionLost",
    "DeclaredTool",
    "LogRecord",
    "MapError",
    "Mapped",
    "McpNotebookError",
    "ModelError",
    "NoAnswerError",
    "PromptInfo",
    "PromptResult",
    "ProtocolError",
    "Question",
    "Reply",
    "ResourceInfo",
    "ResourceResult",
    "ResultError",
    "SamplingRequest",
    "Server",
    "ServerError",
    "ServerTimeout",
    "Tool",
    "ToolError",
    "ToolInfo",
    "ToolResult",
    "Tools",
    "UsageError",
    "answering",
    "ask_person",
    "connect",
    "controls",
    "detect_drift",
    "fingerprint_tools",
    "load_ipython_extension",
    "server",
    "set_handler",
    "unload_ipython_extension",
]


def load_ipython_extension(ip: Any) -> None:
    """Set up `%mcp` and the display of results: what `%load_ext mcp_notebook` calls."""
    from mcp_notebook import api
    from mcp_notebook.notebook import completion, failures
    from mcp_notebook.notebook.magic import McpMagics
    from mcp_notebook.notebook.results import bundle, prompt_bundle, resource_bundle
    from mcp_notebook.notebook.results.many import many_bundle
    from mcp_notebook.servers import loop

    ip.register_magics(McpMagics(ip, api))
    for kind, show in ((ToolResult, bundle), (ResourceResult, resource_bundle), (PromptResult, prompt_bundle)):
        ip.display_formatter.mimebundle_formatter.for_type(kind, show)
    ip.display_formatter.mimebundle_formatter.for_type(_MAPPED, many_bundle)  # by name: its room is not loaded yet
    failures.install()
    completion.install(ip, api)
    loop.warm()  # last: from here on the import takes turns with this thread


def unload_ipython_extension(ip: Any) -> None:
    """Take away what `load_ipython_extension` set up, and close every server: what `%unload_ext` calls."""
    from mcp_notebook.answers.handler import handlers
    from mcp_notebook.answers.recording import recorder
    from mcp_notebook.answers.script import script
    from mcp_notebook.api import close_all
    from mcp_notebook.notebook import completion, failures

    close_all()
    failures.uninstall()
    completion.uninstall(ip)
    script.cache_clear()
    recorder().stop()
    handlers.clear()
    for magics in ip.magics_manager.magics.values():
        magics.pop("mcp", None)
    ip.magics_manager.registry.pop("McpMagics", None)
    for kind in (ToolResult, ResourceResult, PromptResult, _MAPPED):
        ip.display_formatter.mimebundle_formatter.pop(kind, None)
    if router := sys.modules.get("mcp_notebook.notebook.router"):
        router.uninstall()


_MAPPED = "mcp_notebook.servers.mapped.Mapped"

# Not on top: the rest of their rooms is needed by those alone who use them.
_LAZY = {
    "Chat": "mcp_notebook.chats",
    "DeclaredTool": "mcp_notebook.servers.declared",
    "Mapped": "mcp_notebook.servers.mapped",
    "Reply": "mcp_notebook.chat.turns",
    "Server": "mcp_notebook.servers.server",
    "Tool": "mcp_notebook.servers.tools",
    "Tools": "mcp_notebook.servers.tools",
    "answering": "mcp_notebook.answers.block",
    "ask_person": "mcp_notebook.answers.handler",
    "detect_drift": "mcp_notebook.servers.pins.fingerprints",
    "fingerprint_tools": "mcp_notebook.servers.pins.fingerprints",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
