"""The guard of a form: what core ipywidgets can't do by themselves. See js/src/guard.js."""

from __future__ import annotations

import logging
from pathlib import Path

import anywidget
import traitlets

STATIC = Path(__file__).parent / "static"


class Guard(anywidget.AnyWidget):
    """An invisible part of a form that sends the answer with every value as it stands on the page, in one message.

    Messages from the page: `{"type": "ready"}`, and
    `{"type": "answer", "id": int, "action": str, "values": {model_id: state}, "secrets": [str]}`.
    Where a page is opened by its link (URL mode), from the page also `{"type": "opened"}`.
    Messages to the page: `{"type": "refused" | "done", "id": int}`.
    """

    _esm = STATIC / "guard.js"
    _css = STATIC / "guard.css"

    controls = traitlets.List(traitlets.Unicode()).tag(sync=True)
    """The model ids of the controls to read."""


def _holds_no_answer(record: logging.LogRecord) -> bool:
    return "'secrets': [" not in record.getMessage()


# At the level DEBUG the comm package logs every message whole, and an answer may hold what must never be written down.
logging.getLogger("Comm").addFilter(_holds_no_answer)
