"""Reading Tenhou's logs: XML, plain or compressed with gzip."""

import gzip
import io
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError, XMLParser

from jantaku.errors import RecordError
from jantaku.records.log import Log, LogHand, Step
from jantaku.records.tags import Attributes, hand_of, step_of

MOST_BYTES: Final = 4 << 20
THREE_PLAYERS: Final = 0x10
_GZIP: Final = b"\x1f\x8b"


def read_log(path: str | Path) -> Log:
    """Read a log file; ``RecordError`` where it cannot be read or is none."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordError("unreadable_file", path=str(path), reason=error.strerror or str(error)) from error
    return parse_log(data, str(path))


def parse_log(data: bytes, path: str = "") -> Log:
    """Read the contents of a log file of at most 4 MiB; ``path`` stands in messages."""
    if data[:2] == _GZIP:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise RecordError("mjlog_bad_gzip", path=path, reason=str(error)) from error
    if len(data) > MOST_BYTES:
        raise RecordError("mjlog_too_large", path=path, most=MOST_BYTES >> 20)
    return _log_of(_tags(data, path), path)


class _Collector:
    """Takes down every tag as it opens; the logs are flat, so no tree is needed."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.tags: list[tuple[str, Attributes]] = []

    def start(self, tag: str, attributes: Attributes) -> None:
        self.tags.append((tag, attributes))

    def doctype(self, *_: object) -> None:
        """Entities are declared in a document type and can be made to expand without end."""
        raise RecordError("mjlog_doctype", path=self.path)


def _tags(data: bytes, path: str) -> list[tuple[str, Attributes]]:
    collector = _Collector(path)
    parser = XMLParser(target=collector)  # noqa: S314  (the collector refuses document types)
    try:
        parser.feed(data)
        parser.close()
    except ParseError as error:
        line, column = error.position
        raise RecordError("mjlog_not_xml", path=path, line=line, column=column + 1) from error
    except (ValueError, LookupError) as error:  # an encoding that is declared but unknown
        if isinstance(error, RecordError):
            raise
        raise RecordError("mjlog_not_xml", path=path, line=1, column=1) from error
    return collector.tags


def _log_of(tags: list[tuple[str, Attributes]], path: str) -> Log:
    if tags[0][0] != "mjloggm":
        raise RecordError("mjlog_not_tenhou", path=path, tag=tags[0][0])
    flags = _flags(tags, path)
    names = ("", "", "", "")
    hands: list[tuple[LogHand, list[Step]]] = []
    for number, (tag, attributes) in enumerate(tags, 1):
        try:
            if tag == "UN" and not any(names):
                one, two, three, four = (unquote(attributes.get(f"n{seat}", "")) for seat in range(4))
                names = (one, two, three, four)
            elif tag == "INIT":
                hands.append((hand_of(attributes), []))
            elif step := step_of(tag, attributes):
                hands[-1][1].append(step)
        except (LookupError, ValueError, OverflowError) as error:
            raise RecordError("mjlog_bad_tag", path=path, tag=tag, number=number) from error
    return Log(flags, names, tuple(replace(hand, steps=tuple(steps)) for hand, steps in hands), path)


def _flags(tags: list[tuple[str, Attributes]], path: str) -> int:
    try:
        flags = next(int(attributes["type"]) for tag, attributes in tags if tag == "GO")
    except (StopIteration, LookupError, ValueError) as error:
        raise RecordError("mjlog_no_rules", path=path) from error
    if flags & THREE_PLAYERS:
        raise RecordError("mjlog_three_players", path=path)
    return flags
