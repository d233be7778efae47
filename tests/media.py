"""Images and sounds that need no file and no library, as servers send them: in base64."""

from __future__ import annotations

import base64
import io
import math
import struct
import wave
import zlib

GIF = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
WEBP = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"


def png(width: int = 2, height: int = 1, *, said: tuple[int, int] | None = None, padding: int = 0) -> str:
    """A gradient.

    Args:
        width: In pixels.
        height: In pixels.
        said: The size that its header lies about.
        padding: Bytes that are added in a chunk that no one reads.
    """
    rows = b"".join(
        b"\0" + bytes(v for x in range(width) for v in (x * 255 // width, y * 255 // height, 160))
        for y in range(height)
    )
    header = struct.pack(">II5B", *(said or (width, height)), 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"teSt", bytes(padding)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    written = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + written).decode()


def jpeg() -> str:
    """The least that tells its size; no browser draws it."""
    frame = b"\xff\xc0" + struct.pack(">HBHHB3B", 11, 8, 1, 1, 1, 1, 0x11, 0)
    return base64.b64encode(b"\xff\xd8" + frame + b"\xff\xd9").decode()


def wav(seconds: float = 0.1) -> str:
    """A tone."""
    rate, file = 8000, io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(rate)
        sound.writeframes(bytes(round(127 + 100 * math.sin(i / 4)) for i in range(round(rate * seconds))))
    return base64.b64encode(file.getvalue()).decode()
