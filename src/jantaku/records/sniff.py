"""Detect the format of a file by its contents, independent of its name.

Each format is detected by features that no other format has.
"""

import base64
import gzip
import io
import json
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote

from jantaku.bounded import shown
from jantaku.errors import RecordError, cause, file_errors
from jantaku.records.texts import parse_json

MAX_BYTES: Final = 16 << 20
BRACKETS: Final = ("{", "[", "<")
OWN: Final = "jantaku"  # key in the first line of a game file
_GZIP: Final = b"\x1f\x8b"
_WIDE: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_WIDE_MARKS: Final = tuple(mark for mark, _ in _WIDE)
_SNIFF_BYTES: Final = 1 << 16
MESSAGES: Final = frozenset(
    (
        *("hello", "join", "none", "log", "error", "start_game", "start_kyoku", "tsumo", "dahai", "reach"),
        *("reach_accepted", "chi", "pon", "daiminkan", "ankan", "kakan", "nukidora", "kita", "dora"),
        *("hora", "ryukyoku", "end_kyoku", "end_game"),
    )
)  # of mjai
REPORTED: Final = "mjai_log"  # key of the messages in a report of mjai-reviewer
_TAG: Final = re.compile(r"<(?:mjloggm|SHUFFLE|GO|UN|TAIKYOKU|INIT)\b")  # of a Tenhou log
_HANDS: Final = re.compile(
    r'"log"\s*:\s*(?:\{[^[]{0,1000})?\[\s*(?:\]|\[\s*\[)'
)  # of tenhou.net/6 in truncated text
_STEPS: Final = re.compile(r'\{\s*"(?:qipai|zimo|dapai)"\s*:')  # of Majiang
_SOUL: Final = re.compile(
    r'"(?:\.?lq\.)?(?:Record|Action)(?:NewRound|DealTile|DiscardTile|Hule|NoTile|ChiPengGang)"|GameDetailRecords|'
    r'"(?:liqibang|left_tile_count)"\s*:'
)
_ZIP: Final = b"PK\x03\x04"
_SOUL_BYTES: Final = b".lq."
_LINK: Final = re.compile(r"[#&?]json=")  # a log inside a URL of Tenhou's viewer
_ADDRESS: Final = re.compile(r"\S+://\S+|(?:www\.|tenhou\.net/)\S+")
_TENHOU_ID: Final = re.compile(r"\d{10}gm-[0-9a-f]{4}-\d{4,6}-(?:x?[0-9a-f]{8,13})", re.IGNORECASE)
_SOUL_SITE: Final = re.compile(r"(?:mahjongsoul|maj-soul|majsoul)\S*paipu=", re.IGNORECASE)
_SHORTCUT: Final = "[InternetShortcut]"  # of a bookmark file saved by a browser
_SOUL_ID: Final = re.compile(r"\b\d{6}-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
_ZLIB: Final = b"\x78"
_B85_WORD: Final = 5  # characters for four bytes
_MAX_LINKS: Final = 64
_MAX_SHOWN: Final = 120


@dataclass(frozen=True)
class Content:
    """A file's uncompressed bytes; ``path`` is used in error messages."""

    data: bytes
    path: str = ""

    @cached_property
    def text(self) -> str:
        """The text, extracted from viewer URLs if necessary; raises ``RecordError`` if it is not text."""
        try:
            for mark, encoding in _WIDE:
                if self.data.startswith(mark):
                    return self.data.decode(encoding)
            text = self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise RecordError("not_text", path=self.path) from error
        return text if text.lstrip()[:1] in BRACKETS else _from_links(text)

    @cached_property
    def first_line(self) -> str:
        """The first non-blank line."""
        return next((line for line in self.text.splitlines() if line.strip()), "").strip()

    @cached_property
    def head(self) -> dict[str, Any]:
        """The JSON object on the first line or in the whole text, or the first of an array; empty if none."""
        for text in (self.first_line, self.text):
            try:
                data = parse_json(text)
            except (ValueError, RecursionError):
                continue
            while isinstance(data, list) and data and not isinstance(data[0], str):
                data = data[0]
            if isinstance(data, dict):
                return data
        return {}

    @property
    def is_xml(self) -> bool:
        """Whether it is a Tenhou log in XML."""
        if self.data.startswith(_WIDE_MARKS):
            return bool(_TAG.search(self.text[:_SNIFF_BYTES]))
        start = self.data[:_SNIFF_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip()
        return start.startswith(b"<") and bool(_TAG.search(start.decode("latin-1")))

    @property
    def is_mjai(self) -> bool:
        """Whether it is mjai: messages on separate lines, in one array, or in a report of mjai-reviewer."""
        return self.head.get("type") in MESSAGES or self.is_report

    @property
    def is_report(self) -> bool:
        """Whether it is a report of mjai-reviewer."""
        return isinstance(self.head.get(REPORTED), list)

    @property
    def is_own(self) -> bool:
        """Whether it is one of Jantaku's game files."""
        return type(self.head.get(OWN)) is int

    @property
    def is_tenhou(self) -> bool:
        """Whether it is tenhou.net/6: an object with the hands in ``log``, on one line or several."""
        if not self.head:
            return self.text.lstrip()[:1] in BRACKETS and bool(_HANDS.search(self.text[:_SNIFF_BYTES]))
        log = self.head.get("log")
        log = log.get("log") if isinstance(log, dict) else log
        if not isinstance(log, list):
            return False
        return not log or (isinstance(log[0], list) and bool(log[0]) and isinstance(log[0][0], list))

    @property
    def is_majiang(self) -> bool:
        """Whether it is a record of Majiang: an object with the steps of each hand in ``log``."""
        if not self.head:
            return self.text.lstrip()[:1] in BRACKETS and bool(_STEPS.search(self.text[:_SNIFF_BYTES]))
        log = self.head.get("log")
        steps = log[0] if isinstance(log, list) and log and isinstance(log[0], list) else []
        return bool(steps) and isinstance(steps[0], dict) and "player" in self.head

    @property
    def is_compact(self) -> bool:
        """Whether it is compact text: a single compressed word."""
        word = self.first_line
        if not len(word) > _B85_WORD or " " in word or word[0] in BRACKETS:
            return False
        try:
            return base64.b85decode(word[:_B85_WORD])[:1] == _ZLIB
        except ValueError:
            return False

    @property
    def is_mahjong_soul(self) -> bool:
        """Whether it is Mahjong Soul's own record, as JSON or in its binary form."""
        if _SOUL_BYTES in self.data[:256]:
            return True
        return self.text.lstrip()[:1] in BRACKETS and bool(_SOUL.search(self.text))

    def refusal(self) -> RecordError | None:
        """Return the reason why an unreadable file cannot be read, if its kind is recognised."""
        if self.data.startswith(_ZIP):
            return RecordError("record_zip", path=self.path)
        try:
            if self.is_mahjong_soul:
                return RecordError("mahjongsoul_record", path=self.path)
            return self._of_links(self.text.split())
        except RecordError:  # not text
            return None

    def _of_links(self, words: list[str]) -> RecordError | None:
        """Return an error for a short text that is only the URL of a game."""
        is_data = self.first_line[:1] in ("{", "[") and not self.first_line.startswith(_SHORTCUT)
        if not words or len(words) > _MAX_LINKS or is_data:
            return None
        for word in words:
            tenhou, soul = _TENHOU_ID.search(word), _SOUL_SITE.search(word) or _SOUL_ID.search(word)
            if tenhou:
                return RecordError("link_tenhou", path=self.path, game=tenhou[0])
            if soul:
                return RecordError("link_mahjongsoul", path=self.path)
            if _ADDRESS.fullmatch(word) and self.first_line[0] not in BRACKETS:
                return RecordError("link_only", path=self.path, address=shown(word, _MAX_SHOWN))
        return None


def _from_links(text: str) -> str:
    """Extract the logs from viewer URLs of Tenhou, one per line; return the text itself if there are none."""
    logs = [_in_link(line[match.end() :]) for line in text.splitlines() if (match := _LINK.search(line))]
    return "\n".join(logs) or text


def _in_link(rest: str) -> str:
    """Return the log at the start of the rest of a URL, which may continue with other parameters."""
    for log in (rest, unquote(rest.split("&", 1)[0]), unquote(rest)):
        try:
            return log[: json.JSONDecoder().raw_decode(log)[1]]
        except (ValueError, RecursionError):
            continue
    return unquote(rest) if rest.startswith("%") else rest


def beginning(path: str | Path) -> Content:
    """Return the first part of a file, enough to detect its format; raise ``RecordError`` if unreadable."""
    with file_errors(path), Path(path).open("rb") as file:
        data = file.read(_SNIFF_BYTES)
    if data[:2] == _GZIP:
        data = _before_the_cut(data, _SNIFF_BYTES)
    while data and data[-1] & 0x80:  # possibly a truncated character
        data = data[:-1]
    return Content(data, str(path))


def content_of(data: bytes, path: str = "") -> Content:
    """Return the contents of a file, decompressed if gzip; raise ``RecordError`` if too large or damaged.

    A truncated compressed Tenhou log is read as far as possible.
    """
    if data[:2] == _GZIP:
        data = _unpacked(data, path)
    if len(data) > MAX_BYTES:
        raise RecordError("record_too_large", path=path, most=MAX_BYTES >> 20)
    return Content(data, path)


def _unpacked(data: bytes, path: str) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        text = _before_the_cut(data)
        if not Content(text).is_xml:
            raise RecordError("mjlog_bad_gzip", path=path, reason=cause(error)) from error
        return text


def _before_the_cut(data: bytes, limit: int = MAX_BYTES + 1) -> bytes:
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, limit)
    except zlib.error:
        return b""
