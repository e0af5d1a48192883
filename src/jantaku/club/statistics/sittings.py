"""A game from one seat: the hands that a player has played there, with what happened to this seat."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from jantaku.club.entered_hands import EnteredHand, EnteredWin
from jantaku.club.event import EventGame
from jantaku.club.settlement import SettledHand
from jantaku.rules.bonus import BONUS


@dataclass(frozen=True, slots=True)
class HandLine:
    """A hand of the player: ``hand`` counts those of the ``game`` from 0, ``number`` from East 1.

    ``delta`` is what the hand brought or cost the seat, riichi sticks included. ``voided`` hands, those that
    a chombo ended, count in no rate.
    """

    game: str
    hand: int
    number: int
    honba: int
    end: Literal["ron", "tsumo", "draw", "abort", "foul"]
    dealer: bool
    delta: int
    voided: bool


WinState = Literal["riichi", "open", "silent"]


NAGASHI: Final = EnteredWin(-1, limit="mangan", yaku=("nagashi_mangan",))
"""What a nagashi mangan that the rules call a win was won with; its seat is that of the hand."""


class Sitting(NamedTuple):
    """A seat in a finished game, and whose it is: a player's, or a team's."""

    subject: str
    game: EventGame
    seat: int

    @property
    def final(self) -> int:
        """The final points of the seat."""
        return self.game.final[self.seat]

    @property
    def place(self) -> int:
        """The place of the seat, from 1."""
        return self.game.places[self.seat]

    @property
    def average_place(self) -> Fraction:
        """The place, or the mean of the places that the seat shares with others."""
        return self.place + Fraction(self.game.places.count(self.place) - 1, 2)

    def was_there(self, hand: int) -> bool:
        """Whether the player played a hand, counted from 0, and nobody else played it for them."""
        return not self.game.absent or hand not in self.game.absent[self.seat]

    def hands(self) -> Iterator["SeatHand"]:
        """The hands that the player played from this seat; none if only the points of the game are known."""
        played = self.game.played
        if played is None:
            return
        for i, (entered, settled) in enumerate(zip(played.entered, played.hands, strict=True)):
            if self.was_there(i):
                yield SeatHand(self.game.id, i, self.seat, entered, settled)


class SeatHand(NamedTuple):
    """A hand from one seat; ``hand`` counts those of the game from 0."""

    game: str
    hand: int
    seat: int
    entered: EnteredHand
    settled: SettledHand

    @property
    def line(self) -> HandLine:
        """What is told of the hand."""
        settled = self.settled
        where = (self.game, self.hand, settled.number, settled.honba)
        what = (settled.dealer == self.seat, settled.deltas[self.seat], self.voided)
        return HandLine(*where, self.entered.end, *what)

    @property
    def voided(self) -> bool:
        """Whether a chombo voided the hand, so that it was played again."""
        return self.entered.end == "foul"

    def win_of(self, seat: int) -> EnteredWin:
        """What a winner won with."""
        if seat in self.settled.nagashi:
            return replace(NAGASHI, seat=seat)
        return next(win for win in self.entered.wins if win.seat == seat)

    @property
    def dealt_in(self) -> bool:
        """Whether the seat's discard was won on, by a ron that stands."""
        return (
            self.entered.end == "ron" and self.entered.discarder == self.seat and bool(self.settled.winners)
        )


def yaku_of(win: EnteredWin) -> tuple[str, ...]:
    """The yaku of a win without dora, which may be entered among them but are none."""
    return tuple(name for name in win.yaku or () if name not in BONUS)


def win_state(hand: EnteredHand, win: EnteredWin) -> WinState | None:
    """Whether a win was in riichi, open, or silent (closed without riichi); ``None`` if nobody recorded it.

    Riichi is known of every hand, because its stick moves points.
    """
    if win.seat in hand.riichi:
        return "riichi"
    if hand.calls is not None:
        return "open" if win.seat in hand.calls else "silent"
    return None if win.open is None else "open" if win.open else "silent"


def tells_calls(hand: EnteredHand, win: EnteredWin) -> bool:
    """Whether somebody recorded of a win whether it was open.

    It must not depend on the answer: if 25 fu, a closed yaku or riichi alone made a win known, then open wins
    would be missing among the known ones. With the yaku of a win the recorder says so, but of riichi.
    """
    recorded = hand.calls is not None or win.open is not None
    return recorded or (win.seat in hand.riichi and win.yaku is not None)


def sittings_of(
    games: Sequence[EventGame], subject_of: Mapping[str, str]
) -> Mapping[str, tuple[Sitting, ...]]:
    """The sittings of every subject, in the order of the games; a player counts for their ``subject_of``."""
    sittingss: dict[str, list[Sitting]] = {subject: [] for subject in subject_of.values()}
    for game in games:
        for seat, player in enumerate(game.players):
            if player in subject_of:
                subject = subject_of[player]
                sittingss[subject].append(Sitting(subject, game, seat))
    return {subject: tuple(mine) for subject, mine in sittingss.items()}
