"""`%mcp login` and `%mcp logout`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mcp_notebook.servers.auth.storage import Storage
from tests.protocol.faulty import faulty

Notebook = Any


def test_a_sign_in_is_forgotten_and_made_anew(notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with faulty() as web:
        notebook.says(f"%mcp connect web {web.url}")
        assert notebook.says("%mcp logout web") == "There was no sign-in to web.\n"
        notebook.says(f"%mcp connect web {web.url}")
        Storage(web.url)._keep({"tokens": {"access_token": "t", "token_type": "Bearer"}})
        assert "The sign-in to web is forgotten" in notebook.says("%mcp logout web")
        assert Storage(web.url).kept() == {}
        notebook.says(f"%mcp connect web {web.url}")
        assert "web is connected" in notebook.says("%mcp login web")
        notebook.says("%mcp disconnect web")


def test_what_is_no_url_has_no_sign_in(notebook: Notebook):
    notebook.says("%mcp connect demo")
    assert "demo is not reached by a URL" in notebook.fails("%mcp logout demo")
    assert "no server 'nobody' is configured" in notebook.fails("%mcp login nobody")
