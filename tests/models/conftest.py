"""Models that are played: aimock for the two APIs as they are, a bare HTTP server for those that keep to neither."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import httpx2
import IPython
import pytest
from mcp.server.mcpserver import Context, Image, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations
from pydantic import BaseModel
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from mcp_notebook import Server, api, connect
from mcp_notebook.chat import conversation
from mcp_notebook.chat.endpoint import Endpoint, find_endpoint
from tests import everything
from tests.models import rules
from tests.protocol.conftest import free_port, wait_for_port

AIMOCK = everything.NODE / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"
KEY = "sk-test-of-ours"
READS = ToolAnnotations(read_only_hint=True)
PIXEL = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
    b"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"
)


class Name(BaseModel):
    name: str


def office() -> MCPServer[Any]:
    """A server with a tool of each kind that matters to a model."""
    server: MCPServer[Any] = MCPServer("office", log_level="ERROR")

    @server.tool(annotations=READS)
    def look(what: str) -> str:
        """Look something up."""
        return f"{what} is blue"

    @server.tool()
    def write(text: str) -> str:
        """Write something down."""
        return f"wrote {text}"

    @server.tool()
    async def greet(ctx: Context[Any, Any]) -> str:
        """Ask for a name, and say hello."""
        answer = await ctx.elicit("Who are you?", Name)
        return f"Hello, {answer.data.name}!" if answer.action == "accept" else f"Hello: {answer.action}"

    @server.tool()
    def draw() -> Image:
        """Draw a pixel."""
        return Image(data=PIXEL, format="png")

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ToolError("the printer is on fire")

    @server.tool()
    def read_all(length: int) -> str:
        """Give a long text."""
        return f"<{'x' * length}>"

    return server


@pytest.fixture
def servers() -> Iterator[Server]:
    """The office, connected; all is closed afterwards."""
    yield connect("office", office())
    api.close_all()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code runs in a terminal's IPython, which shows an answer as it comes; a script does not."""
    monkeypatch.setattr(IPython, "get_ipython", object)


class Player:
    """A model that says what it is told to, turn by turn.

    Args:
        url: Where aimock is.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.requests: list[dict[str, Any]] = []
        """The bodies of the requests so far, as they were sent, the oldest first."""
        self.counts_calls = False
        """Whether aimock counts each call for a turn, as it does for the Responses API."""
        self._client = httpx2.Client(base_url=url, timeout=30)

    def plays(self, prompt: str, *turns: Any, **more: Any) -> None:
        """Say what it answers to a prompt, in several turns: text, or calls as (tool, arguments), or a whole response.

        Args:
            prompt: What the person says; the same words may come in one conversation only.
            turns: What it says; a list for several calls at once.
            more: What is added to each fixture, such as `latency=`.
        """
        fixtures: list[dict[str, Any]] = []
        number = self._turns
        for turn in turns:
            fixtures.append(
                {"match": {"userMessage": prompt, "turnIndex": number}, "response": _response(turn), **more}
            )
            number += len(turn) if self.counts_calls and isinstance(turn, list) else 1
        self._client.post("/__aimock/fixtures", json={"fixtures": fixtures}).raise_for_status()

    def fails(self, status: int, message: str, code: str | None = None) -> None:
        """Answer the next request with an error."""
        body = {"status": status, "body": {"message": message, "type": "invalid_request_error", "code": code}}
        self._client.post("/__aimock/error", json=body).raise_for_status()

    def close(self) -> None:
        """Talk to it no more."""
        self._client.close()

    def reset(self) -> None:
        """Forget all."""
        self._client.post("/__aimock/reset").raise_for_status()
        self._turns = 0
        self.requests.clear()
        self.counts_calls = False

    _turns = 0

    def forward(self, request: Request) -> Response:
        """Pass a request on to aimock, and keep it."""
        if request.path.startswith("/v1/") and request.data:
            self.requests.append(json.loads(request.data))
        headers = {"content-type": "application/json", "authorization": request.headers.get("authorization", "")}
        answer = self._client.request(request.method, request.path, content=request.data, headers=headers)
        kept = {name: answer.headers[name] for name in ("content-type", "retry-after") if name in answer.headers}
        return Response(answer.content, answer.status_code, kept)

    def goes_on(self, turns: int) -> None:
        """Take it that so many turns were said before what is played next."""
        self._turns = turns


def _response(turn: Any) -> dict[str, Any]:
    if isinstance(turn, str):
        return {"content": turn}
    if isinstance(turn, dict):
        return turn
    calls = turn if isinstance(turn, list) else [turn]
    return {"toolCalls": [_call(*each) for each in calls]}


def _call(tool: str, arguments: Any, id: str | None = None) -> dict[str, Any]:
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {"name": tool, "arguments": text, **({"id": id} if id else {})}


@pytest.fixture(scope="session")
def aimock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    everything.command()  # sees to it that the Node.js packages are there
    port = free_port()
    fixtures = tmp_path_factory.mktemp("aimock") / "nothing.json"  # it does not start with none at all
    fixtures.write_text(json.dumps({"fixtures": [{"match": {"userMessage": "\0"}, "response": {"content": "?"}}]}))
    command = [everything.PROGRAM, str(AIMOCK), "--port", str(port), "--strict", "--fixtures", str(fixtures)]
    process = subprocess.Popen([*command, "--log-level", "silent"], stdout=subprocess.DEVNULL)
    wait_for_port(port)
    player = Player(f"http://127.0.0.1:{port}")
    yield player
    player.close()
    process.kill()
    process.wait()


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the developer's own is used."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "MCP_NOTEBOOK_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:1")


@pytest.fixture
def player(aimock: Player, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    """aimock with nothing to say yet, as the endpoint of chat.completions; what it was sent keeps the API's rules."""
    aimock.reset()
    httpserver.expect_request(re.compile("/v1/.*")).respond_with_handler(aimock.forward)
    monkeypatch.setenv("OPENAI_BASE_URL", httpserver.url_for("/v1"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("MCP_NOTEBOOK_MODEL", "gpt-5-mini")
    yield aimock
    for request in aimock.requests:
        assert rules.broken(request) == []


@pytest.fixture
def openai_api(player: Player, monkeypatch: pytest.MonkeyPatch) -> Player:
    """aimock in the place of the OpenAI API, which has the Responses API."""
    base_url = os.environ["OPENAI_BASE_URL"]
    monkeypatch.delenv("OPENAI_BASE_URL")
    player.counts_calls = True

    async def find(model: str | None = None) -> Endpoint:
        endpoint = await find_endpoint(model)
        assert endpoint.base_url is None
        return replace(endpoint, base_url=base_url)

    monkeypatch.setattr(conversation, "find_endpoint", find)
    return player
