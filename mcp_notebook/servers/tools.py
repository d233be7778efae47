"""The tools of a server as functions of Python."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property
from inspect import Parameter, Signature
from typing import Any, Protocol

from mcp_notebook.errors import UsageError
from mcp_notebook.frames.rows import rows_of
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.arguments import check_arguments
from mcp_notebook.schema.names import python_names
from mcp_notebook.schema.sending import sendable
from mcp_notebook.schema.signatures import signature_of
from mcp_notebook.schema.values import as_object
from mcp_notebook.servers.mapped import Errors, How, Mapped
from mcp_notebook.servers.mapping import sent_of
from mcp_notebook.servers.shown import escaped
from mcp_notebook.types import ToolInfo

MAX_DOCUMENT = 10_000
"""Characters of a docstring's parts."""


class Calls(Protocol):
    """Makes the calls: see `Server`, where its members are told of."""

    last_maps: dict[str, Mapped]

    def call_sent(self, tool: str, sent: Mapping[str, Any]) -> ToolResult: ...  # noqa: D102
    async def acall_sent(self, tool: str, sent: Mapping[str, Any]) -> ToolResult: ...  # noqa: D102
    def run_map(self, mapped: Mapped, numbers: Sequence[int], how: How) -> BaseException | None: ...  # noqa: D102
    async def arun_map(self, mapped: Mapped, numbers: Sequence[int], how: How) -> BaseException | None: ...  # noqa: D102


class Tool:
    """A tool of a server, to be called like a function: `demo.tools.book_table(party=4)`.

    It has the signature and docstring that its schema and description make, so `?`, Shift-Tab and Tab work. Arguments
    whose names Python cannot spell go by the names of the signature, or by their own in `**{"odd name": 1}`.

    Args:
        info: The tool as its server describes it.
        calls: Calls it.
    """

    def __init__(self, info: ToolInfo, calls: Calls) -> None:
        self.info = info
        """The tool as its server describes it: untrusted text throughout."""
        self._calls = calls
        self.__doc__ = _document(info)

    @property
    def __name__(self) -> str:
        """The tool's own name, which need not be one of Python's."""
        return self.info.name

    @property
    def signature(self) -> Signature:
        """What it takes, keyword-only, and that it gives a `ToolResult`."""
        return self._read[0]

    @property
    def names(self) -> dict[str, str]:
        """The arguments' own names by those of the signature."""
        return self._read[1]

    def arguments(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Turn arguments by the names of Python into what the tool takes, and check them by its schema.

        Args:
            given: By name.

        Raises:
            TypeError: One is missing, unknown, or given twice.
            UsageError: A value is not what the schema asks for, or cannot be sent; names the argument.
        """
        names, python = self.names, self._spelled
        bound: dict[str, Any] = {}
        for name, value in given.items():
            spelled = python.get(name, name)
            if spelled in bound:
                msg = f"{self.info.name}() got {spelled!r} twice"
                raise TypeError(msg)
            bound[spelled] = value
        if not self._needed <= bound.keys() <= names.keys():  # `bind` takes longer than all the rest
            self._bind(bound)
        sent = sendable({names.get(name, name): value for name, value in bound.items()}, self.info.input_schema)
        check_arguments(self.info.input_schema, sent)
        return sent

    def __call__(self, /, **arguments: Any) -> ToolResult:
        """Call it, and block until the result is there; what it asks meanwhile is asked here. See `Server.call`."""
        return self._calls.call_sent(self.info.name, self.arguments(arguments))

    async def acall(self, /, **arguments: Any) -> ToolResult:
        """Call it, awaited. Cancelling this cancels the call."""
        return await self._calls.acall_sent(self.info.name, self.arguments(arguments))

    def map(
        self, rows: Any, *, concurrency: int | None = None, errors: Errors = "raise", executor: Executor | None = None
    ) -> Mapped:
        """Call it once for each row, several at a time, and block until all are done.

        All rows are checked before anything is sent. What the calls ask is asked one by one, and an answer can be given
        to all the rest. Stop keeps what is done in `last_map`, whose `.resume()` goes on.

        Args:
            rows: A frame or series of pandas or polars, or any iterable of mappings, dataclasses or pydantic models,
                with the arguments of each call by the names of Python; of plain values, where the tool has but one
                argument. What is missing in a frame is left out.
            concurrency: How many calls at a time: 8, or all that an executor takes.
            errors: "raise" makes no more calls after one that fails; "keep" keeps what went wrong in the row's place.
            executor: Makes the calls in its workers (threads, processes, or machines: `client.get_executor()` of
                dask.distributed), each of which opens a connection of its own; there is nobody to ask there. The way to
                the server goes with them, secrets included.

        Returns:
            The results, in the order of the rows.

        Raises:
            TypeError: An argument of a row is missing or unknown.
            UsageError: A value of a row is not what the schema asks for; or the rows are none.
            MapError: A call failed, and errors are not kept; its `.mapped` holds what is done. Or the server is gone.
            KeyboardInterrupt: The user pressed Stop; the calls that ran have been cancelled.
        """
        return self._mapped(rows, errors).resume(
            concurrency=_width(concurrency, executor), errors=errors, executor=executor
        )

    async def amap(
        self, rows: Any, *, concurrency: int | None = None, errors: Errors = "raise", executor: Executor | None = None
    ) -> Mapped:
        """Do the same as `map`, awaited. Cancelling this cancels the calls that run."""
        mapped = self._mapped(rows, errors)
        return await mapped.aresume(concurrency=_width(concurrency, executor), errors=errors, executor=executor)

    @property
    def last_map(self) -> Mapped | None:
        """What the last `map` or `amap` of this tool has come to, also when it was stopped."""
        return self._calls.last_maps.get(self.info.name)

    def _mapped(self, rows: Any, errors: Errors) -> Mapped:
        if errors not in ("raise", "keep"):
            msg = f'errors is "raise" or "keep", not {errors!r}'
            raise UsageError(msg)
        names = [each.name for each in self.signature.parameters.values() if each.kind is Parameter.KEYWORD_ONLY]
        needed = [name for name in names if self.signature.parameters[name].default is Parameter.empty]
        single = next((each[0] for each in (names, needed) if len(each) == 1), None)
        read = rows_of(rows, single)

        def called(number: int) -> str:
            return f"row {escaped(str(read.labels[number]), 60)}"

        sent = sent_of(self.info.name, read.values, self.arguments, called, keep=errors == "keep")
        mapped = Mapped(self.info, read, sent, self._calls.run_map, self._calls.arun_map)
        self._calls.last_maps[self.info.name] = mapped
        return mapped

    def __repr__(self) -> str:
        return f"<tool {self.info.server}.{escaped(self.info.name, 100)}{self.signature}>"

    def _bind(self, bound: Mapping[str, Any]) -> None:
        """Raise TypeError if an argument is missing or unknown."""
        try:
            self.signature.bind(**bound)
        except TypeError as error:
            names = self.names
            near = [name for name in bound if name not in names and difflib.get_close_matches(name, names, 1)]
            meant = f"; did you mean {difflib.get_close_matches(near[0], names, 1)[0]!r}?" if near else ""
            msg = f"{self.info.name}() {error}{meant}"
            raise TypeError(msg) from None

    @cached_property
    def _spelled(self) -> dict[str, str]:
        """The names of the signature by the arguments' own."""
        return {name: python for python, name in self.names.items()}

    @cached_property
    def _needed(self) -> set[str]:
        """The names of the signature that may not be left out."""
        parameters = self.signature.parameters.values()
        return {each.name for each in parameters if each.default is Parameter.empty and each.name in self.names}

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
        calls: Calls them.
    """

    def __init__(self, server: str, infos: Mapping[str, ToolInfo], calls: Calls) -> None:
        self._server = server
        self._infos = infos
        self._calls = calls
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
        return Tools(self._server, {name: self._infos[name] for name in names}, self._calls)

    def __getitem__(self, name: str) -> Tool:
        tool = self._made.get(name)
        if tool is None:
            try:
                info = self._infos[name]
            except KeyError:
                raise KeyError(name) from None
            tool = self._made[name] = Tool(info, self._calls)
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


def _width(concurrency: int | None, executor: Executor | None) -> int | None:
    if concurrency is not None and not (concurrency == int(concurrency) and concurrency > 0):
        msg = f"concurrency is a whole number from 1 on, not {concurrency!r}"
        raise UsageError(msg)
    return 8 if concurrency is None and executor is None else concurrency


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
