"""The functions of the package, for Python and for the magic."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from mcp_notebook.errors import UsageError
from mcp_notebook.process import registry
from mcp_notebook.types import Auth, ConfiguredServer, ProtocolMode, SamplingRequest

if TYPE_CHECKING:
    from mcp_notebook.answers.handler import Handler
    from mcp_notebook.servers.pins.guard import Pins
    from mcp_notebook.servers.server import Server


def connect(
    name: str,
    target: str | Sequence[str] | Any = None,
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    headers: Mapping[str, str] | None = None,
    transport: Literal["http", "sse"] | None = None,
    protocol: ProtocolMode = "auto",
    timeout: float | None = None,
    max_retries: int = 0,
    force_retries: bool = False,
    elicit: bool = True,
    on_elicit: Handler | None = None,
    bearer: str | None = None,
    auth: Auth | Any = None,
    allow_redirects: bool = False,
    roots: Sequence[str] = (),
    on_sample: Callable[[SamplingRequest], str | Awaitable[str]] | None = None,
    config: str | None = None,
) -> Server:
    """Connect a server.

    Args:
        name: What to call it here. Alone it means a built-in server (`"demo"`), or one of a configuration file.
        target: A URL; or a command as a list, `["npx", "-y", "…"]`; or an `MCPServer` object, to run in this process.
        env: For a command: variables added to its environment.
        cwd: For a command: its working directory.
        headers: For a URL: headers sent with every request.
        transport: For a URL: "http" (streamable HTTP, the default) or "sse".
        protocol: "auto" takes the newest that the server knows; "legacy" begins with `initialize`; "2026-07-28" is not
            negotiated at all.
        timeout: How long to wait for the server to come up (60 by default), and for each of its answers (600), in
            seconds. The clock stands still while a question is open, and starts anew when a tool reports progress.
        max_retries: For a URL: how many times a tool call is sent again after a transient fault of HTTP (429, 502, 503,
            504; Retry-After is honoured) or of the network, after which nobody knows whether the tool has run. What
            the server answers as such, an error too, is never repeated.
        force_retries: Whether also tools are called again that say that they are not idempotent (`idempotentHint`).
        elicit: Whether it may ask questions; without, it is told that nobody takes them (MCP specification,
            client/elicitation, "Capabilities").
        on_elicit: A handler for what it asks: see `set_handler`. One from an earlier connection of that name goes.
        bearer: For a URL: a token, sent as `Authorization: Bearer …`. Shown nowhere.
        auth: For a URL: how to sign in, where the server's own way is not enough: a client that was registered
            beforehand, or client credentials, with which nobody needs to be there. Or an `httpx2.Auth` of your own.
        allow_redirects: For a URL: whether to go where it sends requests, on another origin too. Your headers and
            tokens do not go along.
        roots: The folders that it may know of, if it is of the older era and asks for them (MCP specification
            2025-11-25, client/roots). Without, it is told of none.
        on_sample: Answers for a model, if it is of the older era and asks for one (client/sampling). You see what it
            sends, and what would go back, and agree to both; without this function it is told that there is none. It
            runs on a thread of its own and may be async; what it raises ends the call, and stays from the server.
        config: The configuration file to find `name` in. Without a target or this, it is looked for upward from the
            notebook's folder, then in the user's own files: see `%mcp config`.

    Returns:
        The connected server. It closes itself at the end of a `with` block, and with the process.

    Raises:
        UsageError: The arguments don't fit together.
        ConnectError: The server can't be reached, or does not speak MCP.
    """
    from mcp_notebook.answers.handler import handlers, require_handler
    from mcp_notebook.servers.specs import spec_for

    if on_elicit is not None:
        require_handler(on_elicit)
        if not elicit:
            raise UsageError("on_elicit answers what the server asks, and elicit=False lets it ask nothing")
    if bearer is not None:
        headers = {**(headers or {}), "Authorization": f"Bearer {bearer}"}
    spec = spec_for(
        name,
        target,
        env=env,
        cwd=cwd,
        headers=headers,
        transport=transport,
        protocol=protocol,
        timeout=timeout,
        max_retries=max_retries,
        force_retries=force_retries,
        elicit=elicit,
        config=config,
        auth=auth,
        allow_redirects=allow_redirects,
        roots=roots,
        on_sample=on_sample,
        ask=registry().ask,
    )
    before = handlers.own(name)
    handlers.set(on_elicit, name)  # signing in may ask already
    try:
        return registry().connect(spec)
    except BaseException:
        handlers.set(before, name)
        raise


def server(name: str) -> Server:
    """Give a server that is connected.

    Args:
        name: The name it was connected under.

    Raises:
        UsageError: None is; names those that are.
    """
    return registry().get(name)


def sign_out(name: str) -> bool:
    """Forget the sign-in to a server, and its tokens.

    Args:
        name: The name of a server that is connected or configured.

    Returns:
        Whether there was one.

    Raises:
        UsageError: There is no such server, or it is not reached by a URL.
    """
    from mcp_notebook.servers.auth.storage import Storage
    from mcp_notebook.servers.config.entries import configured as find

    known = {server.name: server.spec for server in registry().all()}
    spec = known.get(name) or find(name)
    if spec.url is None:
        msg = f"{name} is not reached by a URL: there is no signing in to it"
        raise UsageError(msg)
    if name in known:
        registry().disconnect(name)
    return Storage(spec.url).forget()


def configured(file: str | None = None) -> list[ConfiguredServer]:
    """List the servers of the configuration files, the nearest file first.

    Args:
        file: The one file to list.

    Raises:
        UsageError: A file is faulty.
    """
    from mcp_notebook.servers.config.listing import listing

    return listing(file, {server.name for server in registry().all()})


def set_handler(handler: Handler | None, server: str | None = None) -> None:
    """Let a function of your own answer what servers ask, before any answer written down and before you.

        def no_newsletter(question):
            if "newsletter" in question.schema.get("properties", {}):
                return {"username": "ada", "email": "ada@example.org", "newsletter": False}
            return ask_person

        set_handler(no_newsletter, "demo")

    Args:
        handler: Takes a `Question` and returns an `Answer`; a mapping, to accept with that content; "decline" or
            "cancel"; or `ask_person`, to leave it to the written answers and the person. What it accepts with is
            checked as a form's content is. What it raises ends the call. It runs in the thread of the call. It may be
            async: then it runs on the loop where your objects live, in a notebook the kernel's own, also while a plain
            `%mcp call` blocks that; for a call from a thread of your own, on a new loop there. None takes the handler
            away.
        server: The name of a connected server; without, all servers that have no handler of their own.

    Raises:
        UsageError: It is no function, or no such server is connected.
    """
    from mcp_notebook.answers.handler import handlers

    if server is not None:
        registry().get(server)
    handlers.set(handler, server)


def pins() -> Pins:
    """The pins: what servers' tools were when a person agreed to them, and whose annotations count."""
    from mcp_notebook.servers.pins.guard import pins

    return pins()


def ask_model(
    prompt: str,
    *,
    model: str | None = None,
    servers: Sequence[str] | None = None,
    max_steps: int | None = None,
    approve: Literal["writes", "always", "never"] | None = None,
    new: bool = False,
) -> None:
    """Go on with the conversation of `%%mcp ask`; what is None stays as it was.

    Args:
        prompt: What the person says; nothing is asked where it is empty.
        model: See `Chat`, as for the others.
        servers: The names of the servers whose tools the model may call.
        max_steps: How many times it may call tools.
        approve: Which calls the person is asked about.
        new: Whether to begin anew.

    Raises:
        UsageError, ModelError, ServerError, NoAnswerError, KeyboardInterrupt: As `Chat.ask` does.
    """
    from mcp_notebook.chats import current

    if new:
        current.cache_clear()
    chat = current()
    given = {"model": model, "servers": servers, "max_steps": max_steps, "approve": approve}
    if prompt:
        for name, value in given.items():
            if value is not None:
                setattr(chat, name, value)
        chat.ask(prompt)


def close_all() -> None:
    """Close every server of this process, trust none any more, and forget what was said."""
    pins().reset()
    if chats := sys.modules.get("mcp_notebook.chats"):
        chats.current.cache_clear()
    if registry.cache_info().currsize:
        registry().close_all()
