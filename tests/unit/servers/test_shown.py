from __future__ import annotations

import pytest

from mcp_notebook.servers.shown import escaped, masked, target
from mcp_notebook.types import ServerSpec


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.com/mcp", "https://example.com/mcp"),
        ("https://ada:SECRET@example.com:8443/mcp#SECRET", "https://example.com:8443/mcp"),
        ("https://example.com/mcp?key=SECRET&team=SECRET", "https://example.com/mcp?key=•••&team=•••"),
        ("https://example.com/mcp?SECRET", "https://example.com/mcp?•••"),
    ],
)
def test_a_url_is_shown_without_user_and_query_values(url: str, shown: str):
    assert target(ServerSpec(name="x", url=url, transport="http")) == shown


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("npx", "-y", "some-server", "a b"), "npx -y some-server 'a b'"),
        (("server", "--token=SECRET", "--port", "80"), "server --token=••• --port 80"),
        (("server", "--api-key", "SECRET", "more"), "server --api-key ••• more"),
        (("env", "MY_PASSWORD=SECRET", "server"), "env MY_PASSWORD=••• server"),
        (("server", "--token", "--verbose"), "server --token --verbose"),
    ],
)
def test_a_command_is_shown_without_the_values_of_options_named_like_secrets(command: tuple[str, ...], shown: str):
    assert target(ServerSpec(name="x", command=command)) == shown


def test_a_command_is_shown_in_one_bounded_line():
    shown = target(ServerSpec(name="x", command=("server", "-c", "a\nb" * 500, "\x1b[31m")))
    assert "\n" not in shown
    assert len(shown) <= 200


def test_a_server_in_this_process_says_so():
    assert target(ServerSpec(name="x", transport="in-process", server=object())) == "in this process"


def test_values_of_variables_and_headers_are_masked_in_any_text():
    spec = ServerSpec(
        name="x",
        env={"A": "SECRET-A", "B": "SECRET-A-AND-MORE", "SHORT": "on"},
        headers={"Authorization": "Bearer SECRET-B"},
        url="https://u:SECRET-C@example.com/?q=SECRET-D",
    )
    text = "SECRET-A-AND-MORE SECRET-A SECRET-B Bearer SECRET-B SECRET-C q=SECRET-D on"
    assert masked(spec, text) == "••• ••• ••• ••• ••• ••• on"


def test_control_and_format_characters_are_written_out_and_text_is_bounded():
    assert escaped("a\x1b[1m\r\u202e\x00b\n\tü　日本", 100) == "a\\x1b[1m\\r\\u202e\\x00b\n\tü　日本"
    assert escaped("x" * 11, 10) == "xxxxxxxxx…"
    assert escaped("\ud800", 10) == "\\ud800"
