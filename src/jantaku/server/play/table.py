"""The state of a table in memory, including its stored row."""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cachetools import LRUCache

from jantaku.rules import Ruleset
from jantaku.server.edge.metrics import RecentDurations
from jantaku.server.play import table_seats
from jantaku.server.play.live_game import Clocks
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.tables import PRACTICE, Sitter, TableRow

if TYPE_CHECKING:
    from jantaku import terms
    from jantaku.server.edge.limits import Principal
    from jantaku.server.play.live_game import LiveGame
    from jantaku.server.programs import SeatProgram
    from jantaku.server.storage.games import GameRow


MAX_QUEUED = 256
REMEMBERED = 64
REPLACED, TOO_SLOW, NOT_ALLOWED = 4409, 1013, 4403
LONGEST_GAP_S = 20.0  # longest pause between two steps of a hand that is replayed after its end
RESTARTS = 1012  # close code: the client reconnects immediately


class Connection:
    """One socket: its outgoing messages and its person's seat (``None`` for a spectator).

    ``session`` is the id of its session, ``browser`` the browser cookie, empty if missing.
    ``asks_all``: it requests all hands, as commentators do; ``all_hands``: it receives them.
    ``shows_profile``: its person lets others see their statistics. ``table`` is the last table message sent.
    ``feed``: the previous game, if a spectator is still watching it; ``None``: the current one.
    """

    def __init__(self, person: PersonRow, session: str = "", browser: str = "") -> None:
        self.person = person
        self.session = session
        self.browser = browser
        self.seat: int | None = None
        self.asks_all = False
        self.all_hands = False
        self.shows_profile = False
        self.feed: SpectatorFeed | None = None
        self.language: terms.Language = "en"
        self.table = ""
        self.closing: int | None = None
        self._waiting: deque[str] = deque()
        self._arrived = asyncio.Event()
        self._sink: Callable[[str], None] | None = None

    def send_by(self, sink: Callable[[str], None]) -> None:
        """Pass queued and future messages to ``sink``, which never blocks, instead of queueing them."""
        self._sink = sink
        while self._waiting:
            sink(self._waiting.popleft())

    def send(self, text: str) -> None:
        """Queue a message; close the socket if the queue is full."""
        if self.closing is not None:
            return
        if self._sink is not None:
            self._sink(text)
            return
        if len(self._waiting) >= MAX_QUEUED:
            self.close(TOO_SLOW)
            return
        self._waiting.append(text)
        self._arrived.set()

    def close(self, code: int) -> None:
        """Close the socket after the queued messages."""
        if self.closing is None:
            self.closing = code
            self._arrived.set()

    async def next(self) -> str | None:
        """Wait for the next message to send; ``None`` means that the socket must be closed."""
        while not self._waiting:
            if self.closing is not None:
                return None
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.popleft()


@dataclass
class Audience:
    """The sockets connected to one table."""

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
        """Move a socket to a seat, replacing an older socket of the same person.

        A socket of the seat's previous player becomes a spectator.
        """
        self.remove(connection)
        older = self.seats.pop(seat, None)
        if older is not None and older.person.id == connection.person.id:
            older.close(REPLACED)
        elif older is not None:
            older.seat = None
            self.watchers.add(older)
        connection.seat, connection.feed = seat, None
        self.seats[seat] = connection

    def remove(self, connection: Connection) -> bool:
        """Remove a socket; return whether it was present."""
        if connection in self.watchers:
            self.watchers.discard(connection)
            return True
        if connection.seat is not None and self.seats.get(connection.seat) is connection:
            del self.seats[connection.seat]
            return True
        return False


class HandledIds:
    """Ids of recently handled messages, so that a repeated message is not handled twice."""

    def __init__(self) -> None:
        self._ids = LRUCache[str, None](REMEMBERED)

    def __contains__(self, message_id: str) -> bool:
        return message_id in self._ids

    def add(self, message_id: str) -> None:
        """Add an id, evicting the oldest."""
        self._ids[message_id] = None


class SpectatorDelay:
    """Releases a game's events to spectators after a delay in seconds; ``seen`` counts those released."""

    def __init__(self, delay: float) -> None:
        self.delay = delay
        self.seen = 0
        self._steps: deque[tuple[float, int]] = deque()

    def add(self, now: float, seq: int) -> None:
        """Record that ``seq`` events have been sent by ``now``.

        After a restart or a fault, the last step is sent again, but not to spectators who have seen it.
        """
        if seq > (self._steps[-1][1] if self._steps else self.seen):
            self._steps.append((now + self.delay, seq))

    def advance(self, now: float) -> bool:
        """Release the events whose delay has passed; return whether there were any."""
        before = self.seen
        while self._steps and self._steps[0][0] <= now:
            self.seen = self._steps.popleft()[1]
        return self.seen > before

    @property
    def visible_now(self) -> int:
        """The number of events that spectators may see by now, whether or not they have been released."""
        now, last = time.monotonic(), self.seen
        for at, seq in self._steps:
            if at > now:
                break
            last = seq
        return last

    @property
    def behind(self) -> bool:
        """Whether spectators may not see everything yet."""
        return bool(self._steps) and self._steps[-1][0] > time.monotonic()

    @property
    def caught_up(self) -> bool:
        """Whether all events so far have been released."""
        return not self._steps

    @property
    def due(self) -> float | None:
        """When the next events are due; ``None`` if there are none."""
        return self._steps[0][0] if self._steps else None


class OpenHandsDelay(SpectatorDelay):
    """Releases events to spectators who see all hands: no part of a hand before the hand has ended.

    Otherwise a player could read the other hands on a second device. A hand is then replayed at its own pace
    without its long pauses.
    """

    def __init__(self, delay: float, after: float = 0.0) -> None:
        super().__init__(delay)
        self._hand: list[tuple[float, int]] = []
        self.last = after  # when the last step so far is due, including those of the previous game

    def add(self, now: float, seq: int) -> None:
        """Record that ``seq`` events have been sent by ``now``."""
        newest = self._hand or self._steps
        if seq > (newest[-1][1] if newest else self.seen):
            self._hand.append((now, seq))

    def end_hand(self, now: float) -> None:
        """Schedule the events of a finished hand, the first after the delay."""
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
        """Whether these spectators may not see everything yet."""
        return bool(self._hand) or super().behind

    @property
    def caught_up(self) -> bool:
        """Whether all events so far have been released to these spectators."""
        return not self._hand and super().caught_up


class SpectatorFeed:
    """The delayed view of one game. Spectators see it to its end even if the ``following`` game has begun.

    Then ``live``, ``row`` and ``game_row`` hold its final state.
    """

    def __init__(self, delay: float, after: float = 0.0) -> None:
        self.delay = SpectatorDelay(delay)
        self.open_delay = OpenHandsDelay(delay, after)
        self.following: SpectatorFeed | None = None
        self.live: LiveGame | None = None
        self.row: TableRow | None = None
        self.game_row: GameRow | None = None

    def delay_for(self, connection: Connection) -> SpectatorDelay:
        """Return the delay that applies to this spectator."""
        return self.open_delay if connection.all_hands else self.delay

    @property
    def dues(self) -> tuple[float | None, float | None]:
        """When the next events are due, without and with all hands."""
        return self.delay.due, self.open_delay.due


async def _always() -> bool:
    """Allow every rematch: the default of a table outside the lobby."""
    return True


class Table:
    """A table: its stored ``row`` and ``game_row``, its game, sockets and votes.

    Change it only while holding ``lock``.

    - ``away``: seats whose person has been disconnected for too long; a bot plays for them
    - ``lost_at``: when a seat lost its socket, in seconds on the monotonic clock
    - ``ready``, ``wants_abort``, ``wants_rematch``: seats that agree
    - ``shows_hand``: people who let spectators see all hands
    - ``swaps``: the seat that each seat requests before the game
    - ``feed``: the spectators' delayed view of the game
    - ``programs``: the programs that play seats of the game
    - ``hands_stored``: how many hands of the game are stored
    - ``stopped``: a server fault stopped the game, which is stored up to that point
    - ``opened_by``: the owner's name when the table was loaded
    - ``browsers``: browser cookies of each seated person
    - ``muted``: the people each person has muted; clients send it again when the table was reloaded
    - ``opened_from``, ``joined_from``: addresses from which the table was opened and seats were taken
    - ``joining``: people whose seat is being stored
    - ``initial_moves``: number of moves with which a practice game began
    - ``starting_rematch``: a rematch is being stored
    - ``durations``: durations of recent actions
    """

    def __init__(self, row: TableRow, rules: Ruleset, services: Services, host: str = "") -> None:
        self.row = row
        self.opened_by = host
        self.rules = rules
        self.services = services
        self.lock = asyncio.Lock()
        self.audience = Audience()
        self.feed = SpectatorFeed(row.options.spectator_delay_s)
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
        self.handled = [HandledIds() for _ in self.seats]
        self.stopped = False
        self.hands_stored = 0
        self.programs: dict[int, SeatProgram] = {}
        self.browsers: dict[str, set[str]] = {}
        self.muted: dict[str, set[str]] = {}
        self.opened_from = ""
        self.joined_from: dict[str, str] = {}
        self.joining: list[Principal] = []
        self.initial_moves = 0
        self.starting_rematch = False
        self.may_rematch: Callable[[], Awaitable[bool]] = _always
        self.durations = RecentDurations()
        self.touched = time.monotonic()

    @property
    def seats(self) -> range:
        """The seats of the table."""
        return self.rules.seats

    @property
    def host(self) -> str:
        """The owner's name."""
        seated = (sitter.name for sitter in self.row.sitters if sitter and sitter.person == self.row.owner)
        return next(seated, self.opened_by)

    @property
    def playing(self) -> bool:
        """Whether a game is running."""
        return self.row.status == "playing" and not self.stopped

    @property
    def practice(self) -> bool:
        """Whether this is a practice game: one person continues another game, and nothing counts."""
        return self.row.stage == PRACTICE

    @property
    def moves(self) -> int:
        """The number of the game's moves in memory."""
        return self.initial_moves if self.live is None else len(self.live.game.played)

    @property
    def needed(self) -> bool:
        """Whether the table must stay in memory: it waits, plays or has sockets.

        A practice game may be dropped; it is loaded again when its player returns.
        """
        plays = self.playing and not self.practice
        return plays or self.row.status == "waiting" or self.audience.anybody

    @property
    def people(self) -> list[int]:
        """The seats of people who play themselves."""
        return [seat for seat in table_seats.persons(self.row) if seat not in self.away]

    def sitter(self, seat: int) -> Sitter:
        """Return the sitter of a seat; for a free seat, one without a name."""
        return self.row.sitters[seat] or Sitter("")

    def begin_feed(self) -> None:
        """Begin the delayed view of a new game; spectators reach it after the end of the previous one."""
        before = self.feed
        self.feed = before.following = SpectatorFeed(
            self.row.options.spectator_delay_s, before.open_delay.last
        )

    def feed_of(self, connection: "Connection") -> SpectatorFeed:
        """Return the view of the game that a spectator is watching: the current or a previous one."""
        return connection.feed or self.feed

    @property
    def feeds(self) -> list[SpectatorFeed]:
        """The views of all games that spectators are watching or will watch next."""
        found = [self.feed]
        for watcher in self.audience.watchers:
            feed = watcher.feed
            while feed is not None and feed not in found:
                found.append(feed)
                feed = feed.following
        return found

    @property
    def level(self) -> str:
        """The level of the bots that take free seats."""
        return self.row.options.bot or self.services.settings.bot

    def start_programs(self) -> None:
        """Start the programs of the table's bots, as far as there is room."""
        for seat in self.seats:
            name, programs = self.sitter(seat).bot, self.services.programs
            if name and name in programs and (program := programs.seat(name, seat)) is not None:
                self.programs[seat] = program

    def end_programs(self) -> None:
        """End the programs of the game."""
        self.services.programs.end(*self.programs.values())
        self.programs = {}

    def restart_clocks(self, now: float) -> None:
        """Restart clocks and the grace time of lost sockets after a delay that no player caused."""
        self.clocks.restart(now)
        self.lost_at = dict.fromkeys(self.lost_at, now)
