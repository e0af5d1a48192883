"""Multiple rons on one tile, and nagashi mangan: payments beyond a single winning hand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from jantaku.adjudication.records import win_record
from jantaku.adjudication.score import Score, score
from jantaku.errors import HandError, RequestError
from jantaku.hand import SOURCES, WIND_NAMES, Win, Wind
from jantaku.kernels.payments import pay_tsumo
from jantaku.kernels.points import honba_share
from jantaku.kernels.rons import most_standing, share_sticks
from jantaku.kernels.rules import nagashi_base, rules_record
from jantaku.kernels.win import MOST_SEATS
from jantaku.rules import Ruleset, load
from jantaku.seats import after, by_wind, winds_of

_MOST_RONS = MOST_SEATS - 1


@dataclass(frozen=True, slots=True)
class Rons:
    """The outcome of several rons on one tile: the valid scores, nearest winner first, or a draw.

    ``seats`` is the number of players.
    """

    scores: tuple[Score, ...]
    is_draw: bool
    seats: int

    @property
    def payments(self) -> dict[Wind, int]:
        """What each seat receives (negative: pays) from all valid wins."""
        total = dict.fromkeys(winds_of(self.seats), 0)
        for one in self.scores:
            for seat, points in one.payments.items():
                total[seat] += points
        return total


def score_rons(wins: Sequence[Win], rules: Ruleset | str = "standard") -> Rons:
    """Adjudicate up to three rons on one tile (inventory 253–259): who may win, who gets the deposits.

    Every win names honba and deposits as they lie on the table. Raises ``RequestError`` (``rons``) where the
    wins are no rons on the same tile from the same player, ``HandError`` where one may not win.
    """
    ruleset = load(rules)
    players = len(ruleset.seats)
    discarders = {after(WIND_NAMES.index(win.seat), players, _distance(win)) for win in wins}
    seats = {win.seat for win in wins}
    same_tile = len({win.tile % 34 for win in wins}) == 1
    if not 1 <= len(wins) <= _MOST_RONS or len(discarders) > 1 or len(seats) < len(wins) or not same_tile:
        raise RequestError("rons", field="from")
    standing = _standing(sorted(wins, key=_distance, reverse=True), ruleset)
    return Rons(tuple(score(win, ruleset) for win in _shared(standing, ruleset)), not standing, players)


def _distance(win: Win) -> int:
    """How many seats to the right of the winner the discarder sits; the nearest winner has three."""
    if win.tsumo or win.source is None:
        raise RequestError("rons", field="from")
    return SOURCES.index(win.source) + 1


def _standing(nearest_first: list[Win], rules: Ruleset) -> list[Win]:
    return nearest_first[: most_standing(len(nearest_first), rules_record(rules)[0])]


def _shared(standing: list[Win], rules: Ruleset) -> list[Win]:
    """The wins with their shares of honba and deposits; an indivisible rest goes to the nearest winner."""
    if not standing:
        return []
    records = np.concatenate([win_record(win) for win in standing])
    share_sticks(records, len(standing), rules_record(rules)[0], np.zeros(MOST_SEATS, np.int64))
    return [
        replace(win, honba=int(row["honba"]), deposits=int(row["deposits"]), laid=int(row["laid"]))
        for win, row in zip(standing, records, strict=True)
    ]


def score_nagashi(
    seat: Wind,
    rules: Ruleset | str = "standard",
    *,
    closed: bool = True,
    honba: int = 0,
    deposits: int = 0,
) -> dict[Wind, int]:
    """What each seat receives for a nagashi mangan of ``seat``, paid like a tsumo (inventory 304–305, 353).

    If it counts as a win it takes honba and deposits too; as a draw it leaves them. Raises ``HandError``
    (``no_nagashi``) if the ruleset does not have it, or not for an open hand.
    """
    ruleset = load(rules)
    barred = ruleset.draw.nagashi_needs_closed and not closed
    base = nagashi_base(ruleset)
    if ruleset.draw.nagashi_mangan == "off" or barred or base == 0:
        raise HandError("no_nagashi", rules=ruleset.id)
    winner = WIND_NAMES.index(seat)
    pay = np.zeros(MOST_SEATS, np.int64)
    pay_tsumo(pay, winner, base, rules_record(ruleset)[0])
    if ruleset.draw.nagashi_mangan == "as_win":
        each = honba_share(honba, rules_record(ruleset)[0])
        pay -= each
        pay[winner] += len(ruleset.seats) * each + deposits * ruleset.riichi.deposit
    return by_wind(pay.tolist()[: len(ruleset.seats)], 0)
