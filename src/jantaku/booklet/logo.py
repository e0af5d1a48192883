"""Reads a logo: a small PNG or JPEG file, known by its first bytes and not by its name."""

import struct
from typing import Final

from jantaku.booklet.document import Logo
from jantaku.errors import RequestError

MOST_BYTES: Final = 1 << 20
MOST_PIXELS: Final = 2000  # along a side
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})  # markers with the picture's size


def read_logo(data: bytes) -> Logo:
    """The picture in ``data``.

    Raises ``RequestError``: ``logo_too_large`` over ``MOST_BYTES`` bytes or ``MOST_PIXELS`` pixels,
    ``logo_type`` for anything but PNG and JPEG. SVG is refused because it can refer to other files.
    """
    if len(data) > MOST_BYTES:
        raise _too_large()
    if data.startswith(_PNG):
        return _checked("image/png", data, _png_size(data))
    if data.startswith(_JPEG):
        return _checked("image/jpeg", data, _jpeg_size(data))
    raise RequestError("logo_type", field="logo")


def _too_large() -> RequestError:
    return RequestError("logo_too_large", field="logo", most=MOST_BYTES >> 10, pixels=MOST_PIXELS)


def _checked(media_type: str, data: bytes, size: tuple[int, int] | None) -> Logo:
    if size is None or min(size) < 1:
        raise RequestError("logo_type", field="logo")
    if max(size) > MOST_PIXELS:
        raise _too_large()
    return Logo(media_type, data)


def _png_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """The size in the first frame header; ``None`` if there is none."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        if length < 2:
            return None
        at += 2 + length
    return None
