"""The end of a hand in a tenhou.net/6 log, for games read as recorded."""

from collections.abc import Sequence
from typing import Any

from jantaku.adjudication.recorded_score import RecordedScore
from jantaku.game.events import HandStarted
from jantaku.records.as_recorded import YAKUMAN_HAN, LoggedHandEnd, LoggedWin, score_of
from jantaku.records.tenhou6.endings import ALL_TENPAI, EXHAUSTED, KINDS, LIMIT_NAMES, NAGASHI, WON
from jantaku.records.tenhou6.same_results import worth_of
from jantaku.seats import sum_by_seat


def tenhou_end(row: Sequence[Any], start: HandStarted) -> LoggedHandEnd | None:
    """Return the end of a hand of a tenhou.net/6 log; ``None`` if it is incomplete."""
    dealer, seats = start.dealer, len(start.scores)
    result = row[16] if row[16:] else None
    if not result:
        return None
    if result[0] != WON:
        deltas = _deltas(result[1], seats) if result[1:] else (0,) * seats
        kind = KINDS.get(str(result[0]), "exhausted")
        name = str(result[0])
        shown = tuple(
            seat
            for seat, delta in enumerate(deltas)
            if name == ALL_TENPAI or (name == EXHAUSTED and delta > 0)
        )
        return LoggedHandEnd(deltas, kind=kind, shown=shown, nagashi=name == NAGASHI)
    wins: list[LoggedWin] = []
    changes: list[tuple[int, ...]] = []
    for changed, win in zip(result[1::2], result[2::2], strict=True):
        deltas = _deltas(changed, seats)
        changes.append(deltas)
        wins.append(LoggedWin(int(win[0]), int(win[1]), _tenhou_score(win, deltas, dealer)))
    return LoggedHandEnd(sum_by_seat(changes, seats), tuple(wins))


def _deltas(changed: Sequence[Any], seats: int) -> tuple[int, ...]:
    return tuple(int(delta) for delta in changed[:seats])


def _tenhou_score(row: Sequence[Any], deltas: Sequence[int], dealer: int) -> RecordedScore:
    worth, text = worth_of(row, len(deltas)), str(row[3]) if len(row) > 3 else ""
    yakuman = sum("役満" in str(entry) for entry in row[4:])
    yaku = {name: YAKUMAN_HAN if yakuman else han or count for (name, han), count in worth.yaku.items()}
    limit = next((limit for limit, name in LIMIT_NAMES.items() if text.startswith(name)), None)
    points = min(worth.points) if worth.points else None
    han = worth.han if worth.han is not None else sum(yaku.values()) + worth.others
    if worth.others:
        yaku["others"] = worth.others
    return score_of(yaku, deltas, dealer, fu=worth.fu, han=han, points=points, limit=limit, yakuman=yakuman)
