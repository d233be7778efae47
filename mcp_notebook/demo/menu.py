"""What the demo server offers beside its tools: a resource, a template of resources, a prompt, and completions."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError
from mcp.types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

_DISHES = {
    "spring": "nettle soup, asparagus, rhubarb tart",
    "summer": "cold cucumber soup, trout, strawberries",
    "autumn": "pumpkin soup, venison, plum cake",
    "winter": "beetroot soup, dumplings, baked apples",
}


def hours() -> dict[str, str]:
    """When the restaurant is open."""
    return {"weekdays": "17:00-23:00", "weekends": "12:00-24:00"}


def menu(season: str) -> str:
    """The menu of a season: spring, summer, autumn or winter."""
    if season not in _DISHES:
        msg = f"there is no menu for {season}; the seasons are {', '.join(_DISHES)}"
        raise ResourceNotFoundError(msg)
    return f"In {season}: {_DISHES[season]}."


def invitation(guest: str, season: str = "winter") -> str:
    """Ask a model to write an invitation to dinner."""
    return f"Write a short, warm invitation to dinner to {guest}. On the table: {_DISHES.get(season, 'a surprise')}."


async def complete(
    ref: PromptReference | ResourceTemplateReference, argument: CompletionArgument, context: CompletionContext | None
) -> Completion | None:
    """Complete a season."""
    if argument.name != "season":
        return None
    return Completion(values=[season for season in _DISHES if season.startswith(argument.value)])


def add_to(server: MCPServer) -> None:
    """Have a server offer all of it."""
    server.resource("restaurant://hours", mime_type="application/json")(hours)
    server.resource("restaurant://menu/{season}", mime_type="text/plain")(menu)
    server.prompt()(invitation)
    server.completion()(complete)
