"""The end of a hand in a Tenhou log, for games read as recorded."""

from typing import Final

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.records.as_recorded import LoggedHandEnd, LoggedWin, score_of
from jantaku.records.mjlog.log import KINDS_OF_DRAW, NAGASHI, Drawn, LogHand, LogWon
from jantaku.seats import sum_by_seat

YAKUMAN: Final = 5
LIMITS: Final = (None, "mangan", "haneman", "baiman", "sanbaiman", "yakuman")


def log_end(hand: LogHand) -> LoggedHandEnd | None:
    """Return the end of a hand of a Tenhou log; ``None`` if it is incomplete."""
    wins: list[LoggedWin] = []
    changes: list[tuple[int, ...]] = []
    for step in hand.steps:
        if isinstance(step, Drawn):
            shown = tuple(seat for seat, hand in enumerate(step.shown) if hand is not None)
            kind, nagashi = KINDS_OF_DRAW[step.kind], step.kind == NAGASHI
            return LoggedHandEnd(step.settlement.change, kind=kind, shown=shown, nagashi=nagashi)
        if isinstance(step, LogWon):
            changes.append(step.settlement.change)
            wins.append(LoggedWin(step.seat, step.source, _log_score(step, hand.dealer)))
    return LoggedHandEnd(sum_by_seat(changes, len(hand.scores)), tuple(wins)) if wins else None


def _log_score(win: LogWon, dealer: int) -> RecordedScore:
    values = {"fu": win.fu, "points": win.points, "yakuman": len(win.yakuman)}
    limit = LIMITS[win.limit] if 0 <= win.limit <= YAKUMAN else None
    if limit == "yakuman" and not win.yakuman:
        limit = "kazoe_yakuman"
    return score_of(win.yaku_by_id, win.settlement.change, dealer, limit=limit, **values)
