"""A Python interface to the engine's record and to the compiled functions that work on it."""

import threading
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku import seats
from jantaku.adjudication.masks import bits_in
from jantaku.adjudication.win_records import MELD_CODES
from jantaku.game.snapshot import Snapshot
from jantaku.hand import WIND_NAMES, Meld, MeldType
from jantaku.kernels._jit import Direct
from jantaku.kernels.cuts import cut_tables
from jantaku.kernels.engine import dealing, entries
from jantaku.kernels.engine import step as engine
from jantaku.kernels.engine.actions import MAX_ACTIONS
from jantaku.kernels.engine.context import Context, new_context
from jantaku.kernels.engine.state import CLAIMS, GAME, NO_ANSWER, NO_TILE, YOUR_TURN
from jantaku.kernels.lookup import shanten_tables
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import ANKAN, CHI, PON
from jantaku.rules import Ruleset, load
from jantaku.tiles import RED, TILES, Tile, sort_tiles

Record = Any  # one ``GAME`` with fields as attributes: an ``np.record`` or a ``Snapshot``

_MELD_TYPES = {code: kind for kind, code in MELD_CODES.items()}
_contexts = threading.local()


def context(man: str = "all") -> Context:
    """Return scratch space for the compiled functions, one per thread and value of ``man``.

    ``man`` is the option ``tiles.man``, which selects the shanten tables.
    """
    context: Context | None = getattr(_contexts, man, None)
    if context is None:
        context = new_context(shanten_tables(man), cut_tables())
        setattr(_contexts, man, context)
    return context


def _like_offers() -> tuple[object, ...]:
    rules = rules_record(load("standard"))
    return np.zeros(1, GAME), 0, rules, context(), np.empty(MAX_ACTIONS, np.int16)


def _like_step() -> tuple[object, ...]:
    return np.zeros(1, GAME), 0, 0, rules_record(load("standard")), context()


_LEGAL: Final = Direct(entries.legal, _like_offers)
_FOULS: Final = Direct(entries.fouls, _like_offers)
_STEP: Final = Direct(entries.step, _like_step)


class Engine:
    """One ``GAME`` record under one ruleset."""

    def __init__(self, rules: Ruleset) -> None:
        self.array: npt.NDArray[Any] = np.zeros(1, GAME)
        self.rules: npt.NDArray[Any] = rules_record(rules)
        self._offered: npt.NDArray[np.int16] = np.empty(MAX_ACTIONS, np.int16)
        self._man = rules.tiles.man
        dealing.start_match(self.record, self.rules[0])

    @property
    def record(self) -> Record:
        """The engine's record (``kernels.engine.state.GAME``)."""
        return self.array[0]

    def copy(self) -> "Engine":
        """Return an engine with a copy of the record."""
        twin = object.__new__(Engine)
        twin.__dict__.update(self.__dict__, array=self.array.copy(), _offered=self._offered.copy())
        return twin

    def snapshot(self) -> Snapshot:
        """Return an immutable copy of the record."""
        return Snapshot(self.array.tobytes())

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the record from a snapshot."""
        self.array[:] = snapshot.array

    def deal(self, tiles: Iterable[int]) -> None:
        """Deal the next hand from this wall."""
        wall = list(tiles)
        self.record.wall[: len(wall)] = wall
        dealing.start_hand(self.record, context(self._man))

    def legal(self, seat: int) -> list[int]:
        """Return the integers of all legal actions of a seat."""
        count = _LEGAL.call(self.array, int(seat), self.rules, context(self._man), self._offered)
        codes: list[int] = self._offered[:count].tolist()
        return codes

    def fouls(self, seat: int) -> list[int]:
        """Return the integers of the fouls that a seat can commit."""
        count = _FOULS.call(self.array, int(seat), self.rules, context(self._man), self._offered)
        codes: list[int] = self._offered[:count].tolist()
        return codes

    def step(self, seat: int, code: int) -> bool:
        """Execute an action; return False and change nothing if it is illegal."""
        done = _STEP.call(self.array, int(seat), int(code), self.rules, context(self._man))
        return bool(done != engine.ILLEGAL)


def seats_of(record: Record) -> range:
    """Return the seats in play."""
    return range(int(record.match.seats))


def others(record: Record, seat: int) -> list[int]:
    """Return the other seats in turn order after ``seat``."""
    return seats.others(seat, len(seats_of(record)))


def by_seat(record: Record, numbers: npt.NDArray[Any]) -> tuple[Any, ...]:
    """Return the entries for the seats in play from an array with four entries."""
    return tuple(numbers.tolist()[: int(record.match.seats)])


def dealer_of(record: Record) -> int:
    """Return the dealer of this hand."""
    return seats.dealer_of(int(record.match.number), int(record.match.seats))


def wareme_of(record: Record) -> int | None:
    """Return the seat whose wall was broken for this deal (wareme); ``None`` if the rules do not use it."""
    return int(record.wareme) - 1 if record.wareme else None


def round_of(record: Record) -> int:
    """Return the wind of the round, 0–3 for East–North."""
    return int(record.match.number) // int(record.match.seats) % len(WIND_NAMES)


def seats_to_act(record: Record) -> list[int]:
    """Return the seats that must act."""
    if record.phase == YOUR_TURN:
        return [int(record.turn)]
    if record.phase != CLAIMS:
        return []
    return [s for s in seats_of(record) if record.asked[s] and record.answer[s] == NO_ANSWER]


def concealed(record: Record, seat: int) -> list[Tile]:
    """Return the concealed tiles of a seat, sorted, including the drawn tile."""
    reds: list[int] = record.red[seat].tolist()
    tiles: list[Tile] = []
    for kind, count in enumerate(record.hand[seat].tolist()):
        if count:
            if red := reds[kind]:
                tiles += [TILES[kind + RED]] * red
            tiles += [TILES[kind]] * (count - red)
    return tiles


def drawn_tile(record: Record, seat: int) -> Tile | None:
    """Return the tile the seat has just drawn, or ``None``."""
    if record.phase == YOUR_TURN and record.turn == seat and record.drawn != NO_TILE:
        return TILES[int(record.drawn)]
    return None


def without_drawn(record: Record, seat: int) -> list[Tile]:
    """Return the concealed tiles of a seat without the drawn tile."""
    tiles, drawn = concealed(record, seat), drawn_tile(record, seat)
    if drawn is not None:
        tiles.remove(drawn)
    return tiles


def shown_tiles(record: Record, seat: int) -> tuple[Tile, ...] | None:
    """Return the tiles revealed by a seat's open riichi, without the drawn tile; ``None`` if it has none."""
    if not record.open_riichi[seat]:
        return None
    kinds = int(record.shown[seat])
    return tuple(tile for tile in without_drawn(record, seat) if kinds >> tile % RED & 1)


def meld(record: Record, seat: int, index: int) -> Meld:
    """Return one meld of a seat."""
    kind, first = int(record.meld[seat, index]), int(record.meld_first[seat, index])
    mask = int(record.meld_red[seat, index])
    size = 3 if kind in (CHI, PON) else 4
    run = int(kind == CHI)
    tiles = tuple(sort_tiles(first + i * run + RED * (mask >> i & 1) for i in range(size)))
    if kind == ANKAN:
        return Meld(MeldType.ANKAN, tiles)
    source = seats.sources_of(int(record.match.seats))[int(record.meld_source[seat, index]) - 1]
    return Meld(_MELD_TYPES[kind], tiles, TILES[record.meld_called[seat, index]], source)


def melds(record: Record, seat: int) -> tuple[Meld, ...]:
    """Return all melds of a seat in the order they were made."""
    return tuple(meld(record, seat, index) for index in range(int(record.melds[seat])))


def visible_melds(record: Record, seat: int, viewer: int | None) -> tuple[Meld, ...]:
    """Return the melds of ``seat`` as ``viewer`` sees them: another seat's face-down ankan has no tiles."""
    all_melds = melds(record, seat)
    if not record.face_down or seat == viewer:
        return all_melds
    return tuple(Meld(meld.type, ()) if meld.type is MeldType.ANKAN else meld for meld in all_melds)


def revealed_kans(record: Record, seat: int) -> tuple[Tile, ...]:
    """Return the tiles of a seat's face-down ankans, which are turned up together with its hand."""
    if not record.face_down:
        return ()
    return tuple(tile for meld in melds(record, seat) if meld.type is MeldType.ANKAN for tile in meld.tiles)


def indicator_place(record: Record, number: int) -> int:
    """Return the index in the wall of dora indicator ``number``; its ura indicator is one before it."""
    return int(record.tiles) - int(record.rinshan) - 1 - 2 * number


def indicators(record: Record) -> tuple[Tile, ...]:
    """Return the visible dora indicators."""
    return tuple(TILES[record.wall[indicator_place(record, i)]] for i in range(int(record.indicators)))


def ura_indicators(record: Record) -> tuple[Tile, ...]:
    """Return the ura indicators below the visible dora indicators."""
    return tuple(TILES[record.wall[indicator_place(record, i) - 1]] for i in range(int(record.indicators)))


def wall_left(record: Record) -> int:
    """Return the number of tiles left in the live wall."""
    return int(record.tiles) - int(record.dead_wall) - int(record.drawn_rinshan) - int(record.drawn_live)


def tiles_in(mask: int) -> tuple[Tile, ...]:
    """Return the kinds in a mask as tiles."""
    return tuple(map(TILES.__getitem__, bits_in(mask)))
