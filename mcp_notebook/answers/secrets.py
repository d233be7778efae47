"""Which values of an answer are secret, and where they come from when the answer is written down without them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mcp_notebook.schema.fields import UnsupportedSchema, fields_of
from mcp_notebook.types import Question

MASK = "••••••"
"""What stands for a secret."""
SECRET_PREFIX = "MCP_NOTEBOOK_SECRET_"
"""How the environment variables begin that give the secrets which a recording leaves out."""


def secret_names(question: Question, content: Mapping[str, Any]) -> list[str]:
    """The names in an answer's content whose values must not be kept.

    What can't be judged is a secret: a field that the schema does not have, and all where it can't be read.
    """
    try:
        plain = {field.name for field in fields_of(question.schema) if not field.secret}
    except UnsupportedSchema:
        plain = set[str]()
    return [name for name in content if name not in plain]


def variable_of(name: str) -> str:
    """The environment variable that gives the secret of a field: "api key" comes from MCP_NOTEBOOK_SECRET_API_KEY."""
    return SECRET_PREFIX + re.sub(r"\W", "_", name).upper()
