"""`forecast` and `plot_forecast`: tools that ask nothing and show what results can hold."""

from __future__ import annotations

import struct
import zlib
from typing import Annotated, Any

from mcp.server.mcpserver import Image
from pydantic import BaseModel, Field

_WEEK = {"Mon": (3, "rain"), "Tue": (5, "cloud"), "Wed": (8, "sun"), "Thu": (9, "sun"), "Fri": (6, "wind")}
_BAR, _GAP, _DEGREE = 24, 8, 10
_BACKGROUND, _FOREGROUND = bytes((245, 245, 245)), bytes((33, 120, 204))

City = Annotated[str, Field(description="Any city: the weather is made up, and the same everywhere")]


class Day(BaseModel):
    """One day's weather."""

    day: str
    celsius: int
    sky: str


class Forecast(BaseModel):
    """The weather of some days."""

    city: str
    days: list[Day]


def forecast(city: City, days: Annotated[int, Field(ge=1, le=5, description="How many days")] = 3) -> Forecast:
    """Forecast the weather, as structured content with a schema."""
    week = [Day(day=day, celsius=celsius, sky=sky) for day, (celsius, sky) in _WEEK.items()]
    return Forecast(city=city, days=week[:days])


def plot_forecast(city: City) -> list[Any]:
    """Plot the week's temperatures, as a text and a picture."""
    highest = max(celsius for celsius, _ in _WEEK.values())
    return [f"Temperatures in {city}, up to {highest} °C", Image(data=_bars(), format="png")]


def _bars() -> bytes:
    """Draw one bar a day, as a PNG file."""
    heights = [celsius * _DEGREE for celsius, _ in _WEEK.values()]
    levels = reversed(range(max(heights) + _GAP))
    rows = [b"\x00" + b"".join(_bar(height > level) for height in heights) for level in levels]  # 0: unfiltered
    header = struct.pack(">IIBBBBB", len(heights) * (_GAP + _BAR), len(rows), 8, 2, 0, 0, 0)  # 8 bits a channel, RGB
    image = zlib.compress(b"".join(rows))
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", image) + _chunk(b"IEND")


def _bar(filled: bool) -> bytes:
    return _GAP * _BACKGROUND + _BAR * (_FOREGROUND if filled else _BACKGROUND)


def _chunk(kind: bytes, data: bytes = b"") -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
