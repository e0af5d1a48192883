"""One player's view of a game: the hands they played from their seat, and the results for that seat."""

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
    """A hand of the player: ``hand`` is its index in the ``game``, ``number`` counts from East 1.

    ``delta`` is the points gained or lost by the seat, riichi sticks included. ``voided`` hands ended in a
    chombo and do not count in any rate.
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
"""The win for a nagashi mangan that counts as a win under the rules; its seat is a placeholder."""


class Sitting(NamedTuple):
    """A seat in a finished game and its ``subject``, a player or a team."""

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
        """The place, or the mean of all places shared with others."""
        return self.place + Fraction(self.game.places.count(self.place) - 1, 2)

    def has_played(self, hand: int) -> bool:
        """Whether the player, not a substitute, played the hand (index from 0)."""
        return not self.game.absent or hand not in self.game.absent[self.seat]

    def hands(self) -> Iterator["SeatHand"]:
        """Yield the hands that the player played from this seat; none if only the points are known."""
        played = self.game.played
        if played is None:
            return
        for i, (entered, settled) in enumerate(zip(played.entered, played.hands, strict=True)):
            if self.has_played(i):
                yield SeatHand(self.game.id, i, self.seat, entered, settled)


class SeatHand(NamedTuple):
    """A hand from one seat; ``hand`` is its index in the game, from 0."""

    game: str
    hand: int
    seat: int
    entered: EnteredHand
    settled: SettledHand

    @property
    def line(self) -> HandLine:
        """The hand as listed in the figures."""
        settled = self.settled
        where = (self.game, self.hand, settled.number, settled.honba)
        what = (settled.dealer == self.seat, settled.deltas[self.seat], self.voided)
        return HandLine(*where, self.entered.end, *what)

    @property
    def voided(self) -> bool:
        """Whether a chombo voided the hand, which is then replayed."""
        return self.entered.end == "foul"

    def win_of(self, seat: int) -> EnteredWin:
        """Return the win of a seat in this hand."""
        if seat in self.settled.nagashi:
            return replace(NAGASHI, seat=seat)
        return next(win for win in self.entered.wins if win.seat == seat)

    @property
    def dealt_in(self) -> bool:
        """Whether the seat dealt into a valid ron."""
        return (
            self.entered.end == "ron" and self.entered.discarder == self.seat and bool(self.settled.winners)
        )


def yaku_of(win: EnteredWin) -> tuple[str, ...]:
    """Return the yaku of a win without dora, which may be entered among them but are not yaku."""
    return tuple(name for name in win.yaku or () if name not in BONUS)


def win_state(hand: EnteredHand, win: EnteredWin) -> WinState | None:
    """Return whether a win was in riichi, open, or silent (closed without riichi); ``None`` if not recorded.

    Riichi is known for every hand, because its stick moves points.
    """
    if win.seat in hand.riichi:
        return "riichi"
    if hand.calls is not None:
        return "open" if win.seat in hand.calls else "silent"
    return None if win.open is None else "open" if win.open else "silent"


def records_calls(hand: EnteredHand, win: EnteredWin) -> bool:
    """Whether the record shows if a win was open or closed.

    The criterion must not depend on the answer: if 25 fu, a closed yaku or riichi alone made a win known,
    open wins would be underrepresented among known wins. A riichi win counts if its yaku were recorded.
    """
    recorded = hand.calls is not None or win.open is not None
    return recorded or (win.seat in hand.riichi and win.yaku is not None)


def sittings_of(
    games: Sequence[EventGame], subject_of: Mapping[str, str]
) -> Mapping[str, tuple[Sitting, ...]]:
    """Return the sittings of every subject in order of the games; ``subject_of`` maps players to subjects."""
    by_subject: dict[str, list[Sitting]] = {subject: [] for subject in subject_of.values()}
    for game in games:
        for seat, player in enumerate(game.players):
            if player in subject_of:
                subject = subject_of[player]
                by_subject[subject].append(Sitting(subject, game, seat))
    return {subject: tuple(mine) for subject, mine in by_subject.items()}
