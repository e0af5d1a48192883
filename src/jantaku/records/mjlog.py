"""Reading Tenhou's logs: XML, plain or compressed with gzip."""

import gzip
import io
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote
from xml.etree.ElementTree import ParseError, XMLParser

from jantaku.errors import RecordError
from jantaku.records.log import (
    Call,
    Discard,
    DoraTurned,
    Draw,
    Drawn,
    Four,
    Log,
    LogHand,
    Riichi,
    RiichiStands,
    Settlement,
    Step,
    Won,
)
from jantaku.records.meld_code import decode_meld

MOST_BYTES: Final = 4 << 20
THREE_PLAYERS: Final = 0x10
KINDS_OF_DRAW: Final = frozenset({"", "nm", "yao9", "kaze4", "reach4", "kan4", "ron3"})
_GZIP: Final = b"\x1f\x8b"
_PLAY: Final = re.compile("([DEFGTUVW])([0-9]{1,3})")

Attributes = Mapping[str, str]


def read_log(path: str | Path) -> Log:
    """Read a log file; ``RecordError`` where it cannot be read or is none."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise RecordError("unreadable_file", path=path, reason=error.strerror or error) from error
    return parse_log(data, str(path))


def parse_log(data: bytes, path: str = "") -> Log:
    """Read the contents of a log file of at most 4 MiB; ``path`` stands in messages."""
    if data[:2] == _GZIP:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MOST_BYTES + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise RecordError("mjlog_bad_gzip", path=path, reason=error) from error
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
    flags: int | None = None
    names = ("", "", "", "")
    hands: list[tuple[Attributes, list[Step]]] = []
    found: list[LogHand] = []
    for number, (tag, attributes) in enumerate(tags, 1):
        try:
            if tag == "GO":
                flags = int(attributes["type"])
            elif tag == "UN" and not any(names):
                one, two, three, four = (unquote(attributes.get(f"n{seat}", "")) for seat in range(4))
                names = (one, two, three, four)
            elif tag == "INIT" and flags is not None and not flags & THREE_PLAYERS:
                _hand(attributes, [])
                hands.append((attributes, []))
            elif hands and (step := _step(tag, attributes)):
                hands[-1][1].append(step)
        except (LookupError, ValueError, OverflowError) as error:
            raise RecordError("mjlog_bad_tag", path=path, tag=tag, number=number) from error
    if flags is None:
        raise RecordError("mjlog_no_rules", path=path)
    if flags & THREE_PLAYERS:
        raise RecordError("mjlog_three_players", path=path)
    found = [_hand(attributes, steps) for attributes, steps in hands]
    return Log(flags, names, tuple(found), path)


def _hand(attributes: Attributes, steps: list[Step]) -> LogHand:
    number, honba, deposits, *_, dora = _numbers(attributes["seed"])
    dealt = tuple(_tiles(attributes[f"hai{seat}"]) for seat in range(4))
    if {len(hand) for hand in dealt} != {13}:
        raise ValueError(attributes)
    scores = _four(_numbers(attributes["ten"]), 100)
    dealer = _seat(attributes["oya"])
    return LogHand(number, honba, deposits, scores, dealer, _tile(dora), dealt, tuple(steps))


def _step(tag: str, attributes: Attributes) -> Step | None:
    """The step a tag tells of; ``None`` for one that says nothing of the game."""
    if play := _PLAY.fullmatch(tag):
        tile = _tile(play[2])
        if play[1] in "TUVW":
            return Draw("TUVW".index(play[1]), tile)
        return Discard("DEFG".index(play[1]), tile)
    if tag == "N":
        return decode_meld(int(attributes["m"]), _seat(attributes["who"]))
    if tag == "DORA":
        return DoraTurned(_tile(attributes["hai"]))
    if tag == "REACH":
        return _riichi(attributes)
    if tag == "AGARI":
        return _won(attributes)
    return _drawn(attributes) if tag == "RYUUKYOKU" else None


def _riichi(attributes: Attributes) -> Step:
    seat = _seat(attributes["who"])
    if attributes["step"] == "1":
        return Riichi(seat)
    scores = attributes.get("ten")
    return RiichiStands(seat, _four(_numbers(scores), 100) if scores else None)


def _won(attributes: Attributes) -> Won:
    seat = _seat(attributes["who"])
    fu, points, limit = _numbers(attributes["ten"])
    yaku = _numbers(attributes.get("yaku", ""))
    liable = attributes.get("paoWho")
    melds: tuple[Call, ...] = tuple(decode_meld(code, seat) for code in _numbers(attributes.get("m", "")))
    return Won(
        seat,
        _seat(attributes["fromWho"]),
        _tiles(attributes["hai"]),
        melds,
        _tile(attributes["machi"]),
        tuple(zip(yaku[::2], yaku[1::2], strict=True)),
        tuple(_numbers(attributes.get("yakuman", ""))),
        fu,
        points,
        limit,
        _tiles(attributes["doraHai"]),
        _tiles(attributes.get("doraHaiUra", "")),
        None if liable is None else _seat(liable),
        _settlement(attributes),
    )


def _drawn(attributes: Attributes) -> Drawn:
    kind = attributes.get("type", "")
    if kind not in KINDS_OF_DRAW:
        raise ValueError(kind)
    hands = [attributes.get(f"hai{seat}") for seat in range(4)]
    shown = tuple(None if hand is None else _tiles(hand) for hand in hands)
    return Drawn(kind, shown, _settlement(attributes))


def _settlement(attributes: Attributes) -> Settlement:
    honba, deposits = _numbers(attributes["ba"])
    scores = _numbers(attributes["sc"])
    final = None
    if "owari" in attributes:
        result = attributes["owari"].split(",")
        points = [round(1000 * float(text)) for text in result[1::2]]
        final = _four([int(text) for text in result[::2]], 100), _four(points, 1)
    return Settlement(honba, deposits, _four(scores[::2], 100), _four(scores[1::2], 100), final)


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")] if text else []


def _four(numbers: list[int], unit: int) -> Four:
    one, two, three, four = (number * unit for number in numbers)
    return one, two, three, four


def _tiles(text: str) -> tuple[int, ...]:
    return tuple(_tile(number) for number in _numbers(text))


def _tile(number: str | int) -> int:
    tile = int(number)
    if not 0 <= tile < 136:
        raise ValueError(tile)
    return tile


def _seat(text: str) -> int:
    seat = int(text)
    if not 0 <= seat < 4:
        raise ValueError(seat)
    return seat
