"""The demo server: small everyday tools which ask for what they need, in both eras of the protocol by one code.

A tool asks through a resolver: `Annotated[ElicitationResult[Form], Resolve(ask)]`, where `ask` returns `Elicit(message,
Form)`, or None when nothing is to be asked. The SDK sends the question in the way of the connection's era.
"""

from __future__ import annotations

import datetime
from typing import Annotated

from mcp.server.mcpserver import Elicit, ElicitationResult, MCPServer, Resolve
from mcp.server.request_state import RequestStateSecurity
from pydantic import BaseModel, Field

from mcp_notebook.demo import menu
from mcp_notebook.demo.fields import every_field
from mcp_notebook.demo.health import check_health
from mcp_notebook.demo.password import set_password
from mcp_notebook.demo.weather import forecast, plot_forecast

_FULL = datetime.date(2026, 12, 24)
_SEATS = {"window": "By the window", "bar": "At the bar", "garden": "In the winter garden"}
_DAY_SECONDS = 24 * 60 * 60


class Name(BaseModel):
    """Who to greet."""

    name: str | None = Field(None, title="Name", description="Leave it empty to stay a stranger", max_length=60)


class Account(BaseModel):
    """A new account."""

    username: str = Field(title="User name", description="3 to 20 characters", min_length=3, max_length=20)
    email: str = Field(title="Email", json_schema_extra={"format": "email"})
    newsletter: bool = Field(False, title="Send me the newsletter")


class OtherEvening(BaseModel):
    """Another evening."""

    date: datetime.date = Field(title="Another date")
    seat: str = Field(
        title="Seat", json_schema_extra={"oneOf": [{"const": seat, "title": title} for seat, title in _SEATS.items()]}
    )


class Nothing(BaseModel):
    """A yes or a no, with no fields."""


def ask_name() -> Elicit[Name]:
    """Ask who to greet."""
    return Elicit("Who may I greet?", Name)


def greet(answer: Annotated[ElicitationResult[Name], Resolve(ask_name)]) -> str:
    """Say hello. Asks for a name, which may stay empty."""
    if answer.action == "accept":
        return f"Hello, {answer.data.name or 'stranger'}!"
    if answer.action == "decline":
        return "Hello, whoever you are. You would rather not say, and that is fine."
    return "No greeting, then: the question was closed."


def ask_account() -> Elicit[Account]:
    """Ask for the new account's details."""
    return Elicit("Please choose a user name and give your email address to open an account.", Account)


def register_user(answer: Annotated[ElicitationResult[Account], Resolve(ask_account)]) -> str:
    """Open an account. Asks for a user name, an email address, and whether to send a newsletter."""
    if answer.action == "accept":
        account = answer.data
        newsletter = "The newsletter will come." if account.newsletter else "No newsletter will be sent."
        return f"Welcome, {account.username}! A confirmation went to {account.email}. {newsletter}"
    if answer.action == "decline":
        return "No account was opened, as you declined."
    return "Registration was cancelled. You can start it again at any time."


def ask_other_evening(party: int, date: datetime.date) -> Elicit[OtherEvening] | None:
    """Ask for another evening when the one wished for is full."""
    if date != _FULL:
        return None
    return Elicit(f"There is no table for {party} on {_day(date)}. Which other evening would suit you?", OtherEvening)


def book_table(
    party: Annotated[int, Field(ge=1, le=12, description="How many people will come")],
    answer: Annotated[ElicitationResult[OtherEvening], Resolve(ask_other_evening)],
    date: Annotated[datetime.date, Field(description="The evening; 24 December is full")] = _FULL,
) -> str:
    """Book a table at a restaurant. Asks for another date and a seat when the evening is full."""
    if answer.action == "decline":
        return f"No table was booked: you declined another date than {_day(date)}."
    if answer.action == "cancel":
        return "The booking was cancelled before it was made."
    if date != _FULL:
        return f"Booked: a table for {party} on {_day(date)}."
    other = answer.data
    if other.date == _FULL:
        return f"No table was booked: {_day(_FULL)} is still full."
    return f"Booked: a table for {party} on {_day(other.date)}, {_SEATS[other.seat].lower()}."


def ask_confirmation() -> Elicit[Nothing]:
    """Ask for a yes or a no."""
    return Elicit("Water all the plants now?", Nothing)


def confirm(answer: Annotated[ElicitationResult[Nothing], Resolve(ask_confirmation)]) -> str:
    """Water the plants. Asks for confirmation only: a question without fields."""
    return {
        "accept": "Confirmed: the plants have been watered.",
        "decline": "Refused: the plants stay dry.",
        "cancel": "Dismissed: nothing was decided about the plants.",
    }[answer.action]


def _day(date: datetime.date) -> str:
    return f"{date.day} {date:%B %Y}"


server = MCPServer(
    "demo",
    title="Everyday demo",
    instructions="Tools to try forms on: each asks for what it needs, and takes no for an answer.",
    version="1.0",
    log_level="WARNING",
    # A person may take all day over a form; by default a question asked in the modern era is void after ten minutes.
    request_state_security=RequestStateSecurity.ephemeral(ttl=_DAY_SECONDS),
)
for tool in (greet, register_user, set_password, book_table, check_health, every_field, confirm, plot_forecast):
    server.add_tool(tool, structured_output=False)
server.add_tool(forecast)
menu.add_to(server)
