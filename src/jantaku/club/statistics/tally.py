"""Goes through the hands of one player and notes which hands each figure counts."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from jantaku.club.entered_hands import EnteredWin
from jantaku.club.statistics.sittings import SeatHand, Sitting, tells_calls, win_state

STATES: Final = ("riichi", "open", "silent")
RATES: Final[dict[str, tuple[str, str]]] = {
    "win": ("played", "played"),
    "tsumo": ("win", "win"),
    "deal_in": ("played", "played"),
    "riichi": ("played", "played"),
    "call": ("calls_known", "played"),
    "draw": ("played", "played"),
    "tenpai_at_draw": ("draw", "draw"),
    "riichi_win": ("win", "win"),
    **{f"{state}_win": ("state_known", "win") for state in STATES[1:]},
    "deal_in_to_riichi": ("deal_in", "deal_in"),
    **{f"deal_in_to_{state}": ("winner_known", "deal_in") for state in STATES[1:]},
    "win_after_riichi": ("riichi", "riichi"),
    "deal_in_after_riichi": ("riichi", "riichi"),
    "win_after_call": ("call", "call"),
    "deal_in_after_call": ("call", "call"),
}
"""Each rate, with the hands of which it is known and all hands that it concerns."""


@dataclass(slots=True)
class HandTally:
    """The hands of one player; ``of`` has for each figure the indices of the hands that it counts."""

    hands: list[SeatHand] = field(default_factory=list)
    of: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    wins: list[tuple[int, EnteredWin]] = field(default_factory=list)
    fouls: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def delta(self, i: int) -> int:
        """What a hand brought or cost the player."""
        hand = self.hands[i]
        return hand.settled.deltas[hand.seat]

    def note(self, hand: SeatHand) -> None:
        """Count one hand."""
        entered, settled, seat = hand.entered, hand.settled, hand.seat
        here, of = len(self.hands), self.of
        self.hands.append(hand)
        for foul in entered.fouls:
            if foul.seat == seat:
                self.fouls[foul.foul].append(here)
        if hand.voided:
            return
        of["played"].append(here)
        before = ["riichi"] if seat in entered.riichi else []
        if entered.calls is not None:
            of["calls_known"].append(here)
            before += ["call"] if seat in entered.calls else []
        for name in before:
            of[name].append(here)
        if entered.end == "draw":
            of["draw"].append(here)
            if seat in settled.tenpai:
                of["tenpai_at_draw"].append(here)
        elif seat in settled.winners:
            self._note_win(hand, here, before)
        elif hand.dealt_in:
            self._note_deal_in(hand, here, before)

    def _note_win(self, hand: SeatHand, here: int, before: Iterable[str]) -> None:
        win = hand.win_of(hand.seat)
        self.wins.append((here, win))
        self.of["win"].append(here)
        for name in before:
            self.of[f"win_after_{name}"].append(here)
        if hand.entered.end == "tsumo":
            self.of["tsumo"].append(here)
        is_known = tells_calls(hand.entered, win)
        if is_known:
            self.of["state_known"].append(here)
        state = win_state(hand.entered, win)
        if is_known or state == "riichi":
            self.of[f"{state}_win"].append(here)

    def _note_deal_in(self, hand: SeatHand, here: int, before: Iterable[str]) -> None:
        """A hand that several players win on one discard is one deal-in, to the state of each of them."""
        self.of["deal_in"].append(here)
        for name in before:
            self.of[f"deal_in_after_{name}"].append(here)
        entered, wins = hand.entered, [hand.win_of(seat) for seat in hand.settled.winners]
        is_known = all(tells_calls(entered, win) for win in wins)
        if is_known:
            self.of["winner_known"].append(here)
        for state in dict.fromkeys(win_state(entered, win) for win in wins):
            if is_known or state == "riichi":
                self.of[f"deal_in_to_{state}"].append(here)

    def add(self, other: "HandTally") -> None:
        """Count the hands of another tally, too."""
        first = len(self.hands)
        self.hands += other.hands
        self.wins += [(i + first, win) for i, win in other.wins]
        for mine, theirs in ((self.of, other.of), (self.fouls, other.fouls)):
            for name, hands in theirs.items():
                mine[name] += [i + first for i in hands]


def tally(sittings: Iterable[Sitting]) -> HandTally:
    """Everything that the hands of these sittings tell."""
    found = HandTally()
    for sitting in sittings:
        for hand in sitting.hands():
            found.note(hand)
    return found
