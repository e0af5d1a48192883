"""The end of a hand in an mjai log, for games read as recorded."""

from collections.abc import Mapping, Sequence
from typing import Any

from jantaku.records.as_recorded import LoggedHandEnd, LoggedWin, score_of
from jantaku.records.mjai.write import NAGASHI
from jantaku.seats import sum_by_seat


def mjai_ends(rows: Sequence[Mapping[str, Any]], kinds: Mapping[str, str]) -> list[LoggedHandEnd | None]:
    """Return the end of each hand of an mjai log; wins have payments but no yaku.

    ``kinds`` maps mjai's reasons to kinds of draw.
    """
    ends: list[LoggedHandEnd | None] = []
    dealer = seats = 0
    for row in rows:
        if row["type"] == "start_kyoku":
            ends.append(None)
            dealer, seats = int(row["oya"]), len(row["tehais"])
        elif row["type"] in ("hora", "ryukyoku") and ends:
            deltas = tuple(int(delta) for delta in row.get("deltas", (0,) * seats))
            if row["type"] == "ryukyoku":
                reason = str(row.get("reason"))
                kind = kinds.get(reason, "exhausted")
                ends[-1] = LoggedHandEnd(deltas, kind=kind, nagashi=reason == NAGASHI)
            else:
                ends[-1] = _mjai_win(ends[-1], row, deltas, dealer)
    return ends


def _mjai_win(
    before: LoggedHandEnd | None, row: Mapping[str, Any], deltas: tuple[int, ...], dealer: int
) -> LoggedHandEnd:
    win = LoggedWin(int(row["actor"]), int(row["target"]), score_of({}, deltas, dealer))
    if before is None:
        return LoggedHandEnd(deltas, (win,))
    return LoggedHandEnd(sum_by_seat((before.deltas, deltas), len(deltas)), (*before.wins, win))
