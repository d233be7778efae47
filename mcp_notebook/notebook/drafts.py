"""What was typed into a form whose call came to nothing: it is filled in when the same question is asked again."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from mcp_notebook.types import Question

MAX_DRAFTS = 50

Draft = Mapping[str, Any]
"""By field name, the synced state of the field's control. Secrets have no state, so no draft holds them."""


class Drafts:
    """Drafts by question, the oldest forgotten first."""

    def __init__(self) -> None:
        self._drafts: OrderedDict[str, Draft] = OrderedDict()

    def keep(self, question: Question, draft: Draft) -> None:
        """Keep what was typed."""
        self._drafts[_key(question)] = draft
        if len(self._drafts) > MAX_DRAFTS:
            self._drafts.popitem(last=False)

    def take(self, question: Question) -> Draft | None:
        """Give what was typed before, once."""
        return self._drafts.pop(_key(question), None)


def _key(question: Question) -> str:
    """A draft fits the very same question only: no value goes from one form to another."""
    return json.dumps([question.server, question.tool, question.message, question.schema], sort_keys=True, default=str)


drafts = Drafts()
"""Those of this process."""
