"""A record updated from events alone, for games that are shown as recorded instead of played.

It holds only facts that events tell; possible claims, furiten and liabilities are unknown.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy.typing as npt

from jantaku.adjudication.records import MELD_CODES
from jantaku.game.engine import Engine, Record, indicator_place
from jantaku.game.events import (
    Called,
    Discarded,
    DoraTurned,
    Drew,
    Event,
    Fouled,
    GameEnded,
    HandDrawn,
    HandStarted,
    KanDeclared,
    KitaDeclared,
    PointsMoved,
    RiichiAccepted,
    Won,
)
from jantaku.game.snapshot import Snapshot
from jantaku.hand import Meld, MeldType
from jantaku.kernels.engine.state import (
    CALLED,
    CLAIMS,
    DECLARATION,
    GAME_OVER,
    HAND_OVER,
    NO_TILE,
    RIICHI,
    RIVER_ROOM,
    TSUMOGIRI,
    YOUR_TURN,
)
from jantaku.kernels.engine.wall import DEALT
from jantaku.kernels.win import PON
from jantaku.rules import Ruleset
from jantaku.seats import turns_to
from jantaku.tiles import NORTH, RED


def _bare(rules: Ruleset) -> npt.NDArray[Any]:
    """An array of one ``GAME`` under these rules before the first deal; every kan is face up."""
    array = Engine(rules).array
    array["face_down"] = 0
    return array


class Board:
    """One ``GAME`` record that events are applied to."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.array: npt.NDArray[Any] = _bare(rules)

    @property
    def record(self) -> Record:
        """The record itself."""
        return self.array[0]

    def snapshot(self) -> Snapshot:
        """A copy of the record."""
        return Snapshot(self.array.tobytes())

    def copy(self) -> "Board":
        """An independent copy of the board."""
        twin = Board(self.rules)
        twin.array[:] = self.array
        return twin

    def apply(self, event: Event) -> None:
        """Apply one event."""
        if change := _CHANGES.get(type(event)):
            change(self, event)

    def _add_tile(self, seat: int, tile: int, count: int = 1) -> None:
        record = self.record
        record.hand[seat, tile % RED] += count
        if tile >= RED:
            record.red[seat, tile % RED] += count

    def _remove_tile(self, seat: int, tile: int) -> None:
        if self.record.hand[seat, tile % RED]:
            self.record.hand[seat, tile % RED] -= 1
        if tile >= RED and self.record.red[seat, tile % RED]:
            self.record.red[seat, tile % RED] -= 1

    def _hand_started(self, event: HandStarted) -> None:
        fresh = _bare(self.rules)
        record = fresh[0]
        match = record.match
        match.number, match.honba, match.deposits = event.number, event.honba, event.deposits
        match.scores[: len(event.scores)] = event.scores
        record.wall[indicator_place(record, 0)] = event.indicator
        record.indicators, record.drawn_live = 1, DEALT * int(match.seats)
        record.turn, record.phase, record.drawn = event.dealer, YOUR_TURN, NO_TILE
        record.wareme = 0 if event.wareme is None else 1 + event.wareme
        self.array[:] = fresh
        for seat, hand in enumerate(event.hands):
            for tile in hand or ():
                self._add_tile(seat, tile)

    def _drew(self, event: Drew) -> None:
        record = self.record
        record.turn, record.phase = event.seat, YOUR_TURN
        record.drawn_rinshan += event.rinshan
        record.drawn_live += not event.rinshan
        if event.tile is not None:
            record.drawn = event.tile
            self._add_tile(event.seat, event.tile)

    def _discarded(self, event: Discarded) -> None:
        record, seat = self.record, event.seat
        self._remove_tile(seat, event.tile)
        index = min(int(record.discards[seat]), RIVER_ROOM - 1)
        record.river[seat, index] = event.tile
        marks = TSUMOGIRI * event.drawn | DECLARATION * (event.riichi is not None)
        record.river_marks[seat, index] = marks
        record.discards[seat] = index + 1
        record.discarded[seat] |= 1 << event.tile % RED
        if event.riichi:
            record.riichi[seat], record.open_riichi[seat] = RIICHI, event.riichi == "open"
        record.drawn, record.phase = NO_TILE, CLAIMS
        record.claimed_tile, record.claimed_from = event.tile, seat

    def _riichi_accepted(self, event: RiichiAccepted) -> None:
        self.record.match.scores[event.seat] -= event.deposit
        self.record.match.deposits += 1

    def _fouled(self, event: Fouled) -> None:
        self.record.match.scores[event.seat] -= event.deposit
        self.record.match.deposits += event.sticks

    def _called(self, event: Called) -> None:
        record, seat = self.record, event.seat
        source = int(record.claimed_from)
        if record.discards[source]:
            record.river_marks[source, int(record.discards[source]) - 1] |= CALLED
        own = list(event.meld.tiles)
        if event.meld.called is not None:
            own.remove(event.meld.called)
        for tile in own:
            self._remove_tile(seat, tile)
        self._add_meld(seat, event.meld)
        record.turn, record.phase, record.drawn = seat, YOUR_TURN, NO_TILE

    def _kan_declared(self, event: KanDeclared) -> None:
        record, seat = self.record, event.seat
        record.drawn = NO_TILE
        if event.meld.type is MeldType.ANKAN or event.tile is None:  # only an ankan's tile is ever hidden
            for tile in event.meld.tiles:
                self._remove_tile(seat, tile)
            self._add_meld(seat, event.meld)
            return
        self._remove_tile(seat, event.tile)
        for index in range(int(record.melds[seat])):
            if record.meld[seat, index] == PON and record.meld_first[seat, index] == event.tile % RED:
                self._write_meld(seat, index, event.meld)

    def _kita_declared(self, event: KitaDeclared) -> None:
        self._remove_tile(event.seat, NORTH)
        self.record.kita[event.seat] += 1
        self.record.drawn = NO_TILE

    def _add_meld(self, seat: int, meld: Meld) -> None:
        index = min(int(self.record.melds[seat]), 3)
        self.record.melds[seat] = index + 1
        self._write_meld(seat, index, meld)

    def _write_meld(self, seat: int, index: int, meld: Meld) -> None:
        record = self.record
        record.meld[seat, index], record.meld_first[seat, index] = MELD_CODES[meld.type], meld.first
        tiles = sorted(meld.tiles, key=lambda tile: (tile % RED, tile < RED))
        record.meld_red[seat, index] = sum(1 << i for i, tile in enumerate(tiles) if tile >= RED)
        if meld.called is not None and meld.source is not None:
            record.meld_called[seat, index] = meld.called
            record.meld_source[seat, index] = turns_to(meld.source, int(record.match.seats))

    def _dora_turned(self, event: DoraTurned) -> None:
        turned = int(self.record.indicators)
        self.record.wall[indicator_place(self.record, turned)] = event.indicator
        self.record.indicators = turned + 1

    def _ended(self, _: Event) -> None:
        self.record.phase = HAND_OVER

    def _points_moved(self, event: PointsMoved) -> None:
        self.record.match.scores[: len(event.scores)] = event.scores

    def _game_ended(self, event: GameEnded) -> None:
        self.record.phase = GAME_OVER
        self.record.match.final[: len(event.final)] = event.final


_CHANGES: Final[dict[type[Event], Callable[[Board, Any], None]]] = {
    HandStarted: Board._hand_started,
    Drew: Board._drew,
    Discarded: Board._discarded,
    RiichiAccepted: Board._riichi_accepted,
    Called: Board._called,
    KanDeclared: Board._kan_declared,
    KitaDeclared: Board._kita_declared,
    Fouled: Board._fouled,
    DoraTurned: Board._dora_turned,
    Won: Board._ended,
    HandDrawn: Board._ended,
    PointsMoved: Board._points_moved,
    GameEnded: Board._game_ended,
}
