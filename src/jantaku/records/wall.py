"""The wall behind a logged hand, as far as the log shows it."""

from typing import Final

from jantaku.hand import MeldType
from jantaku.kernels.table.wall import DEAD_WALL, DEALT, MOST_INDICATORS, MOST_KANS, TILES
from jantaku.records.log import Call, DoraTurned, Draw, LogHand, Won

KANS: Final = (MeldType.ANKAN, MeldType.DAIMINKAN, MeldType.KAKAN)


class WallConflictError(Exception):
    """The log needs a tile in two places, or more tiles than there are; ``tile`` is the first such."""

    def __init__(self, tile: int) -> None:
        super().__init__(tile)
        self.tile = tile


def wall_of(hand: LogHand) -> tuple[int, ...]:
    """A wall of all 136 tiles that gives the deal, draws and indicators of the hand.

    Tiles that the log does not show lie in the places left, in order. Raises ``WallConflictError``.
    """
    places: dict[int, int] = {}
    for place, tile in [*_dealt(hand), *_drawn(hand), *_indicators(hand)]:
        if places.setdefault(place, tile) != tile:
            raise WallConflictError(tile)
    seen: set[int] = set()
    for tile in places.values():
        if tile in seen:
            raise WallConflictError(tile)
        seen.add(tile)
    rest = iter(tile for tile in range(TILES) if tile not in seen)
    return tuple(places[place] if place in places else next(rest) for place in range(TILES))


def _dealt(hand: LogHand) -> list[tuple[int, int]]:
    """(place, tile) of the deal: four tiles to each in turn, three times, and one."""
    found = []
    for turn in range(4):
        for i, tile in enumerate(hand.dealt[(hand.dealer + turn) % 4]):
            place = 16 * (i // 4) + 4 * turn + i % 4 if i < 12 else 48 + turn
            found.append((place, tile))
    return found


def _drawn(hand: LogHand) -> list[tuple[int, int]]:
    """(place, tile) of every draw; the draw after a kan comes from the end."""
    found = []
    live, rinshan, after_kan = DEALT, 0, False
    for step in hand.steps:
        if isinstance(step, Call):
            after_kan = step.kind in KANS
        elif isinstance(step, Draw):
            if live == TILES - DEAD_WALL - rinshan or (after_kan and rinshan == MOST_KANS):
                raise WallConflictError(step.tile)
            found.append((TILES - 1 - rinshan if after_kan else live, step.tile))
            live, rinshan, after_kan = live + (not after_kan), rinshan + after_kan, False
    return found


def _indicators(hand: LogHand) -> list[tuple[int, int]]:
    """(place, tile) of the indicators, and of those below them where a winner saw them."""
    dora = [hand.dora, *(step.tile for step in hand.steps if isinstance(step, DoraTurned))]
    rows = [(TILES - 5, dora)]
    rows += [(TILES - 6, list(step.ura)) for step in hand.steps if isinstance(step, Won)]
    for _, tiles in rows:
        if len(tiles) > MOST_INDICATORS:
            raise WallConflictError(tiles[MOST_INDICATORS])
    return [(first - 2 * i, tile) for first, tiles in rows for i, tile in enumerate(tiles)]
