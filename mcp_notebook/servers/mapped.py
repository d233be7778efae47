"""What comes of many calls of one tool, as a value that can go on where it was stopped."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Literal, overload

from mcp_notebook.errors import MapError
from mcp_notebook.frames import frame_of_records
from mcp_notebook.frames.rows import Rows
from mcp_notebook.results import ToolResult
from mcp_notebook.schema.limits import in_line
from mcp_notebook.schema.values import as_object
from mcp_notebook.types import ToolInfo

Errors = Literal["raise", "keep"]


@dataclass(frozen=True, kw_only=True)
class How:
    """How many calls are made."""

    concurrency: int | None
    """How many at a time; None for as many as the executor takes."""
    errors: Errors
    executor: Executor | None


Run = Callable[["Mapped", Sequence[int], How], "BaseException | None"]
"""Makes the calls of the rows of these numbers, and gives the reason why it ended early."""
AsyncRun = Callable[["Mapped", Sequence[int], How], Awaitable["BaseException | None"]]


class Mapped(Sequence["ToolResult | Exception | None"]):
    """What came of many calls of one tool: for each row its `ToolResult`, its error, or None where it is still to do.

    Made by `Tool.map` and `Tool.amap`.

    Args:
        tool: The tool.
        rows: The rows as they were given.
        sent: What is sent for each; or what is wrong with it, where that is kept.
        run: Makes calls, and blocks until they are done.
        arun: Makes calls, awaited.
    """

    def __init__(
        self, tool: ToolInfo, rows: Rows, sent: Sequence[Mapping[str, Any] | Exception], run: Run, arun: AsyncRun
    ) -> None:
        self.tool = tool
        self.sent = sent
        self.outcomes: list[ToolResult | Exception | None] = [
            each if isinstance(each, Exception) else None for each in sent
        ]
        """What came of each row, in their order."""
        self._rows = rows
        self._run = run
        self._arun = arun

    @property
    def labels(self) -> Sequence[Any]:
        """What each row is called: the index of the frame that was given, else numbers from 0 on."""
        return self._rows.labels

    @property
    def errors(self) -> dict[Any, Exception]:
        """What went wrong, by the row's label."""
        return {self.labels[n]: each for n, each in enumerate(self.outcomes) if isinstance(each, Exception)}

    @property
    def left(self) -> list[Any]:
        """The rows that are still to do, as they are called."""
        return [self.labels[n] for n in self._to_do(retry=False)]

    @property
    def data(self) -> list[Any]:
        """The best Python value of each row's result (see `ToolResult.data`); None where there is none."""
        return [each.data if isinstance(each, ToolResult) else None for each in self.outcomes]

    def to_frame(self, library: Literal["pandas", "polars"] | None = None) -> Any:
        """Make a data frame with a row for each call, in the order and with the index of the rows that were given.

        The members of an object become columns; any other value is in the column `result`, and what went wrong in the
        column `error`.

        Args:
            library: None for pandas where it is installed, else polars.

        Raises:
            UsageError: The library is not there.
        """
        return frame_of_records(
            [_record(each) for each in self.outcomes],
            index=self._rows.index,
            schema=self.tool.output_schema,
            library=library,
        )

    def resume(
        self,
        *,
        retry: bool = False,
        concurrency: int | None = 8,
        errors: Errors = "raise",
        executor: Executor | None = None,
    ) -> Mapped:
        """Make the calls that are still to do. The arguments are those of `Tool.map`.

        Args:
            retry: Whether also those that went wrong are made again: a tool may have done its work all the same.
            concurrency: How many calls at a time.
            errors: What becomes of a call that fails.
            executor: Makes the calls elsewhere.

        Returns:
            This object.
        """
        how = How(concurrency=concurrency, errors=errors, executor=executor)
        return self._settled(self._run(self, self._to_do(retry=retry), how))

    async def aresume(
        self,
        *,
        retry: bool = False,
        concurrency: int | None = 8,
        errors: Errors = "raise",
        executor: Executor | None = None,
    ) -> Mapped:
        """Do the same as `resume`, awaited. Cancelling it cancels the calls."""
        how = How(concurrency=concurrency, errors=errors, executor=executor)
        return self._settled(await self._arun(self, self._to_do(retry=retry), how))

    def called(self, number: int) -> str:
        """Say which row it is, for people."""
        return f"row {in_line(str(self.labels[number]), 60)}"

    @overload
    def __getitem__(self, index: int) -> ToolResult | Exception | None: ...
    @overload
    def __getitem__(self, index: slice) -> list[ToolResult | Exception | None]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.outcomes[index]

    def __len__(self) -> int:
        return len(self.outcomes)

    def __iter__(self) -> Iterator[ToolResult | Exception | None]:
        return iter(self.outcomes)

    def __repr__(self) -> str:
        left, failed = len(self.left), len(self.errors)
        told = [f"{len(self) - left - failed:,} done", *([f"{failed:,} failed"] if failed else [])]
        told += [f"{left:,} still to do: .resume() goes on"] if left else []
        name = in_line(self.tool.name, 60)
        return f"<{len(self):,} call{'s' * (len(self) != 1)} of {self.tool.server}.{name}: {', '.join(told)}>"

    def _to_do(self, *, retry: bool) -> list[int]:
        return [
            n
            for n, each in enumerate(self.outcomes)
            if each is None or (retry and isinstance(each, Exception) and not isinstance(self.sent[n], Exception))
        ]

    def _settled(self, reason: BaseException | None) -> Mapped:
        if reason is None:
            return self
        if not isinstance(reason, Exception):
            raise reason
        number = next((n for n, each in enumerate(self.outcomes) if each is reason), None)
        where = "" if number is None else f"{self.called(number)}: "
        left = len(self.left)
        goes_on = f" {left:,} of {len(self):,} calls are still to do: .mapped.resume() goes on." if left else ""
        msg = f"{where}{reason}{'' if str(reason).endswith('.') else '.'}{goes_on}"
        raise MapError(msg, self) from reason


def _record(outcome: ToolResult | Exception | None) -> Mapping[str, Any]:
    if isinstance(outcome, ToolResult):
        data = outcome.data
        named = as_object(data)
        return {"result": data} if named is None else named
    return {} if outcome is None else {"error": str(outcome)}
