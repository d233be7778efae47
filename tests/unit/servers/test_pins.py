"""Fingerprints, the pin file, and what is compared, without a server."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_notebook import detect_drift, fingerprint_tools
from mcp_notebook.errors import UsageError
from mcp_notebook.servers.pins.compare import word_diff
from mcp_notebook.servers.pins.fingerprints import ai_sdk_fingerprint, definition
from mcp_notebook.servers.pins.guard import Pins
from mcp_notebook.servers.pins.hidden import hidden_in, visible
from mcp_notebook.servers.shown import identity
from mcp_notebook.types import ServerSpec, ToolInfo

SCHEMA = {"type": "object", "properties": {"kind": {"type": "string", "description": "which coffee"}}}
TAGS = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


def tool(**parts: Any) -> ToolInfo:
    given = {"name": "order", "description": "Order a coffee.", "input_schema": SCHEMA, **parts}
    return ToolInfo(server="cafe", **given)


def of(info: ToolInfo) -> str:
    return fingerprint_tools({info.name: info})[info.name]


class Tool:
    def __init__(self, info: ToolInfo) -> None:
        self.info = info


class Cafe:
    """A connected server."""

    def __init__(self, *tools: ToolInfo, command: tuple[str, ...] = ("cafe",)) -> None:
        self.name = "cafe"
        self.spec = ServerSpec(name="cafe", command=command)
        self.infos = {info.name: info for info in tools}
        self.tools = {info.name: Tool(info) for info in tools}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MCP_NOTEBOOK_PINS", raising=False)
    monkeypatch.delenv("MCP_NOTEBOOK_PINS_FILE", raising=False)
    return tmp_path


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None)),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(st.text(st.characters(codec=None)), parts, max_size=3),
    max_leaves=8,
)


@given(schema=st.dictionaries(st.text(), JSON, min_size=2, max_size=4))
def test_a_fingerprint_ignores_the_order_of_keys(schema: dict[str, Any]):
    assert of(tool(input_schema=schema)) == of(tool(input_schema=dict(reversed(schema.items()))))


@given(value=JSON)
def test_every_part_changes_the_fingerprint(value: Any):
    plain = tool()
    for part in ("input_schema", "output_schema", "annotations"):
        assert of(tool(**{part: {"new": value}})) != of(plain)
    for part in ("title", "description", "name"):
        assert of(tool(**{part: f"{value!r}x".encode("utf-8", "backslashreplace").decode()})) != of(plain)


def test_what_json_cannot_write_canonically_is_told_apart():
    odd = [2**53, 2**53 + 1, hex(2**53), float("nan"), "nan", float("inf"), "\ud800", "\\ud800", 1, True, "1"]
    assert len({of(tool(input_schema={"const": value})) for value in odd}) == len(odd)


def test_a_schema_that_is_too_deep_is_refused():
    deep: Any = {}
    for _ in range(sys.getrecursionlimit()):
        deep = {"a": deep}
    with pytest.raises(UsageError, match="order is nested too deep"):
        of(tool(input_schema=deep))


def test_the_fingerprint_of_the_ai_sdk_is_that_of_canonical_json_written_by_hand():
    # Keys sorted, no spaces, and nothing but these three: what canonical JSON of the definition is, typed by hand.
    # printf '%s' '…' | openssl dgst -sha256 -binary | basenc --base64url | tr -d =
    written = (
        '{"description":"Order a coffee.","inputSchema":{"properties":{"kind":{"description":"which coffee",'
        '"type":"string"}},"type":"object"},"title":"Café"}'
    )
    expected = base64.urlsafe_b64encode(hashlib.sha256(written.encode()).digest()).decode().rstrip("=")
    assert expected == "mdiPz6KVqlzyzXn2Y1mmJFLAjdmKDiFyKU6lUWtJlwQ"
    info = tool(title="Café", output_schema={}, annotations={"readOnlyHint": True})
    assert ai_sdk_fingerprint(definition(info)) == expected


def test_drift_is_told_by_names():
    drift = detect_drift({"a": "1", "b": "3", "d": "4"}, {"a": "1", "b": "2", "c": "3"})
    assert (drift.added, drift.removed, drift.changed) == (("d",), ("c",), ("b",))
    assert not detect_drift({"a": "1"}, {"a": "1"})


def test_a_changed_word_is_shown_alone():
    assert word_diff("Order a small coffee.", "Order a large coffee.") == (
        ("same", "Order a "), ("removed", "small"), ("added", "large"), ("same", " coffee.")
    )  # fmt: skip


def test_a_change_deep_in_a_long_text_is_found_and_bounded():
    pieces = word_diff("a b " * 50_000 + "x" + " c" * 50_000, "a b " * 50_000 + "y" + " c" * 50_000)
    assert [piece for piece in pieces if piece[0] != "same"] == [("removed", "x"), ("added", "y")]
    assert sum(len(text) for _, text in word_diff("a b " * 50_000, "c d " * 50_000)) < 10_000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\u200bb", "a\\u{200B}b"),
        ("\u202eevil", "\\u{202E}evil"),
        ("\U000e0041", "\\u{E0041}"),
        ("a\rb", "a\\u{D}b"),
        ("a\u200db", "a\\u{200D}b"),
        ("\ud800", "\\u{D800}"),
        ("line\r\nline\tgrüße 日本", "line\r\nline\tgrüße 日本"),
        ("👩\u200d💻 ❤\ufe0f می\u200cخواهم", "👩\u200d💻 ❤\ufe0f می\u200cخواهم"),
    ],
)
def test_invisible_characters_are_written_out_and_those_of_scripts_are_left(text: str, shown: str):
    assert visible(text) == shown


def test_hidden_instructions_are_found_wherever_they_are():
    schema = {"properties": {"a\u200b": {"enum": ["x", f"y{TAGS}"]}}}
    found = list(hidden_in(definition(tool(input_schema=schema))))
    assert found[0] == "inputSchema.properties.a\\u{200B}: in the name itself"
    assert found[1].startswith("inputSchema.properties.a\\u{200B}.enum[1]: y\\u{E006F}")
    assert found[1].endswith("(spells: obey)")


def test_the_pin_file_is_stable_and_holds_no_secret(folder: Path):
    cafe = Cafe(tool(description=f"Grüße{TAGS}"), command=(sys.executable, "-m", "cafe", "--token", "s3cret-word"))
    Pins().pin(cafe)
    text = (folder / "mcp-pins.json").read_text(encoding="utf-8")
    assert "s3cret" not in text
    assert sys.executable not in text
    assert "Grüße\\udb40\\udc6f" in text
    Pins().approve(cafe)
    assert (folder / "mcp-pins.json").read_text(encoding="utf-8") == text
    assert os.listdir(folder) == ["mcp-pins.json"]
    assert not Pins().drift(cafe).drifted
    assert json.loads(text)["servers"]["cafe"]["identity"] == "python -m cafe --token •••"


def test_another_url_is_another_server_and_another_token_is_not():
    def at(url: str) -> str:
        return identity(ServerSpec(name="a", url=url, transport="http"))

    assert at("https://u:secret@a.example/mcp?key=123456") == at("https://a.example/mcp?key=654321")
    assert at("https://a.example/mcp") != at("https://b.example/mcp")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"version": 1,\n "servers": }', "line 2, column 13"),
        ("[]", 'line 1, column 1: it is an object with "version": 1'),
        ('{"version": 1, "servers": []}', '"servers" is an object'),
        ('{"version": 1, "servers": {\n "cafe": 3}}', "line 2, column 2: the pin of cafe"),
    ],
)
def test_a_faulty_file_is_told_with_its_line_and_keeps_all_from_models(folder: Path, text: str, told: str):
    (folder / "mcp-pins.json").write_text(text)
    with pytest.raises(UsageError) as caught:
        Pins().withheld(Cafe(tool()))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_definition_that_was_edited_in_the_file_is_told(folder: Path):
    Pins().pin(Cafe(tool()))
    path = folder / "mcp-pins.json"
    path.write_text(path.read_text().replace("Order a", "Steal a"))
    with pytest.raises(UsageError, match=r"line \d+, column 9: the fingerprint of cafe.order is not that"):
        Pins().drift(Cafe(tool()))


def test_a_model_gets_no_tool_that_is_new_or_changed_until_it_is_approved():
    pins = Pins()
    pins.pin(Cafe(tool(), tool(name="pay"), tool(name="gone")))
    now = Cafe(tool(description="Steal."), tool(name="pay"), tool(name="spy"))
    assert pins.withheld(now) == {
        "spy": "it is new since cafe was pinned. See: %mcp drift cafe",
        "order": "it has changed since cafe was pinned. See: %mcp drift cafe",
    }
    pins.approve(now, "order")
    pins.approve(now, "gone")
    assert list(pins.withheld(now)) == ["spy"]
    with pytest.raises(UsageError, match="no tool pay has drifted; these have: spy"):
        pins.approve(now, "pay")
    pins.approve(now)
    assert pins.withheld(now) == {}


def test_what_changed_again_after_it_was_shown_is_not_approved():
    pins = Pins()
    pins.pin(Cafe(tool()))
    pins.drift(Cafe(tool(description="Fine.")))
    with pytest.raises(UsageError, match="cafe has changed again since you looked at it"):
        pins.approve(Cafe(tool(description="Steal.")))
    with pytest.raises(UsageError, match="has changed again"):
        pins.approve(Cafe(tool(description="Steal.")), "order")
    pins.approve(Cafe(tool(description="Fine.")))


def test_another_server_under_a_pinned_name_is_kept_from_models_whole():
    pins = Pins()
    pins.pin(Cafe(tool()))
    other = Cafe(tool(), command=("thief",))
    assert list(pins.withheld(other)) == ["order"]
    assert pins.notice(other.spec, other.infos) == (
        "cafe is not as it was pinned; it is another server than the pinned one. See: %mcp drift cafe"
    )
    with pytest.raises(UsageError, match="as a whole"):
        pins.approve(other, "order")


def test_strict_refuses_what_is_not_pinned_and_any_other_word_is_refused(monkeypatch: pytest.MonkeyPatch):
    pins, cafe = Pins(), Cafe(tool())
    assert pins.withheld(cafe) == {}
    assert pins.before_call(cafe.spec, cafe.infos, "order") is None
    monkeypatch.setenv("MCP_NOTEBOOK_PINS", "strict")
    assert list(pins.withheld(cafe)) == ["order"]
    with pytest.raises(UsageError, match="cafe is not pinned"):
        pins.before_call(cafe.spec, cafe.infos, "order")
    pins.pin(cafe)
    assert pins.before_call(cafe.spec, cafe.infos, "order") is None
    monkeypatch.setenv("MCP_NOTEBOOK_PINS", "Strict")
    with pytest.raises(UsageError, match="is strict, or not set"):
        pins.watches(cafe.spec)


def test_trust_goes_with_what_the_server_is_and_is_in_no_file(folder: Path):
    pins, cafe = Pins(), Cafe(tool())
    assert not pins.trusted(cafe)
    pins.trust(cafe)
    assert pins.trusted(cafe)
    assert not pins.trusted(Cafe(tool(), command=("thief",)))
    assert not Pins().trusted(cafe)
    assert os.listdir(folder) == []
    pins.trust(cafe, False)
    assert not pins.trusted(cafe)
