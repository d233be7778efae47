"""Tools with argument and result types of the user's own, against a real server."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

import pytest
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel, Field

from mcp_notebook.errors import ResultError, UsageError
from mcp_notebook.results import ToolResult
from mcp_notebook.servers.server import Server
from tests.protocol.conftest import Session

server = MCPServer("weather")


@server.tool()
def get_weather(city: str, day: date | None = None, unit: str = "C") -> dict[str, Any]:
    return {"city": city, "day": str(day or date(2026, 12, 24)), "high": 3.5, "unit": unit}


@server.tool(structured_output=False)
def as_text(city: str) -> str:
    return json.dumps({"city": city, "day": "2026-12-24", "high": 3.5})


@server.tool()
def cities() -> list[str]:
    return ["Bern", "Oslo"]


class WeatherArgs(BaseModel):
    city: str = Field(min_length=2)
    unit: str | None = None


class Weather(BaseModel):
    city: str
    day: date
    high: float


@dataclass
class Place:
    city: str


@pytest.fixture(scope="module")
def weather() -> Iterator[Server]:
    session = Session()
    yield session.connect("weather", server)
    session.registry.close_all()


def test_arguments_go_in_as_a_model_and_the_result_comes_out_as_one(weather: Server):
    get = weather.tool("get_weather", args=WeatherArgs, returns=Weather)
    expected = Weather(city="Bern", day=date(2026, 12, 24), high=3.5)
    assert get(WeatherArgs(city="Bern")) == expected
    assert get(city="Bern") == expected
    assert asyncio.run(get.acall(city="Bern")) == expected
    assert str(inspect.signature(get)).startswith("(*, city:")
    assert inspect.signature(get).return_annotation is Weather


def test_a_result_without_structure_is_read_from_json_in_its_text(weather: Server):
    assert weather.tool("as_text", returns=Weather)(city="Bern").high == 3.5


def test_dataclasses_and_plain_types_will_do(weather: Server):
    assert weather.tool("as_text", args=Place, returns=Weather)(Place("Oslo")).city == "Oslo"
    assert weather.tool("cities", returns=list[str])() == ["Bern", "Oslo"]
    assert weather.tool("as_text", returns=str)(city="Bern").startswith("{")


def test_without_declared_types_it_is_the_tool_itself(weather: Server):
    result = weather.tool("cities")()
    assert isinstance(result, ToolResult)
    assert result.data == ["Bern", "Oslo"]


def test_a_wrong_argument_is_named_before_anything_is_sent(weather: Server):
    get, before = weather.tool("get_weather", args=WeatherArgs), weather.calls
    with pytest.raises(UsageError, match=r"get_weather\(\) city: String should have at least 2 characters"):
        get(city="x")
    with pytest.raises(UsageError, match=r"get_weather\(\) city: Field required"):
        get()
    with pytest.raises(TypeError, match="an object or its fields, not both"):
        get(WeatherArgs(city="Bern"), unit="F")
    assert weather.calls == before


def test_a_result_of_another_shape_is_an_error_that_holds_it(weather: Server):
    class Tide(BaseModel):
        height: float

    with pytest.raises(ResultError, match=r"weather: get_weather gave back no Tide: height: Field required") as caught:
        weather.tool("get_weather", returns=Tide)(city="Bern")
    assert caught.value.result.data["city"] == "Bern"
    with pytest.raises(ResultError, match="gave back no int: it: Input should be a valid integer"):
        weather.tool("as_text", returns=int)(city="Bern")


def test_what_is_declared_has_to_be_what_the_tool_takes(weather: Server):
    class Town(BaseModel):
        city: str
        country: str

    class Nothing(BaseModel):
        pass

    with pytest.raises(UsageError, match=r"Town has a field country, which weather.get_weather does not take"):
        weather.tool("get_weather", args=Town)
    with pytest.raises(UsageError, match=r"Nothing has no field city, which weather.get_weather requires"):
        weather.tool("get_weather", args=Nothing)
    with pytest.raises(UsageError, match=r"weather has no tool get_wether; did you mean get_weather\?"):
        weather.tool("get_wether")
