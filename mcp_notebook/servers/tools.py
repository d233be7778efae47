"""The tools of a server as functions of Python."""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import cached_property
from inspect import Signature
from typing import Any

from mcp_notebook.errors import UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.arguments import check_arguments
from mcp_notebook.schema.names import python_names
from mcp_notebook.schema.sending import sendable
from mcp_notebook.schema.signatures import signature_of
from mcp_notebook.schema.values import as_object
from mcp_notebook.servers.shown import escaped
from mcp_notebook.types import ToolInfo

MAX_DOCUMENT = 10_000
"""Characters of a docstring's parts."""

Call = Callable[[ToolInfo, Mapping[str, Any]], ToolResult]
AsyncCall = Callable[[ToolInfo, Mapping[str, Any]], Awaitable[ToolResult]]


class Tool:
    """A tool of a server, to be called like a function: `demo.tools.book_table(party=4)`.

    It has the signature and docstring that its schema and description make, so `?`, Shift-Tab and Tab work. Arguments
    whose names Python cannot spell go by the names of the signature, or by their own in `**{"odd name": 1}`.

    Args:
        info: The tool as its server describes it.
        call: Calls it, and blocks until the result is there.
        acall: Calls it, awaited.
    """

    def __init__(self, info: ToolInfo, call: Call, acall: AsyncCall) -> None:
        self.info = info
        """The tool as its server describes it: untrusted text throughout."""
        self._call = call
        self._acall = acall
        self.__doc__ = _document(info)

    @property
    def __name__(self) -> str:
        """The tool's own name, which need not be one of Python's."""
        return self.info.name

    @property
    def signature(self) -> Signature:
        """What it takes, keyword-only, and that it gives a `ToolResult`."""
        return self._read[0]

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Turn arguments by the names of Python into what the tool takes, and check them by its schema.

        Args:
            given: By name.

        Raises:
            TypeError: One is missing, unknown, or given twice.
            UsageError: A value is not what the schema asks for, or cannot be sent; names the argument.
        """
        signature, names = self._read
        python = {name: spelled for spelled, name in names.items()}
        bound: dict[str, Any] = {}
        for name, value in given.items():
            spelled = python.get(name, name)
            if spelled in bound:
                msg = f"{self.info.name}() got {spelled!r} twice"
                raise TypeError(msg)
            bound[spelled] = value
        try:
            signature.bind(**bound)
        except TypeError as error:
            near = [name for name in bound if name not in names and difflib.get_close_matches(name, names, 1)]
            meant = f"; did you mean {difflib.get_close_matches(near[0], names, 1)[0]!r}?" if near else ""
            msg = f"{self.info.name}() {error}{meant}"
            raise TypeError(msg) from None
        sent = sendable({names.get(name, name): value for name, value in bound.items()}, self.info.input_schema)
        check_arguments(self.info.input_schema, sent)
        return sent

    def __call__(self, /, **arguments: Any) -> ToolResult:
        """Call it, and block until the result is there; what it asks meanwhile is asked here. See `Server.call`."""
        return self._call(self.info, self.arguments(arguments))

    async def acall(self, /, **arguments: Any) -> ToolResult:
        """Call it, awaited. Cancelling this cancels the call."""
        return await self._acall(self.info, self.arguments(arguments))

    def __repr__(self) -> str:
        return f"<tool {self.info.server}.{escaped(self.info.name, 100)}{self.signature}>"

    @cached_property
    def _read(self) -> tuple[Signature, dict[str, str]]:
        signature, names = signature_of(self.info.input_schema)
        return signature.replace(return_annotation=ToolResult), names

    def __getattr__(self, name: str) -> Any:
        # Not a property: on the class itself `inspect.signature` would take the property for the signature.
        if name == "__signature__":
            return self.signature
        msg = f"a tool has no attribute {name!r}"
        raise AttributeError(msg, name=name, obj=self)


class Tools(Mapping[str, Tool]):
    """The tools of a server by name, in its own order; those whose names are odd also by attributes.

    `tools["odd.name"]` is `tools.odd_name`: see `schema.names.python_names`. What a mapping has by itself (`get`,
    `items`, `keys`, `values`, and `only`) gets an underscore: a tool `get` is `tools.get_`.

    Args:
        server: The name the server is connected under.
        infos: The tools as the server describes them, by name.
        call: Calls a tool, and blocks until the result is there.
        acall: Calls a tool, awaited.
    """

    def __init__(self, server: str, infos: Mapping[str, ToolInfo], call: Call, acall: AsyncCall) -> None:
        self._server = server
        self._infos = infos
        self._calls = call, acall
        self._made: dict[str, Tool] = {}

    def only(self, *names: str) -> Tools:
        """Give these tools alone.

        Args:
            names: Their names, as the server has them.

        Raises:
            UsageError: The server has no tool of a name.
        """
        for name in names:
            if name not in self._infos:
                raise UsageError(self._unknown(name, self))
        return Tools(self._server, {name: self._infos[name] for name in names}, *self._calls)

    def __getitem__(self, name: str) -> Tool:
        tool = self._made.get(name)
        if tool is None:
            try:
                info = self._infos[name]
            except KeyError:
                raise KeyError(name) from None
            tool = self._made[name] = Tool(info, *self._calls)
        return tool

    def __iter__(self) -> Iterator[str]:
        return iter(self._infos)

    def __len__(self) -> int:
        return len(self._infos)

    def __contains__(self, name: object) -> bool:
        return name in self._infos

    def __getattr__(self, name: str) -> Tool:
        if name in self._names:
            return self[self._names[name]]
        raise AttributeError(self._unknown(name, self._names), name=name, obj=self)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        shown = ", ".join(escaped(name, 60) for name in list(self)[:20])
        return f"<tools of {self._server}: {shown}{f' and {len(self) - 20} more' if len(self) > 20 else ''}>"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    def _unknown(self, name: str, known: Iterable[str]) -> str:
        near = difflib.get_close_matches(name, list(known), 1)
        meant = f"; did you mean {near[0]}?" if near else f"; %mcp tools {self._server} lists them"
        return f"{self._server} has no tool {name}{meant}"

    @cached_property
    def _names(self) -> dict[str, str]:
        return python_names(self, dir(type(self)))


def _document(info: ToolInfo) -> str:
    lines = [escaped(info.description.strip() or info.title or f"The tool {info.name}.", MAX_DOCUMENT)]
    properties = as_object(info.input_schema.get("properties")) or {}
    told = {name: as_object(part) or {} for name, part in properties.items()}
    told = {python: told[name] for python, name in python_names(told).items()}
    if told:
        lines += ["", "Args:", *(_argument(name, part) for name, part in list(told.items())[:100])]
    return "\n".join(lines)


def _argument(name: str, part: Mapping[str, Any]) -> str:
    words = part.get("description") or part.get("title") or ""
    return f"    {name}: {escaped(' '.join(str(words)[:1000].split()), 500)}".rstrip(": ")
