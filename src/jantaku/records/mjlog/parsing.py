"""Read Tenhou's logs: XML, plain or gzip-compressed."""

import re
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError, XMLParser

from jantaku.errors import RecordError, RequestError, cause, file_errors
from jantaku.records.mjlog.log import Log, LogHand, Step
from jantaku.records.mjlog.tags import Attributes, hand_of, seats_in, step_of
from jantaku.records.native.rules_mark import KEY, marked_rules
from jantaku.records.places import PLACES
from jantaku.records.texts import parse_json
from jantaku.rules import Ruleset

MAX_BYTES: Final = 4 << 20
THREE_PLAYERS: Final = 0x10  # flag of a table type with an empty place
HANCHAN: Final = 0x09
_OF_TENHOU: Final = ("mjloggm", "GO", "INIT")
_NO_ROOT_CLOSED: Final = 3
_CUT_SHORT: Final = (_NO_ROOT_CLOSED, 5, 6)  # expat: no element found, unclosed token, partial character
_GZIP: Final = b"\x1f\x8b"
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_BLANK: Final = b" \t\r\n"
_DECLARATION: Final = re.compile(rb"<\?xml[^>]*\?>")
_ROOT: Final = re.compile(rb"<mjloggm[\s>]")
_OPENED, _CLOSED = b"<tags>", b"</tags>"  # wrap the tags of a log without a root
_UNFINISHED: Final = re.compile(rb"<[^<>]*\Z")


def read(path: str | Path, rules: Ruleset | None = None) -> Log:
    """Parse a file; see ``parse``. Raises ``RecordError`` if it cannot be read."""
    with file_errors(path), Path(path).open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    return parse(data, str(path), rules)


def parse(text: str | bytes, path: str = "", rules: Ruleset | None = None) -> Log:
    """Parse a log of at most 4 MiB, text or the bytes of a file, without playing it.

    ``path`` is used in messages. ``rules`` apply to a log that does not describe its own; without them they
    are inferred. A log may be truncated anywhere after the start of its first hand. Raises ``RecordError``
    with the position for a text that is not a Tenhou log, or a tag with impossible values.
    """
    data = text.encode(errors="surrogatepass") if isinstance(text, str) else text
    if data[:2] == _GZIP:
        data = _unpacked(data, path)
    if len(data) > MAX_BYTES:
        raise RecordError("mjlog_too_large", path=path, most=MAX_BYTES >> 20)
    tags, cut = _tags(_prepared(data), path)
    return replace(_log_of(tags, path, rules), cut=cut)


def _unpacked(data: bytes, path: str) -> bytes:
    """Decompress as much as possible; a truncated file is read up to the cut."""
    unpacker = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        text = unpacker.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise RecordError("mjlog_bad_gzip", path=path, reason=cause(error)) from error
    if not text:
        raise RecordError("mjlog_bad_gzip", path=path, reason="0 bytes")
    return text


def _prepared(data: bytes) -> bytes:
    """Return the tags in UTF-8 under one root; declared encodings are irrelevant, since names are escaped."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            data = data.decode(encoding, "replace").encode()
    text = _DECLARATION.sub(b"", data.lstrip(_BLANK), count=1).lstrip(_BLANK)
    if text.startswith(b"<!") or _ROOT.match(text):
        return text
    return _OPENED + text + (b"" if _UNFINISHED.search(text[-200:]) else _CLOSED)


class _Collector:
    """Collects every start tag; logs are flat, so no tree is needed."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.tags: list[tuple[str, Attributes]] = []

    def start(self, tag: str, attributes: Attributes) -> None:
        self.tags.append((tag, attributes))

    def doctype(self, *_: object) -> None:
        """Refuse a document type, which could declare entities that expand endlessly."""
        raise RecordError("mjlog_doctype", path=self.path)


def _tags(data: bytes, path: str) -> tuple[list[tuple[str, Attributes]], RecordError | None]:
    """Return the tags, and an error with the position at which the last tag is cut off."""
    cut = None
    collector = _Collector(path)
    parser = XMLParser(target=collector, encoding="utf-8")  # noqa: S314  (the collector refuses document types)
    try:
        parser.feed(data)
        parser.close()
    except ParseError as error:
        is_cut = error.code in _CUT_SHORT and any(tag == "INIT" for tag, _ in collector.tags)
        line, column = error.position
        refused = RecordError("mjlog_not_xml", path=path, line=line, column=column + 1)
        if not is_cut:
            raise refused from error
        cut = None if error.code == _NO_ROOT_CLOSED else refused
    if len(collector.tags) == data.startswith(_OPENED):
        raise RecordError("mjlog_not_xml", path=path, line=1, column=1)
    return collector.tags, cut


def _log_of(tags: list[tuple[str, Attributes]], path: str, given: Ruleset | None) -> Log:
    if not any(tag in _OF_TENHOU for tag, _ in tags):
        raise RecordError("mjlog_not_tenhou", path=path, tag=tags[-1][0])
    flags, is_private, mark = _table(tags, path)
    rules = given if mark is None else marked_rules(mark, given)
    seats = _seats(tags, flags)
    if rules is not None and len(rules.seats) != seats:
        raise RecordError("record_other_players", count=seats, wanted=len(rules.seats))
    names = [""] * seats
    hands: list[tuple[LogHand, list[Step]]] = []
    for number, (tag, attributes) in enumerate(tags, 1):
        try:
            if tag == "UN":  # repeated when a player reconnects
                for seat in range(seats):
                    names[seat] = names[seat] or unquote(attributes.get(f"n{seat}", ""))
            elif tag == "INIT":
                hands.append((hand_of(attributes, seats), []))
            # other tags belong to a hand that began before the log
            elif (step := step_of(tag, attributes, seats)) and hands:
                hands[-1][1].append(step)
        except (RequestError, LookupError, ValueError, OverflowError) as error:
            raise RecordError("mjlog_bad_tag", path=path, tag=tag, number=number) from error
    whole = tuple(replace(hand, steps=tuple(steps)) for hand, steps in hands)
    return Log(flags, tuple(names), whole, path, is_private, rules, mark or {})


def _table(tags: list[tuple[str, Attributes]], path: str) -> tuple[int, bool, dict[str, Any] | None]:
    """Return the table type, whether the lobby may have its own rules, and Jantaku's mark.

    A log that starts mid-game may lack the type; it is then assumed to be a hanchan with red fives.
    """
    table = next((attributes for tag, attributes in tags if tag == "GO"), None)
    try:
        flags = HANCHAN if table is None else int(table["type"])
    except (LookupError, ValueError) as error:
        raise RecordError("mjlog_no_rules", path=path) from error
    is_private = table is None or table.get("lobby", "0") != "0" or "csrule" in table
    return flags, is_private, _mark(table or {})


def _seats(tags: list[tuple[str, Attributes]], flags: int) -> int:
    """Return the number of players: seats with tiles in the first hand, or by the table type without one."""
    first = next((attributes for tag, attributes in tags if tag == "INIT"), None)
    empty = 1 if flags & THREE_PLAYERS else 0
    return PLACES - empty if first is None else seats_in(first)


def _mark(table: Attributes) -> dict[str, Any] | None:
    if KEY not in table:
        return None
    try:
        mark = parse_json(table[KEY])
    except (ValueError, RecursionError) as error:
        raise RecordError("record_rules", line=1, rules=table[KEY][:40]) from error
    return mark if isinstance(mark, dict) else {}
