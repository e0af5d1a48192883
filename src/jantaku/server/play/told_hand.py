"""A hand as its events tell it up to some point: what lies on the table, and what everybody holds."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import singledispatch

from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    Fouled,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    RiichiAccepted,
)
from jantaku.hand import Meld, MeldType
from jantaku.tiles import NORTH, RED, Tile


@dataclass
class SeatSoFar:
    """What a seat holds, its melds, its discards, and whether it has declared riichi."""

    tiles: list[Tile]
    melds: list[Meld] = field(default_factory=list)
    river: list[Tile] = field(default_factory=list)
    riichi: bool = False
    kita: int = 0


@dataclass
class HandSoFar:
    """A hand; ``draws`` counts the tiles drawn since the deal, ``over`` says whether it has ended."""

    number: int
    honba: int
    deposits: int
    dealer: int
    scores: list[int]
    indicators: list[Tile]
    seats: list[SeatSoFar]
    turn: int
    draws: int = 0
    over: bool = False

    @property
    def visible(self) -> list[Tile]:
        """Every tile that lies face up: indicators, discards, melds and norths set aside."""
        found = list(self.indicators)
        for seat in self.seats:
            found += [*seat.river, *[Tile(NORTH)] * seat.kita]
            for meld in seat.melds:
                called = [] if meld.called is None or meld.type == MeldType.KAKAN else [meld.called]
                found += _without(meld.tiles, called)  # a called tile stays in the river here
        return found


def told_hand(events: Iterable[Event]) -> HandSoFar | None:
    """The newest hand of these events, which must not be hidden; ``None`` before the first deal."""
    hand: HandSoFar | None = None
    for event in events:
        if isinstance(event, HandStarted):
            seats = [SeatSoFar(list(tiles or ())) for tiles in event.hands]
            scores, where = list(event.scores), (event.number, event.honba, event.deposits, event.dealer)
            hand = HandSoFar(*where, scores, [event.indicator], seats, event.dealer)
        elif hand is not None:
            _told(event, hand)
    return hand


def _without(tiles: Iterable[Tile], gone: Iterable[Tile]) -> list[Tile]:
    left = list(tiles)
    for tile in gone:
        if tile in left:
            left.remove(tile)
    return left


@singledispatch
def _told(event: Event, hand: HandSoFar) -> None:
    """Other events, such as wins and draws, come after the last action of a hand."""
    hand.over = hand.over or event.type in ("won", "hand_drawn", "game_ended")


@_told.register
def _(event: Drew, hand: HandSoFar) -> None:
    hand.turn, hand.draws = event.seat, hand.draws + 1
    if event.tile is not None:
        hand.seats[event.seat].tiles.append(event.tile)


@_told.register
def _(event: Discarded, hand: HandSoFar) -> None:
    seat, hand.turn = hand.seats[event.seat], event.seat
    seat.tiles = _without(seat.tiles, [event.tile])
    seat.river.append(event.tile)
    seat.riichi = seat.riichi or event.riichi is not None


@_told.register
def _(event: RiichiAccepted, hand: HandSoFar) -> None:
    hand.deposits += 1
    hand.scores[event.seat] -= event.deposit


@_told.register
def _(event: Called, hand: HandSoFar) -> None:
    seat, hand.turn = hand.seats[event.seat], event.seat
    called = [] if event.meld.called is None else [event.meld.called]
    seat.tiles = _without(seat.tiles, _without(event.meld.tiles, called))
    seat.melds.append(event.meld)


@_told.register
def _(event: KanDeclared, hand: HandSoFar) -> None:
    seat = hand.seats[event.seat]
    if event.meld.type != MeldType.KAKAN or event.tile is None:
        seat.tiles = _without(seat.tiles, event.meld.tiles)
        seat.melds.append(event.meld)
        return
    seat.tiles = _without(seat.tiles, [event.tile])
    kind = event.tile % RED
    seat.melds = [
        event.meld if one.type == MeldType.PON and one.tiles[0] % RED == kind else one for one in seat.melds
    ]


@_told.register
def _(event: KitaDeclared, hand: HandSoFar) -> None:
    seat = hand.seats[event.seat]
    seat.tiles, seat.kita = _without(seat.tiles, [Tile(NORTH)]), seat.kita + 1


@_told.register
def _(event: DoraTurned, hand: HandSoFar) -> None:
    hand.indicators.append(event.indicator)


@_told.register
def _(event: Fouled, hand: HandSoFar) -> None:
    hand.deposits += event.sticks
    hand.scores[event.seat] -= event.deposit


@_told.register
def _(event: PointsMoved, hand: HandSoFar) -> None:
    hand.scores, hand.over = list(event.scores), True
