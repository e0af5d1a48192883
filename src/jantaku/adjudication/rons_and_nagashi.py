"""Several rons on one tile, and nagashi mangan."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np

from jantaku.adjudication.score import Score, score
from jantaku.adjudication.win_records import win_records
from jantaku.errors import HandError, RequestError, expect, kind_of_value
from jantaku.fields import choice, whole
from jantaku.hand import WIND_NAMES, Wind
from jantaku.kernels.payments import pay_tsumo
from jantaku.kernels.points import honba_share
from jantaku.kernels.rons import share_sticks, valid_ron_count
from jantaku.kernels.rules import nagashi_base, rules_record
from jantaku.kernels.win import MAX_SEATS
from jantaku.rules import Ruleset, load
from jantaku.seats import after, by_wind, turns_to, winds_of
from jantaku.win import MAX_STICKS, Win

_MAX_RONS = MAX_SEATS - 1


@dataclass(frozen=True, slots=True)
class Rons:
    """The outcome of several rons on one tile.

    ``scores`` are the valid wins under the rules, nearest winner first; with ``is_draw`` (sanchahou)
    there are none. ``seats`` is the number of players.
    """

    scores: tuple[Score, ...]
    is_draw: bool
    seats: int

    @property
    def payments(self) -> dict[Wind, int]:
        """Points each seat receives (negative: pays) from all wins together."""
        total = dict.fromkeys(winds_of(self.seats), 0)
        for win in self.scores:
            for seat, points in win.payments.items():
                total[seat] += points
        return total


def score_rons(wins: Iterable[Win], rules: Ruleset | str = "standard") -> Rons:
    """Adjudicate up to three rons on one tile: which win, and how they share honba and deposits.

    Each win states all the honba and deposits on the table; ``score_rons`` shares them out under the rules
    (inventory 253–259). Every win must have a ``source``. Raises ``RequestError`` (``rons``) unless the wins
    are rons on the same tile from the same player, and ``HandError`` if one of them may not win.
    """
    ruleset, wins = load(rules), _checked(wins)
    players = len(ruleset.seats)
    distance = partial(_distance, players=players)
    discarders = {after(WIND_NAMES.index(win.seat), players, distance(win)) for win in wins}
    seats = {win.seat for win in wins}
    same_tile = len({win.tile % 34 for win in wins}) == 1
    if not 1 <= len(wins) <= _MAX_RONS or len(discarders) > 1 or len(seats) < len(wins) or not same_tile:
        raise RequestError("rons", field="from")
    standing = _standing(sorted(wins, key=distance, reverse=True), ruleset)
    return Rons(tuple(score(win, ruleset) for win in _shared(standing, ruleset)), not standing, players)


def _checked(wins: object) -> list[Win]:
    """Check the types of the wins; return them, at most one more than is possible."""
    if not isinstance(wins, Iterable):
        raise RequestError("wrong_type", field="wins", wanted=kind_of_value(list))
    checked = list(islice(wins, _MAX_RONS + 1))
    for i, win in enumerate(checked):
        expect(win, Win, f"wins[{i}]")
    return checked


def _distance(win: Win, players: int) -> int:
    """Return the number of turns from the winner to the discarder; highest for the next in turn."""
    if win.tsumo or win.source is None:
        raise RequestError("rons", field="from")
    return turns_to(win.source, players)


def _standing(nearest_first: list[Win], rules: Ruleset) -> list[Win]:
    return nearest_first[: valid_ron_count(len(nearest_first), rules_record(rules)[0])]


def _shared(standing: list[Win], rules: Ruleset) -> list[Win]:
    """Return the wins with their shares of honba and deposits; an odd deposit goes to the nearest winner."""
    if not standing:
        return []
    records = win_records(standing)
    share_sticks(records, len(standing), rules_record(rules)[0], np.zeros(MAX_SEATS, np.int64))
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
    """Return the points each seat receives for a nagashi mangan of ``seat``, paid like a tsumo.

    If the rules count it as a win, the seat also gets honba and deposits; if as a draw, they stay on the
    table (inventory 304–305, 353). Raises ``HandError`` (``no_nagashi``) if the ruleset has no nagashi
    mangan, or has it only for closed hands and ``closed`` is false.
    """
    ruleset = load(rules)
    barred = ruleset.draw.nagashi_needs_closed and not closed
    base = nagashi_base(ruleset)
    if ruleset.draw.nagashi_mangan == "off" or barred or base == 0:
        raise HandError("no_nagashi", rules=ruleset.id)
    winner = WIND_NAMES.index(choice(seat, "seat", winds_of(len(ruleset.seats))))
    honba, deposits = whole(honba, "honba", 0, MAX_STICKS), whole(deposits, "deposits", 0, MAX_STICKS)
    pay = np.zeros(MAX_SEATS, np.int64)
    pay_tsumo(pay, winner, base, rules_record(ruleset)[0])
    if ruleset.draw.nagashi_mangan == "as_win":
        each = honba_share(honba, rules_record(ruleset)[0])
        pay -= each
        pay[winner] += len(ruleset.seats) * each + deposits * ruleset.riichi.deposit
    return by_wind(pay.tolist()[: len(ruleset.seats)], 0)
