"""What a server offers beside its tools: resources, templates of resources, and prompts."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal

from mcp_notebook.errors import UsageError
from mcp_notebook.results import PromptResult, ResourceResult
from mcp_notebook.schema.values import as_list
from mcp_notebook.servers.elicitation import Call
from mcp_notebook.servers.listing import listed
from mcp_notebook.servers.session import Session
from mcp_notebook.types import PromptInfo, ResourceInfo

if TYPE_CHECKING:
    from mcp import Client
    from mcp.types import Prompt, PromptReference, ResourceTemplateReference

Kind = Literal["resources", "templates", "prompts"]


@dataclass(frozen=True, kw_only=True)
class Completion:
    """What is to be completed: an argument of a prompt, or a variable of a template of resources."""

    prompt: str | None
    template: str
    argument: str
    value: str
    """How it begins."""
    context: Mapping[str, str]
    """The arguments that are known already."""


class Offers:
    """Lists and fetches what a server offers. Lists are kept until the server says that they have changed.

    Args:
        session: The server.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lists: dict[Kind, tuple[int, Mapping[str, Any]]] = {}

    def known(self, kind: Kind) -> Mapping[str, Any] | None:
        """Give a list that is still good, if there is one."""
        version, found = self._lists.get(kind, (-1, {}))
        return found if version == self._version(kind) else None

    async def fetch(self, call: Call, kind: Kind) -> Mapping[str, Any]:
        """List what there is of a kind, by URI or name; nothing where the server has no such method."""
        await self._session.connected(call)
        version = self._version(kind)
        items = await self._session.run(call, lambda client: self._list(client, kind))
        found: Mapping[str, Any] = MappingProxyType(items)
        self._lists[kind] = version, found
        return found

    async def read(self, call: Call, uri: str) -> ResourceResult:
        """Read a resource (MCP specification, server/resources)."""
        answer = await self._session.run(call, lambda client: client.read_resource(uri))
        return ResourceResult(server=self._session.spec.name, uri=uri, contents=tuple(answer.contents))

    async def prompt(self, call: Call, name: str, arguments: Mapping[str, object]) -> PromptResult:
        """Get a prompt (MCP specification, server/prompts).

        Raises:
            UsageError: There is no such prompt, or an argument is missing or unknown.
        """
        prompts = self.known("prompts") or await self.fetch(call, "prompts")
        if name not in prompts:
            near = difflib.get_close_matches(name, prompts, 1)
            known = f"did you mean {near[0]}?" if near else f"it has {', '.join(prompts) or 'none'}"
            msg = f"{self._session.spec.name} has no prompt {name}; {known}"
            raise UsageError(msg)
        sent = _checked(prompts[name], arguments)
        answer = await self._session.run(call, lambda client: client.get_prompt(name, sent))
        return PromptResult(
            server=self._session.spec.name,
            name=name,
            description=answer.description or "",
            messages=tuple(answer.messages),
        )

    async def complete(self, call: Call, asked: Completion) -> list[str]:
        """Ask for completions of an argument (MCP specification, server/utilities/completion).

        Raises:
            UsageError: The server offers none.
        """
        from mcp.types import PromptReference, ResourceTemplateReference

        connection = await self._session.connected(call)
        if connection.client.server_capabilities.completions is None:
            msg = f"{self._session.spec.name} offers no completions"
            raise UsageError(msg)
        ref: PromptReference | ResourceTemplateReference = (
            ResourceTemplateReference(uri=asked.template)
            if asked.prompt is None
            else PromptReference(name=asked.prompt)
        )
        argument, context = {"name": asked.argument, "value": asked.value}, dict(asked.context) or None
        answer = await self._session.run(call, lambda client: client.complete(ref, argument, context))
        return list(answer.completion.values)

    def _version(self, kind: Kind) -> int:
        return self._session.versions["prompts" if kind == "prompts" else "resources"]

    async def _list(self, client: Client, kind: Kind) -> dict[str, Any]:
        from mcp import MCPError
        from mcp.types import METHOD_NOT_FOUND

        server = self._session.spec.name
        try:
            if kind == "prompts":
                prompts = await listed(client.list_prompts, lambda page: page.prompts)
                return {prompt.name: _prompt(server, prompt) for prompt in prompts}
            if kind == "templates":
                templates = await listed(client.list_resource_templates, lambda page: page.resource_templates)
                found = {each.uri_template: (each, None) for each in templates}
            else:
                resources = await listed(client.list_resources, lambda page: page.resources)
                found = {str(each.uri): (each, each.size) for each in resources}
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND:
                return {}
            raise
        return {
            uri: ResourceInfo(
                server=server,
                uri=uri,
                name=each.name,
                title=each.title,
                description=each.description or "",
                mime_type=each.mime_type,
                size=size,
            )
            for uri, (each, size) in found.items()
        }


def expanded(template: str, variables: Mapping[str, object]) -> str:
    """Fill in a template of resources (RFC 6570).

    Args:
        template: The template; what has no braces is no template, and stays as it is.
        variables: What to put in for its variables; those of a query may be left out.

    Raises:
        UsageError: It is no template, or a variable is missing or unknown; names it.
    """
    if "{" not in template and not variables:
        return template
    from mcp.shared.uri_template import UriTemplate

    try:
        parsed = UriTemplate.parse(template)
    except ValueError as error:
        msg = f"{template} is no template of resources: {error}"
        raise UsageError(msg) from None
    needed = [variable.name for variable in parsed.variables if variable.operator not in ("?", "&")]
    unknown = [name for name in variables if name not in parsed.variable_names]
    missing = [name for name in needed if name not in variables]
    for name in (*unknown, *missing):
        takes = ", ".join(parsed.variable_names) or "nothing"
        msg = f"{template} takes {takes}; {name} is {'unknown' if name in unknown else 'missing'}"
        raise UsageError(msg)
    return parsed.expand({name: _variable(value) for name, value in variables.items()})


def _variable(value: object) -> str | list[str]:
    items = as_list(value)
    return str(value) if items is None else [str(item) for item in items]


def _checked(prompt: PromptInfo, given: Mapping[str, object]) -> dict[str, str]:
    """Check the arguments of a prompt before they are sent, and make texts of them: prompts take no other.

    Raises:
        UsageError: One is missing or unknown; names it.
    """
    takes = ", ".join(prompt.arguments) or "none"
    for name in given:
        if name not in prompt.arguments:
            raise UsageError(f"{prompt.name} has no argument {name}; it takes {takes}")
    for name in prompt.required:
        if name not in given:
            raise UsageError(f"{prompt.name} needs {name}; it takes {takes}")
    return {name: str(value) for name, value in given.items()}


def _prompt(server: str, prompt: Prompt) -> PromptInfo:
    arguments = prompt.arguments or []
    return PromptInfo(
        server=server,
        name=prompt.name,
        title=prompt.title,
        description=prompt.description or "",
        arguments={argument.name: argument.description or "" for argument in arguments},
        required=tuple(argument.name for argument in arguments if argument.required),
    )
