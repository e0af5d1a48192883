"""The events that end a hand or a game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from jantaku.game.engine import Record, by_seat, concealed, others, revealed_kans, seats_of, tiles_in
from jantaku.game.events import DrawKind, Event, GameEnded, HandDrawn, PointsMoved, Won
from jantaku.game.wins import revealed_ura, wins_of
from jantaku.kernels.engine import state
from jantaku.kernels.win import MAX_SEATS
from jantaku.rules import Ruleset

DRAWS: Final[dict[int, DrawKind]] = {
    state.EXHAUSTED: "exhausted",
    state.KYUUSHU_KYUUHAI: "kyuushu_kyuuhai",
    state.SUUFUU_RENDA: "suufuu_renda",
    state.SUUCHA_RIICHI: "suucha_riichi",
    state.SUUKANSANRA: "suukansanra",
    state.SANCHAHOU: "sanchahou",
    state.VOIDED: "voided",
}


@dataclass(frozen=True)
class Ending:
    """The step that ended a hand: the record before and after it, and the seat that acted.

    ``laid`` holds the points each seat deposited in this step.
    """

    before: Record
    after: Record
    seat: int
    laid: tuple[int, ...]
    rules: Ruleset

    def events(self) -> list[Event]:
        """Return the events of the wins or the draw, then those of the points."""
        won = self.after.outcome.ended == state.WON
        return [*(self._won() if won else [self._hand_drawn()]), *self._points()]

    def _won(self) -> Iterator[Event]:
        """Yield each win, in turn order from the discarder."""
        source = int(self.after.outcome.discarder)
        for score, seat in wins_of(self.after, self.rules):
            yield Won(
                seat,
                score.win.tile,
                score.win.hand.tiles,
                score,
                source=None if source == state.NO_SEAT else source,
                ura=revealed_ura(self.after, seat, self.rules),
                kans=revealed_kans(self.after, seat),
            )

    def _hand_drawn(self) -> Event:
        after = self.after
        ended, seats = int(after.outcome.ended), seats_of(after)
        tenpai = _seats(int(after.outcome.tenpai))
        shown = {
            state.EXHAUSTED: tenpai,
            state.KYUUSHU_KYUUHAI: (self.seat,),
            state.SUUCHA_RIICHI: tuple(seats),
            state.SANCHAHOU: tuple(sorted(others(after, int(self.before.turn)))),
            state.VOIDED: _seats(int(after.outcome.offenders)),
        }.get(ended, ())
        hands = tuple(tuple(concealed(after, seat)) if seat in shown else None for seat in seats)
        waiting = () if ended == state.KYUUSHU_KYUUHAI else shown
        waits = tuple(tiles_in(int(after.waits[seat])) or None if seat in waiting else None for seat in seats)
        kans = tuple(revealed_kans(after, seat) or None if seat in shown else None for seat in seats)
        return HandDrawn(DRAWS[ended], tenpai, _seats(int(after.outcome.nagashi)), hands, waits, kans)

    def _points(self) -> list[Event]:
        """Return the points of the hand, then deposits returned for a voided hand or paid out at game end."""
        before = by_seat(self.before, self.before.match.scores)
        scores = [points - laid for points, laid in zip(before, self.laid, strict=True)]
        deltas = by_seat(self.after, self.after.outcome.delta)
        moved = tuple(score + delta for score, delta in zip(scores, deltas, strict=True))
        chips = by_seat(self.after, self.after.outcome.chips)
        events: list[Event] = []
        if any(deltas):
            events.append(PointsMoved(deltas, moved, chips=chips if any(chips) else None))
        last = by_seat(self.after, self.after.match.scores)
        rest = tuple(score - before for score, before in zip(last, moved, strict=True))
        if any(rest):
            voided = self.after.outcome.ended == state.VOIDED
            events.append(PointsMoved(rest, last, "returned_deposits" if voided else "leftover_deposits"))
        return events


def leftover(before: Record, after: Record) -> list[Event]:
    """Return the event of deposits paid out at the end of the game, if there are any."""
    last = by_seat(after, after.match.scores)
    first = by_seat(before, before.match.scores)
    rest = tuple(points - earlier for points, earlier in zip(last, first, strict=True))
    return [PointsMoved(rest, last, "leftover_deposits")] if any(rest) else []


def _seats(mask: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(MAX_SEATS) if mask >> seat & 1)


def game_ended(record: Record, opening: str | None, rules: Ruleset) -> list[Event]:
    """Return the event of the end of the game, or an empty list if it goes on."""
    if record.phase != state.GAME_OVER:
        return []
    match = record.match
    chips = by_seat(record, match.chips) if rules.chips.value else None
    yakitori = by_seat(record, match.yakitori) if rules.match.yakitori else None
    return [GameEnded(by_seat(record, match.final), by_seat(record, match.place), opening, chips, yakitori)]
