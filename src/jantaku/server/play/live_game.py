"""A running game at a table, and how many of its events have been sent.

The engine knows the next draw as soon as a discard is made, and the next deal as soon as a hand ends. Clients
learn this in steps: after a discard, or a kan that may be robbed, there is a pause whether or not anyone
could call, and after a hand its result stands for a while.
"""

import asyncio
import logging
import random
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from jantaku.bots import BOTS, LEVELS, Bot, bot
from jantaku.bots.policies import STANDARD
from jantaku.game import Action, Game
from jantaku.game import events as e
from jantaku.game.actions import by_default
from jantaku.game.engine import Record
from jantaku.kernels.engine.state import CLAIMS, YOUR_TURN
from jantaku.kernels.win import MOST_SEATS
from jantaku.rules.options import ClockOptions
from jantaku.server.settings import Pauses

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

    def bot_delay(self) -> float:
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


@dataclass
class Clocks:
    """The clocks of one game. Times are seconds of a monotonic clock.

    On its turn a seat has ``turn_s`` and then its reserve, which refills every hand. Calls are possible for
    ``claim_window_s``. ``limited`` is False at a table without clocks.
    """

    times: ClockOptions
    limited: bool = True
    seats: int = MOST_SEATS
    bank: list[float] = field(default_factory=list)
    asked: dict[int, float] = field(default_factory=dict)
    calling: bool = False
    _asked_at: int = -1  # the number of events when the question was asked

    def __post_init__(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Refill every reserve at the start of a hand."""
        self.bank = [float(self.times.bank_s)] * self.seats

    def ask(self, game: Game, now: float) -> None:
        """Start the clocks of all awaited seats that are not running yet."""
        self.calling = bool(game.record.phase == CLAIMS)
        if self._asked_at != len(game.events):
            self._asked_at, self.asked = len(game.events), {}
        self.asked = {seat: self.asked.get(seat, now) for seat in game.to_act}

    def again(self, now: float) -> None:
        """Restart the running clocks; the time that passed was no player's fault."""
        self.asked = dict.fromkeys(self.asked, now)

    def bank_after(self, seat: int, now: float) -> float:
        """The reserve left for a seat that answers now."""
        if not self.limited or self.calling:
            return self.bank[seat]
        used = now - self.asked.get(seat, now) - self.times.turn_s
        return max(0.0, self.bank[seat] - max(0.0, used))

    def to_store(self, seat: int, now: float) -> int | None:
        """The same in milliseconds; ``None`` if the reserve has not changed."""
        left = self.bank_after(seat, now)
        return None if left == self.bank[seat] else round(left * 1000)

    def restore(self, stored: Iterable[tuple[int, int]]) -> None:
        """Restore the stored reserves: pairs of seat and milliseconds; the last of a seat counts."""
        for seat, left in stored:
            self.bank[seat] = left / 1000

    def stop(self, seat: int, now: float) -> None:
        """Stop the clock of a seat that answered at ``now`` and deduct what it used from its reserve."""
        self.bank[seat] = self.bank_after(seat, now)
        self.asked.pop(seat, None)

    def ends(self, seat: int) -> float | None:
        """When the time of an asked seat runs out; ``None`` means never."""
        if not self.limited or seat not in self.asked:
            return None
        given = self.times.claim_window_s if self.calling else self.times.turn_s + self.bank[seat]
        return self.asked[seat] + given

    def left_ms(self, seat: int, now: float) -> int | None:
        """The milliseconds a seat has left."""
        ends = self.ends(seat)
        return None if ends is None else max(0, round((ends - now) * 1000))

    def shown(self, now: float) -> dict[str, object] | None:
        """What everyone may know of the clocks. It does not reveal who is asked about a discard."""
        if not self.limited:
            return None
        turn = None if self.calling or not self.asked else self.left_ms(next(iter(self.asked)), now)
        return {"turn_ms": turn, "bank_ms": [round(bank * 1000) for bank in self.bank]}


LOG = logging.getLogger("jantaku.server")
# a pool of their own, so that bots wait for nothing else
_THREADS: Final = ThreadPoolExecutor(thread_name_prefix="bot")


async def choice(policy: str, game: Game, seat: int) -> Action:
    """A bot's choice. An error inside the bot must not stop the table."""
    legal = game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    try:
        action = await asyncio.get_running_loop().run_in_executor(
            _THREADS, _player(policy).choose, game, seat
        )
    except Exception:
        LOG.exception("bot %s failed", policy)
        return by_default(legal)
    return action if action in legal else by_default(legal)


@cache
def _player(policy: str) -> Bot:
    """The shared player of a policy; it keeps only its random generator between choices.

    A table may name a level that another version knew; ``standard`` then plays.
    """
    return bot(policy if policy in BOTS or policy in LEVELS else BOTS[STANDARD])
