"""A client for the official conformance suite, built on this package's public API alone: `client.py URL`.

The suite names the scenario in MCP_CONFORMANCE_SCENARIO, and gives what it needs in MCP_CONFORMANCE_CONTEXT. Whatever
the scenario, this does what a user would: connect, look at the tools, call them, answer what is asked by the defaults.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import urllib.request
from collections.abc import Iterable, Mapping
from typing import Any

from mcp_notebook import Answer, Auth, Question, Server, ServerError, answering, ask_person, connect
from tests.conformance.enterprise import by_the_company

METADATA = "https://conformance-test.local/client-metadata.json"
SAMPLES = {"string": "text", "integer": 2, "number": 2, "boolean": True, "array": [], "object": {}, "null": None}


def main(url: str) -> None:
    """Play the scenario against the suite's server."""
    context = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    protocol: Any = "legacy" if os.environ.get("MCP_CONFORMANCE_PROTOCOL_VERSION", "2026") < "2026" else "auto"
    options = {"protocol": protocol, "auth": sign_in(url, context), "on_elicit": visit}
    with connect("suite", url, **options) as server, answering([{"content": "defaults", "repeat": True}]):
        asked = context.get("toolCalls")
        if asked is None:
            asked = chosen(server)
        for call in asked:
            told(server, call)
        asyncio.run(at_once(server, asked))


def sign_in(url: str, context: Mapping[str, Any]) -> Any:
    """Give the credentials that the scenario has for its client, if it has any."""
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    if scenario == "auth/basic-cimd":
        return Auth(client_metadata_url=METADATA)
    if "idp_id_token" in context:
        return by_the_company(url, context)
    if "client_id" not in context:
        return None
    return Auth(
        client_id=context["client_id"],
        client_secret=context.get("client_secret"),
        private_key=context.get("private_key_pem"),
        assertion=context.get("valid_jwt"),
        client_credentials="client-credentials" in scenario,
    )


def visit(question: Question) -> object:
    """Open the page of a sign-in, as a person's browser would, and go where it leads."""
    if question.mode != "url" or question.url is None:
        return ask_person
    with urllib.request.urlopen(question.url, timeout=20):
        return Answer(action="accept")


def chosen(server: Server) -> list[dict[str, Any]]:
    """Choose what to call: every tool; but where one wants to see what arrived of another's schema, that alone."""
    if "json_schema_echo" in server.tools:
        (argument,) = server.tools["json_schema_echo"].info.input_schema["properties"]
        schema = server.tools["json_schema_2020_12_tool"].info.input_schema
        return [{"name": "json_schema_echo", "arguments": {argument: schema}}]
    return [{"name": name, "arguments": samples(tool.info.input_schema)} for name, tool in server.tools.items()]


def told(server: Server, call: Mapping[str, Any]) -> None:
    """Make one call, and print what came of it; a server's own error is no failure of the client's."""
    try:
        print(call["name"], repr(server.call_with(call["name"], call["arguments"]))[:200])
    except ServerError as error:
        print(error)


async def at_once(server: Server, calls: Iterable[Mapping[str, Any]]) -> None:
    """Make all calls at the same time."""
    calling = [server.acall_with(call["name"], call["arguments"]) for call in calls]
    await asyncio.gather(*calling, return_exceptions=True)


def samples(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Make up arguments that fit a schema."""
    properties = schema.get("properties", {})
    return {name: sample(properties.get(name, {})) for name in schema.get("required", [])}


def sample(schema: Mapping[str, Any]) -> Any:
    """Make up one value."""
    if "default" in schema:
        return schema["default"]
    return schema["enum"][0] if "enum" in schema else SAMPLES.get(schema.get("type", "string"), "text")


if __name__ == "__main__":
    main(sys.argv[1])
