"""A running game at a table, and how many of its events have been sent.

The engine knows the next draw as soon as a discard is made, and the next deal as soon as a hand ends. Clients
learn this in steps: after a discard, or a kan that may be robbed, there is a pause whether or not anyone
could call, and after a hand its result stands for a while.
"""

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from jantaku.game import Action, Game
from jantaku.game import events as e
from jantaku.game.engine import Record
from jantaku.kernels.engine.state import YOUR_TURN
from jantaku.kernels.win import MOST_SEATS
from jantaku.server.pauses import Pauses

_CHANCE: Final = random.SystemRandom()
CLAIMABLE: Final = (e.Discarded, e.KanDeclared, e.KitaDeclared)
CLAIMED: Final = (e.Called, e.Won)
GameMove = tuple[int, int, Action]  # the number of events before it, its seat, the action


def last_step(game: Game) -> tuple[Game, Sequence[GameMove]]:
    """The game as it stood the last time that a seat was on turn and acted, and the moves since then.

    They are one discard or kan and the answers to it, or the last action of a hand. When they may be sent
    depends on the time, so a server that starts anew sends them anew.
    """
    walked = game.anew()
    earlier, last = walked, 0
    for number, (_, seat, action) in enumerate(game.moves):
        if number >= len(game.moves) - MOST_SEATS and walked.record.phase == YOUR_TURN:
            earlier, last = walked.copy(), number
        walked.play(seat, action)
    return earlier, game.moves[last:]


def of_this_hand(game: Game) -> int:
    """The number of the first action of the current hand."""
    dealt = max(i for i, event in enumerate(game.events) if isinstance(event, e.HandStarted))
    return sum(before <= dealt for before, _, _ in game.moves)


@dataclass
class LiveGame:
    """A game, how many of its events have been sent, and when more may be.

    ``people`` are the seats that bots do not play for. With ``even``, every pause lasts as long as the claim
    window, and calls also wait for its end. Pauses that nobody else needs are multiplied by ``pace``.
    ``base`` is a record in which nothing is held back, and ``base_seq`` the number of its events. Nothing is
    sent before ``holds_until``. ``between``: the result of a hand is being shown.
    """

    game: Game
    pauses: Pauses
    window: float  # the claim window in seconds
    even: bool = False
    people: Collection[int] = range(MOST_SEATS)
    pace: float = 1.0
    sent: int = 0
    base: Record = None
    base_seq: int = 0
    holds_until: float = 0.0
    between: bool = False
    hides: bool = False  # whether the pause hides from other people who could call
    _dealt: int = 0  # the index of the last deal that may be sent

    def __post_init__(self) -> None:
        """Release all events: the game begins, or is shown as it stands."""
        self.sent = len(self.game.events)
        self._rebase()

    def catch_up(self, moves: Sequence[GameMove], now: float) -> None:
        """Carry out moves that are stored already, as if they happened now."""
        for _, seat, action in moves:
            self.game.play(seat, action)
            self.tell(now)

    @property
    def open(self) -> bool:
        """Whether all events have been sent, so that seats may be asked."""
        return self.sent == len(self.game.events)

    def open_to(self, seat: int) -> bool:
        """Whether a seat may act, and ask about the game, now.

        After a discard, or a kan that may be robbed, only the seats that are asked about it may act until the
        next events are sent. All others get the same answer, whether a seat is asked or the engine has moved
        on.
        """
        return self.open and (self.game.record.phase == YOUR_TURN or seat in self.game.to_act)

    @property
    def ended(self) -> bool:
        """Whether the end of the game has been sent."""
        return self.open and self.game.is_over

    def _rebase(self) -> None:
        self.base, self.base_seq = self.game.record.copy(), self.sent

    def tell(self, now: float) -> list[e.Event]:
        """Release and return the events that may be sent now."""
        events, first = self.game.events, self.sent
        while self.sent < len(events):
            following = events[self.sent]
            if isinstance(following, e.HandStarted) and self._dealt != self.sent:
                self.between = True
                break
            if now < self.holds_until and not isinstance(following, e.Won if self.even else CLAIMED):
                break
            self.sent += 1
            if isinstance(following, CLAIMABLE):
                self.holds_until = now + self._claim_pause(following.seat)
        if self.open and self.game.record.phase == YOUR_TURN:
            self._rebase()
        return events[first : self.sent]

    def next_hand(self) -> None:
        """Release the next deal: the result has been read."""
        self._dealt, self.between = self.sent, False

    def thought(self) -> float:
        """How many seconds a bot thinks about its turn, longer where the clients still show the deal."""
        pause = _CHANCE.uniform(*self.pauses.bot) * self.pace
        dealt = any(isinstance(event, e.HandStarted) for event in self.game.events[-2:])
        return pause + self.pauses.deal if dealt else pause

    def _claim_pause(self, actor: int) -> float:
        """How long nothing is sent. This depends only on public facts and on chance.

        Bots answer at once, so only a person who could call makes others wait, and only other people could
        learn something from the delay.
        """
        low, high = self.pauses.claim
        self.hides = len(self.people) > 1 and any(seat != actor for seat in self.people)
        if self.hides and self.even:
            return self.window + _CHANCE.uniform(*self.pauses.after_window)
        if self.hides and self.window > high and _CHANCE.random() < self.pauses.hesitation:
            return _CHANCE.uniform(high, self.window)
        pause = _CHANCE.uniform(low, high)
        return pause if self.hides else pause * self.pace

    @property
    def result(self) -> e.GameEnded | None:
        """The event that ended the game."""
        last = self.game.events[-1]
        return last if isinstance(last, e.GameEnded) else None
