"""An independent referee: follows the events of a game with lists and counters, and rejects impossible ones.

It knows nothing about the engine. It checks that every tile comes from the right place, that calls use tiles
of the hand and the last discard, who is tenpai at a draw, that no ron violates discard furiten, that each win
has the value computed by the oracle, and that no points are lost.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from jantaku.adjudication.score import Score
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    GameEnded,
    HandDrawn,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    RiichiAccepted,
    Won,
)
from jantaku.hand import Meld, MeldType
from jantaku.rules import Ruleset
from jantaku.tiles import RED
from naive import shanten as naive
from naive.adjudicate import answers
from support.bot_games import request_of

COPIES = 4
NORTH = 30
VALUE = ("han", "fu", "points", "yaku")


@dataclass
class Sheet:
    """The hand, melds and river of one player."""

    hand: Counter[int]
    melds: list[Meld] = field(default_factory=list)
    river: list[int] = field(default_factory=list)
    kita: int = 0

    def take(self, tiles: Iterable[int]) -> None:
        """Remove tiles from the hand, which must contain them."""
        for tile in tiles:
            assert self.hand[tile] > 0, f"no {tile} in the hand"
            self.hand[tile] -= 1

    def counts(self, extra: int | None = None) -> list[int]:
        """Return the hand by kind, optionally with one more tile."""
        counts = [0] * RED
        for tile, number in self.hand.items():
            counts[tile % RED] += number
        if extra is not None:
            counts[extra] += 1
        return counts

    def waits(self) -> set[int]:
        """Return the kinds that complete the hand, except those of which it has all four tiles."""
        held = self.counts()
        for meld in self.melds:
            for tile in meld.tiles:
                held[tile % RED] += 1
        return {
            kind
            for kind in range(RED)
            if held[kind] < COPIES and naive.shanten(self.counts(kind), len(self.melds)) == -1
        }


class Referee:
    """One game under one ruleset; ``read`` takes its events in order."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.sheets: list[Sheet] = []
        self.scores: list[int] = []
        self.deposits = 0
        self.last: tuple[int, int] | None = None  # seat and tile of the last discard or added tile
        self.indicators = 0
        self.wins = self.draws = 0

    def read(self, event: Event) -> None:
        """Process one event; raise ``AssertionError`` if it is impossible."""
        reader = getattr(self, f"_{event.type}", None)
        if reader is not None:
            reader(event)

    def _hand_started(self, event: HandStarted) -> None:
        hands = [hand for hand in event.hands if hand is not None]
        assert [len(hand) for hand in hands] == [13] * len(self.rules.seats)
        self.sheets = [Sheet(Counter(hand)) for hand in hands]
        assert not self.scores or list(event.scores) == self.scores
        deposits = event.deposits * self.rules.riichi.deposit
        assert not self.scores or deposits == self.deposits
        self.scores, self.deposits = list(event.scores), deposits
        self.last, self.indicators = None, 1

    def _drew(self, event: Drew) -> None:
        assert event.tile is not None
        self.sheets[event.seat].hand[event.tile] += 1
        self.last = None

    def _discarded(self, event: Discarded) -> None:
        sheet = self.sheets[event.seat]
        sheet.take([event.tile])
        sheet.river.append(event.tile % RED)
        self.last = (event.seat, event.tile)
        if event.riichi:
            assert all(meld.type is MeldType.ANKAN for meld in sheet.melds)
            assert sheet.waits()

    def _riichi_accepted(self, event: RiichiAccepted) -> None:
        self.scores[event.seat] -= event.deposit
        self.deposits += event.deposit

    def _called(self, event: Called) -> None:
        assert self.last is not None
        source, tile = self.last
        sheet, meld = self.sheets[event.seat], event.meld
        assert meld.called == tile
        away = (source - event.seat) % len(self.sheets)
        assert (
            meld.source == {3: ("right", "left"), 4: ("right", "across", "left")}[len(self.sheets)][away - 1]
        )
        assert meld.type is not MeldType.CHI or away == len(self.sheets) - 1
        own: list[int] = list(meld.tiles)
        own.remove(tile)
        sheet.take(own)
        sheet.melds.append(meld)

    def _kan_declared(self, event: KanDeclared) -> None:
        sheet = self.sheets[event.seat]
        if event.meld.type is MeldType.ANKAN:
            sheet.take(event.meld.tiles)
        else:
            assert event.tile is not None
            sheet.take([event.tile])
            pon = next(i for i, meld in enumerate(sheet.melds) if meld.tiles[0] % RED == event.tile % RED)
            assert sheet.melds.pop(pon).type is MeldType.PON
        sheet.melds.append(event.meld)
        self.last = (event.seat, event.meld.tiles[0] if event.tile is None else event.tile)

    def _kita_declared(self, event: KitaDeclared) -> None:
        sheet = self.sheets[event.seat]
        sheet.take([NORTH])
        sheet.kita += 1
        self.last = (event.seat, NORTH)

    def _dora_turned(self, _event: DoraTurned) -> None:
        self.indicators += 1
        kans = sum(len(meld.tiles) == COPIES for sheet in self.sheets for meld in sheet.melds)
        assert self.indicators <= kans + 1

    def _won(self, event: Won) -> None:
        sheet, kind = self.sheets[event.seat], event.tile % RED
        held = Counter(event.hand) + Counter([event.tile] if event.source is None else [])
        assert held == +sheet.hand
        if event.source is None:
            sheet.take([event.tile])
        else:
            assert self.last == (event.source, event.tile)
            assert not sheet.waits() & set(sheet.river)
        assert kind in sheet.waits()
        assert isinstance(event.score, Score)
        assert event.score.win.kita == sheet.kita
        request = request_of(event.score.win, "won", self.rules.id)
        data = event.score.to_dict()
        expected = [{name: answer[name] for name in VALUE} for answer in answers(request, self.rules)]
        assert {name: data[name] for name in VALUE} in expected
        self.wins += 1

    def _hand_drawn(self, event: HandDrawn) -> None:
        if event.kind == "exhausted":
            assert set(event.tenpai) <= {seat for seat, sheet in enumerate(self.sheets) if sheet.waits()}
            self.draws += 1

    def _points_moved(self, event: PointsMoved) -> None:
        self.scores = [points + delta for points, delta in zip(self.scores, event.deltas, strict=True)]
        assert self.scores == list(event.scores)
        self.deposits -= sum(event.deltas)
        assert self.deposits >= 0

    def _game_ended(self, event: GameEnded) -> None:
        order = sorted(range(len(self.sheets)), key=lambda seat: event.places[seat])
        points = [self.scores[seat] for seat in order]
        assert points == sorted(points, reverse=True)
