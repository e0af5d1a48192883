"""The state of a table while the server runs, both stored and in memory only."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cachetools import LRUCache

from jantaku.rules import Ruleset
from jantaku.server.edge.metrics import Recent
from jantaku.server.play import table_seats
from jantaku.server.play.live_game import Clocks
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow

if TYPE_CHECKING:
    from jantaku import terms
    from jantaku.server.edge.limits import Principal
    from jantaku.server.play.live_game import LiveGame
    from jantaku.server.storage.games import GameRow


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
        self._ids = LRUCache[str, None](REMEMBERED)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._ids

    def add(self, message_id: str) -> None:
        """Remember an id and forget the oldest."""
        self._ids[message_id] = None


class SpectatorDelay:
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


class OpenHandsDelay(SpectatorDelay):
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
        self.trail = SpectatorDelay(delay)
        self.open_trail = OpenHandsDelay(delay, after)
        self.following: Showing | None = None
        self.live: LiveGame | None = None
        self.row: TableRow | None = None
        self.game_row: GameRow | None = None

    def trail_of(self, connection: Connection) -> SpectatorDelay:
        """When this spectator sees each part of the game."""
        return self.open_trail if connection.all_hands else self.trail

    @property
    def dues(self) -> tuple[float | None, float | None]:
        """When spectators without and with all hands see more."""
        return self.trail.due, self.open_trail.due


async def _always() -> bool:
    """What a table that nobody counts may do."""
    return True


class Table:
    """A table: ``row`` and ``game_row`` as stored, its game, and who is present.

    Change it only while holding ``lock``. ``away``: seats of people for whom a bot plays meanwhile;
    ``lost_at``: when the socket of a seat was lost; ``ready``, ``wants_abort``, ``wants_rematch``: seats.
    ``shows_hand``: the people who agree that spectators see all hands.
    ``swaps``: the seat that each seat asks to swap with before the game.
    ``showing``: how far spectators are in the game.
    ``missing``: the own yaku of the rules whose code the server lacks; nothing can be played then.
    ``hands_kept``: how many hands of the game are stored as they were played. ``stopped``: a server fault
    halted the game, which is stored up to that point. ``opened_by``: the owner's name when the table was
    read. ``browsers``: the marks of the browsers in which each person has sat here. ``muted``: whom each
    person does not want to hear; it lives as long as the table is in memory, and clients repeat it.
    ``opened_from`` and ``taken_from``: the addresses from which the table was opened and seats were taken;
    ``coming``: who is taking a seat; ``brought``: how many moves its first game began with;
    ``beginning``: a rematch is being stored. ``took``: how long its last actions took.
    """

    def __init__(self, row: TableRow, rules: Ruleset, services: Services, host: str = "") -> None:
        self.row = row
        self.opened_by = host
        self.rules = rules
        self.services = services
        self.lock = asyncio.Lock()
        self.audience = Audience()
        self.showing = Showing(row.options.spectator_delay_s)
        self.live: LiveGame | None = None
        self.game_row: GameRow | None = None
        self.clocks = Clocks(rules.clock, row.options.clock, len(rules.seats))
        self.away: set[int] = set()
        self.lost_at: dict[int, float] = {}
        self.ready: set[int] = set()
        self.swaps: dict[int, int] = {}
        self.wants_abort: set[int] = set()
        self.wants_rematch: set[int] = set()
        self.shows_hand: set[str] = set()
        self.answered = [Answered() for _ in self.seats]
        self.stopped = False
        self.hands_kept = 0
        self.browsers: dict[str, set[str]] = {}
        self.muted: dict[str, set[str]] = {}
        self.opened_from = ""
        self.taken_from: dict[str, str] = {}
        self.coming: list[Principal] = []
        self.brought = 0
        self.beginning = False
        self.may_go_on: Callable[[], Awaitable[bool]] = _always
        self.took = Recent()
        self.touched = time.monotonic()

    @property
    def seats(self) -> range:
        """The seats of the table."""
        return self.rules.seats

    @property
    def host(self) -> str:
        """The name of the table's owner."""
        seated = (sitter.name for sitter in self.row.sitters if sitter and sitter.person == self.row.owner)
        return next(seated, self.opened_by)

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self.row.status == "playing" and not self.stopped

    @property
    def practice(self) -> bool:
        """Whether one person plays on here from a moment of another game, which counts nowhere."""
        return self.row.stage == PRACTICE

    @property
    def moves(self) -> int:
        """How many moves of the game are in memory."""
        return self.brought if self.live is None else len(self.live.game.played)

    @property
    def needed(self) -> bool:
        """Whether something can still happen here, or anyone is watching.

        A game to try something out waits for its person, in the database if that takes long.
        """
        plays = self.playing and not self.practice
        return plays or self.row.status == "waiting" or self.audience.anybody

    @property
    def people(self) -> list[int]:
        """The seats of people who play themselves."""
        return [seat for seat in table_seats.persons(self.row) if seat not in self.away]

    def sitter(self, seat: int) -> Sitter:
        """The sitter of a seat; one without a name if it is free."""
        return self.row.sitters[seat] or Sitter("")

    def show_anew(self) -> None:
        """Let spectators see a game from its beginning, once they have seen the one before to its end."""
        before = self.showing
        self.showing = before.following = Showing(self.row.options.spectator_delay_s, before.open_trail.last)

    def showing_to(self, connection: "Connection") -> Showing:
        """The game that a spectator sees now: the one that is played, or one before."""
        return connection.showing or self.showing

    @property
    def showings(self) -> list[Showing]:
        """All games that spectators see now or will see next."""
        found = [self.showing]
        for watcher in self.audience.watchers:
            showing = watcher.showing
            while showing is not None and showing not in found:
                found.append(showing)
                showing = showing.following
        return found

    @property
    def level(self) -> str:
        """The level of the bots that take free seats."""
        return self.row.options.bot or self.services.settings.bot

    def again(self, now: float) -> None:
        """Go on after a time that is nobody's fault: clocks and the wait for lost sockets begin anew."""
        self.clocks.again(now)
        self.lost_at = dict.fromkeys(self.lost_at, now)
