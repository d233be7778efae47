"""A server that offers all there is beside tools, and tells of its work. Over stdio, or HTTP on a port."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import (
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmptyResult,
    InputRequiredResult,
    ListRootsRequest,
    PromptReference,
    ResourceTemplateReference,
    SamplingMessage,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel

warnings.simplefilter("ignore")  # of log messages, which are deprecated and still flow

server = MCPServer("library", log_level="CRITICAL")
shelf = {"sea": "The sea is wide."}
CITIES = ["Oslo", "Osaka", "Ostrava", "Bonn"]


@server.resource("book://sea", name="sea", title="The Sea", description="A short one.", mime_type="text/plain")
def sea() -> str:
    return shelf["sea"]


@server.resource("book://cover", mime_type="application/octet-stream")
def cover() -> bytes:
    return b"\x00\x01"


@server.resource("book://facts", mime_type="application/json")
def facts() -> str:
    return '{"pages": 3}'


@server.resource("weather://{country}/{city}", description="The weather of a city.")
def weather(country: str, city: str) -> str:
    return f"{city}, {country}: rain"


FORM = ElicitRequestFormParams(
    message="Which page?", requested_schema={"type": "object", "properties": {"page": {"type": "string"}}}
)
ASK = InputRequiredResult(input_requests={"page": ElicitRequest(params=FORM)})


class Page(BaseModel):
    page: str


async def ask_page(ctx: Context) -> str | None:
    """Ask which page, in the way of the era; None until it is answered."""
    if ctx.request_context.protocol_version < "2026":
        answer = await ctx.elicit("Which page?", Page)
        return answer.data.page if answer.action == "accept" else answer.action
    answers: Any = ctx.input_responses
    if answers is None:
        return None
    page = answers["page"]
    return page.content["page"] if page.content else page.action


@server.resource("page://{book}")
async def page(book: str, ctx: Context):  # type: ignore[no-untyped-def]
    answer = await ask_page(ctx)
    return ASK if answer is None else f"{book}, page {answer}"


@server.prompt()
async def quote(book: str, ctx: Context):  # type: ignore[no-untyped-def]
    answer = await ask_page(ctx)
    return ASK if answer is None else f"Quote {book}, page {answer}."


@server.tool(structured_output=False)
def ask_folders(ctx: Context) -> str | InputRequiredResult:
    """Ask for the client's folders, in the modern way."""
    answers: Any = ctx.input_responses
    if answers is None:
        return InputRequiredResult(input_requests={"folders": ListRootsRequest()})
    return ", ".join(str(root.uri) for root in answers["folders"].roots)


@server.tool(structured_output=False)
def ask_model(ctx: Context) -> str | InputRequiredResult:
    """Ask the client's model, in the modern way."""
    answers: Any = ctx.input_responses
    if answers is None:
        message = SamplingMessage(role="user", content=TextContent(text="How many?"))
        params = CreateMessageRequestParams(messages=[message], system_prompt="Be brief.", max_tokens=10)
        return InputRequiredResult(input_requests={"model": CreateMessageRequest(params=params)})
    return answers["model"].content.text


@server.prompt(description="Summarise a book.")
def summarise(book: str, words: str = "10") -> str:
    """Ask for a summary."""
    return f"Summarise {book} in {words} words."


@server.completion()
async def complete(ref, argument, context):  # type: ignore[no-untyped-def]
    if isinstance(ref, PromptReference):
        return Completion(values=[title for title in shelf if title.startswith(argument.value)])
    assert isinstance(ref, ResourceTemplateReference)
    country = (context.arguments or {}).get("country") if context else None
    cities = CITIES if country is None else [city for city in CITIES if (city == "Bonn") == (country == "de")]
    return Completion(values=[city for city in cities if city.startswith(argument.value)])


async def subscribe(ctx: object, params: SubscribeRequestParams) -> EmptyResult:
    """Take a subscription of the older era, for which `MCPServer` has no way of its own."""
    subscribed.add(str(params.uri))
    return EmptyResult()


async def unsubscribe(ctx: object, params: UnsubscribeRequestParams) -> EmptyResult:
    subscribed.discard(str(params.uri))
    return EmptyResult()


async def set_level(ctx: object, params: SetLevelRequestParams) -> EmptyResult:
    levels.append(params.level)
    return EmptyResult()


subscribed: set[str] = set()
levels: list[str] = []
server._lowlevel_server.add_request_handler("logging/setLevel", SetLevelRequestParams, set_level)
server._lowlevel_server.add_request_handler("resources/subscribe", SubscribeRequestParams, subscribe)
server._lowlevel_server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, unsubscribe)


@server.tool()
async def rewrite(text: str, ctx: Context) -> str:
    """Change the book, and tell whoever subscribed."""
    shelf["sea"] = text
    await ctx.notify_resource_updated("book://sea")
    if "book://sea" in subscribed:
        await ctx.session.send_resource_updated("book://sea")
    return "rewritten"


@server.tool()
async def publish(ctx: Context) -> str:
    """Add a resource, a prompt and a tool, and tell whoever listens."""
    server.add_tool(lambda: "new", name="grown", description="New")

    @server.prompt(name="grown")
    def prompt() -> str:
        return "new"

    @server.resource("book://grown")
    def resource() -> str:
        return "new"

    for kind in ("tool", "prompt", "resource"):
        await getattr(ctx.session, f"send_{kind}_list_changed")()
        await getattr(ctx, f"notify_{kind}s_changed")()
    return "published"


@server.tool()
async def work(steps: int, ctx: Context) -> str:
    """Report progress and log messages."""
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps, f"step {step}")
        await ctx.info(f"did {step}")
    await ctx.warning("that was all")
    return "done"


@server.tool()
def level() -> list[str]:
    """Tell which log messages were asked for in the older way."""
    return levels


@server.tool()
def die() -> str:
    print("library: out of ink", file=sys.stderr, flush=True)
    os._exit(3)


@server.tool()
async def dawdle(steps: int, seconds: float, ctx: Context) -> str:
    """Take that long over each step, and report it."""
    for step in range(1, steps + 1):
        await anyio.sleep(seconds)
        await ctx.report_progress(step, steps)
    return "done"


if __name__ == "__main__":
    if sys.argv[1:]:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
