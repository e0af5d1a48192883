"""Read a logo: a small PNG or JPEG file, identified by its first bytes."""

import struct
from typing import Final

from jantaku.booklet.document import Logo
from jantaku.errors import RequestError

MAX_BYTES: Final = 1 << 20
MAX_PIXELS: Final = 2000  # per side
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_FRAMES: Final = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})  # markers that contain the size


def read_logo(data: bytes) -> Logo:
    """Check and return the image in ``data``.

    Raises ``RequestError``: ``logo_too_large`` above ``MAX_BYTES`` bytes or ``MAX_PIXELS`` pixels,
    ``logo_type`` for anything but PNG and JPEG. SVG is refused because it can refer to other files.
    """
    if len(data) > MAX_BYTES:
        raise _too_large()
    if data.startswith(_PNG):
        return _checked("image/png", data, _png_size(data))
    if data.startswith(_JPEG):
        return _checked("image/jpeg", data, _jpeg_size(data))
    raise RequestError("logo_type", field="logo")


def _too_large() -> RequestError:
    return RequestError("logo_too_large", field="logo", most=MAX_BYTES >> 10, pixels=MAX_PIXELS)


def _checked(media_type: str, data: bytes, size: tuple[int, int] | None) -> Logo:
    if size is None or min(size) < 1:
        raise RequestError("logo_type", field="logo")
    if max(size) > MAX_PIXELS:
        raise _too_large()
    return Logo(media_type, data)


def _png_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height from the first frame header; ``None`` if there is none."""
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
