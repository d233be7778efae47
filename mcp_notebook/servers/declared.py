"""Tools with types of the user's own: what goes in and what comes out is declared, and checked against both."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import Signature, signature
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, get_args

from mcp_notebook.errors import ResultError, UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.limits import in_line
from mcp_notebook.schema.signatures import takes_more, type_of
from mcp_notebook.schema.values import as_list, as_object
from mcp_notebook.servers.shown import escaped
from mcp_notebook.servers.tools import Tool
from mcp_notebook.types import ToolInfo

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

R = TypeVar("R")

_SHOWN_PROBLEMS = 3


class DeclaredTool(Generic[R]):
    """A tool that takes and gives what was declared for it. Made by `Server.tool`.

    Args:
        tool: The tool as the server has it.
        args: A pydantic model, dataclass or TypedDict of its arguments, by their names; None for those of its schema.
        returns: What comes of a call: any type that pydantic can validate; None for the `ToolResult`.

    Raises:
        UsageError: The arguments that were declared are not those that the tool takes.
    """

    def __init__(self, tool: Tool, args: type[Any] | None, returns: type[R] | None) -> None:
        from pydantic import TypeAdapter

        self.tool = tool
        """The tool as the server has it."""
        self.args = args
        self.returns = returns
        self.__doc__ = tool.__doc__
        self._args: TypeAdapter[Any] | None = None if args is None else TypeAdapter(args)
        self._returns: TypeAdapter[R] | None = None if returns is None else TypeAdapter(returns)
        schema = tool.info.input_schema
        parts = as_object(schema.get("properties")) or {}
        self._nullable = {name for name, part in parts.items() if type(None) in get_args(type_of(part, schema))}
        """Where None is a value of its own; elsewhere it stands for an argument that is left out."""
        if self._args is not None:
            _require_match(tool.info, getattr(args, "__name__", "args"), self._args)

    @property
    def info(self) -> ToolInfo:
        """The tool as its server describes it: untrusted text throughout."""
        return self.tool.info

    @property
    def __name__(self) -> str:
        """The tool's own name."""
        return self.tool.info.name

    @property
    def names(self) -> dict[str, str]:
        """The arguments' own names by those of the signature."""
        return {name: name for name in self.signature.parameters}

    @property
    def signature(self) -> Signature:
        """What it takes and gives."""
        taken = self.tool.signature if self.args is None else signature(self.args)
        return taken.replace(return_annotation=self.returns or ToolResult)

    def __call__(self, args: Any = None, /, **arguments: Any) -> R:
        """Call it with an object of the declared type, or with its fields; block until the result is there.

        Raises:
            UsageError: The arguments are not what was declared, or not what the server wants.
            ResultError: What came back is not what was declared; its `.result` holds it.
            ToolError, ServerError, NoAnswerError, KeyboardInterrupt: As `Server.call` does.
        """
        return self._read(self.tool(**self._sent(args, arguments)))

    async def acall(self, args: Any = None, /, **arguments: Any) -> R:
        """Do the same, awaited."""
        return self._read(await self.tool.acall(**self._sent(args, arguments)))

    def __repr__(self) -> str:
        return f"<declared tool {self.info.server}.{escaped(self.info.name, 100)}{self.signature}>"

    def __getattr__(self, name: str) -> Any:
        if name == "__signature__":  # not a property: see Tool
            return self.signature
        msg = f"a declared tool has no attribute {name!r}"
        raise AttributeError(msg, name=name, obj=self)

    def _sent(self, given: Any, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        if given is not None and arguments:
            msg = f"{self.info.name}() takes an object or its fields, not both"
            raise TypeError(msg)
        if self._args is None:
            return arguments if given is None else given
        try:
            value = self._args.validate_python(dict(arguments) if given is None else given)
        except Exception as error:
            raise UsageError(f"{self.info.name}() {_told(error)}") from None
        named = as_object(self._args.dump_python(value, mode="json", by_alias=True)) or {}
        return {name: each for name, each in named.items() if each is not None or name in self._nullable}

    def _read(self, result: ToolResult) -> R:
        if self._returns is None:
            return cast("R", result)
        if self.returns is str and result.structured is None:
            return cast("R", result.text)
        tries = [result.data] if result.structured is None else [result.data, result.structured]
        problem = ""
        for value in tries:
            try:
                return self._returns.validate_python(value)
            except Exception as error:
                problem = problem or _told(error)
        name = getattr(self.returns, "__name__", str(self.returns))
        raise ResultError(self.info.server, f"{self.info.name} gave back no {name}: {problem}", result)


def _require_match(tool: ToolInfo, declared: str, args: TypeAdapter[Any]) -> None:
    """See to it that what is declared can be what the tool takes."""
    fields = set(as_object(args.json_schema().get("properties")) or {})
    known = set(as_object(tool.input_schema.get("properties")) or {})
    needed = [str(name) for name in as_list(tool.input_schema.get("required")) or []]
    missing = [name for name in needed if name not in fields]
    extra = sorted(fields - known) if not takes_more(tool.input_schema) else []
    told = in_line(f"{tool.server}.{tool.name}", 100)
    if missing:
        msg = f"{declared} has no field {in_line(missing[0], 60)}, which {told} requires"
    elif extra:
        takes = in_line(", ".join(sorted(known)) or "no arguments", 300)
        msg = f"{declared} has a field {extra[0]}, which {told} does not take: it takes {takes}"
    else:
        return
    raise UsageError(msg)


def _told(error: Exception) -> str:
    """Say what pydantic found, without the values: they may be secret."""
    if not hasattr(error, "errors"):
        return in_line(f"{type(error).__name__}: {error}", 300)
    problems = cast("ValidationError", error).errors(include_url=False, include_context=False, include_input=False)
    told = [f"{'.'.join(map(str, each['loc'])) or 'it'}: {each['msg']}" for each in problems[:_SHOWN_PROBLEMS]]
    more = f"; and {len(problems) - _SHOWN_PROBLEMS} more" if len(problems) > _SHOWN_PROBLEMS else ""
    return in_line("; ".join(told), 500) + more
