"""A running game at a table, and how many of its events have been sent.

The engine computes the next draw with the discard, and the next deal with the end of a hand. Clients receive
them in steps: a discard, or a kan that may be robbed, is followed by a pause whether or not anyone can call,
and a hand is followed by a pause in which its result is displayed.
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
from jantaku.bots.policies import STANDARD, STRONG
from jantaku.game import Action, Game
from jantaku.game import events as e
from jantaku.game.actions import default_action
from jantaku.game.engine import Record
from jantaku.kernels.engine.state import CLAIMS, YOUR_TURN
from jantaku.kernels.win import MAX_SEATS
from jantaku.rules.options import ClockOptions
from jantaku.server.play.searches import Searches
from jantaku.server.settings import Pauses

_CHANCE: Final = random.SystemRandom()
CLAIMABLE: Final = (e.Discarded, e.KanDeclared, e.KitaDeclared)
CLAIMED: Final = (e.Called, e.Won)
GameMove = tuple[int, int, Action]  # number of events before the action, its seat, the action


def last_step(game: Game) -> tuple[Game, Sequence[GameMove]]:
    """Return the game before the last action of a seat on its turn, and the moves since then.

    The moves are a discard or kan with the responses to it, or the last action of a hand. When they may be
    sent depends on the time, so a restarted server sends them again.
    """
    walked = game.restarted()
    earlier, last = walked, 0
    for number, (_, seat, action) in enumerate(game.moves):
        if number >= len(game.moves) - MAX_SEATS and walked.record.phase == YOUR_TURN:
            earlier, last = walked.copy(), number
        walked.play(seat, action)
    return earlier, game.moves[last:]


def first_move_of_hand(game: Game) -> int:
    """Return the index of the first action of the current hand."""
    dealt = max(i for i, event in enumerate(game.events) if isinstance(event, e.HandStarted))
    return sum(before <= dealt for before, _, _ in game.moves)


@dataclass
class LiveGame:
    """A game, how many of its events have been sent, and when the next may be sent.

    ``people`` are the seats of people who play themselves. With ``even``, every pause lasts as long as the
    claim window, and calls also wait for its end. Pauses that hide nothing from other people are multiplied
    by ``pace``. ``base`` is the latest state that has been sent completely, and ``base_seq`` the number of
    its events. Nothing is sent before ``holds_until``. ``between``: the pause after a hand.
    """

    game: Game
    pauses: Pauses
    window: float  # the claim window in seconds
    even: bool = False
    people: Collection[int] = range(MAX_SEATS)
    pace: float = 1.0
    sent: int = 0
    base: Record = None
    base_seq: int = 0
    holds_until: float = 0.0
    between: bool = False
    hides: bool = False  # whether the pause hides from other people that someone could call
    _dealt: int = 0  # index of the last deal that may be sent

    def __post_init__(self) -> None:
        """Release all events: the game begins, or is displayed in its stored state."""
        self.sent = len(self.game.events)
        self._rebase()

    def catch_up(self, moves: Sequence[GameMove], now: float) -> None:
        """Replay stored moves as if they happened at ``now``."""
        for _, seat, action in moves:
            self.game.play(seat, action)
            self.release(now)

    @property
    def open(self) -> bool:
        """Whether all events have been sent, so that seats may act."""
        return self.sent == len(self.game.events)

    def open_to(self, seat: int) -> bool:
        """Whether a seat may act and request hints at the moment.

        After a discard, or a kan that may be robbed, only the seats that can claim it may act until the next
        events are sent. All others get the same answer, whether a claim is pending or the engine has already
        advanced.
        """
        return self.open and (self.game.record.phase == YOUR_TURN or seat in self.game.to_act)

    @property
    def ended(self) -> bool:
        """Whether the end of the game has been sent."""
        return self.open and self.game.is_over

    def _rebase(self) -> None:
        self.base, self.base_seq = self.game.record.copy(), self.sent

    def release(self, now: float) -> list[e.Event]:
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
        """Release the next deal after the pause for the result."""
        self._dealt, self.between = self.sent, False

    def bot_delay(self) -> float:
        """Return how many seconds a bot thinks, longer while the clients still animate the deal."""
        pause = _CHANCE.uniform(*self.pauses.bot) * self.pace
        dealt = any(isinstance(event, e.HandStarted) for event in self.game.events[-2:])
        return pause + self.pauses.deal if dealt else pause

    def _claim_pause(self, actor: int) -> float:
        """Return the pause after a discard or kan in seconds; it depends only on public facts and chance.

        Bots respond immediately, so only a person who can call makes others wait, and only other people could
        learn anything from the delay.
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
    """The clocks of one game. Times are in seconds on the monotonic clock.

    On its turn a seat has ``turn_s`` and then its reserve (``bank``), which is refilled every hand. A claim
    must come within ``claim_window_s``. ``limited`` is False at a table without clocks.
    """

    times: ClockOptions
    limited: bool = True
    seats: int = MAX_SEATS
    bank: list[float] = field(default_factory=list)
    running: dict[int, float] = field(default_factory=dict)
    calling: bool = False
    _started_at: int = -1  # number of events when the running clocks were started

    def __post_init__(self) -> None:
        self.fill()

    def fill(self) -> None:
        """Refill every reserve at the start of a hand."""
        self.bank = [float(self.times.bank_s)] * self.seats

    def start(self, game: Game, now: float) -> None:
        """Start the clocks of all seats that must act, except clocks that are already running."""
        self.calling = bool(game.record.phase == CLAIMS)
        if self._started_at != len(game.events):
            self._started_at, self.running = len(game.events), {}
        self.running = {seat: self.running.get(seat, now) for seat in game.to_act}

    def restart(self, now: float) -> None:
        """Restart the running clocks after a delay that no player caused."""
        self.running = dict.fromkeys(self.running, now)

    def bank_after(self, seat: int, now: float) -> float:
        """Return the seconds of reserve left to a seat that acts at ``now``."""
        if not self.limited or self.calling:
            return self.bank[seat]
        used = now - self.running.get(seat, now) - self.times.turn_s
        return max(0.0, self.bank[seat] - max(0.0, used))

    def changed_bank_ms(self, seat: int, now: float) -> int | None:
        """Return ``bank_after`` in milliseconds; ``None`` if the reserve has not changed."""
        left = self.bank_after(seat, now)
        return None if left == self.bank[seat] else round(left * 1000)

    def restore(self, stored: Iterable[tuple[int, int]]) -> None:
        """Restore reserves from pairs of seat and milliseconds; the last pair of a seat counts."""
        for seat, left in stored:
            self.bank[seat] = left / 1000

    def stop(self, seat: int, now: float) -> None:
        """Stop the clock of a seat that acted at ``now`` and deduct the overtime from its reserve."""
        self.bank[seat] = self.bank_after(seat, now)
        self.running.pop(seat, None)

    def deadline(self, seat: int) -> float | None:
        """Return when a seat's time runs out; ``None`` means never."""
        if not self.limited or seat not in self.running:
            return None
        given = self.times.claim_window_s if self.calling else self.times.turn_s + self.bank[seat]
        return self.running[seat] + given

    def left_ms(self, seat: int, now: float) -> int | None:
        """Return the milliseconds that a seat has left; ``None`` without a limit."""
        ends = self.deadline(seat)
        return None if ends is None else max(0, round((ends - now) * 1000))

    def public_state(self, now: float) -> dict[str, object] | None:
        """Return the public state of the clocks, which does not reveal who can claim a discard."""
        if not self.limited:
            return None
        turn = None if self.calling or not self.running else self.left_ms(next(iter(self.running)), now)
        return {"turn_ms": turn, "bank_ms": [round(bank * 1000) for bank in self.bank]}


LOG = logging.getLogger("jantaku.server")
# a separate pool, so that bots do not wait for other work
_THREADS: Final = ThreadPoolExecutor(thread_name_prefix="bot")
SEARCHES: Final = Searches()


async def choice(policy: str, game: Game, seat: int) -> Action:
    """Return a bot's action. If the bot fails or its choice is illegal, return the default action."""
    legal = game.legal(seat)
    if len(legal) == 1:
        return legal[0]
    try:
        action = await asyncio.get_running_loop().run_in_executor(
            _THREADS, _player(policy).choose, game, seat
        )
    except Exception:
        LOG.exception("bot %s failed", policy)
        return default_action(legal)
    return action if action in legal else default_action(legal)


async def searched_choice(game: Game, seat: int, ends: float) -> Action:
    """Return the action found by a search that ends at ``ends``; without one, the choice of ``strong``.

    ``game`` must not change meanwhile.
    """
    try:
        action = await SEARCHES.choose(game, seat, ends)
    except Exception:
        LOG.exception("a search failed")
        action = None
    return action if action in game.legal(seat) else await choice(BOTS[STRONG], game, seat)


@cache
def _player(policy: str) -> Bot:
    """Return the shared bot of a policy; its only state is its random generator.

    ``standard`` replaces a level that this version, or a program that this server, does not have.
    """
    return bot(policy if policy in BOTS or policy in LEVELS else BOTS[STANDARD])
