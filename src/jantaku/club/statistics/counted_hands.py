"""Tally the hands of one player: which hands count for each figure.

A seat's result in a finished game never changes, so tallies can be stored (``HandTally.packed``) and added up
later.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from typing import Final, NamedTuple

from jantaku.club.entered_hands import EnteredWin
from jantaku.club.statistics.sittings import HandLine, SeatHand, Sitting, records_calls, win_state, yaku_of

VERSION: Final = 2  # of the packed form; data of other versions is discarded
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
"""Each rate, with the cases in which it is known and all cases to which it applies."""
Hands = defaultdict[str, list[int]]


class TalliedWin(NamedTuple):
    """A won hand and its value; ``yaku`` are without dora, ``None`` if not recorded."""

    hand: int
    han: int
    fu: int
    limit: str | None
    yakuman: int
    yaku: Sequence[str] | None


class TalliedRon(NamedTuple):
    """A hand with a ron between the player and another seat."""

    hand: int
    seat: int


def _hands() -> Hands:
    return defaultdict(list)


@dataclass(slots=True)
class HandTally:
    """The hands of one player; ``of`` maps each figure to the indices of the hands that count for it.

    ``recorded`` is the number of hands of each game; ``None`` if only its points are known.
    """

    recorded: list[int | None] = field(default_factory=list)
    hands: list[HandLine] = field(default_factory=list)
    of: Hands = field(default_factory=_hands)
    fouls: Hands = field(default_factory=_hands)
    wins: list[TalliedWin] = field(default_factory=list)
    won_from: list[TalliedRon] = field(default_factory=list)
    dealt_to: list[TalliedRon] = field(default_factory=list)

    def delta(self, i: int) -> int:
        """Return the points that a hand gained or cost the player."""
        return self.hands[i].delta

    def add_hand(self, hand: SeatHand) -> None:
        """Count one hand."""
        entered, settled, seat = hand.entered, hand.settled, hand.seat
        here, of = len(self.hands), self.of
        self.hands.append(hand.line)
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
        if seat in settled.nagashi:
            self._add_win(hand, here, before)
        elif settled.nagashi:
            return  # another player's win, without a deal-in
        elif entered.end == "draw":
            of["draw"].append(here)
            if seat in settled.tenpai:
                of["tenpai_at_draw"].append(here)
        elif seat in settled.winners:
            self._add_win(hand, here, before)
        elif hand.dealt_in:
            self._add_deal_in(hand, here, before)

    def _add_win(self, hand: SeatHand, here: int, before: Iterable[str]) -> None:
        win = hand.win_of(hand.seat)
        self.wins.append(_tallied(here, win))
        self.of["win"].append(here)
        for name in before:
            self.of[f"win_after_{name}"].append(here)
        if hand.entered.end == "tsumo":
            self.of["tsumo"].append(here)
        elif hand.entered.discarder is not None:
            self.won_from.append(TalliedRon(here, hand.entered.discarder))
        is_known = records_calls(hand.entered, win)
        if is_known:
            self.of["state_known"].append(here)
        state = win_state(hand.entered, win)
        if is_known or state == "riichi":
            self.of[f"{state}_win"].append(here)

    def _add_deal_in(self, hand: SeatHand, here: int, before: Iterable[str]) -> None:
        """Count a deal-in.

        If several players win, it counts once in total, and once for each ``win_state`` among them.
        """
        self.of["deal_in"].append(here)
        for name in before:
            self.of[f"deal_in_after_{name}"].append(here)
        self.dealt_to += [TalliedRon(here, seat) for seat in hand.settled.winners]
        entered, wins = hand.entered, [hand.win_of(seat) for seat in hand.settled.winners]
        is_known = all(records_calls(entered, win) for win in wins)
        if is_known:
            self.of["winner_known"].append(here)
        for state in dict.fromkeys(win_state(entered, win) for win in wins):
            if is_known or state == "riichi":
                self.of[f"deal_in_to_{state}"].append(here)

    def add(self, other: "HandTally") -> None:
        """Add the hands of another tally."""
        first = len(self.hands)
        self.recorded += other.recorded
        self.hands += other.hands
        self.wins += [win._replace(hand=win.hand + first) for win in other.wins]
        for mine, theirs in ((self.won_from, other.won_from), (self.dealt_to, other.dealt_to)):
            mine += [TalliedRon(ron.hand + first, ron.seat) for ron in theirs]
        for mine_of, theirs_of in ((self.of, other.of), (self.fouls, other.fouls)):
            for name, hands in theirs_of.items():
                mine_of[name] += [i + first for i in hands]

    def packed(self) -> bytes:
        """Serialise the tally for storage, without the ids of games."""
        rows = [self.recorded, [astuple(hand)[1:] for hand in self.hands], self.of, self.fouls]
        text = json.dumps([VERSION, *rows, self.wins, self.won_from, self.dealt_to], separators=(",", ":"))
        return zlib.compress(text.encode())


def unpacked(data: bytes, game: str) -> HandTally | None:
    """Read the packed tally of a seat in one game; ``None`` if it has another version."""
    version, *rows = json.loads(zlib.decompress(data))
    if version != VERSION:
        return None
    recorded, hands, of, fouls, wins, won_from, dealt_to = rows
    return HandTally(
        recorded,
        [HandLine(game, *hand) for hand in hands],
        defaultdict(list, of),
        defaultdict(list, fouls),
        [TalliedWin(*win) for win in wins],
        [TalliedRon(*ron) for ron in won_from],
        [TalliedRon(*ron) for ron in dealt_to],
    )


def _tallied(here: int, win: EnteredWin) -> TalliedWin:
    yaku = None if win.yaku is None else yaku_of(win)
    return TalliedWin(here, win.han, win.fu, win.limit, win.yakuman, yaku)


def tally(sitting: Sitting) -> HandTally:
    """Tally the hands of a seat in one game."""
    played = sitting.game.played
    total = HandTally([None if played is None else len(played.hands)])
    for hand in sitting.hands():
        total.add_hand(hand)
    return total


def together(tallies: Iterable[HandTally]) -> HandTally:
    """Combine several tallies into a new one."""
    total = HandTally()
    for part in tallies:
        total.add(part)
    return total
