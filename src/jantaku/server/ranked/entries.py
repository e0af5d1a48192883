"""Parts of matchmaking for ranked play: ladders, the daily table, pairing, ready checks and suspensions."""

import time
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import floor, inf
from typing import Any, Final, Literal, NamedTuple

from cachetools import LRUCache

from jantaku.club import Rating
from jantaku.server.edge.protocol import ShortOrLong
from jantaku.server.people.auth_dependencies import Visitor
from jantaku.server.storage.finished_games import counts_for
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language

Family = Literal["standard", "tenhou", "mahjongsoul"]
FAMILIES: Final[tuple[Family, ...]] = ("standard", "tenhou", "mahjongsoul")
LENGTHS: Final[tuple[ShortOrLong, ...]] = ("east", "hanchan")
LADDERS: Final = (4, 3)  # players; each has its own ratings, over all rulesets and lengths
STEP: Final = 2.0  # in units of the ordinal, mu − 3 sigma
TOP: Final = 18  # nine kyu (0 to 8), then ten dan
START_MU: Final = 25.0  # before the first game


class RankedLine(NamedTuple):
    """A kind of ranked game: family of rules, length, and number of players."""

    family: Family
    length: ShortOrLong
    players: int

    @property
    def rules(self) -> str:
        """The id of the preset.

        >>> RankedLine("tenhou", "east", 3).rules
        'tenhou-3'
        """
        return f"{self.family}-3" if self.players < LADDERS[0] else self.family


LINES: Final = tuple(
    RankedLine(family, length, players) for players in LADDERS for family in FAMILIES for length in LENGTHS
)


def step_of(rating: Rating | None) -> int:
    """Return the step of a rating, from 0; uncertain ratings get lower steps.

    >>> step_of(None), step_of(Rating(25.0, 25 / 3)), step_of(Rating(27.0, 2.0)), step_of(Rating(99.0, 1.0))
    (0, 0, 10, 18)
    """
    return 0 if rating is None else max(0, min(TOP, floor(rating.ordinal / STEP)))


OFF: Final = "off"
REMIND_S: Final = 600.0  # before the daily table starts
DAILY_PLAYERS: Final = LADDERS[0]
LATELY_S: Final = 60.0  # it may start this late, in case the leader exits at that moment
BOTS_AFTER_S: Final = 30.0  # for players at the daily table whose opponents did not show up


def line_of(people: int) -> RankedLine:
    """Return the kind of game that a daily table of ``people`` players plays."""
    return RankedLine("standard", "east", people if people in LADDERS else DAILY_PLAYERS)


def next_daily(clock: str, now: datetime) -> datetime | None:
    """Return the next time at the hour ``clock`` (HH:MM); ``None`` if it is off.

    >>> [str(next_daily("21:00", datetime(2025, 11, 26, hour, 30))) for hour in (20, 21)]
    ['2025-11-26 21:00:00', '2025-11-27 21:00:00']
    """
    if clock == OFF:
        return None
    hour, minute = map(int, clock.split(":"))
    today = now.replace(hour=hour, minute=minute, second=0, microsecond=0)
    return today if today > now else today + timedelta(days=1)


class DailyHour:
    """The time of the daily table: when to remind people, and when to start."""

    def __init__(self, clock: str, now: Callable[[], datetime] = datetime.now) -> None:
        self._clock, self._now = clock, now
        self.next = next_daily(clock, now())
        self._reminded = False
        self._began = -LATELY_S

    def left_s(self) -> float | None:
        """Return the seconds until the start; ``None`` without a daily table."""
        return None if self.next is None else (self.next - self._now()).total_seconds()

    def reminds(self) -> bool:
        """Return whether it is time to remind people; true only once a day."""
        left = self.left_s()
        due = left is not None and left <= REMIND_S and not self._reminded
        self._reminded |= due
        return due

    @property
    def lately(self) -> bool:
        """Whether it started a moment ago, in this process or another."""
        return time.monotonic() - self._began < LATELY_S

    def pass_by(self) -> None:
        """Keep track of the time while another process is the leader."""
        self.reminds()
        self.begins()

    def begins(self) -> bool:
        """Return whether it is time to start; true only once a day."""
        left = self.left_s()
        if left is None or left > 0:
            return False
        self._began = time.monotonic()
        self.next, self._reminded = next_daily(self._clock, self._now()), False
        return True


FAIR: Final = 3.0  # how far ratings (mu) at a table may differ initially
WIDER_PER_S: Final = 0.1  # additional difference per second waited
PATIENCE_S: Final = 90.0  # after this, any difference is allowed
FOUR, THREE = 4, 3


class Waiter(NamedTuple):
    """A waiting person. ``marks`` are their address and browser, and the ids of people they have blocked.

    People who share a mark are never paired, as two accounts may belong to one person.
    """

    person: str
    rating: float
    waited_s: float
    marks: Set[str] = frozenset()


def allowed(waited_s: float) -> float:
    """Return how far ratings at a table may differ for a person who has waited ``waited_s``.

    >>> allowed(0), allowed(30), allowed(90)
    (3.0, 6.0, inf)
    """
    return inf if waited_s >= PATIENCE_S else FAIR + WIDER_PER_S * waited_s


def tables_of(waiting: Sequence[Waiter], players: int) -> list[list[Waiter]]:
    """Return the tables that can start, matching people in order of their waiting time.

    >>> people = [Waiter(name, rating, 0) for name, rating in zip("abcde", (20, 21, 35, 22, 21))]
    >>> [sorted(one.person for one in table) for table in tables_of(people, 4)]
    [['a', 'b', 'd', 'e']]
    """
    if len(waiting) < players:
        return []
    by_rating = sorted(waiting, key=lambda waiter: waiter.rating)
    places = {waiter.person: index for index, waiter in enumerate(by_rating)}
    taken: set[str] = set()
    tables = []
    for first in sorted(waiting, key=lambda waiter: -waiter.waited_s):
        if first.person in taken:
            continue
        table = _nearest(by_rating, places[first.person], players, taken)
        ratings = [waiter.rating for waiter in table]
        if len(table) == players and max(ratings) - min(ratings) <= allowed(first.waited_s):
            tables.append(table)
            taken |= {waiter.person for waiter in table}
    return tables


def _nearest(by_rating: Sequence[Waiter], index: int, players: int, taken: set[str]) -> list[Waiter]:
    """Return a person and those nearest in rating who may play together, at most ``players``."""
    table, below, above = [by_rating[index]], index - 1, index + 1
    rating = by_rating[index].rating
    while len(table) < players and (below >= 0 or above < len(by_rating)):
        down = rating - by_rating[below].rating if below >= 0 else inf
        up = by_rating[above].rating - rating if above < len(by_rating) else inf
        if down <= up:
            next_one, below = by_rating[below], below - 1
        else:
            next_one, above = by_rating[above], above + 1
        if next_one.person not in taken and may_sit(next_one, table):
            table.append(next_one)
    return table


def may_sit(waiter: Waiter, table: Sequence[Waiter]) -> bool:
    """Whether a person may play with those at a table.

    >>> mina, ren = (Waiter(*one) for one in (("mina", 0, 0, {"198.51.100.7"}), ("ren", 0, 0, {"mina"})))
    >>> may_sit(mina, [mina._replace(person="second")]), may_sit(mina, [ren]), may_sit(ren, [mina])
    (False, False, False)
    """
    own = {*waiter.marks, waiter.person}
    return all(own.isdisjoint({*other.marks, other.person}) for other in table)


def gathered(waiting: Sequence[Waiter]) -> list[list[Waiter]]:
    """Split everyone into tables of four and three by rating; any players left over play with bots.

    >>> [[len(table) for table in gathered([Waiter(str(i), i, 0) for i in range(n)])] for n in (2, 5, 7, 9)]
    [[2], [4, 1], [4, 3], [3, 3, 3]]
    """
    count = len(waiting)
    whole = [fours for fours in range(count // FOUR, -1, -1) if (count - FOUR * fours) % THREE == 0]
    fours = whole[0] if whole else count // FOUR
    sizes = [FOUR] * fours + [THREE] * ((count - FOUR * fours) // THREE if whole else 0)
    sizes += [count - sum(sizes)] if count > sum(sizes) else []
    by_rating, groups = sorted(waiting, key=lambda waiter: -waiter.rating), []
    for size in sizes:
        groups.append(by_rating[:size])
        by_rating = by_rating[size:]
    return groups


# People without a request for this long leave the queue; browsers limit hidden pages to one a minute
SEEN_S: Final = 75.0
QUIET_S: Final = 15.0  # people without a request for this long keep their place, but are not called
AWAY_S: Final = 1800.0  # for people waiting for a notification


@dataclass(eq=False)
class Entry:
    """A person in the queue. After ``bots_after_s`` bots may fill the table, and the game is unrated.

    ``away``: the page is closed, and a notification calls them. ``hidden``: the page is in the background and
    may be limited to one request a minute. ``daily``: they wait for the daily table. ``shown``: their name is
    visible to others.
    """

    visitor: Visitor
    language: Language
    lines: frozenset[RankedLine]
    bots_after_s: float | None = None
    away: bool = False
    daily: bool = False
    hidden: bool = False
    mu: dict[int, float] = field(default_factory=dict)  # by number of players
    steps: dict[int, int] = field(default_factory=dict)
    blocked: frozenset[str] = frozenset()
    shown: bool = True
    since: float = field(default_factory=time.monotonic)
    seen: float = field(default_factory=time.monotonic)

    @property
    def person(self) -> str:
        """The person's id."""
        return self.visitor.person.id

    @property
    def marks(self) -> frozenset[str]:
        """Features that two accounts of one person share, and the ids of blocked people.

        The local address does not count, as behind some proxies every request comes from it.
        """
        address = "" if is_here(self.visitor.address) else self.visitor.address
        return self.blocked | {mark for mark in (address, self.visitor.browser) if mark}

    def waiter(self, players: int, now: float) -> Waiter:
        """Return the data needed for pairing."""
        return Waiter(self.person, self.mu.get(players, START_MU), now - self.since, self.marks)

    def quiet(self, now: float) -> bool:
        """Whether the page is probably closed, as it has sent no requests lately."""
        return not (self.away or self.hidden or self.daily) and now - self.seen > QUIET_S

    def present(self, now: float) -> bool:
        """Whether the page is open and visible, so that a call is noticed immediately."""
        return not (self.away or self.hidden) and now - self.seen <= QUIET_S

    def stale(self, now: float) -> bool:
        """Whether the person has left; those away may wait for the daily table without limit."""
        if self.away:
            return not self.daily and now - self.seen > AWAY_S
        return now - self.seen > SEEN_S


def is_here(address: str) -> bool:
    """Whether a key of ``network_of`` is the local machine.

    >>> [is_here(one) for one in ("127.0.0.1", "::", "198.51.100.7", "2001:db8::")]
    [True, True, False, False]
    """
    return address == "::" or address.startswith("127.")


PLAIN: Final = ("language", "bots_after_s", "away", "daily", "hidden", "shown")
BY_PLAYERS: Final = ("mu", "steps")


def state_mark(entry: Entry) -> str:
    """Return a string that changes whenever other processes need the new state of an entry."""
    return f"{id(entry)} {entry.daily}"


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """Convert an entry to JSON for other processes; times are wall-clock times."""
    return {
        **{name: getattr(entry, name) for name in PLAIN},
        **{name: sorted(getattr(entry, name).items()) for name in BY_PLAYERS},
        "who": entry.visitor.payload,
        "lines": sorted(entry.lines),
        "blocked": sorted(entry.blocked),
        "since": time.time() - (time.monotonic() - entry.since),
    }


def entry_of(data: dict[str, Any]) -> Entry:
    """Convert JSON back to an entry, as if its person had just sent a request."""
    values = dict(data)
    visitor = Visitor.of(values.pop("who"))
    values["since"] = time.monotonic() - max(0.0, time.time() - values["since"])
    values["lines"] = frozenset(RankedLine(*line) for line in values["lines"])
    values["blocked"] = frozenset(values["blocked"])
    values |= {name: dict(map(tuple, values[name])) for name in BY_PLAYERS}
    return Entry(visitor, **values)


HERE_S: Final = 20.0  # time to answer a ready check
HERE_AWAY_S: Final = 60.0  # if some people must return to the page first


@dataclass(eq=False)
class ReadyCheck:
    """A table whose people must confirm by ``until`` that they are ``here``; bots take the other seats."""

    line: RankedLine
    entries: list[Entry]
    rated: bool
    until: float
    here: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, line: RankedLine, entries: list[Entry], now: float, *, rated: bool = True) -> "ReadyCheck":
        """Create a ready check for these people, starting now."""
        patience = HERE_AWAY_S if any(entry.away or entry.hidden for entry in entries) else HERE_S
        return cls(line, entries, rated, now + patience)

    def waits_for_absent(self, now: float) -> bool:
        """Whether someone away from the page has not confirmed yet."""
        missing = [entry for entry in self.entries if entry.person not in self.here]
        return any(not entry.present(now) for entry in missing)

    @property
    def ready(self) -> bool:
        """Whether everyone has confirmed."""
        return all(entry.person in self.here for entry in self.entries)


LOOKED_AT: Final = 20  # number of a person's latest ranked games
LEFT_S: Final = (
    300.0,
    1800.0,
    7200.0,
    43_200.0,
    86_400.0,
)  # after one abandoned game, after two, …
MISSED_S: Final = (60.0, 300.0, 900.0, 3600.0)
KEPT: Final = 10_000


def held_for_s(rows: list[GameRow], person: str, now: int) -> float:
    """Return the remaining suspension for games abandoned among ``rows``, newest first, in seconds."""
    left = [row for row in rows if not _played(row, person)]
    if not left:
        return 0.0
    rest = LEFT_S[min(len(left), len(LEFT_S)) - 1]
    return max(0.0, rest - (now - (left[0].ended or 0)) / 1000)


def _played(row: GameRow, person: str) -> bool:
    seat = next((seat for seat, player in enumerate(row.players) if player.person == person), None)
    return seat is None or counts_for(row.result, seat, row.hands)


class Suspensions:
    """Suspensions from ranked play for abandoned games and missed ready checks."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._missed = LRUCache[str, tuple[int, float]](
            KEPT
        )  # number of misses in a row, end of the suspension

    def missed(self, person: str) -> None:
        """Record that a person missed a ready check."""
        times = self._missed.get(person, (0, 0.0))[0]
        rest = MISSED_S[min(times, len(MISSED_S) - 1)]
        self._missed[person] = (times + 1, time.monotonic() + rest)

    def came(self, person: str) -> None:
        """Record that a person confirmed a ready check."""
        self._missed.pop(person, None)

    async def held_s(self, person: str) -> float:
        """Return the remaining suspension of a person, in seconds."""
        missed = self._missed.get(person, (0, 0.0))[1] - time.monotonic()
        rows = await self._services.games.ranked_of(person, LOOKED_AT)
        return max(0.0, missed, held_for_s(rows, person, now_ms()))
