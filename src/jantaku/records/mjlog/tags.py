"""Reads each tag of a Tenhou log into a hand or a step.

A missing attribute raises ``LookupError``, an impossible number ``ValueError`` or ``OverflowError``.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from jantaku.records.mjlog.log import (
    SEATS,
    BySeat,
    Call,
    Drawn,
    LogDiscard,
    LogDoraTurned,
    LogDraw,
    LogHand,
    LogRiichi,
    LogWon,
    RiichiStands,
    Settlement,
    Step,
)
from jantaku.records.mjlog.meld_code import decode_meld

KINDS_OF_DRAW: Final = frozenset({"", "nm", "yao9", "kaze4", "reach4", "kan4", "ron3"})
_PAIRS: Final = 2 * SEATS  # numbers that come in pairs, two for each seat
_PLAY: Final = re.compile("([DEFGTUVW])([0-9]{1,3})")

Attributes = Mapping[str, str]


def hand_of(attributes: Attributes) -> LogHand:
    """The hand that an ``INIT`` begins, without steps."""
    number, honba, deposits, *_, dora = _numbers(attributes["seed"])
    dealt = tuple(_tiles(attributes[f"hai{seat}"]) for seat in range(SEATS))
    if {len(hand) for hand in dealt} != {13}:
        raise ValueError(attributes)
    scores = _by_seat(_points(attributes["ten"]), 100)
    dealer = _seat(attributes["oya"])
    return LogHand(number, honba, deposits, scores, dealer, _tile(dora), dealt)


def step_of(tag: str, attributes: Attributes) -> Step | None:
    """The step of a tag; ``None`` for a tag that is not part of the game."""
    if play := _PLAY.fullmatch(tag):
        tile = _tile(play[2])
        if play[1] in "TUVW":
            return LogDraw("TUVW".index(play[1]), tile)
        return LogDiscard("DEFG".index(play[1]), tile)
    return _STEPS[tag](attributes) if tag in _STEPS else None


def _call(attributes: Attributes) -> Step:
    return decode_meld(int(attributes["m"]), _seat(attributes["who"]))


def _dora(attributes: Attributes) -> Step:
    return LogDoraTurned(_tile(attributes["hai"]))


def _riichi(attributes: Attributes) -> Step:
    seat = _seat(attributes["who"])
    if int(attributes["step"]) not in (1, 2):
        raise ValueError(attributes)
    if attributes["step"] == "1":
        return LogRiichi(seat, attributes.get("open") == "1")
    scores = attributes.get("ten")
    return RiichiStands(seat, _by_seat(_points(scores), 100) if scores else None)


def _won(attributes: Attributes) -> LogWon:
    seat = _seat(attributes["who"])
    fu, points, limit = (round(number) for number in _points(attributes["ten"]))
    yaku = _numbers(attributes.get("yaku", ""))
    liable = attributes.get("paoWho")
    local = attributes["local"].split(",") if attributes.get("local") else []
    melds: tuple[Call, ...] = tuple(decode_meld(code, seat) for code in _numbers(attributes.get("m", "")))
    return LogWon(
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
        tuple((name, int(han)) for name, han in zip(local[::2], local[1::2], strict=True)),
    )


def _drawn(attributes: Attributes) -> Drawn:
    kind = attributes.get("type", "")
    if kind not in KINDS_OF_DRAW:
        raise ValueError(kind)
    hands = [attributes.get(f"hai{seat}") for seat in range(SEATS)]
    shown = tuple(None if hand is None else _tiles(hand) for hand in hands)
    return Drawn(kind, shown, _settlement(attributes))


def _settlement(attributes: Attributes) -> Settlement:
    """``sc`` has scores and changes, followed by those of chips at tables with chips; so does ``owari``."""
    honba, deposits = _numbers(attributes["ba"])
    scores = _points(attributes["sc"])
    final = None
    chips = _by_seat(scores[_PAIRS::2]) if len(scores) == 2 * _PAIRS else None
    change = _by_seat(scores[_PAIRS + 1 :: 2]) if chips else None
    if "owari" in attributes:
        result = _points(attributes["owari"])
        final = _by_seat(result[:_PAIRS:2], 100), _by_seat(result[1:_PAIRS:2], 1000)
    after = _by_seat([a + b for a, b in zip(chips, change, strict=True)]) if chips and change else None
    before, moved = _by_seat(scores[:_PAIRS:2], 100), _by_seat(scores[1:_PAIRS:2], 100)
    return Settlement(honba, deposits, before, moved, final, after)


_STEPS: Final = {"N": _call, "DORA": _dora, "REACH": _riichi, "AGARI": _won, "RYUUKYOKU": _drawn}


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")] if text else []


def _points(text: str) -> list[float]:
    """Points in hundreds or thousands; tables with their own rules may not round them."""
    return [float(number) for number in text.split(",")]


def _by_seat(numbers: Sequence[float], unit: int = 1) -> BySeat:
    if len(numbers) != SEATS:
        raise ValueError(numbers)
    return tuple(round(number * unit) for number in numbers)


def _tiles(text: str) -> tuple[int, ...]:
    return tuple(_tile(number) for number in _numbers(text))


def _tile(number: str | int) -> int:
    tile = int(number)
    if not 0 <= tile < 136:
        raise ValueError(tile)
    return tile


def _seat(text: str) -> int:
    seat = int(text)
    if not 0 <= seat < SEATS:
        raise ValueError(seat)
    return seat
