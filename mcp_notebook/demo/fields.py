"""`every_field`: one form with every kind of field that the specification has."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Elicit, ElicitationResult, Resolve
from mcp.types import CallToolResult, TextContent
from pydantic import BaseModel, Field, JsonValue


def _titled(**titles: str) -> list[JsonValue]:
    return [{"const": value, "title": title} for value, title in titles.items()]


class EveryField(BaseModel):
    """One field of every kind."""

    # Texts with a format are plain `str`, so that the tool gives back exactly what was sent.

    text: str = Field(title="Text", description="Any text")
    nickname: str | None = Field(None, title="Text of bounded length", min_length=2, max_length=12)
    greeting: str = Field("Good morning", title="Text with a default")
    email: str = Field(title="Email address", json_schema_extra={"format": "email"})
    website: str | None = Field(None, title="Web address", json_schema_extra={"format": "uri"})
    day: str = Field(title="Date", json_schema_extra={"format": "date"})
    moment: str | None = Field(None, title="Date and time", json_schema_extra={"format": "date-time"})
    count: int = Field(title="Whole number", description="From 1 to 500", ge=1, le=500)
    floor: int = Field(-1, title="Whole number with a default", ge=-3, le=40)
    weight: float | None = Field(None, title="Number", description="In kilograms", ge=0.5, le=99.5)
    ratio: float = Field(0.25, title="Number with a default")
    agreed: bool = Field(title="Yes or no")
    reminder: bool | None = Field(None, title="Yes, no, or no answer")
    newsletter: bool = Field(True, title="Yes or no with a default")
    size: Literal["S", "M", "L"] = Field(title="One of a few")
    colour: str = Field(
        "#00cc00",
        title="One of a few with titles and a default",
        json_schema_extra={"oneOf": _titled(**{"#cc0000": "Red", "#00cc00": "Green", "#0000cc": "Blue"})},
    )
    planet: Literal["p3", "p4", "p5"] | None = Field(
        None,
        title="One of a few, titled in the older way",
        json_schema_extra={"enumNames": ["Earth", "Mars", "Jupiter"]},
    )
    toppings: list[Literal["cheese", "olives", "mushrooms", "rocket"]] = Field(
        title="Several of a few", description="One or two", min_length=1, max_length=2
    )
    days: list[str] = Field(
        ["sat", "sun"],
        title="Several of a few with titles and defaults",
        max_length=3,
        json_schema_extra={"items": {"anyOf": _titled(fri="Friday", sat="Saturday", sun="Sunday", mon="Monday")}},
    )


def ask_every_field() -> Elicit[EveryField]:
    """Ask everything."""
    return Elicit("Please fill in one field of every kind.", EveryField)


def every_field(answer: Annotated[ElicitationResult[EveryField], Resolve(ask_every_field)]) -> CallToolResult:
    """Fill in a form with every kind of field there is, and get back what arrived at the server."""
    if answer.action == "accept":
        received: dict[str, Any] = answer.data.model_dump(mode="json", exclude_unset=True)
        return _result(f"Received {len(received)} fields.", {"action": "accept", "received": received})
    if answer.action == "decline":
        return _result("Every field was declined.", {"action": "decline"})
    return _result("The form was closed with no field filled in.", {"action": "cancel"})


def _result(text: str, structured: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], structured_content=structured)
