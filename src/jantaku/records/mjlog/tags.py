"""Parse each tag of a Tenhou log into a hand or a step.

A missing attribute raises ``LookupError``, an impossible number ``ValueError`` or ``OverflowError``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from jantaku.game import Standing
from jantaku.records.mjlog import log
from jantaku.records.mjlog.meld_code import decode_meld, kita_of
from jantaku.records.places import PLACES, number_at
from jantaku.seats import sum_by_seat

DEALT: Final = 13  # tiles per seat
_PAIRS: Final = 2 * PLACES  # length of a list with two numbers per place
_PLAY: Final = re.compile("([DEFGTUVW])([0-9]{1,3})")

Attributes = Mapping[str, str]


def seats_in(attributes: Attributes) -> int:
    """Return the number of players in the hand of an ``INIT``; later places have no tiles."""
    return max((seat for seat in range(1, PLACES + 1) if attributes.get(f"hai{seat - 1}")), default=PLACES)


def hand_of(attributes: Attributes, seats: int) -> log.LogHand:
    """Return the hand in an ``INIT``, without steps; raise ``RequestError`` for impossible numbers."""
    number, honba, deposits, *_, dora = _numbers(attributes["seed"])
    dealt = tuple(_tiles(attributes.get(f"hai{seat}", "")) for seat in range(PLACES))
    if [len(hand) for hand in dealt] != [DEALT * (seat < seats) for seat in range(PLACES)]:
        raise ValueError(attributes)
    scores = _by_seat(_points(attributes["ten"]), seats, 100)
    dealer = _seat(attributes["oya"], seats)
    start = Standing(number_at(number, seats), honba, deposits, scores)
    return log.LogHand(start.number, honba, deposits, scores, dealer, _tile(dora), dealt[:seats])


def step_of(tag: str, attributes: Attributes, seats: int) -> log.Step | None:
    """Return the step for a tag; ``None`` for a tag that is not part of the game."""
    return _STEPS[tag](attributes, seats) if tag in _STEPS else _play(tag, seats)


@lru_cache(maxsize=2048)  # four players have 1,088 different draws and discards
def _play(tag: str, seats: int) -> log.LogDraw | log.LogDiscard | None:
    play = _PLAY.fullmatch(tag)
    if play is None:
        return None
    tile = _tile(play[2])
    if play[1] in "TUVW":
        return log.LogDraw(_seat("TUVW".index(play[1]), seats), tile)
    return log.LogDiscard(_seat("DEFG".index(play[1]), seats), tile)


def _call(attributes: Attributes, seats: int) -> log.Step:
    code, seat = int(attributes["m"]), _seat(attributes["who"], seats)
    kita = kita_of(code)
    return decode_meld(code, seat) if kita is None else log.LogKita(seat, kita)


def _dora(attributes: Attributes, _: int) -> log.Step:
    return log.LogDoraTurned(_tile(attributes["hai"]))


def _riichi(attributes: Attributes, seats: int) -> log.Step:
    seat = _seat(attributes["who"], seats)
    if int(attributes["step"]) not in (1, 2):
        raise ValueError(attributes)
    if attributes["step"] == "1":
        return log.LogRiichi(seat, attributes.get("open") == "1")
    scores = attributes.get("ten")
    return log.LogRiichiAccepted(seat, _by_seat(_points(scores), seats, 100) if scores else None)


def _won(attributes: Attributes, seats: int) -> log.LogWon:
    seat = _seat(attributes["who"], seats)
    fu, points, limit = (round(number) for number in _points(attributes["ten"]))
    yaku = _numbers(attributes.get("yaku", ""))
    liable = attributes.get("paoWho")
    local = attributes["local"].split(",") if attributes.get("local") else []
    codes = _numbers(attributes.get("m", ""))  # may include norths set aside
    melds: tuple[log.Call, ...] = tuple(decode_meld(code, seat) for code in codes if kita_of(code) is None)
    return log.LogWon(
        seat,
        _seat(attributes["fromWho"], seats),
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
        None if liable is None else _seat(liable, seats),
        _settlement(attributes, seats),
        tuple((name, int(han)) for name, han in zip(local[::2], local[1::2], strict=True)),
    )


def _drawn(attributes: Attributes, seats: int) -> log.Drawn:
    kind = attributes.get("type", "")
    if kind not in log.KINDS_OF_DRAW:
        raise ValueError(kind)
    hands = [attributes.get(f"hai{seat}") for seat in range(seats)]
    shown = tuple(None if hand is None else _tiles(hand) for hand in hands)
    return log.Drawn(kind, shown, _settlement(attributes, seats))


def _settlement(attributes: Attributes, seats: int) -> log.Settlement:
    """Parse the scores: ``sc`` and ``owari`` have pairs for points, then for chips at tables with chips."""
    honba, deposits = _numbers(attributes["ba"])
    scores = _points(attributes["sc"])
    final = None
    chips = _by_seat(scores[_PAIRS::2], seats) if len(scores) == 2 * _PAIRS else None
    change = _by_seat(scores[_PAIRS + 1 :: 2], seats) if chips else None
    if "owari" in attributes:
        result = _points(attributes["owari"])
        final = _by_seat(result[:_PAIRS:2], seats, 100), _by_seat(result[1:_PAIRS:2], seats, 1000)
    after = sum_by_seat((chips, change), seats) if chips and change else None
    before = _by_seat(scores[:_PAIRS:2], seats, 100)
    moved = _by_seat(scores[1:_PAIRS:2], seats, 100)
    return log.Settlement(honba, deposits, before, moved, final, after)


_STEPS: Final[Mapping[str, Callable[[Attributes, int], log.Step]]] = {
    "N": _call,
    "DORA": _dora,
    "REACH": _riichi,
    "AGARI": _won,
    "RYUUKYOKU": _drawn,
}


def _numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")] if text else []


def _points(text: str) -> list[float]:
    """Parse points in hundreds or thousands; tables with special rules may have fractions."""
    return [float(number) for number in text.split(",")]


def _by_seat(numbers: Sequence[float], seats: int, unit: int = 1) -> log.BySeat:
    """Return the numbers of the players; those of empty places are ignored and may be missing."""
    if not seats <= len(numbers) <= PLACES:
        raise ValueError(numbers)
    return tuple(round(number * unit) for number in numbers[:seats])


def _tiles(text: str) -> tuple[int, ...]:
    return tuple(_tile(number) for number in _numbers(text))


def _tile(number: str | int) -> int:
    tile = int(number)
    if not 0 <= tile < 136:
        raise ValueError(tile)
    return tile


def _seat(text: str | int, seats: int) -> int:
    seat = int(text)
    if not 0 <= seat < seats:
        raise ValueError(seat)
    return seat
