"""Tab: in lines of `%mcp`, and in Python where it deals with servers and their tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mcp_notebook.notebook.verb import Api

if TYPE_CHECKING:
    from IPython.core.completer import CompletionContext, SimpleMatcherResult
    from IPython.core.interactiveshell import InteractiveShell

MAX_TEXT = 20_000
"""Characters before the cursor that are looked at."""
MAX_FOUND = 500
"""Completions that are offered."""

Matcher = Callable[["CompletionContext"], "SimpleMatcherResult"]
_installed: dict[int, Matcher] = {}


def install(shell: InteractiveShell, api: Api) -> None:
    """Let Tab complete in a shell what this package knows.

    Args:
        shell: The IPython shell.
        api: Knows the servers that are connected.
    """
    from IPython.core.completer import SimpleCompletion, context_matcher

    @context_matcher(identifier="mcp_notebook", priority=100)
    def matcher(context: CompletionContext) -> SimpleMatcherResult:
        lines = context.full_text.split("\n")[: context.cursor_line]
        fragment, words = completions("\n".join([*lines, context.text_until_cursor]), shell.user_ns, api)
        offered = [SimpleCompletion(word, type="mcp") for word in words[:MAX_FOUND]]
        return {
            "completions": offered,
            "matched_fragment": fragment,
            "suppress": bool(words),
            "do_not_suppress": set(),
            "ordered": True,
        }

    uninstall(shell)
    _installed[id(shell)] = matcher
    shell.Completer.custom_matchers.append(matcher)


def uninstall(shell: InteractiveShell) -> None:
    """Take that back."""
    matcher = _installed.pop(id(shell), None)
    if matcher is not None and matcher in shell.Completer.custom_matchers:
        shell.Completer.custom_matchers.remove(matcher)


def completions(text: str, namespace: Mapping[str, Any], api: Api) -> tuple[str, list[str]]:
    """Complete what stands before the cursor.

    Args:
        text: The cell up to the cursor.
        namespace: The user's names.
        api: Knows the servers that are connected.

    Returns:
        The end of the text that is to be replaced, and what may stand in its place; nothing where it is not ours.
    """
    from mcp_notebook.notebook.completion.magic_line import complete_line, line_of
    from mcp_notebook.notebook.completion.python import complete_python

    if len(text) > MAX_TEXT:
        return "", []
    line = line_of(text)
    return complete_python(text, namespace, api) if line is None else complete_line(line, api)
