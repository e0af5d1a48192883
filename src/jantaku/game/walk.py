"""A walk over the events of a game that tracks the table after each of them.

Record writers only format; they get hands, the tile in play, pons, scores and deposits from here. Events with
hidden tiles are accepted; then only visible tiles are known.

>>> from jantaku.game import Game
>>> table = TableWalk()
>>> for event in Game("standard", seed=1).events:
...     table.apply(event)
>>> [len(tiles) for tiles in table.held], table.last[0], table.scores
([14, 13, 13, 13], 0, [25000, 25000, 25000, 25000])
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jantaku.game import events as e
from jantaku.hand import Meld, MeldType
from jantaku.seats import seat_at
from jantaku.tiles import NORTH, RED, Tile


@dataclass(frozen=True, slots=True)
class HandEnd:
    """The end of a hand: its wins or its draw, and the points each seat gained."""

    wins: tuple[e.Won, ...]
    draw: e.HandDrawn | None
    deltas: tuple[int, ...]

    def shares(self, dealer: int) -> list[list[int]]:
        """Return the payments of each seat for each win; they add up to ``deltas``."""
        seats = len(self.deltas)
        paid = [list(win.payments_by_seat(dealer, seats)) for win in self.wins]
        for seat in range(seats):  # payments for the hand as a whole are added to the last win
            paid[-1][seat] += self.deltas[seat] - sum(deltas[seat] for deltas in paid)
        return paid


@dataclass(frozen=True, slots=True)
class LaidMeld:
    """A meld with the numbers of its tiles; ``called`` is the number of the called tile."""

    meld: Meld
    tiles: tuple[int, ...]
    called: int | None
    source: int


class TableWalk:
    """The table of one hand after the events applied so far.

    ``held`` are the concealed tiles of each seat in the order drawn; ``last`` is the seat that last drew,
    discarded, declared or set aside a tile, with that tile. ``offer`` is the event whose tile other seats may
    claim, ``feeder`` the seat whose discard was called for the latest daiminkan. Tiles are stored as numbers
    assigned by ``number`` when first seen; in this class each tile is its own number.
    """

    def __init__(self) -> None:
        self.start: e.HandStarted | None = None
        self.seats = 4
        self.dealer = self.deposits = self.honba = 0
        self.scores: list[int] = []
        self._begin()

    def _begin(self) -> None:
        self.held: list[list[int]] = [[] for _ in range(self.seats)]
        self.pons: dict[tuple[int, int], LaidMeld] = {}
        self.indicators: list[int] = []
        self.ura: list[int] = []
        self.last: tuple[int, int] = (self.dealer, 0)
        self.laid: LaidMeld | None = None
        self.offer: e.Discarded | e.KanDeclared | e.KitaDeclared | None = None
        self.feeder: int | None = None
        self.declared: int | None = None
        self.wins: list[e.Won] = []
        self.draw: e.HandDrawn | None = None

    def number(self, tile: Tile) -> int:
        """Assign a number to a tile seen for the first time."""
        return tile

    def tile(self, number: int) -> int:
        """Return the tile with this number."""
        return number

    def walk(self, event: e.Event) -> Iterator["e.Event | HandEnd"]:
        """Apply an event and yield it, preceded by the end of a hand if the event completes it.

        A hand is complete with the event after its last win or its draw, which may state the points.
        """
        if not isinstance(event, e.Won) and (end := self.end(event)):
            yield end
        self.apply(event)
        yield event

    def end(self, event: e.Event | None = None) -> HandEnd | None:
        """Return and clear the end of the hand, or ``None``; ``event`` is the event after it."""
        if not self.wins and self.draw is None:
            return None
        moved = isinstance(event, e.PointsMoved) and event.reason == "hand"
        deltas = event.deltas if moved and isinstance(event, e.PointsMoved) else (0,) * self.seats
        end = HandEnd(tuple(self.wins), self.draw, tuple(deltas))
        self.wins, self.draw = [], None
        return end

    def apply(self, event: e.Event) -> None:  # noqa: C901
        """Update the table with an event."""
        match event:
            case e.HandStarted():
                self._start(event)
            case e.Drew():
                self.last, self.offer = (event.seat, self.number(event.tile or Tile(0))), None
                self.held[event.seat] += [] if event.tile is None else [self.last[1]]
            case e.Discarded():
                number = self.last[1] if event.drawn and self.last[1] in self.held[event.seat] else None
                self._play(event, event.tile, number)
                self.feeder, self.declared = None, event.seat if event.riichi else None
            case e.RiichiAccepted():
                self.scores[event.seat] -= event.deposit
                self.deposits, self.declared = self.deposits + 1, None
            case e.Fouled():
                self.scores[event.seat] -= event.deposit
                self.deposits += event.sticks
            case e.Called():
                self._call(event)
            case e.KanDeclared():
                self._kan(event)
            case e.KitaDeclared():
                self._play(event, Tile(NORTH))
            case e.DoraTurned():
                self.indicators.append(self.number(event.indicator))
            case e.Won():
                self.wins.append(event)
                self.ura += [self.number(tile) for tile in event.ura[len(self.ura) :]]
            case e.HandDrawn():
                self.draw = event
            case e.PointsMoved():
                self.scores = list(event.scores)

    def _start(self, event: e.HandStarted) -> None:
        self.start, self.seats, self.dealer = event, len(event.scores), event.dealer
        self.scores, self.deposits, self.honba = list(event.scores), event.deposits, event.honba
        self._begin()
        self.held = [[self.number(tile) for tile in hand or ()] for hand in event.hands]
        self.indicators = [self.number(event.indicator)]

    def take(self, seat: int, tiles: Iterable[int]) -> list[int]:
        """Remove these tiles from a hand and return their numbers, the longest held first.

        A tile that is not known to be in the hand is returned unchanged.
        """
        numbers = []
        for tile in tiles:
            number = next((held for held in self.held[seat] if self.tile(held) == tile), None)
            if number is not None:
                self.held[seat].remove(number)
            numbers.append(tile if number is None else number)
        return numbers

    def _play(self, event: e.Discarded | e.KitaDeclared, tile: Tile, number: int | None = None) -> None:
        if number is None:
            [number] = self.take(event.seat, [tile])
        else:
            self.held[event.seat].remove(number)
        self.last, self.offer = (event.seat, number), event

    def _call(self, event: e.Called) -> None:
        meld, called = event.meld, self.last[1]
        tiles = (*self.take(event.seat, without(meld.tiles, meld.called)), called)
        self.laid = LaidMeld(meld, tuple(sorted(tiles)), called, source_seat(event.seat, meld, self.seats))
        if meld.type is MeldType.PON:
            self.pons[event.seat, self.tile(tiles[0]) % RED] = self.laid
        self.feeder = self.last[0] if meld.type is MeldType.DAIMINKAN else None
        self.offer = None

    def _kan(self, event: e.KanDeclared) -> None:
        meld, seat = event.meld, event.seat
        self.offer = event
        if meld.type is MeldType.ANKAN:
            tiles = tuple(sorted(self.take(seat, meld.tiles)))
            self.laid, self.last = LaidMeld(meld, tiles, None, seat), (seat, tiles[-1] if tiles else 0)
            return
        tile = added_tile(event)
        [number] = self.take(seat, [tile])
        pon = self.pons.get((seat, tile % RED))
        tiles, called, source = (pon.tiles, pon.called, pon.source) if pon else ((), None, seat)
        self.laid, self.last = LaidMeld(meld, (*tiles, number), called, source), (seat, number)


def walk(events: Iterable[e.Event], table: TableWalk) -> Iterator["e.Event | HandEnd"]:
    """Apply all events to ``table``; yield each one afterwards, and the end of each hand."""
    for event in events:
        yield from table.walk(event)
    if end := table.end():
        yield end


def source_seat(seat: int, meld: Meld, seats: int) -> int:
    """Return the seat that a meld of ``seat`` was called from; ``seat`` itself if it was not called."""
    return seat if meld.source is None else seat_at(seat, meld.source, seats)


def added_tile(event: e.KanDeclared) -> Tile:
    """Return the tile of a kan that was added to a pon."""
    return event.meld.tiles[0] if event.tile is None else event.tile


def without(tiles: Sequence[Tile], removed: Tile | None) -> list[Tile]:
    """Return the tiles without one copy of ``removed``."""
    rest = list(tiles)
    if removed is not None:
        rest.remove(removed)
    return rest
