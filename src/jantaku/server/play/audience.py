"""The sockets at a table: at most one for each seat, any number of watchers, and the watchers' delay."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jantaku.bounded import Newest
from jantaku.server.storage.people import PersonRow

if TYPE_CHECKING:
    from jantaku import terms
    from jantaku.server.play.live_game import LiveGame
    from jantaku.server.storage.games import GameRow
    from jantaku.server.storage.tables import TableRow

MOST_WAITING = 256
REMEMBERED = 64
REPLACED, TOO_SLOW, NOT_ALLOWED = 4409, 1013, 4403
LONGEST_GAP_S = 20.0  # between two steps of a hand that is shown after it has ended
RESTARTS = 1012  # the client connects again at once


class Connection:
    """One socket: its outgoing messages, and its owner's seat (``None`` for a watcher).

    ``session`` is the id of the session it came with, ``browser`` the cookie, empty if missing.
    ``asks_all``: whether it wants all hands, as commentators do; ``all_hands``: whether it is sent them.
    ``shows_numbers``: whether its owner lets others see their numbers. ``table`` is the last table message it
    was sent. ``showing``: the game before, which a watcher still sees; ``None``: the one that is played.
    """

    def __init__(self, person: PersonRow, session: str = "", browser: str = "") -> None:
        self.person = person
        self.session = session
        self.browser = browser
        self.seat: int | None = None
        self.asks_all = False
        self.all_hands = False
        self.shows_numbers = False
        self.showing: Showing | None = None
        self.language: terms.Language = "en"
        self.table = ""
        self.closing: int | None = None
        self._waiting: deque[str] = deque()
        self._come_in = asyncio.Event()
        self._tell: Callable[[str], None] | None = None

    def send_by(self, tell: Callable[[str], None]) -> None:
        """Send what waits and all else by what never has to wait."""
        self._tell = tell
        while self._waiting:
            tell(self._waiting.popleft())

    def send(self, text: str) -> None:
        """Queue a message. A socket whose queue is full is closed."""
        if self.closing is not None:
            return
        if self._tell is not None:
            self._tell(text)
            return
        if len(self._waiting) >= MOST_WAITING:
            self.close(TOO_SLOW)
            return
        self._waiting.append(text)
        self._come_in.set()

    def close(self, code: int) -> None:
        """Close the socket after the queued messages."""
        if self.closing is None:
            self.closing = code
            self._come_in.set()

    async def next(self) -> str | None:
        """The next message to send; ``None`` means that the socket must be closed."""
        while not self._waiting:
            if self.closing is not None:
                return None
            self._come_in.clear()
            await self._come_in.wait()
        return self._waiting.popleft()


@dataclass
class Audience:
    """Everyone connected to one table."""

    seats: dict[int, Connection] = field(default_factory=dict)
    watchers: set[Connection] = field(default_factory=set)

    def __iter__(self) -> Iterator[Connection]:
        return iter([*self.seats.values(), *self.watchers])

    @property
    def anybody(self) -> bool:
        """Whether any socket is connected."""
        return bool(self.seats or self.watchers)

    def send(self, text: str) -> None:
        """Send the same message to everyone."""
        for connection in self:
            connection.send(text)

    def sit(self, connection: Connection, seat: int) -> None:
        """Give a socket a seat, and no other: it replaces an older socket of the same person there.

        A socket of somebody else who had the seat looks on.
        """
        self.remove(connection)
        older = self.seats.pop(seat, None)
        if older is not None and older.person.id == connection.person.id:
            older.close(REPLACED)
        elif older is not None:
            older.seat = None
            self.watchers.add(older)
        connection.seat, connection.showing = seat, None
        self.seats[seat] = connection

    def remove(self, connection: Connection) -> bool:
        """Forget a socket; return whether it was still connected."""
        if connection in self.watchers:
            self.watchers.discard(connection)
            return True
        if connection.seat is not None and self.seats.get(connection.seat) is connection:
            del self.seats[connection.seat]
            return True
        return False


class Answered:
    """The ids of recent messages already carried out, so that none is carried out twice."""

    def __init__(self) -> None:
        self._ids = Newest[str, None](REMEMBERED)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._ids

    def add(self, message_id: str) -> None:
        """Remember an id and forget the oldest."""
        self._ids[message_id] = None


class Trail:
    """When spectators may see each part of the game."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.seen = 0
        self._steps: deque[tuple[float, int]] = deque()

    def add(self, now: float, seq: int) -> None:
        """Record that ``seq`` events have been sent by ``now``.

        After a restart or a fault the last step is told again, but not to watchers who have seen it.
        """
        if seq > (self._steps[-1][1] if self._steps else self.seen):
            self._steps.append((now + self.delay, seq))

    def move_on(self, now: float) -> bool:
        """Release what is old enough to watchers; return whether that is more than before."""
        before = self.seen
        while self._steps and self._steps[0][0] <= now:
            self.seen = self._steps.popleft()[1]
        return self.seen > before

    @property
    def seen_at_last(self) -> int:
        """What watchers may know now, also where nobody watches and nothing was released."""
        now, last = time.monotonic(), self.seen
        for at, seq in self._steps:
            if at > now:
                break
            last = seq
        return last

    @property
    def behind(self) -> bool:
        """Whether there is anything that watchers may not know yet."""
        return bool(self._steps) and self._steps[-1][0] > time.monotonic()

    @property
    def is_shown(self) -> bool:
        """Whether watchers have been told everything so far."""
        return not self._steps

    @property
    def due(self) -> float | None:
        """The time at which watchers see more."""
        return self._steps[0][0] if self._steps else None


class OpenHandsTrail(Trail):
    """When spectators who see all hands may see each part: no part of a hand before the hand has ended.

    Otherwise a player could read the other hands on a second device. A hand is then shown at the pace at
    which it was played, without its long pauses.
    """

    def __init__(self, delay: float, after: float = 0.0) -> None:
        super().__init__(delay)
        self._hand: list[tuple[float, int]] = []
        self.last = after  # when the last step is shown, or that of the game before

    def add(self, now: float, seq: int) -> None:
        """Record that ``seq`` events have been sent by ``now``."""
        newest = self._hand or self._steps
        if seq > (newest[-1][1] if newest else self.seen):
            self._hand.append((now, seq))

    def end_hand(self, now: float) -> None:
        """Let spectators see the hand that has ended, after the delay."""
        if not self._hand:
            return
        at = self._hand[0][0]
        shown = max(now, at + self.delay, self.last)
        for then, seq in self._hand:
            shown, at = shown + min(then - at, LONGEST_GAP_S), then
            self._steps.append((shown, seq))
        self.last = shown
        self._hand.clear()

    @property
    def behind(self) -> bool:
        """Whether there is anything that these spectators may not know yet."""
        return bool(self._hand) or super().behind

    @property
    def is_shown(self) -> bool:
        """Whether these spectators have been told everything so far."""
        return not self._hand and super().is_shown


class Showing:
    """How far spectators are in a game; they see it to its end, also if the ``following`` one has begun.

    Then ``live``, ``row`` and ``game_row`` are those with which it has ended.
    """

    def __init__(self, delay: float, after: float = 0.0) -> None:
        self.trail = Trail(delay)
        self.open_trail = OpenHandsTrail(delay, after)
        self.following: Showing | None = None
        self.live: LiveGame | None = None
        self.row: TableRow | None = None
        self.game_row: GameRow | None = None

    def trail_of(self, connection: Connection) -> Trail:
        """When this spectator sees each part of the game."""
        return self.open_trail if connection.all_hands else self.trail

    @property
    def dues(self) -> tuple[float | None, float | None]:
        """When spectators without and with all hands see more."""
        return self.trail.due, self.open_trail.due
