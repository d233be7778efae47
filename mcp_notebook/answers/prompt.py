"""A question put at a text terminal: field by field, then shown whole before it is sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from mcp_notebook.answers.plain import one_line, plain
from mcp_notebook.errors import NoAnswerError
from mcp_notebook.schema.entries import content_of, entry_from_text, entry_of
from mcp_notebook.schema.fields import Field, UnsupportedSchema, fields_of
from mcp_notebook.schema.urls import RefusedUrl, link_of, visible
from mcp_notebook.types import Action, Answer, Question

_WAYS_OUT: dict[str, Action] = {":decline": "decline", ":cancel": "cancel"}
_WARNING = "  Careful: this looks like a secret, which servers must not ask for in this way."


class _Out(Exception):  # noqa: N818 (a way out, no error)
    def __init__(self, action: Action) -> None:
        self.action: Action = action


def prompt(
    question: Question,
    read: Callable[[str], str],
    write: Callable[[str], None],
    read_secret: Callable[[str], str] | None = None,
) -> Answer:
    """Ask the person, in text.

    Args:
        question: What the server asks.
        read: Shows a prompt and gives back the line that was typed, as `input` does.
        write: Shows a line.
        read_secret: Like `read` without showing what is typed, as `getpass.getpass` does; for fields that look secret.

    Returns:
        The answer: valid against the question's schema when it is an accept.

    Raises:
        NoAnswerError: The input ended before there was an answer.
        KeyboardInterrupt: The person pressed Ctrl-C or Stop.
    """
    if question.approval:
        return _approve(question, read, write)
    for_call = f", to go on with {one_line(question.tool)}" if question.tool else ""
    write(f"{one_line(question.server)} asks{for_call}:")
    write(plain(question.message))
    try:
        try:
            answer = _Terminal(question, read, write, read_secret or read).answer()
        except _Out as out:
            answer = Answer(action=out.action)
        if not question.rest or question.mode == "url":
            return answer
        ask = f"Same answer for the rest, {question.rest:,} more calls? [y/N]: "
        return replace(answer, for_rest=read(ask).strip().lower() in ("y", "yes"))
    except EOFError:
        problem = f"{question.server} asked, and the input ended before there was an answer; nothing was sent"
        raise NoAnswerError(question, problem) from None


_APPROVALS: Mapping[str, Answer] = {
    "y": Answer(action="accept"),
    "a": Answer(action="accept", for_rest=True),
    "n": Answer(action="decline"),
    "s": Answer(action="cancel"),
}


def _approve(question: Question, read: Callable[[str], str], write: Callable[[str], None]) -> Answer:
    """Put a call that a model wants to make to the person."""
    write(f"{one_line(question.server)}.{one_line(question.tool or '')}: {plain(question.message)}")
    for field in fields_of(question.schema):
        write(plain(str(field.default), 4_000))
    while True:
        try:
            typed = read("Run it? y runs it, a runs all like it, n skips it, s stops the answer: ").strip().lower()
        except EOFError:
            problem = "a model wanted to call a tool, and the input ended before you agreed; it was not called"
            raise NoAnswerError(question, problem) from None
        if typed[:1] in _APPROVALS:
            return _APPROVALS[typed[:1]]


class _Terminal:
    def __init__(
        self,
        question: Question,
        read: Callable[[str], str],
        write: Callable[[str], None],
        read_secret: Callable[[str], str],
    ) -> None:
        self._question = question
        self._read_line = read
        self._write = write
        self._read_secret = read_secret

    def answer(self) -> Answer:
        if self._question.mode == "url":
            return self._visit(self._question.url or "")
        try:
            fields = fields_of(self._question.schema)
        except UnsupportedSchema as reason:
            self._write(f"This can't be answered here: {one_line(str(reason), 500)}")
            while True:
                self._read("Type :decline or :cancel: ")
        if not fields:
            self._yes("Type yes to accept (or :decline, :cancel): ")
            return Answer(action="accept", content={})
        return Answer(action="accept", content=self._fill_in(fields))

    def _visit(self, url: str) -> Answer:
        """Ask the person to open a page: nothing here does (client/elicitation, "Safe URL Handling")."""
        try:
            link = link_of(url)
        except RefusedUrl as reason:
            self._write(
                f"It wants you to open an address that must not be opened, since it {reason}:\n  {visible(url)}"
            )
            while True:
                self._read("Type :decline or :cancel: ")
        self._write(f"It wants you to go to this address, in your own browser:\n  {link.href}")
        for warning in link.warnings:
            self._write(f"  Careful: {warning}")
        if self._question.own:
            told = (
                "Go there only if you trust it. Then paste the whole address that you ended on (or :decline, :cancel): "
            )
            return Answer(action="accept", content={"address": self._read(told, secret=True)})
        self._yes("Go there only if you trust it. Type yes when you have (or :decline, :cancel): ")
        return Answer(action="accept")

    def _fill_in(self, fields: tuple[Field, ...]) -> Mapping[str, Any]:
        self._write("Enter takes what is in [brackets] or leaves a field out; :decline and :cancel end it.")
        entries: dict[str, Any] = {}
        due = fields
        while True:
            for field in due:
                entries[field.name] = self._ask(field, fields, entries)
            content, errors = content_of(fields, entries, self._question.schema)
            if not errors and len(fields) == 1:
                return content
            for name, error in errors.items():
                self._complain(f"{name} {error}" if name else error)
            due = self._review(fields, content, sendable=not errors)
            if not due:
                return content

    def _ask(self, field: Field, fields: tuple[Field, ...], entries: Mapping[str, Any]) -> Any:
        """Ask for one field until what is typed fits it; the fields after it need no entry yet."""
        self._introduce(field)
        default = f" [{one_line(_shown(field, field.default))}]" if field.has_default else ""
        while True:
            ask = f"{one_line(field.title)}{default}{' *' if field.required else ''}: "
            typed = self._read(ask, secret=field.secret)
            try:
                untouched = field.has_default and not typed.strip()
                entry = entry_of(field, field.default) if untouched else entry_from_text(field, typed)
            except ValueError as problem:
                self._complain(str(problem))
                continue
            _, errors = content_of(fields, {**entries, field.name: entry}, self._question.schema)
            if field.name not in errors:
                return entry
            self._complain(errors[field.name])

    def _introduce(self, field: Field) -> None:
        for text in (field.description, field.hint):
            if text:
                self._write(f"  {one_line(text, 1000)}")
        for number, option in enumerate(field.options, 1):
            self._write(f"  {number}. {one_line(option.title)}")
        if field.kind == "choices":
            self._write("  Several are allowed, with commas between them.")
        if field.kind == "boolean":
            self._write("  yes or no")
        if field.secret:
            self._write(_WARNING)

    def _review(self, fields: tuple[Field, ...], content: Mapping[str, Any], *, sendable: bool) -> tuple[Field, ...]:
        """Show what would be sent (client/elicitation: review before sending); the field to change, or none to send."""
        self._write(f"This goes to {one_line(self._question.server)}:")
        for number, field in enumerate(fields, 1):
            value = content.get(field.name)
            given = "(left out)" if value is None else "••••" if field.secret else one_line(_shown(field, value))
            self._write(f"  {number}. {one_line(field.title)}: {given}")
        ask = "Enter sends it, a number changes that field: " if sendable else "The number of the field to change: "
        while True:
            typed = self._read(ask).strip()
            if not typed and sendable:
                return ()
            if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= len(fields):
                return (fields[int(typed) - 1],)

    def _complain(self, problem: str) -> None:
        self._write(f"! {one_line(problem, 500)}")  # may hold the server's words

    def _yes(self, ask: str) -> None:
        while self._read(ask).strip().lower() not in ("y", "yes"):
            pass

    def _read(self, ask: str, *, secret: bool = False) -> str:
        typed = self._read_secret(ask) if secret else self._read_line(ask)
        if action := _WAYS_OUT.get(typed.strip().lower()):
            raise _Out(action)
        return typed


def _shown(field: Field, value: Any) -> str:
    """A value of a field as a person would type it."""
    entry = entry_of(field, value)
    titles = [option.title for option in field.options]
    match field.kind:
        case "boolean":
            return "yes" if entry else "no"
        case "choice":
            return titles[int(entry)]
        case "choices":
            return ", ".join(titles[int(index)] for index in entry)
        case _:
            return str(entry)
