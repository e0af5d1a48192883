"""Reconstruct the wall of a logged hand as far as the log reveals it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from jantaku.errors import RecordError
from jantaku.game import fair_walls
from jantaku.hand import MeldType
from jantaku.kernels.engine.state import MAX_TILES
from jantaku.kernels.engine.wall import BLOCKS, DEALT, MAX_INDICATORS
from jantaku.kernels.rules import rules_record
from jantaku.records.mjlog.log import Call, Log, LogDoraTurned, LogDraw, LogHand, LogKita, LogWon
from jantaku.rules import Ruleset
from jantaku.tiles import COPIES, RED, TILES, Tile, kinds_of

KANS: Final = (MeldType.ANKAN, MeldType.DAIMINKAN, MeldType.KAKAN)


class WallConflictError(Exception):
    """The log needs a tile in two places, or more tiles than exist; ``tile`` is the first such tile."""

    def __init__(self, tile: int) -> None:
        super().__init__(tile)
        self.tile = tile


class WallIndices:
    """The positions of a hand's tiles in its wall, added in the order in which they become visible.

    ``tiles`` are all tiles of the wall, ``dealt`` thirteen per seat; the rules determine the layout of the
    dead wall. Every method raises ``WallConflictError`` for an impossible tile.
    """

    def __init__(
        self, dealer: int, dealt: Sequence[Sequence[int]], tiles: Iterable[int], rules: Ruleset
    ) -> None:
        self.tiles = list(tiles)
        record = rules_record(rules)[0]
        self._dead_wall, self._max_rinshan = int(record.tiles.dead_wall), int(record.rinshan)
        self._left = Counter(self.tiles)
        self._laid: dict[int, int] = {}
        seats = len(dealt)
        self._live, self._rinshan, self._turned = DEALT * seats, 0, 0
        for turn in range(seats):
            for i, tile in enumerate(dealt[(dealer + turn) % seats]):
                block = 4 * (seats * (i // 4) + turn) + i % 4
                self._lay(block if i < BLOCKS else BLOCKS * seats + turn, tile)

    def _lay(self, index: int, tile: int) -> None:
        if index in self._laid:
            if self._laid[index] != tile:
                raise WallConflictError(tile)
            return
        if not self._left[tile]:
            raise WallConflictError(tile)
        self._left[tile] -= 1
        self._laid[index] = tile

    def draw(self, tile: int, *, after_kan: bool) -> None:
        """Add the next drawn tile; after a kan or a north set aside it comes from the end of the wall."""
        if self._live == len(self.tiles) - self._dead_wall - self._rinshan or (
            after_kan and self._rinshan == self._max_rinshan
        ):
            raise WallConflictError(tile)
        self._lay(len(self.tiles) - 1 - self._rinshan if after_kan else self._live, tile)
        self._live, self._rinshan = self._live + (not after_kan), self._rinshan + after_kan

    def turn(self, tile: int) -> None:
        """Add the next dora indicator."""
        if self._turned == MAX_INDICATORS:
            raise WallConflictError(tile)
        self._lay(len(self.tiles) - self._max_rinshan - 1 - 2 * self._turned, tile)
        self._turned += 1

    def below(self, tiles: Sequence[int]) -> None:
        """Add the ura indicators revealed by a winner, in order."""
        if len(tiles) > MAX_INDICATORS:
            raise WallConflictError(tiles[MAX_INDICATORS])
        for i, tile in enumerate(tiles):
            self._lay(len(self.tiles) - self._max_rinshan - 2 - 2 * i, tile)

    def wall(self, arrange: Callable[[list[int]], Iterable[int]] = iter) -> tuple[int, ...]:
        """Return the wall; unseen tiles fill the remaining positions in the order given by ``arrange``."""
        left = Counter(self._left)
        rest = [tile for tile in self.tiles if left[tile] > 0 and not left.subtract({tile: 1})]
        unseen = iter(arrange(rest))
        return tuple(
            self._laid[index] if index in self._laid else next(unseen) for index in range(len(self.tiles))
        )


def wall_of(hand: LogHand, rules: Ruleset) -> tuple[int, ...]:
    """Return a wall in Tenhou's numbers that produces the deal, draws and indicators of the hand."""
    kinds = kinds_of(rules.tiles.man)
    tiles = (number for number in range(MAX_TILES) if number // COPIES in kinds)
    places = WallIndices(hand.dealer, hand.dealt, tiles, rules)
    places.turn(hand.dora)
    after_kan = False
    for step in hand.steps:
        if isinstance(step, Call | LogKita):
            after_kan = isinstance(step, LogKita) or step.kind in KANS
        elif isinstance(step, LogDraw):
            places.draw(step.tile, after_kan=after_kan)
            after_kan = False
        elif isinstance(step, LogDoraTurned):
            places.turn(step.tile)
        elif isinstance(step, LogWon):
            places.below(step.ura)
    return places.wall()


def walls_from(log: Log, rules: Ruleset, seed: bytes) -> Iterator[list[Tile]]:
    """Yield the walls of a log's hands, then an endless series of seeded walls.

    Kinds and positions are those of the log. Red tiles follow the ruleset: of the four numbered copies of a
    kind, the first ones are red, regardless of the log. A log reveals only the tiles dealt, drawn and turned;
    the seed shuffles the other tiles into the remaining positions. Raises ``RecordError`` if the log has a
    different number of players.
    """
    if log.seats != len(rules.seats):
        raise RecordError("record_other_players", count=log.seats, wanted=len(rules.seats))
    for number, hand in enumerate(log.hands):
        try:
            copies = _completed(hand, rules, seed, number)
        except WallConflictError:
            break
        yield [_tile(copy, rules) for copy in copies]
    tiles, number = fair_walls.tile_set(rules), len(log.hands)
    while True:
        yield fair_walls.shuffled(tiles, seed, number)
        number += 1


def _completed(hand: LogHand, rules: Ruleset, seed: bytes, number: int) -> list[int]:
    wall = list(wall_of(hand, rules))
    seen = _seen(hand)
    hidden = [index for index, copy in enumerate(wall) if copy not in seen]
    rest = fair_walls.permuted(sorted(wall[index] for index in hidden), seed, number)
    for index, copy in zip(hidden, rest, strict=True):
        wall[index] = copy
    return wall


def _seen(hand: LogHand) -> set[int]:
    """Return every copy that the log reveals, in Tenhou's numbers."""
    copies = {hand.dora, *(tile for tiles in hand.dealt for tile in tiles)}
    for step in hand.steps:
        if isinstance(step, LogDraw | LogDoraTurned):
            copies.add(step.tile)
        elif isinstance(step, LogWon):
            copies.update(step.ura)
    return copies


def _tile(copy: int, rules: Ruleset) -> Tile:
    kind, index = divmod(copy, COPIES)
    reds = sum(number for name, number in rules.tiles.red.items() if Tile.parse(name) == kind)
    return TILES[kind + RED * (index < reds)]
