"""Where a URL leads is what is shown, or it is refused."""

from __future__ import annotations

import pytest

from mcp_notebook.schema.urls import MAX_CHARACTERS, RefusedUrl, link_of, masked_url, refusal_of

LEADS_TO = {
    "https://example.com": ("example.com", "https://example.com"),
    "HTTPS://EXAMPLE.com/A?b=C#D": ("example.com", "https://example.com/A?b=C#D"),
    "https://example.com:8443/": ("example.com", "https://example.com:8443/"),
    "https://example.com:": ("example.com", "https://example.com"),
    "https://example.com:0443/": ("example.com", "https://example.com:443/"),
    "https://example.com./": ("example.com.", "https://example.com./"),
    "https://example.com?next=https://evil.example/": ("example.com", "https://example.com?next=https://evil.example/"),
    "https://example.com#@evil.example/": ("example.com", "https://example.com#@evil.example/"),
    "https://example.com/@evil.example/": ("example.com", "https://example.com/@evil.example/"),
    "https://good.example@evil.example": ("evil.example", "https://good.example@evil.example"),
    "https://good.example:443@evil.example/x": ("evil.example", "https://good.example:443@evil.example/x"),
    "https://a@good.example@evil.example/": ("evil.example", "https://a%40good.example@evil.example/"),
    "https://good.example%2F@evil.example/": ("evil.example", "https://good.example%2F@evil.example/"),
    "https://@evil.example/": ("evil.example", "https://evil.example/"),
    "https://example.com/größe?x=ü": ("example.com", "https://example.com/gr%C3%B6%C3%9Fe?x=%C3%BC"),
    "https://example.com/%zz?a={b}|c": ("example.com", "https://example.com/%zz?a=%7Bb%7D%7Cc"),
    'https://example.com/"><script>': ("example.com", "https://example.com/%22%3E%3Cscript%3E"),
    "https://sign_in.example.com/": ("sign_in.example.com", "https://sign_in.example.com/"),
    "https://straße.example/": ("xn--strae-oqa.example", "https://xn--strae-oqa.example/"),
    "https://日本語.example/": ("xn--wgv71a119e.example", "https://xn--wgv71a119e.example/"),
    "https://ＥＸＡＭＰＬＥ。com/": ("example.com", "https://example.com/"),
    "https://i❤.example/": ("xn--i-7iq.example", "https://xn--i-7iq.example/"),
    "http://127.0.0.1:8000/x": ("127.0.0.1", "http://127.0.0.1:8000/x"),
    "http://2130706433/": ("127.0.0.1", "http://127.0.0.1/"),
    "http://0x7f.1/": ("127.0.0.1", "http://127.0.0.1/"),
    "http://017700000001/": ("127.0.0.1", "http://127.0.0.1/"),
    "http://１２７.0.0.1/": ("127.0.0.1", "http://127.0.0.1/"),
    "https://[2001:DB8:0::1]:8443/": ("[2001:db8::1]", "https://[2001:db8::1]:8443/"),
}


@pytest.mark.parametrize("url", LEADS_TO)
def test_the_link_leads_where_a_browser_would_go(url: str):
    link = link_of(url)
    assert (link.host.address, link.href) == LEADS_TO[url]
    assert link.before + link.host.address + link.after == link.href
    assert link.href.isascii()
    assert link_of(link.href).href == link.href


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("javascript:alert(1)", "begins with javascript:"),
        ("JavaScript:alert(1)", "begins with javascript:"),
        ("java\tscript:alert(1)", "U\\+0009"),
        ("\x01javascript:alert(1)", "U\\+0001"),
        (" https://example.com", "U\\+0020"),
        ("https://example.com\n", "U\\+000A"),
        ("javascript://example.com/%0aalert(1)", "begins with javascript:"),
        ("data:text/html,<script>alert(1)</script>", "begins with data:"),
        ("file:///etc/passwd", "begins with file:"),
        ("vbscript:MsgBox", "begins with vbscript:"),
        ("blob:https://example.com/1", "begins with blob:"),
        ("view-source:https://example.com", "begins with view-source:"),
        ("mailto:ada@example.com", "begins with mailto:"),
        ("vscode://extension/run", "begins with vscode:"),
        ("ftp://example.com", "begins with ftp:"),
        ("", "no full web address"),
        ("example.com", "no full web address"),
        ("//example.com", "no full web address"),
        ("/path", "no full web address"),
        ("https:example.com", "no host"),
        ("https:/example.com", "no host"),
        ("https:///example.com", "no host"),
        ("https://", "no host"),
        ("https://?x", "no host"),
        ("https://user@/", "can't exist"),
        ("https://good.example\\@evil.example/", "U\\+005C"),
        ("https:\\\\evil.example", "U\\+005C"),
        ("https://exam\tple.com", "U\\+0009"),
        ("https://example.com/\u202egnp.exe", "U\\+202E"),
        ("https://exam\u00adple.com", "U\\+00AD"),
        ("https://example.com\u200b.evil.example", "U\\+200B"),
        ("https://example.com/\ud800", "U\\+D800"),
        ("https://good.example\u2044login.evil.example/", "taken for others"),
        ("https://good.example\uff0flogin.evil.example/", "taken for others|can't exist"),
        ("https://good%2eexample/", "can't exist"),
        ("https://a..b/", "can't exist"),
        ("https://.example/", "can't exist"),
        ("https://exa mple.com/", "U\\+0020"),
        ("https://xn--a/", "taken for others|punycode"),
        ("https://xn--99999999999999/", "punycode"),
        (f"https://{'a' * 64}.example/", "can't exist"),
        (f"https://{'ü' * 63}.example/", "too long"),
        (f"https://{'a.' * 130}example/", "too long"),
        ("https://1.2.3.4.5/", "IP address"),
        ("https://256.1.1.1/", "IP address"),
        ("https://example.0x/", "IP address"),
        ("https://09/", "IP address"),
        ("https://[::1", "IPv6"),
        ("https://[::1%25eth0]/", "IPv6"),
        ("https://[example.com]/", "IPv6"),
        ("https://example.com:65536/", "port"),
        (f"https://example.com:{'9' * 5000}/", "port"),
        ("https://example.com:x/", "can't exist"),
        (f"https://example.com/{'a' * MAX_CHARACTERS}", "shown whole"),
    ],
    ids=lambda text: ascii(text)[:40],
)
def test_what_a_browser_could_read_in_another_way_or_nobody_should_open_is_refused(url: str, why: str):
    with pytest.raises(RefusedUrl, match=why):
        link_of(url)
    assert refusal_of(url)


@pytest.mark.parametrize(
    ("url", "warning"),
    [
        ("https://good.example@evil.example/", "It leads to evil.example."),
        ("https://93.184.216.34/", "bare IP address"),
        ("https://[2001:db8::1]/", "bare IP address"),
        ("http://2852039166/", "bare IP address"),
        ("http://example.com/", "not encrypted"),
        ("https://example.com:8443/", "port is unusual: 8443"),
        ("http://example.com:443/", "port is unusual: 443"),
        ("https://аррӏе.com/", "it reads аррӏе.com, and is xn--80ak6aa92e.com"),
        ("https://xn--80ak6aa92e.com/", "it reads аррӏе.com, and is xn--80ak6aa92e.com"),
        ("https://pаypal.com/", "several alphabets (Cyrillic and Latin)"),
    ],
)
def test_what_is_odd_is_warned_of(url: str, warning: str):
    assert any(warning in each for each in link_of(url).warnings)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/",
        "https://example.com:443/",
        "http://localhost:8000/",
        "http://app.localhost/",
        "http://127.8.0.1:1/",
        "http://[::1]/",
    ],
)
def test_what_is_usual_and_what_stays_on_this_computer_is_not_warned_of(url: str):
    assert link_of(url).warnings == ()


def test_scripts_that_are_written_together_are_no_mixture():
    (warning,) = link_of("https://ソニーtv日本.example/").warnings
    assert "it reads ソニーtv日本.example" in warning


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://ada:hunter2@example.com:8443/a/b?token=s3cret&x#s3cret", "https://•••@example.com:8443/a/b?token=•••&•••#•••"),
        ("https://example.com/a", "https://example.com/a"),
        ("data:text/plain,s3cret", "data:•••"),
        ("s3cret", "•••"),
    ],
)  # fmt: skip
def test_what_is_kept_of_a_url_holds_no_secret(url: str, kept: str):
    assert masked_url(url) == kept
