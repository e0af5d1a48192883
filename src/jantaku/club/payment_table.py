"""All payments under a ruleset, so that the recorder can display them offline.

Every number is measured by settling a hand and reading its deltas. This module itself implements no payment
rule. Winds count from the dealer: 0 is the dealer, 1 the seat to the dealer's right.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from jantaku.club.entered_hands import ABORTS, EnteredWorth
from jantaku.club.possible_worths import possible_worths
from jantaku.club.settlement import SettledGame, settle
from jantaku.club.settlement_record import CHOMBO
from jantaku.errors import RequestError
from jantaku.kernels.rules import FOULS
from jantaku.rules import Ruleset

Entered = dict[str, Any]
Honba = Literal["adds", "keeps", "none"]

MEASURED: Final = {
    "end.tobi": "off",
    "end.top_points": 0,
    "riichi.needs_points": False,
    "chips.value": 0,
    "score.wareme": "off",
}
"""Rules changed for measuring: no tobi, no target score, riichi without enough points, no chips, no wareme.
"""


@dataclass(frozen=True, slots=True)
class HandFollowing:
    """What follows a hand: whether the dealer stays, and whether ``honba`` increases, stays or resets."""

    stays: bool
    honba: Honba


@dataclass(frozen=True, slots=True)
class WorthPaid:
    """Payments for a hand of one value, without honba and sticks; ``None`` if the rules have no such win.

    ``ron``: paid to the dealer, and to another player. ``tsumo``: each payment to the dealer; the dealer's
    and each other payment to another player.
    """

    worth: EnteredWorth
    ron: tuple[int, int] | None
    tsumo: tuple[int, int, int] | None


@dataclass(frozen=True, slots=True)
class FixedOutcome:
    """The deltas by wind of a hand without a winner, and what follows it."""

    deltas: tuple[int, ...]
    next: HandFollowing


@dataclass(frozen=True, slots=True)
class PaymentTable:
    """All payments under a ruleset.

    ``honba``: points that one honba adds to a ron, and to each payment of a tsumo. ``won``: what follows a
    win of the dealer, and of another player. ``aborts``: what follows an abortive draw caused by the dealer,
    and by another player. ``draws[n][mask]``: exhaustive draws with the seats of ``mask`` (bit 0: the dealer)
    in tenpai; ``n`` is 0, or 1 + the wind with nagashi mangan. ``chombo``: payments of a chombo by each wind.
    """

    wins: tuple[WorthPaid, ...]
    honba: tuple[int, int]
    won: tuple[HandFollowing, HandFollowing]
    draws: tuple[tuple[FixedOutcome, ...], ...]
    aborts: Mapping[str, tuple[HandFollowing, HandFollowing]]
    chombo: tuple[tuple[int, ...], ...]


def payment_table(rules: Ruleset) -> PaymentTable:
    """Settle one hand of every kind under ``rules``."""
    measured = _Measured(rules)
    return PaymentTable(
        tuple(measured.worth(*worth) for worth in possible_worths(rules)),
        measured.honba(),
        (measured.after(_win(0, 1, **measured.usual)), measured.after(_win(1, 2, **measured.usual))),
        tuple(measured.draws(nagashi) for nagashi in measured.nagashi()),
        {kind: measured.aborted(kind) for kind in ABORTS if getattr(rules.draw, kind)},
        measured.chombo(),
    )


def _win(winner: int, discarder: int | None, **worth: Any) -> Entered:
    wins = [{"seat": winner, **worth}]
    return (
        {"end": "tsumo", "wins": wins}
        if discarder is None
        else {"end": "ron", "from": discarder, "wins": wins}
    )


def _abort(kind: str, seats: int, wind: int) -> Entered:
    """Return an abortive draw caused by ``wind``."""
    hand: Entered = {"end": "abort", "kind": kind}
    if kind == "suucha_riichi":
        hand["riichi"] = list(range(seats))
    if kind == "kyuushu_kyuuhai":
        hand["seat"] = wind
    return hand | ({"from": wind} if kind == "sanchahou" else {})


class _Measured:
    """Settles hands under one ruleset, as the first hand of a game or after a draw that leaves honba."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.seats = rules.match.players
        self.measured = rules.with_changes(MEASURED)
        self.before = {"end": "draw", "tenpai": list(range(self.seats))}
        self.usual = next(worth for worth, ron, tsumo in possible_worths(rules) if ron and tsumo)
        begun = self._settle([self.before])
        self.count, self.dealer, self.number = begun.honba, begun.number % self.seats, begun.number

    def _settle(self, hands: Sequence[Entered]) -> SettledGame:
        return settle(hands, self.measured)

    def _deltas(self, hand: Entered) -> tuple[int, ...]:
        return self._settle([hand]).hands[0].deltas

    def _turned(self, hand: Entered) -> Entered:
        """Return the hand with winds replaced by the seats that have them after ``before``."""
        turned = dict(hand)
        for name in ("riichi", "tenpai", "nagashi"):
            turned |= {name: [self._seat(wind) for wind in hand[name]]} if name in hand else {}
        for name in ("from", "seat"):
            turned |= {name: self._seat(hand[name])} if name in hand else {}
        wins = [{**win, "seat": self._seat(win["seat"])} for win in hand.get("wins", ())]
        return turned | ({"wins": wins} if wins else {})

    def _seat(self, wind: int) -> int:
        return (wind + self.dealer) % self.seats

    def after(self, hand: Entered) -> HandFollowing:
        """Return what follows a hand that begins with honba."""
        game = self._settle([self.before, self._turned(hand)])
        kind: Honba = "adds" if game.honba > self.count else "keeps" if game.honba == self.count else "none"
        return HandFollowing(game.number == self.number, kind)

    def aborted(self, kind: str) -> tuple[HandFollowing, HandFollowing]:
        """Return what follows an abortive draw caused by the dealer, and by another player."""
        dealer, other = (self.after(_abort(kind, self.seats, wind)) for wind in (0, 1))
        return dealer, other

    def worth(self, worth: EnteredWorth, by_ron: bool, by_tsumo: bool) -> WorthPaid:
        """Return the payments of a value, if a ron or a tsumo of that value exists."""
        ron = tsumo = None
        if by_ron:
            ron = (self._deltas(_win(0, 1, **worth))[0], self._deltas(_win(1, 2, **worth))[1])
        if by_tsumo:
            other = self._deltas(_win(1, None, **worth))
            tsumo = (-self._deltas(_win(0, None, **worth))[1], -other[0], -other[2])
        return WorthPaid(worth, ron, tsumo)

    def honba(self) -> tuple[int, int]:
        """Return what one honba adds to a ron, and to each payment of a tsumo."""
        if not self.count:
            return 0, 0
        added = []
        for hand in (_win(0, 1, **self.usual), _win(0, None, **self.usual)):
            with_honba = self._settle([self.before, self._turned(hand)]).hands[1].deltas[self._seat(1)]
            added.append((self._deltas(hand)[1] - with_honba) // self.count)
        return added[0], added[1]

    def nagashi(self) -> list[int | None]:
        """Return ``None``, then each wind that can have nagashi mangan under the rules."""
        try:
            self._settle([{"end": "draw", "nagashi": [0]}])
        except RequestError:
            return [None]
        return [None, *range(self.seats)]

    def draws(self, nagashi: int | None) -> tuple[FixedOutcome, ...]:
        """Return the exhaustive draw for each set of seats in tenpai."""
        outcomes = []
        for mask in range(1 << self.seats):
            tenpai = [wind for wind in range(self.seats) if mask >> wind & 1]
            hand = {"end": "draw", "tenpai": tenpai, "nagashi": [] if nagashi is None else [nagashi]}
            outcomes.append(FixedOutcome(self._deltas(hand), self.after(hand)))
        return tuple(outcomes)

    def chombo(self) -> tuple[tuple[int, ...], ...]:
        """Return the payments of a chombo by each wind; empty if the rules have no chombo."""
        costs = {name: getattr(self.rules.fouls, name) for name in FOULS}
        name = next((name for name, cost in costs.items() if cost in CHOMBO and name != "noten_riichi"), None)
        if name is None:
            return ()
        fouls = [{"seat": wind, "foul": name} for wind in range(self.seats)]
        return tuple(self._deltas({"end": "foul", "fouls": [foul]}) for foul in fouls)
