"""The situation of a win: a request converted to plain values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jantaku.rules import Ruleset
from jantaku.tiles import Tile, parse_tiles
from naive.readings import DRAGONS, EAST, Group, Shape

SEATS = ("east", "south", "west", "north")
TURNS = {"right": 1, "across": 2, "left": 3}
SHAPES: dict[str, Shape] = {
    "chi": "run", "pon": "triplet", "ankan": "quad", "daiminkan": "quad", "kakan": "quad",
}  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Situation:
    """The hand and the circumstances of one win; seats are 0-3 for East to North."""

    concealed: tuple[int, ...]  # counts of the 34 kinds in hand, including the winning tile
    melds: tuple[Group, ...]
    tiles: tuple[int, ...]  # all tiles of the hand and the melds; 34 is added to a red tile
    kinds: frozenset[int]
    win: int
    tsumo: bool
    round_wind: int
    seat_wind: int
    seat: int
    discarder: int | None
    riichi: str | None
    flags: frozenset[str]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    honba: int
    deposits: int
    dealer_streak: int
    pao: Mapping[str, int]  # liable seat by yakuman
    kita: int = 0  # norths set aside
    wareme: int | None = None  # seat whose wall was broken
    valued: frozenset[int] = frozenset(DRAGONS)  # value tiles of every seat

    @property
    def ron(self) -> bool:
        return not self.tsumo

    @property
    def closed(self) -> bool:
        return all(meld.concealed for meld in self.melds)

    @property
    def dealer(self) -> bool:
        return self.seat == 0


FLAGS = (
    "ippatsu", "last_tile", "rinshan", "chankan", "first_turn",
    "riichi_tile", "furiten", "discarder_riichi", "final_hand",
)  # fmt: skip


def read(request: Mapping[str, Any], seats: int = 4) -> Situation:
    """Read a valid request for a table with this number of seats."""
    hand = parse_tiles(request["hand"])
    win = Tile.parse(request["win"])
    meld_tiles = [parse_tiles(meld["tiles"]) for meld in request.get("melds", ())]
    tiles = (*hand, win, *(tile for meld in meld_tiles for tile in meld))
    seat = SEATS.index(request["seat"])
    discarder = request.get("from") if request["by"] == "ron" else None
    return Situation(
        concealed=_counts([*hand, win]),
        melds=tuple(map(_group, request.get("melds", ()), meld_tiles)),
        tiles=tiles,
        kinds=frozenset(tile % 34 for tile in tiles),
        win=win % 34,
        tsumo=request["by"] == "tsumo",
        round_wind=EAST + SEATS.index(request["round"]),
        seat_wind=EAST + seat,
        seat=seat,
        discarder=None if discarder is None else _seat(seat, discarder, seats),
        riichi=request.get("riichi"),
        flags=frozenset(flag for flag in FLAGS if request.get(flag)),
        dora=tuple(parse_tiles(request.get("dora", ""))),
        ura=tuple(parse_tiles(request.get("ura", ""))),
        honba=request.get("honba", 0),
        deposits=request.get("deposits", 0),
        dealer_streak=request.get("dealer_streak", 0),
        kita=request.get("kita", 0),
        wareme=SEATS.index(request["wareme"]) if request.get("wareme") else None,
        pao={yaku: _seat(seat, who, seats) for yaku, who in (request.get("pao") or {}).items()},
    )


def valued(rules: Ruleset) -> frozenset[int]:
    """Return the value tiles of every seat: the dragons, and north if its yaku counts."""
    north = rules.yaku["yakuhai_north"]
    counts = north.closed is not False or north.open is not False
    return frozenset((*DRAGONS, EAST + 3) if counts else DRAGONS)


def _seat(winner: int, relative: str, seats: int) -> int:
    return (winner + TURNS[relative]) % seats


def _counts(tiles: Sequence[int]) -> tuple[int, ...]:
    counts = [0] * 34
    for tile in tiles:
        counts[tile % 34] += 1
    return tuple(counts)


def _group(meld: Mapping[str, Any], tiles: Sequence[int]) -> Group:
    lowest = min(tile % 34 for tile in tiles)
    return Group(SHAPES[meld["type"]], lowest, concealed=meld["type"] == "ankan")
