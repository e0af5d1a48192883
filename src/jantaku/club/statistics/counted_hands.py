"""Goes through the hands of one player and notes which hands each figure counts.

What a seat did in one game never changes, so it can be kept (``HandTally.packed``) and added up later.
"""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field
from typing import Final, NamedTuple

from jantaku.club.entered_hands import EnteredWin
from jantaku.club.statistics.sittings import HandLine, SeatHand, Sitting, tells_calls, win_state, yaku_of

VERSION: Final = 2  # of what is packed; another one is counted anew
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
Hands = defaultdict[str, list[int]]


class TalliedWin(NamedTuple):
    """What a hand was won with; ``yaku`` without dora, ``None`` if nobody recorded them."""

    hand: int
    han: int
    fu: int
    limit: str | None
    yakuman: int
    yaku: Sequence[str] | None


class TalliedRon(NamedTuple):
    """A hand that ended between the player and another seat."""

    hand: int
    seat: int


def _hands() -> Hands:
    return defaultdict(list)


@dataclass(slots=True)
class HandTally:
    """The hands of one player; ``of`` has for each figure the indices of the hands that it counts.

    ``recorded`` has for each game the number of its hands, ``None`` if only its points are known.
    """

    recorded: list[int | None] = field(default_factory=list)
    hands: list[HandLine] = field(default_factory=list)
    of: Hands = field(default_factory=_hands)
    fouls: Hands = field(default_factory=_hands)
    wins: list[TalliedWin] = field(default_factory=list)
    won_from: list[TalliedRon] = field(default_factory=list)
    dealt_to: list[TalliedRon] = field(default_factory=list)

    def delta(self, i: int) -> int:
        """What a hand brought or cost the player."""
        return self.hands[i].delta

    def note(self, hand: SeatHand) -> None:
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
            self._note_win(hand, here, before)
        elif settled.nagashi:
            return  # somebody else's win, which nobody dealt into
        elif entered.end == "draw":
            of["draw"].append(here)
            if seat in settled.tenpai:
                of["tenpai_at_draw"].append(here)
        elif seat in settled.winners:
            self._note_win(hand, here, before)
        elif hand.dealt_in:
            self._note_deal_in(hand, here, before)

    def _note_win(self, hand: SeatHand, here: int, before: Iterable[str]) -> None:
        win = hand.win_of(hand.seat)
        self.wins.append(_tallied(here, win))
        self.of["win"].append(here)
        for name in before:
            self.of[f"win_after_{name}"].append(here)
        if hand.entered.end == "tsumo":
            self.of["tsumo"].append(here)
        elif hand.entered.discarder is not None:
            self.won_from.append(TalliedRon(here, hand.entered.discarder))
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
        self.dealt_to += [TalliedRon(here, seat) for seat in hand.settled.winners]
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
        self.recorded += other.recorded
        self.hands += other.hands
        self.wins += [win._replace(hand=win.hand + first) for win in other.wins]
        for mine, theirs in ((self.won_from, other.won_from), (self.dealt_to, other.dealt_to)):
            mine += [TalliedRon(ron.hand + first, ron.seat) for ron in theirs]
        for mine_of, theirs_of in ((self.of, other.of), (self.fouls, other.fouls)):
            for name, hands in theirs_of.items():
                mine_of[name] += [i + first for i in hands]

    def packed(self) -> bytes:
        """To be kept; the ids of the games are not in it."""
        rows = [self.recorded, [astuple(hand)[1:] for hand in self.hands], self.of, self.fouls]
        text = json.dumps([VERSION, *rows, self.wins, self.won_from, self.dealt_to], separators=(",", ":"))
        return zlib.compress(text.encode())


def unpacked(kept: bytes, game: str) -> HandTally | None:
    """The tally of a seat in one game; ``None`` if another version packed it."""
    version, *rows = json.loads(zlib.decompress(kept))
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
    """Everything that the hands of a seat in one game tell."""
    played = sitting.game.played
    total = HandTally([None if played is None else len(played.hands)])
    for hand in sitting.hands():
        total.note(hand)
    return total


def together(tallies: Iterable[HandTally]) -> HandTally:
    """All hands of several tallies."""
    total = HandTally()
    for part in tallies:
        total.add(part)
    return total
