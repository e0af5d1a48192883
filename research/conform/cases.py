"""Generates random and rare wins as plain numbers; for speed, several wins are made from each dealt shape."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from struct import Struct
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.kernels import win as layout
from jantaku.tiles import NORTH
from naive.generate import Table
from naive.hands import random_sets, random_special

SHAPE_USES: Final = 6  # wins generated from each shape
MAX_INDICATORS: Final = 5
REDS: Final = (4, 13, 22)
_pack = Struct(layout.PACKED).pack
_CODES: Final = {
    "chi": layout.CHI, "pon": layout.PON, "ankan": layout.ANKAN, "daiminkan": layout.DAIMINKAN,
    "kakan": layout.KAKAN,
}  # fmt: skip
_CLOSED_KAN_OR_NONE: Final = (layout.NO_MELD, layout.ANKAN)


@dataclass(slots=True)
class Case:
    """A win: kinds of tiles, melds as (type, kinds), and its circumstances."""

    concealed: list[int]  # including the winning tile
    melds: list[tuple[str, list[int]]]
    win: int
    reds: list[int]  # kinds whose red copy is in the hand
    tsumo: bool
    seat: int
    round_wind: int
    source: int  # number of turns after the winner at which the discarder sits
    dora: list[int]
    ura: list[int]
    honba: int
    riichi: int = 0  # 2 is double
    ippatsu: bool = False
    last_tile: bool = False
    rinshan: bool = False
    chankan: bool = False
    first_turn: bool = False
    kita: int = 0

    def numbers(self) -> tuple[list[int], list[list[int]], int]:
        """Return tile numbers 0–135 of the concealed tiles, the melds, and the (concealed) winning tile."""
        used = dict.fromkeys((kind for kind in REDS if kind not in self.reds), 1)

        def number(kind: int) -> int:
            copy = used.get(kind, 0)
            used[kind] = copy + 1
            return 4 * kind + copy

        melds = [[number(kind) for kind in kinds] for _, kinds in self.melds]
        tiles = [number(kind) for kind in self.concealed]
        return tiles, melds, tiles[self.concealed.index(self.win)]

    def packed(self) -> bytes:
        """Return the win as the bytes of a ``WIN`` record."""
        situation = (
            layout.TSUMO * self.tsumo
            | layout.IN_RIICHI * (self.riichi > 0)
            | layout.IN_DOUBLE_RIICHI * (self.riichi > 1)
            | layout.ONE_SHOT * self.ippatsu
            | layout.LAST_TILE * self.last_tile
            | layout.AFTER_KAN * self.rinshan
            | layout.ROBBING_KAN * self.chankan
            | layout.FIRST_TURN * self.first_turn
        )
        counts = bytearray(34)
        for kind in self.concealed:
            counts[kind] += 1
        melds = bytes(_CODES[call] for call, _ in self.melds).ljust(4, b"\0")
        firsts = bytes(min(kinds) for _, kinds in self.melds).ljust(4, b"\0")
        red_kinds = sum(1 << kind for kind in self.reds)
        return _pack(
            red_kinds, 0, 0, situation, self.honba, 0, 0, 0, bytes(counts), melds + firsts,
            self.win, self.seat, self.round_wind, self.source, len(self.reds),
            _indicators(self.dora), _indicators(self.ura), bytes([layout.NOBODY] * 6),
            self.kita, 0, 0, 0,  # without wareme and without the state of the game
        )  # fmt: skip


def _indicators(kinds: list[int]) -> bytes:
    return bytes(kinds).ljust(MAX_INDICATORS, bytes([layout.NO_TILE]))


def records(cases: list[Case]) -> npt.NDArray[Any]:
    """Return the wins as records for ``batch.score``."""
    return np.frombuffer(bytearray(b"".join(case.packed() for case in cases)), layout.WIN)


def random_cases(rng: Random, count: int, table: Table) -> Iterator[Case]:
    """Generate ``count`` wins with the tiles used at a table."""
    remaining = count
    while remaining:
        shape = _shape(rng, table)
        for _ in range(min(remaining, SHAPE_USES)):
            yield _case(rng, shape, table)
            remaining -= 1


Shape = tuple[list[list[int]], list[int]]  # sets, and the remaining tiles


def _shape(rng: Random, table: Table) -> Shape:
    while True:
        if rng.random() < 0.15:
            sets, rest = [], random_special(rng)
        else:
            first, pair = random_sets(rng)
            sets, rest = [list(part) for part in first], [pair, pair]
        if table.kinds.issuperset(rest) and all(table.kinds.issuperset(part) for part in sets):
            return sets, rest


def _case(rng: Random, shape: Shape, table: Table) -> Case:
    sets, rest = shape
    chance = rng.random
    openness, quads = rng.choice((0.0, 0.0, 0.3, 0.6, 1.0)), rng.choice((0.0, 0.0, 0.2, 0.9))
    concealed, melds = list(rest), []
    held = [0] * 34
    for kind in rest:
        held[kind] += 1
    for part in sets:
        for kind in part:
            held[kind] += 1
    for part in sets:
        called, kind = chance() < openness, part[0]
        alike = kind == part[1]
        if alike and held[kind] == 3 and chance() < quads:
            melds.append((rng.choice(("daiminkan", "kakan", "ankan")) if called else "ankan", [kind] * 4))
            held[kind] = 4
        elif called and (alike or table.chi):
            melds.append(("pon" if alike else "chi", part))
        else:
            concealed += part
    seats = len(table.seats)
    case = Case(
        concealed, melds, concealed[int(chance() * len(concealed))],
        [kind for kind in REDS if held[kind] and chance() * 4 < held[kind]],
        chance() < 0.5, int(chance() * seats), rng.choice((0, 1, 0, 1, 2, 3)),
        1 + int(chance() * (seats - 1)), [], [], rng.choice((0, 0, 0, 1, 2, 3, 5, 7)),
    )  # fmt: skip
    _circumstances(rng, case, held, table)
    _turn(rng, case, held, table)
    return case


def _circumstances(rng: Random, case: Case, held: list[int], table: Table) -> None:
    """Choose riichi and the circumstances of the winning tile."""
    chance = rng.random
    calls = [call for call, _ in case.melds]
    if not calls and case.tsumo and chance() < (0.6 if max(held) < 3 and held.count(0) == 21 else 0.15):
        case.first_turn = True
        return
    if table.kita:
        case.kita = min(int(chance() * 5), 4 - held[NORTH])
        held[NORTH] += case.kita
    if all(call == "ankan" for call in calls) and chance() < 0.6:
        case.riichi = rng.choice((1, 1, 2))
    case.last_tile = chance() < 0.1
    if case.tsumo:
        kan = case.kita > 0 or any("kan" in call for call in calls)
        case.rinshan = kan and not case.last_tile and chance() < 0.3
    else:
        case.chankan = held[case.win] == 1 and not case.last_tile and chance() < 0.15
    case.ippatsu = case.riichi > 0 and not case.rinshan and chance() < 0.3


@cache
def _sorted(kinds: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(kinds))


def _turn(rng: Random, case: Case, held: list[int], table: Table) -> None:
    """Choose indicators from the remaining tiles: usually one, plus one for each kan."""
    kans = sum(len(kinds) == 4 for _, kinds in case.melds)
    number = min(MAX_INDICATORS, 1 + kans + rng.choice((0, 0, 0, 0, 1, 2)))
    kinds = _sorted(table.kinds)
    for turned in (case.dora, case.ura) if case.riichi else (case.dora,):
        while len(turned) < number:
            kind = kinds[int(rng.random() * len(kinds))]
            if int(rng.random() * 4) >= held[kind]:  # in proportion to the remaining copies
                held[kind] += 1
                turned.append(kind)


class Worth(NamedTuple):
    """The value of a win; ``payments`` are by wind. For a yakuman, ``han`` and ``fu`` do not matter."""

    han: int
    fu: int
    yakuman: int
    yaku: frozenset[str]
    payments: tuple[int, ...]
