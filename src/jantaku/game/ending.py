"""How a hand or a game ended, as events."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from jantaku.game.engine import SEATS, Record, concealed, kinds_in, turned_kans
from jantaku.game.events import Event, GameEnded, HandDrawn, PointsMoved, Won
from jantaku.game.wins import shown_ura, value_of, win_record
from jantaku.kernels.engine.ending import is_final, take_deposits
from jantaku.kernels.engine.state import (
    ADDED,
    EXHAUSTED,
    GAME_OVER,
    KYUUSHU_KYUUHAI,
    NO_SEAT,
    SANCHAHOU,
    SUUCHA_RIICHI,
    SUUFUU_RENDA,
    SUUKANSANRA,
    VOIDED,
    WON,
)
from jantaku.kernels.rons import honba_taken
from jantaku.kernels.rules import rules_record
from jantaku.kernels.win import FINAL_HAND
from jantaku.rules import Ruleset
from jantaku.tiles import Tile

DRAWS: Final = {
    EXHAUSTED: "exhausted",
    KYUUSHU_KYUUHAI: "kyuushu_kyuuhai",
    SUUFUU_RENDA: "suufuu_renda",
    SUUCHA_RIICHI: "suucha_riichi",
    SUUKANSANRA: "suukansanra",
    SANCHAHOU: "sanchahou",
    VOIDED: "voided",
}


@dataclass(frozen=True)
class Ending:
    """The step that ended a hand: the record before and after, who acted.

    ``declarer`` is the seat whose riichi tile it was, ``laid`` what each seat has deposited in this step.
    """

    before: Record
    after: Record
    seat: int
    declarer: int | None
    laid: tuple[int, ...]
    rules: Ruleset

    def events(self) -> list[Event]:
        """Wins or a draw, then the points."""
        won = self.after.outcome.ended == WON
        return [*(self._won() if won else [self._hand_drawn()]), *self._points()]

    def _won(self) -> Iterator[Event]:
        """Each winner in turn from the one who dealt in; the first takes what lies on the table."""
        own, tsumo = int(self.before.turn), int(self.after.outcome.discarder) == NO_SEAT
        tile = Tile(int(self.after.drawn if tsumo else self.after.claimed_tile))
        robbing = not tsumo and bool(self.after.claimed_how == ADDED)
        record = self._at_the_win()
        stakes, rules = self._stakes(record, own), rules_record(self.rules)[0]
        for place, (seat, deposits) in enumerate(stakes.items()):
            array = win_record(record, seat, tile, robbing)
            array[0].deposits = array[0].laid = deposits
            array[0].honba = honba_taken(int(array[0].honba), place == 0, rules)
            if is_final(record, rules):
                array[0].situation |= FINAL_HAND
            score, _ = value_of(record, seat, tile, array, self.rules)
            yield Won(
                seat,
                tile,
                score.win.hand.tiles,
                score.to_dict(),
                source=None if tsumo else own,
                ura=shown_ura(record, seat, self.rules),
                kans=turned_kans(record, seat),
            )

    def _at_the_win(self) -> Record:
        """The record as it was when the hand was counted: settlement has moved on since."""
        record = self.after.copy()
        record.match = self.before.copy().match
        record.turn = self.before.turn  # it is the dealer's, where the end of the game is its to decide
        record.match.deposits += sum(self.laid) // max(1, self.rules.riichi.deposit)
        record.declaring = int(self.declarer is not None)
        return record

    def _stakes(self, record: Record, own: int) -> dict[int, int]:
        """The winners in turn from ``own`` and how many of the deposits each takes."""
        winners, taken = int(self.after.outcome.winners), np.zeros(4, np.int64)
        take_deposits(record, winners, own, rules_record(self.rules)[0], taken)
        turns = [(own + turn) % 4 for turn in SEATS]
        return {seat: int(taken[turn]) for turn, seat in enumerate(turns) if winners >> seat & 1}

    def _hand_drawn(self) -> Event:
        after = self.after
        ended = int(after.outcome.ended)
        tenpai = _seats(int(after.outcome.tenpai))
        shown = {
            EXHAUSTED: tenpai,
            KYUUSHU_KYUUHAI: (self.seat,),
            SUUCHA_RIICHI: tuple(SEATS),
            SANCHAHOU: tuple(seat for seat in SEATS if seat != int(self.before.turn)),
            VOIDED: _seats(int(after.outcome.offenders)),
        }.get(ended, ())
        hands = tuple(tuple(concealed(after, seat)) if seat in shown else None for seat in SEATS)
        waiting = () if ended == KYUUSHU_KYUUHAI else shown
        waits = tuple(kinds_in(int(after.waits[seat])) or None if seat in waiting else None for seat in SEATS)
        kans = tuple(turned_kans(after, seat) or None if seat in shown else None for seat in SEATS)
        return HandDrawn(DRAWS[ended], tenpai, _seats(int(after.outcome.nagashi)), hands, waits, kans)

    def _points(self) -> list[Event]:
        """The points of the hand, then deposits that a void hand gives back or the end of the game away."""
        before = self.before.match.scores.tolist()
        scores = [points - laid for points, laid in zip(before, self.laid, strict=True)]
        deltas = tuple(self.after.outcome.delta.tolist())
        moved = tuple(score + delta for score, delta in zip(scores, deltas, strict=True))
        found: list[Event] = [PointsMoved(deltas, moved)] if any(deltas) else []
        last = tuple(self.after.match.scores.tolist())
        rest = tuple(score - before for score, before in zip(last, moved, strict=True))
        if any(rest):
            voided = self.after.outcome.ended == VOIDED
            found.append(PointsMoved(rest, last, "returned_deposits" if voided else "leftover_deposits"))
        return found


def leftover(before: Record, after: Record) -> list[Event]:
    """The deposits that the end of the game gives away."""
    last = tuple(after.match.scores.tolist())
    rest = tuple(points - was for points, was in zip(last, before.match.scores.tolist(), strict=True))
    return [PointsMoved(rest, last, "leftover_deposits")] if any(rest) else []


def _seats(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in SEATS if mask >> seat & 1)


def game_ended(record: Record, opening: str | None) -> list[Event]:
    """The end of the game, where it is over."""
    if record.phase != GAME_OVER:
        return []
    match = record.match
    return [GameEnded(tuple(match.final.tolist()), tuple(match.place.tolist()), opening)]
