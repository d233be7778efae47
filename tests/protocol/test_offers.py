"""Resources, templates, prompts, completions, progress, log messages and changes, over every transport in both eras."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from mcp.server.lowlevel import Server as LowLevelServer
from mcp.types import ListToolsResult

from mcp_notebook.errors import ConnectionLost, ProtocolError, UsageError
from mcp_notebook.servers.offers import expanded
from mcp_notebook.servers.server import Server
from mcp_notebook.types import ProtocolMode
from tests.protocol.conftest import WAYS, Session, Way, free_port, script, until, wait_for_port
from tests.protocol.places import BOUND, DECLINE, Raising, Scripted, accept
from tests.protocol.servers import library as library_module

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")  # of the server


@pytest.fixture(scope="session")
def library_url(serve: Callable[[Sequence[str]], str]) -> str:
    return serve([*script("library"), "PORT"]) + "/mcp"


@pytest.fixture(params=WAYS, ids="-".join)
def library(request: pytest.FixtureRequest, session: Session) -> Server:
    way: Way = request.param[0]
    protocol: ProtocolMode = request.param[1]
    targets = {"stdio": lambda: script("library"), "in-process": lambda: library_module.server}
    target = targets.get(way, lambda: request.getfixturevalue("library_url"))()
    return session.connect("library", target, protocol=protocol)


def test_resources_and_templates_are_listed_and_read(library: Server):
    info = library.resources["book://sea"]
    assert (info.name, info.title, info.description, info.mime_type) == ("sea", "The Sea", "A short one.", "text/plain")
    assert library.resource("book://sea").text.startswith("The")
    cover = library.resource("book://cover")
    assert (cover.data, cover.mime_type) == (b"\x00\x01", "application/octet-stream")
    assert library.resource("book://facts").data == {"pages": 3}
    assert list(library.resource_templates) == ["weather://{country}/{city}", "page://{book}"]
    assert library.resource("weather://{country}/{city}", country="no", city="Å").text == "Å, no: rain"
    assert asyncio.run(library.aresource("book://facts")).data == {"pages": 3}


@pytest.mark.parametrize(
    ("variables", "told"),
    [({"city": "Oslo"}, "country is missing"), ({"city": "Oslo", "country": "no", "street": "x"}, "street is unknown")],
    ids=str,
)
def test_a_variable_that_is_missing_or_unknown_is_named(library: Server, variables: dict[str, str], told: str):
    with pytest.raises(UsageError, match=told):
        library.resource("weather://{country}/{city}", **variables)


@pytest.mark.parametrize(
    ("template", "variables", "uri"),
    [
        ("a://{x}/{+path}", {"x": "ä/b", "path": "c/d"}, "a://%C3%A4%2Fb/c/d"),
        ("a://x{?q,limit}", {"limit": 3}, "a://x?limit=3"),
        ("a://x{?q,limit}", {}, "a://x"),
        ("a://x{/path*}", {"path": ["b", 2]}, "a://x/b/2"),
        ("a://x{/path*}", {"path": []}, "a://x"),
        ("a://x", {}, "a://x"),
    ],
)
def test_a_template_is_filled_in_as_rfc_6570_has_it(template: str, variables: dict[str, object], uri: str):
    assert expanded(template, variables) == uri


@pytest.mark.parametrize(("template", "told"), [("a://{x", "no template"), ("a://x", "takes nothing; y is unknown")])
def test_what_is_no_template_is_told(template: str, told: str):
    with pytest.raises(UsageError, match=told):
        expanded(template, {"y": "1"})


def test_a_resource_that_is_not_there_is_the_servers_error(library: Server):
    with pytest.raises(ProtocolError, match=r"library: resources/read book://none: .*book://none"):
        library.resource("book://none")


def test_prompts_are_listed_and_filled_in(library: Server):
    info = library.prompts["summarise"]
    assert info.description == "Summarise a book."
    assert list(info.arguments) == ["book", "words"]
    assert info.required == ("book",)
    (message,) = library.prompt("summarise", book="sea", words=3).messages
    assert (message.role, message.content.text) == ("user", "Summarise sea in 3 words.")
    assert asyncio.run(library.aprompt("summarise", book="sea")).text == "Summarise sea in 10 words."


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("summarise", {}, "summarise needs book; it takes book, words"),
        ("summarise", {"book": "sea", "size": 3}, "summarise has no argument size"),
        ("summarize", {}, r"library has no prompt summarize; did you mean summarise\?"),
    ],
)
def test_a_prompt_called_wrongly_is_told_before_it_is_sent(
    library: Server, name: str, arguments: dict[str, object], told: str
):
    with pytest.raises(UsageError, match=told):
        library.prompt(name, **arguments)


def test_a_question_in_the_middle_of_a_resource_or_a_prompt_is_asked_where_it_is_wanted(
    session: Session, library: Server
):
    session.place = place = Scripted(lambda _: accept(page="7"))
    assert library.resource("page://sea").text == "sea, page 7"
    assert library.prompt("quote", book="sea").text == "Quote sea, page 7."
    assert [(question.message, question.tool) for question in place.questions] == [("Which page?", None)] * 2
    session.place = Scripted(lambda _: DECLINE)
    assert library.resource("page://sea").text == "sea, page decline"
    session.place = Raising(KeyboardInterrupt("stop"))
    with pytest.raises(KeyboardInterrupt):
        library.prompt("quote", book="sea")


def test_arguments_are_completed_by_the_server_with_what_is_known(library: Server):
    template = "weather://{country}/{city}"
    assert library.complete("book", "s", prompt="summarise") == ["sea"]
    assert library.complete("city", "Os", template=template) == ["Oslo", "Osaka", "Ostrava"]
    assert library.complete("city", "", template=template, context={"country": "de"}) == ["Bonn"]


def test_a_server_without_completions_says_so(session: Session):
    raw = session.connect("raw", script("raw"))
    with pytest.raises(UsageError, match="raw offers no completions"):
        raw.complete("city", template="x://{city}")


def test_a_server_that_offers_nothing_has_empty_lists(session: Session):
    raw = session.connect("raw", script("raw"))
    assert (dict(raw.resources), dict(raw.resource_templates), dict(raw.prompts)) == ({}, {}, {})


def test_progress_is_reported_at_the_place_of_the_call(session: Session, library: Server):
    session.place = place = Scripted()
    assert library.call("work", steps=3).text == "done"
    assert place.progressed == [("work", step, 3, f"step {step}") for step in (1, 2, 3)]


def test_log_messages_are_kept_with_their_levels(session: Session, library: Server):
    session.place = Scripted()
    library.call("work", steps=1)
    until(lambda: len(library.logs) >= 2, "both have arrived")
    assert [(record.level, record.text) for record in library.logs][-2:] == [
        ("info", "did 1"),
        ("warning", "that was all"),
    ]


def test_what_a_process_writes_to_stderr_is_in_its_logs(session: Session):
    code = (
        "import sys; print('starting', file=sys.stderr); import runpy; runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    server = session.connect("raw", [sys.executable, "-c", code, script("raw")[1]])
    until(lambda: ("stderr", "starting") in [(record.level, record.text) for record in server.logs], "it has arrived")


def test_what_a_process_wrote_before_it_died_is_still_there_after_the_next_has_begun(session: Session):
    session.place = Scripted()
    server = session.connect("library", script("library"))
    with pytest.raises(ConnectionLost):
        server.call("die")
    assert server.call("work", steps=0).text == "done"
    assert ("stderr", "library: out of ink") in [(record.level, record.text) for record in server.logs]


def test_a_server_of_the_older_era_is_asked_for_its_log_messages(session: Session):
    server = session.connect("library", script("library"), protocol="legacy")
    until(lambda: server.call("level").data == ["info"], "it is asked")


@pytest.fixture
def growing(session: Session, serve: Callable[[Sequence[str]], str], request: pytest.FixtureRequest) -> Server:
    """A server that no other test has changed."""
    way, protocol = request.param
    target = script("library") if way == "stdio" else serve([*script("library"), "PORT"]) + "/mcp"
    return session.connect("growing", target, protocol=protocol)


@pytest.mark.parametrize(
    "growing", [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto")], indirect=True, ids="-".join
)
def test_what_a_server_says_has_changed_is_listed_anew(session: Session, growing: Server):
    assert "grown" not in growing.tools
    assert "grown" not in growing.prompts
    assert "book://grown" not in growing.resources
    session.place = Scripted()
    growing.call("publish")
    until(lambda: "grown" in growing.tools, "the tools are listed anew")
    until(lambda: "grown" in growing.prompts, "the prompts are listed anew")
    until(lambda: "book://grown" in growing.resources, "the resources are listed anew")


@pytest.mark.parametrize(
    "growing", [("stdio", "auto"), ("stdio", "legacy"), ("http", "auto")], indirect=True, ids="-".join
)
def test_whoever_subscribed_to_a_resource_is_told_of_its_change_until_they_end_it(session: Session, growing: Server):
    told: list[str] = []
    subscription = growing.subscribe("book://sea", lambda: told.append(growing.resource("book://sea").text))
    other = growing.subscribe("book://facts", lambda: told.append("facts"))
    session.place = Scripted()
    growing.call("rewrite", text="The sea is deep.")
    until(lambda: told == ["The sea is deep."], "it is told")
    subscription.close()
    subscription.close()
    with other:
        growing.call("rewrite", text="The sea is blue.")
    assert growing.resource("book://sea").text == "The sea is blue."
    assert told == ["The sea is deep."]


def test_changes_while_a_subscriber_is_at_work_come_to_one_further_call(session: Session):
    session.place = Scripted()
    growing = session.connect("growing", script("library"))
    started, go_on, calls = threading.Event(), threading.Event(), []

    def read() -> None:
        calls.append(growing.resource("book://sea").text)
        started.set()
        assert go_on.wait(BOUND)

    with growing.subscribe("book://sea", read):
        growing.call("rewrite", text="1")
        assert started.wait(BOUND)
        for number in "234":
            growing.call("rewrite", text=number)
        go_on.set()
        until(lambda: calls[-1] == "4", "it is told of the last")
    assert len(calls) <= 3


@pytest.mark.parametrize("protocol", ["auto", "legacy"])
def test_a_subscription_goes_on_when_a_server_was_gone(session: Session, protocol: ProtocolMode):
    session.place = Scripted()
    growing = session.connect("growing", script("library"), protocol=protocol)
    told: list[str] = []
    growing.subscribe("book://sea", lambda: told.append(growing.resource("book://sea").text))
    with pytest.raises(ConnectionLost):
        growing.call("die")
    assert growing.call("work", steps=0).text == "done"
    until(lambda: told == ["The sea is wide."], "it is told, as it may have changed meanwhile")
    growing.call("rewrite", text="The sea is deep.")
    until(lambda: told[-1] == "The sea is deep.", "it is told of a change")


def test_changes_are_heard_again_when_the_stream_of_them_broke(session: Session):
    session.place = Scripted()
    command = [*script("library"), str(port := free_port())]
    url = f"http://127.0.0.1:{port}/mcp"
    told = threading.Event()
    with running(command, port):
        growing = session.connect("growing", url)
        growing.subscribe("book://sea", told.set)
    with running(command, port):

        def heard() -> bool:
            growing.open()  # which does nothing, unless the server was away for long
            return told.is_set()

        until(heard, "it is told, as it may have changed meanwhile")
        told.clear()
        session.connect("other", url).call("rewrite", text="The sea is deep.")
        assert told.wait(BOUND)


@contextmanager
def running(command: Sequence[str], port: int) -> Iterator[None]:
    """Have an HTTP server run on a port for as long as the block does."""
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for_port(port)
            yield
        finally:
            process.kill()


def test_a_server_that_tells_of_no_changes_says_so(session: Session):
    raw = session.connect("raw", script("raw"))
    with pytest.raises(ProtocolError, match="raw: resources/subscribe book://sea: not here"):
        raw.subscribe("book://sea", lambda: None)


def test_a_server_that_knows_no_subscriptions_at_all_says_so(session: Session):
    async def list_tools(*_: object) -> ListToolsResult:
        return ListToolsResult(tools=[])

    plain = session.connect("plain", LowLevelServer("plain", on_list_tools=list_tools))
    assert plain.era == "modern"
    with pytest.raises(ProtocolError, match="plain: resources/subscribe a://b: Method not found"):
        plain.subscribe("a://b", lambda: None)
    assert plain.state == "connected"


def test_connecting_lists_the_tools_once(session: Session):
    session.place = Scripted()
    server = session.connect("library", script("library"))
    tools = server.tools
    server.subscribe("book://sea", lambda: None)  # once that is so, its changes are heard
    assert server.tools is tools
