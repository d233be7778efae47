"""server-everything, by each of its transports: every tool, resource, prompt and completion it has."""

from __future__ import annotations

import pytest

from mcp_notebook.errors import ConnectError, ProtocolError, ToolError, UsageError
from tests.protocol.conftest import Session
from tests.protocol.places import DECLINE, Scripted, accept
from tests.real.servers import Everything

TOOLS = {
    *("echo", "get-annotated-message", "get-env", "get-resource-links", "get-resource-reference"),
    *("get-structured-content", "get-sum", "get-tiny-image", "gzip-file-as-resource", "simulate-research-query"),
    *("toggle-simulated-logging", "toggle-subscriber-updates", "trigger-elicitation-request"),
    *("trigger-long-running-operation", "trigger-url-elicitation"),
}
"""What it offers to a client without folders and without a model: `test_older.py` has those."""


def test_it_speaks_the_older_protocol_and_offers_what_the_client_can_do(everything: Everything):
    server = everything.server
    assert (server.protocol_version, server.era) == ("2025-11-25", "legacy")
    assert set(server.tools) == TOOLS


def test_a_protocol_that_it_does_not_speak_is_named_as_what_may_be_wrong(session: Session, everything: Everything):
    spec = everything.server.spec
    target, by = (list(spec.command), None) if spec.command else (spec.url, spec.transport)
    with pytest.raises(ConnectError, match="It may not speak 2026-07-28: leave protocol at auto"):
        session.connect("newer", target, transport=by, protocol="2026-07-28")


def test_its_plain_tools_give_what_they_should(everything: Everything):
    tools = everything.server.tools
    assert tools.echo(message="hi").text == "Echo: hi"
    assert tools.get_sum(a=2, b=3).text == "The sum of 2 and 3 is 5."
    assert [block.type for block in tools.get_tiny_image().content] == ["text", "image", "text"]
    assert tools.get_annotated_message(messageType="error").content[0].annotations.priority == 1
    assert set(tools.get_structured_content(location="Chicago").data) == {"temperature", "conditions", "humidity"}
    links = tools.get_resource_links(count=2).content
    assert [block.type for block in links] == ["text", "resource_link", "resource_link"]
    assert everything.server.resource(str(links[1].uri)).contents
    assert "resource" in [block.type for block in tools.get_resource_reference(resourceId=1).content]
    assert "PATH" in tools.get_env().data
    assert tools.gzip_file_as_resource(name="a.gz", data="data:text/plain,hi").content[0].type == "resource_link"
    assert "Started" in tools.toggle_simulated_logging().text
    assert "Started" in tools.toggle_subscriber_updates().text


def test_a_long_operation_tells_how_far_it_is(session: Session, everything: Everything):
    session.place = place = Scripted()
    assert "completed" in everything.server.tools.trigger_long_running_operation(duration=0.2, steps=2).text
    assert [step[1:3] for step in place.progressed][-1] == (2, 2)


def test_what_it_asks_by_a_form_arrives(session: Session, everything: Everything):
    session.place = place = Scripted(lambda _: accept(name="Ada", integer=7))
    told = everything.server.tools.trigger_elicitation_request().text
    (question,) = place.questions
    assert question.mode == "form"
    assert '"name": "Ada"' in told
    assert '"integer": 7' in told


def test_a_form_that_is_declined_is_told_so(session: Session, everything: Everything):
    session.place = Scripted(lambda _: DECLINE)
    assert "User declined" in everything.server.tools.trigger_elicitation_request().text


@pytest.mark.parametrize("by_error", [False, True], ids=["by request", "by error"])
def test_the_page_that_it_wants_opened_is_shown(session: Session, everything: Everything, by_error: bool):
    session.place = place = Scripted(lambda _: DECLINE)
    tool = everything.server.tools.trigger_url_elicitation
    page = "https://example.org/sign-in"
    if by_error:
        with pytest.raises(ProtocolError, match="needs a page to be opened first, and that was declined"):
            tool(url=page, errorPath=True)
    else:
        assert "declin" in tool(url=page).text
    (question,) = place.questions
    assert question.mode == "url"
    assert question.url == ("https://modelcontextprotocol.io" if by_error else page)


def test_its_resources_prompts_and_completions(everything: Everything):
    server = everything.server
    assert "demo://resource/static/document/architecture.md" in server.resources
    assert "Resource 1" in server.resource("demo://resource/dynamic/text/{resourceId}", resourceId="1").text
    assert server.prompt("args-prompt", city="Oslo").text == "What's weather in Oslo?"
    assert server.complete("department", "E", prompt="completable-prompt") == ["Engineering"]
    context = {"department": "Engineering"}
    assert server.complete("name", "", prompt="completable-prompt", context=context)[0] == "Alice"


def test_its_errors_are_told_as_what_they_are(everything: Everything):
    server = everything.server
    with pytest.raises(ToolError, match=r"everything: get-sum failed: .*expected number, received string at a"):
        server.call("get-sum", a="two", b=3)
    with pytest.raises(ToolError, match="Tool nowhere not found"):
        server.call("nowhere")
    with pytest.raises(ToolError, match="simulate-research-query requires task augmentation"):
        server.tools.simulate_research_query(topic="tea")
    with pytest.raises(ProtocolError, match=r"everything: resources/read demo://nowhere: .*not found"):
        server.resource("demo://nowhere")
    with pytest.raises(UsageError, match="args-prompt needs city"):
        server.prompt("args-prompt")
