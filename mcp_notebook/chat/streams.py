"""Pieces of a stream put together again, however a server cuts them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mcp_notebook.chat.turns import Asked


@dataclass
class _Piece:
    id: str = ""
    name: str = ""
    arguments: str = ""


class CallPieces:
    """The calls of one turn, from their pieces.

    Servers leave out `index`, or give every call the same; repeat the name in every piece; or give no id.
    """

    def __init__(self) -> None:
        self._pieces: list[_Piece] = []
        self._by_key: dict[Any, _Piece] = {}

    def take(self, *, index: int | None, id: str | None, name: str | None, arguments: str | None) -> None:
        """Take a piece."""
        piece = self._piece(index, id or "")
        piece.id = piece.id or id or ""
        piece.name = piece.name or name or ""
        piece.arguments += arguments or ""

    def asked(self) -> Sequence[Asked]:
        """Give the calls, each with an id of its own."""
        ids: set[str] = set()
        calls: list[Asked] = []
        for number, piece in enumerate(self._pieces, 1):
            id = piece.id if piece.id and piece.id not in ids else f"call_{number}"
            ids.add(id)
            calls.append(Asked(id=id, name=piece.name, arguments=piece.arguments))
        return calls

    def _piece(self, index: int | None, id: str) -> _Piece:
        key: Any = id if index is None else index
        if key in ("", None) and self._pieces:
            return self._pieces[-1]
        piece = self._by_key.get(key)
        if piece is None or (id and piece.id and piece.id != id):
            piece = self._by_key.get(id) if id else None
            if piece is None:
                piece = _Piece()
                self._pieces.append(piece)
            self._by_key[key] = piece
            if id:
                self._by_key[id] = piece
        return piece
