"""A server that is connected without elicitation: it is told so, and is refused when it asks all the same."""

from __future__ import annotations

import json

import pytest
from mcp.server.lowlevel import Server as LowLevelServer
from mcp.types import CallToolResult, ElicitRequest, ElicitRequestFormParams, InputRequiredResult, ListToolsResult, Tool

from mcp_notebook.errors import ProtocolError
from tests.protocol.conftest import Session, script
from tests.protocol.servers import old as old_module

FORM = {"message": "m", "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}}}


def test_an_older_server_that_asks_gets_method_not_found(session: Session):
    server = session.connect("raw", script("raw"), elicit=False)
    assert json.loads(server.call("ask", **FORM).text)["code"] == -32601


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_the_capability_is_not_declared(session: Session, protocol: str):
    server = session.connect("tricky", script("tricky"), protocol=protocol, elicit=False)
    with pytest.raises(ProtocolError, match="did not declare the form elicitation capability"):
        server.call("ask", ticket="t")
    assert server.state == "connected"


def test_a_tool_of_the_older_way_ends_in_an_error(session: Session):
    server = session.connect("old", old_module.server, elicit=False)
    with pytest.raises(ProtocolError, match=r"Elicitation is turned off for this server \(-32601\)"):
        server.call("ask")


def test_a_modern_server_that_asks_all_the_same_is_a_protocol_error(session: Session):
    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[Tool(name="ask", input_schema={"type": "object"})])

    async def call_tool(*_: object) -> CallToolResult | InputRequiredResult:
        params = ElicitRequestFormParams(message="m", requested_schema={"type": "object", "properties": {}})
        return InputRequiredResult(input_requests={"q": ElicitRequest(params=params)}, request_state="s")

    rude = LowLevelServer("rude", on_list_tools=list_tools, on_call_tool=call_tool)
    server = session.connect("rude", rude, elicit=False)
    assert server.era == "modern"
    with pytest.raises(ProtocolError, match="rude: ask: Elicitation is turned off for this server") as caught:
        server.call("ask")
    assert caught.value.code == -32601
