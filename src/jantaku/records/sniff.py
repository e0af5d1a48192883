"""Detects the format of a file by its contents; file names and suffixes do not matter."""

import gzip
import io
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from jantaku.errors import RecordError, cause, file_errors
from jantaku.records.texts import parse_json

MOST_BYTES: Final = 16 << 20
OWN: Final = "jantaku"  # in the first line of a game file
_GZIP: Final = b"\x1f\x8b"
_WIDE: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_WIDE_MARKS: Final = tuple(mark for mark, _ in _WIDE)
_ENOUGH: Final = 1 << 16
_LOG_KEY: Final = re.compile(r'"log"\s*:')
_LINK: Final = "#json="  # a log in an address of Tenhou's viewer


@dataclass(frozen=True)
class Content:
    """A file's uncompressed bytes; ``path`` appears in messages."""

    data: bytes
    path: str = ""

    @cached_property
    def text(self) -> str:
        """The text; raises ``RecordError`` if it is not text."""
        try:
            for mark, encoding in _WIDE:
                if self.data.startswith(mark):
                    return self.data.decode(encoding)
            text = self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise RecordError("not_text", path=self.path) from error
        return _from_links(text) if _LINK in text[:200] else text

    @cached_property
    def first_line(self) -> str:
        """The first line that is not blank."""
        return next((line for line in self.text.splitlines() if line.strip()), "").strip()

    @cached_property
    def head(self) -> dict[str, Any]:
        """The object in the first line or in the whole text, or the first of an array; else an empty one."""
        for text in (self.first_line, self.text):
            try:
                data = parse_json(text)
            except (ValueError, RecursionError):
                continue
            if isinstance(data, list) and data and isinstance(data[0], dict):
                data = data[0]
            if isinstance(data, dict):
                return data
        return {}

    @property
    def is_xml(self) -> bool:
        """Whether it is a Tenhou log."""
        start = self.data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()
        return start.startswith(b"<") or (self.data.startswith(_WIDE_MARKS) and "<" in self.text[:64])

    @property
    def is_mjai(self) -> bool:
        """Whether it is mjai: messages in lines or in one array."""
        return "type" in self.head

    @property
    def is_own(self) -> bool:
        """Whether it is a game file of ours."""
        return OWN in self.head

    @property
    def is_tenhou(self) -> bool:
        """Whether it is tenhou.net/6: an object with the hands in ``log``, in one line or many."""
        if self.head:
            return "log" in self.head
        return self.text.lstrip().startswith("{") and bool(_LOG_KEY.search(self.text))

    @property
    def is_compact(self) -> bool:
        """Whether it may be compact text: one word without brackets."""
        return bool(self.first_line) and " " not in self.first_line and self.first_line[0] not in "[{<"


def _from_links(text: str) -> str:
    """The logs in addresses of Tenhou's viewer, one per line."""
    logs = [line.split(_LINK, 1)[1] for line in text.splitlines() if _LINK in line]
    return "\n".join(unquote(log) if log.startswith("%") else log for log in logs)


def beginning(path: str | Path) -> Content:
    """The first part of a file, enough to detect its format; raises ``RecordError`` if unreadable."""
    with file_errors(path), Path(path).open("rb") as file:
        data = file.read(_ENOUGH)
    if data[:2] == _GZIP:
        data = _before_the_cut(data, _ENOUGH)
    while data and data[-1] & 0x80:  # perhaps half a character
        data = data[:-1]
    return Content(data, str(path))


def content_of(data: bytes, path: str = "") -> Content:
    """The contents of a file, perhaps gzip-compressed; raises ``RecordError`` if too large or damaged.

    A compressed Tenhou log may be cut short: everything before the cut is read.
    """
    if data[:2] == _GZIP:
        data = _unpacked(data, path)
    if len(data) > MOST_BYTES:
        raise RecordError("record_too_large", path=path, most=MOST_BYTES >> 20)
    return Content(data, path)


def _unpacked(data: bytes, path: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return file.read(MOST_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        text = _before_the_cut(data)
        if not Content(text).is_xml:
            raise RecordError("mjlog_bad_gzip", path=path, reason=cause(error)) from error
        return text


def _before_the_cut(data: bytes, most: int = MOST_BYTES + 1) -> bytes:
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, most)
    except zlib.error:
        return b""
