"""Images and sounds of a result: those that are safe to show and not too large, as data within the page."""

from __future__ import annotations

import base64
import binascii
import struct
from io import BytesIO
from typing import NamedTuple

from mcp_notebook.answers.plain import one_line
from mcp_notebook.frames.found import kind_of
from mcp_notebook.notebook.page import Page

BEGINNINGS = {
    "image/png": b"\x89PNG\r\n\x1a\n",
    "image/jpeg": b"\xff\xd8\xff",
    "image/gif": b"GIF8",
    "image/webp": b"RIFF",
}
"""The images that are shown, and how they begin. Never SVG: a small one can keep a page busy for ever."""
SOUNDS = {
    *("audio/aac", "audio/flac", "audio/mp3", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/vnd.wave", "audio/wav"),
    *("audio/wave", "audio/webm", "audio/x-flac", "audio/x-m4a", "audio/x-wav"),
}
MAX_CHARACTERS = 10_000_000
"""Characters of all images and sounds of a page together, in base64."""
MAX_PIXELS = 50_000_000
"""Pixels of one image: a browser takes four bytes for each, however small the file."""


class Image(NamedTuple):
    """An image that may be shown."""

    mime_type: str
    """What it is, whatever it was said to be."""
    base64: str
    told: str
    """What it is, in a few words."""


class Media:
    """Shows the images and sounds of one page, which have a room in common."""

    def __init__(self) -> None:
        self._room = MAX_CHARACTERS

    def show(self, page: Page, mime_type: str | None, data: str, where: str) -> None:
        """Show an image or a sound, or tell of what can't be shown.

        Args:
            page: Where to.
            mime_type: What the server says that it is.
            data: In base64.
            where: Where in the result it is, as in ".content[0].data".
        """
        if image := image_of(mime_type, data, self._room):
            self._room -= len(data)
            page.image(image.mime_type, image.base64, image.told)
        elif (kind := kind_of(mime_type)) in SOUNDS and (sound := _checked(data, self._room)):
            self._room -= len(data)
            page.sound(kind, base64.b64encode(sound).decode(), told(mime_type, data))
        else:
            page.note(f"{told(mime_type, data)}: not shown here; its {where} has the data")


def image_of(mime_type: str | None, data: str, room: int) -> Image | None:
    """Give an image if it is one that may be shown.

    Args:
        mime_type: What the server says that it is.
        data: In base64.
        room: How many characters of base64 there is room for.
    """
    image = _checked(data, room) if kind_of(mime_type) in BEGINNINGS else None
    kind = next((kind for kind, beginning in BEGINNINGS.items() if image and image.startswith(beginning)), None)
    if image is None or kind is None or not 0 < _pixels(image) <= MAX_PIXELS:
        return None
    return Image(kind, base64.b64encode(image).decode(), told(kind, data))


def told(mime_type: str | None, data: str) -> str:
    """Tell of data in base64: what it is and how large."""
    size = len(data) * 3 // 4 - data[-2:].count("=")
    return f"{one_line(mime_type or '') or 'data'}, {size:,} bytes"


def _checked(data: str, room: int) -> bytes | None:
    if len(data) > room:
        return None
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None


def _pixels(image: bytes) -> int:
    """How many pixels an image has by its header; 0 where that can't be read."""
    import imagesize

    try:
        width, height = imagesize.get(BytesIO(image))
    except (ValueError, struct.error, IndexError):
        return 0
    return max(width, 0) * max(height, 0)
