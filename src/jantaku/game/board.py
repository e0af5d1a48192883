"""An engine record updated from events alone, for recorded games and for delayed spectators.

It contains only facts stated in events; possible claims, furiten and liabilities are unknown. Points,
deposits and hands come from a ``TableWalk``.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from jantaku.adjudication.win_records import MELD_CODES
from jantaku.game import events as e
from jantaku.game.engine import Engine, Record, indicator_place
from jantaku.game.snapshot import Snapshot
from jantaku.game.walk import TableWalk
from jantaku.hand import Meld, MeldType
from jantaku.kernels.engine import state
from jantaku.kernels.engine.wall import DEALT
from jantaku.kernels.win import PON
from jantaku.rules import Ruleset
from jantaku.seats import turns_to
from jantaku.tiles import RED


def _bare(rules: Ruleset) -> npt.NDArray[Any]:
    """Return an array of one ``GAME`` under these rules before the first deal, with every kan face up."""
    array = Engine(rules).array
    array["face_down"] = 0
    return array


class Board:
    """A ``GAME`` record to which events are applied."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.array: npt.NDArray[Any] = _bare(rules)
        self._table = TableWalk()

    @property
    def record(self) -> Record:
        """The engine's record (``kernels.engine.state.GAME``)."""
        return self.array[0]

    def snapshot(self) -> Snapshot:
        """Return an immutable copy of the record."""
        return Snapshot(self.array.tobytes())

    def apply(self, event: e.Event) -> None:
        """Update the record with one event."""
        table = self._table
        table.apply(event)
        if change := _CHANGES.get(type(event)):
            getattr(self, change)(event)
        if table.start is not None:
            self.record.match.scores[: table.seats] = table.scores
            self.record.match.deposits = table.deposits
            actor: int | None = getattr(event, "seat", None)
            for seat in range(table.seats) if actor is None else [actor]:
                self._write_hand(seat, table.held[seat])

    def _write_hand(self, seat: int, held: list[int]) -> None:
        tiles = np.array(held, np.int64)
        self.record.hand[seat] = np.bincount(tiles % RED, minlength=RED)
        self.record.red[seat] = np.bincount(tiles[tiles >= RED] % RED, minlength=RED)

    def _hand_started(self, event: e.HandStarted) -> None:
        fresh = _bare(self.rules)
        record = fresh[0]
        match = record.match
        match.number, match.honba = event.number, event.honba
        record.wall[indicator_place(record, 0)] = event.indicator
        record.indicators, record.drawn_live = 1, DEALT * int(match.seats)
        record.turn, record.phase, record.drawn = event.dealer, state.YOUR_TURN, state.NO_TILE
        record.wareme = 0 if event.wareme is None else 1 + event.wareme
        self.array[:] = fresh

    def _drew(self, event: e.Drew) -> None:
        record = self.record
        record.turn, record.phase = event.seat, state.YOUR_TURN
        record.drawn_rinshan += event.rinshan
        record.drawn_live += not event.rinshan
        if event.tile is not None:
            record.drawn = event.tile

    def _discarded(self, event: e.Discarded) -> None:
        record, seat = self.record, event.seat
        index = min(int(record.discards[seat]), state.RIVER_ROOM - 1)
        record.river[seat, index] = event.tile
        marks = state.TSUMOGIRI * event.drawn | state.DECLARATION * (event.riichi is not None)
        record.river_marks[seat, index] = marks
        record.discards[seat] = index + 1
        record.discarded[seat] |= 1 << event.tile % RED
        if event.riichi:
            record.riichi[seat], record.open_riichi[seat] = state.RIICHI, event.riichi == "open"
        record.drawn, record.phase = state.NO_TILE, state.CLAIMS
        record.claimed_tile, record.claimed_from = event.tile, seat

    def _called(self, event: e.Called) -> None:
        record, seat = self.record, event.seat
        source = int(record.claimed_from)
        if record.discards[source]:
            record.river_marks[source, int(record.discards[source]) - 1] |= state.CALLED
        self._add_meld(seat, event.meld)
        record.turn, record.phase, record.drawn = seat, state.YOUR_TURN, state.NO_TILE

    def _kan_declared(self, event: e.KanDeclared) -> None:
        record, seat = self.record, event.seat
        record.drawn = state.NO_TILE
        if event.meld.type is MeldType.ANKAN or event.tile is None:  # only an ankan's tile can be hidden
            self._add_meld(seat, event.meld)
            return
        for index in range(int(record.melds[seat])):
            if record.meld[seat, index] == PON and record.meld_first[seat, index] == event.tile % RED:
                self._write_meld(seat, index, event.meld)

    def _kita_declared(self, event: e.KitaDeclared) -> None:
        self.record.kita[event.seat] += 1
        self.record.drawn = state.NO_TILE

    def _add_meld(self, seat: int, meld: Meld) -> None:
        index = min(int(self.record.melds[seat]), 3)
        self.record.melds[seat] = index + 1
        self._write_meld(seat, index, meld)

    def _write_meld(self, seat: int, index: int, meld: Meld) -> None:
        record = self.record
        record.meld[seat, index] = MELD_CODES[meld.type]
        record.meld_first[seat, index] = 0 if meld.face_down else meld.first
        tiles = sorted(meld.tiles, key=lambda tile: (tile % RED, tile < RED))
        record.meld_red[seat, index] = sum(1 << i for i, tile in enumerate(tiles) if tile >= RED)
        if meld.called is not None and meld.source is not None:
            record.meld_called[seat, index] = meld.called
            record.meld_source[seat, index] = turns_to(meld.source, int(record.match.seats))

    def _dora_turned(self, event: e.DoraTurned) -> None:
        turned = int(self.record.indicators)
        self.record.wall[indicator_place(self.record, turned)] = event.indicator
        self.record.indicators = turned + 1

    def _ended(self, _: e.Event) -> None:
        self.record.phase = state.HAND_OVER

    def _game_ended(self, event: e.GameEnded) -> None:
        self.record.phase = state.GAME_OVER
        self.record.match.final[: len(event.final)] = event.final


_CHANGES: Final[dict[type[e.Event], str]] = {
    e.HandStarted: "_hand_started",
    e.Drew: "_drew",
    e.Discarded: "_discarded",
    e.Called: "_called",
    e.KanDeclared: "_kan_declared",
    e.KitaDeclared: "_kita_declared",
    e.DoraTurned: "_dora_turned",
    e.Won: "_ended",
    e.HandDrawn: "_ended",
    e.GameEnded: "_game_ended",
}
"""The name of the method for each event, looked up on the instance so that subclasses can override it."""
