"""Completion in a line of `%mcp`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mcp_notebook.notebook.completion.words import beginning, configured_names, in_line, options_of, variables_of
from mcp_notebook.notebook.verb import Api, Connection, Verb

_MAGIC = re.compile(r"^\s*(?:[\w., ()\[\]'\"]+?=\s*)?%%?mcp(?=\s)")
_WORD = re.compile(r"""(?:"[^"]*"?|'[^']*'?|\{[^{}]*\}?|[^\s"'{])+""")

ALL_SERVERS = ("tools", "describe", "call", "stubs", "resources", "read", "prompts", "prompt", "logs", "answer",
               "history", "reconnect", "disconnect", "login", "logout", "config", "servers", "pin", "drift", "approve",
               "trust")  # fmt: skip


def line_of(text: str) -> str | None:
    """Give what stands between `%mcp` and the cursor; None where the cursor is in no such line.

    Args:
        text: The cell up to the cursor.
    """
    line = text.rpartition("\n")[2]
    magic = _MAGIC.match(line)
    return None if magic is None else line[magic.end() :]


@dataclass(frozen=True)
class _Typed:
    """A line under way."""

    words: Sequence[str]
    """The words before the one that the cursor is in, but for the verb's name."""
    fragment: str
    """The beginning of the word that the cursor is in."""
    servers: Mapping[str, Connection]

    @property
    def given(self) -> dict[str, str]:
        """The arguments that are written already, as far as they can be read."""
        pairs = [word.partition("=") for word in self.words if "=" in word]
        return {name: value.strip("\"'") for name, _, value in pairs}


def complete_line(line: str, api: Api) -> tuple[str, list[str]]:
    """Complete a line of `%mcp`.

    Args:
        line: What stands between `%mcp` and the cursor.
        api: Knows the servers.

    Returns:
        The end of the line that is to be replaced, and what may stand in its place.
    """
    from mcp_notebook.notebook.verbs import VERBS

    words = [match[0] for match in _WORD.finditer(line)]
    fragment = words.pop() if words and not line[-1:].isspace() else ""
    if "--" in words:  # a command of the user's own
        return fragment, []
    if not words:
        return fragment, beginning([*VERBS, "--help"], fragment)
    verb = VERBS.get(words[0])
    if verb is None:
        return fragment, []
    if fragment.startswith("-"):
        return fragment, beginning(_options(verb), fragment)
    if choices := _choices(verb, words[-1]):
        return fragment, beginning(choices, fragment)
    if words[-1] == "--servers":  # several, with commas between
        last = fragment.rpartition(",")[2]
        return last, beginning([server.name for server in api.registry().all()], last)
    servers = {server.name: server for server in api.registry().all()}
    return _words(verb, _Typed(words[1:], fragment, servers), api)


def _options(verb: Verb) -> list[str]:
    return ["--help", *verb.parser().option_strings]


def _choices(verb: Verb, option: str) -> list[str]:
    return verb.parser().choices_of(option) if option.startswith("-") else []


def _words(verb: Verb, typed: _Typed, api: Api) -> tuple[str, list[str]]:
    first = not [word for word in typed.words if not word.startswith("-")]
    match verb.name:
        case "connect":
            return typed.fragment, beginning(["demo", *configured_names(api)], typed.fragment) if first else []
        case "describe" | "call":
            return _of_tool(typed, first, calls=verb.name == "call")
        case "prompt":
            return _of_prompt(typed, first)
        case "read":
            return _of_resource(typed)
        case "approve" if not first:
            named = typed.servers.get(typed.words[0])
            return typed.fragment, beginning(named.known_tools, typed.fragment) if named is not None else []
        case name if name in ALL_SERVERS and first:
            return typed.fragment, beginning(typed.servers, typed.fragment)
        case _:
            return typed.fragment, []


def _of_tool(typed: _Typed, first: bool, *, calls: bool) -> tuple[str, list[str]]:
    if first:
        return typed.fragment, _dotted(typed, lambda server: server.known_tools)
    server, name = _owner(typed, lambda server: server.known_tools)
    if server is None or not calls:
        return typed.fragment, []
    schema = server.known_tools[name].info.input_schema
    argument, equals, value = typed.fragment.partition("=")
    if not equals:
        names = [str(each) for each in schema.get("properties", {}) if str(each) not in typed.given]
        return typed.fragment, beginning([f"{each}=" for each in names if "=" not in each], typed.fragment)
    offered = [in_line(option) for option in options_of(schema, argument)]
    return value, beginning(offered, value) or beginning(offered, f'"{value}')


def _of_prompt(typed: _Typed, first: bool) -> tuple[str, list[str]]:
    if first:
        return typed.fragment, _dotted(typed, lambda server: server.hints.prompts)
    server, name = _owner(typed, lambda server: server.hints.prompts)
    if server is None:
        return typed.fragment, []
    argument, equals, value = typed.fragment.partition("=")
    if not equals:
        names = [each for each in server.hints.prompts[name].arguments if each not in typed.given]
        return typed.fragment, beginning([f"{each}=" for each in names], typed.fragment)
    offered = server.hints.values(argument, value.strip("\"'"), prompt=name, context=typed.given)
    return value, _fitting(offered, value)


def _of_resource(typed: _Typed) -> tuple[str, list[str]]:
    named = typed.servers.get(typed.words[0]) if typed.words else None
    servers, words = ([named], typed.words[1:]) if named is not None else (list(typed.servers.values()), typed.words)
    if not words:
        uris = [_braced(uri) for server in servers for uri in (*server.hints.resources, *server.hints.templates)]
        names = [] if named is not None else [*typed.servers]
        return typed.fragment, beginning([*uris, *names], typed.fragment)
    template = words[0].replace("{{", "{").replace("}}", "}")
    owner = next((server for server in servers if template in server.hints.templates), None)
    if owner is None:
        return typed.fragment, []
    variable, equals, value = typed.fragment.partition("=")
    if not equals:
        missing = [f"{each}=" for each in variables_of(template) if each not in typed.given]
        return typed.fragment, beginning(missing, typed.fragment)
    offered = owner.hints.values(variable, value.strip("\"'"), template=template, context=typed.given)
    return value, _fitting(offered, value)


def _dotted(typed: _Typed, things: Any) -> list[str]:
    """Give `SERVER.THING` of all servers; only the servers' names where there are many and nothing is typed yet."""
    found = [f"{name}.{each}" for name, server in typed.servers.items() for each in things(server)]
    return beginning(found, typed.fragment)


def _owner(typed: _Typed, things: Any) -> tuple[Connection | None, str]:
    named = next(word for word in typed.words if not word.startswith("-"))
    owners = [server for name, server in typed.servers.items() if named.startswith(f"{name}.")]
    for server in sorted(owners, key=lambda server: -len(server.name)):
        if (own := named[len(server.name) + 1 :]) in things(server):
            return server, own
    return None, ""


def _braced(uri: str) -> str:
    """Write a URI as a line has it, where braces are Python's."""
    return uri.replace("{", "{{").replace("}", "}}")


def _fitting(offered: Iterable[str], value: str) -> list[str]:
    """Write values that a server offers for what is typed, which need not begin like it."""
    return [in_line(each) for each in offered if each.isprintable() and len(each) <= 200] if value[:1] != "'" else []
