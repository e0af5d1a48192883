"""The queue of ranked play, in the leader's memory, with its tables and notifications."""

import asyncio
import json
import logging
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from statistics import median
from typing import Any, Final

from cachetools import LRUCache

from jantaku import terms
from jantaku.server.edge.limits import WIDER, UseLimit, wide_network_of
from jantaku.server.edge.protocol import TableOptions
from jantaku.server.errors import ServerError
from jantaku.server.events.notices.push import PushSender
from jantaku.server.people.auth_dependencies import Visitor
from jantaku.server.play import game_steps, table_seats
from jantaku.server.play.broadcast import record_browser
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby, NewTable
from jantaku.server.processes.links import PRESENCE
from jantaku.server.ranked.entries import (
    BOTS_AFTER_S,
    HERE_AWAY_S,
    LADDERS,
    LINES,
    DailyHour,
    Entry,
    RankedLine,
    ReadyCheck,
    Suspensions,
    Waiter,
    entry_of,
    entry_to_json,
    gathered,
    is_here,
    line_of,
    may_sit,
    state_mark,
    step_of,
    tables_of,
)
from jantaku.server.ranked.table_ratings import TableRatings
from jantaku.server.storage.lease import LeaderState
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import FILLED, RANKED, Sitter
from jantaku.server.tasks import Background, reported
from jantaku.terms import Language

SEATS_S: Final = 10.0  # time for another process to open a table
OPENS_MS: Final = 8000  # time for the players' sockets to connect
RATED: Final = TableOptions(hints=False, rated=True)
WITH_BOTS: Final = TableOptions()


class TableOpener:
    """Opens tables and starts their games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.handlers["seat"] = self._seat_here

    async def seat(self, check: ReadyCheck) -> str:
        """Open a table in the process with the fewest tables, seat everyone, and return its id."""
        services, people = self._lobby.services, [entry.visitor.payload for entry in check.entries]
        request = [check.line, check.rated, people]
        return str(await services.links.request(services.lease.least_loaded(), "seat", request, SEATS_S))

    async def _seat_here(self, request: Any) -> str:
        """Open a table in this process; unrated games, with bots, start immediately."""
        line, rated = RankedLine(*request[0]), request[1]
        people = [Visitor.of(told) for told in request[2]]
        options, stage = (RATED, RANKED) if rated else (WITH_BOTS, FILLED)
        free = (None,) * (line.players - len(people))
        sitters = (*(Sitter(visitor.person.name, visitor.person.id) for visitor in people), *free)
        wanted = NewTable("", line.rules, options, stage=stage, length=line.length, sitters=sitters)
        loop = await self._lobby.add(people[0].person, people[0].address, wanted)
        async with loop.changing() as table:
            for visitor in people:
                table.joined_from[visitor.person.id] = visitor.address
                record_browser(table, visitor.person.id, visitor.browser)
            if not rated:
                await game_steps.start(table)
        loop.wake()
        return loop.table.row.id

    async def begin(self) -> None:
        """Start games at ranked tables whose players have connected or run out of time to do so."""
        for loop in self._lobby:
            if loop.table.row.ranked and loop.table.row.status == "waiting":
                await self._begin(loop)

    async def _begin(self, loop: GameLoop) -> None:
        table = loop.table
        people = table_seats.persons(table.row)
        there = all(seat in table.audience.seats for seat in people)
        if not there and now_ms() - table.row.created < OPENS_MS:
            return
        async with loop.changing():
            if table.row.status == "waiting":
                await game_steps.start(table)
        table.touched = time.monotonic()
        loop.wake()


PAGE: Final = "/ranked"
MINUTE_S: Final = 60


class Calling:
    """Sends push notifications to waiting people."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push

    def call(self, entries: Sequence[Entry]) -> None:
        """Notify people that their table is ready."""
        self._push.notify(
            [entry.person for entry in entries], lambda language: _text("call", language), int(HERE_AWAY_S)
        )

    async def remind(self, left_s: float) -> None:
        """Remind people of the daily table: ten minutes before, or less after a restart of the server."""
        people = await self._services.accounts.reminded()
        minutes = max(1, round(left_s / MINUTE_S))
        self._push.notify(people, lambda language: _text("daily", language, minutes=minutes), int(left_s))


def _text(term: str, language: Language, **values: int) -> str:
    title = terms.text(f"server.ranked.{term}.title", language)
    body = terms.text(f"server.ranked.{term}.body", language, **values)
    return json.dumps(
        {"title": title, "body": body, "url": PAGE, "tag": f"ranked {term}"}, ensure_ascii=False
    )


LOG = logging.getLogger("jantaku.server")
TICK_S: Final = 1.0
WAITS_KEPT: Final = 20  # waiting times per line, to estimate the next
MIN_WAITS: Final = 3
SEATED_KEPT: Final = 10_000
FAILURE: Final = "bringing people together failed"


class RankedQueue(Background):
    """The queue of a site, in the memory of its leader; every process starts the games at its own tables."""

    def __init__(self, lobby: Lobby, ratings: TableRatings, calling: Calling) -> None:
        services = lobby.services
        self.lobby, self.ratings, self._calling = lobby, ratings, calling
        self.leavers = Suspensions(services)
        self.hour = DailyHour(services.settings.daily)
        self._seating = TableOpener(lobby)
        self._of_address = UseLimit(services.settings.limits.waiting_of_address)
        self._of_network = UseLimit(WIDER * services.settings.limits.waiting_of_address)
        self._entries: dict[str, Entry] = {}
        self._checks: list[ReadyCheck] = []
        self._seated_by_this = LRUCache[str, str](
            SEATED_KEPT
        )  # tables with bots opened by an older process have no stage
        self._waits = {line: list[float]() for line in LINES}
        self._inheritance = LeaderState(
            *(services.lease, services.links, "ranked_queue"),
            lambda: {person: state_mark(entry) for person, entry in self._entries.items()},
            lambda person: entry_to_json(self._entries[person]),
        )
        self._inheriting = asyncio.Lock()  # concurrent requests wait for all inherited entries
        self._look = asyncio.Event()
        services.lease.changed.append(self._look.set)
        services.links.subscribe(PRESENCE, self._show)

    @property
    def entries(self) -> Iterable[Entry]:
        """All entries in the queue."""
        return self._entries.values()

    def of(self, person: str) -> Entry | None:
        """Return a person's entry, if they are waiting."""
        return self._entries.get(person)

    def check_of(self, person: str) -> ReadyCheck | None:
        """Return the ready check that includes a person."""
        return next((check for check in self._checks if any(e.person == person for e in check.entries)), None)

    async def table_of(self, person: str) -> str | None:
        """Return the id of the table at which matchmaking has seated a person, until its game ends."""
        for row in await self.lobby.services.seating.open_tables(person):
            if row.matchmade or row.id == self._seated_by_this.get(person):
                return row.id
        return None

    def wait_s(self, line: RankedLine) -> float | None:
        """Return the median of recent waiting times; ``None`` if there are too few."""
        waits = self._waits[line]
        return median(waits) if len(waits) >= MIN_WAITS else None

    async def join(self, entry: Entry) -> None:
        """Join the queue or change an entry; raise ``ranked_held`` and other errors that prevent waiting."""
        held = await self.leavers.held_s(entry.person)
        if held > 0:
            raise ServerError("ranked_held", minutes=max(1, round(held / 60)))
        entry.blocked = await self.lobby.services.ties.blocked(entry.person)
        person = await self.lobby.services.accounts.find(entry.person)
        entry.shown = person is not None and person.presence_shown
        for players in LADDERS:
            rating = await self.ratings.rating(players, entry.person)
            entry.steps[players] = step_of(rating)
            if rating is not None:
                entry.mu[players] = rating.mu
        if await self.table_of(entry.person) is not None:
            raise ServerError("ranked_playing")
        await self.lobby.holdings.check_seat(entry.visitor.holder)
        before = self._entries.get(entry.person)
        if before is not None and self.check_of(entry.person) is not None:
            before.seen = time.monotonic()  # already called; a second tab changes nothing
            return
        if before is None or before.visitor.address != entry.visitor.address:
            if not self._take_place(entry.visitor.address):
                raise ServerError("too_many_seats_there")
            self._drop(entry.person)  # frees the place of the previous address
        entry.since = entry.since if before is None else before.since
        self._entries[entry.person] = entry
        self._look.set()

    def _show(self, person: str, on: bool) -> None:
        """Show a waiting person to others, or hide them."""
        if person in self._entries:
            self._entries[person].shown = on

    def seen(self, person: str, *, hidden: bool) -> None:
        """Record a request from a person's page, which may be in the background."""
        entry = self._entries.get(person)
        if entry is not None:
            entry.seen, entry.hidden = time.monotonic(), hidden

    def here(self, person: str) -> None:
        """Confirm a ready check for a person; raise ``ranked_gone`` if it is too late."""
        check = self.check_of(person)
        if check is None:
            raise ServerError("ranked_gone")
        check.here.add(person)
        self._look.set()

    def leave(self, person: str) -> None:
        """Leave the queue; during a ready check this counts as missing it."""
        check = self.check_of(person)
        if check is not None and check.ready:
            raise ServerError("ranked_playing")  # being seated
        if check is not None:
            self.leavers.missed(person)
            self._dissolve(check, {person})
        self._drop(person)

    def _drop(self, person: str) -> None:
        entry = self._entries.pop(person, None)
        if entry is not None:
            self._of_address.give_back(entry.visitor.address)
            self._of_network.give_back(wide_network_of(entry.visitor.address))

    def _take_place(self, address: str) -> bool:
        """Take one of the limited places of an address and of its network; return whether one was free."""
        if is_here(address):  # behind some proxies every request comes from here
            return True
        if not self._of_address.take(address):
            return False
        if self._of_network.take(wide_network_of(address)):
            return True
        self._of_address.give_back(address)
        return False

    def _dissolve(self, check: ReadyCheck, gone: Iterable[str] = ()) -> None:
        """Return people to the queue with their waiting time; people at the daily table soon get bots."""
        self._checks.remove(check)
        for entry in check.entries:
            if entry.person in gone:
                self._drop(entry.person)
            elif entry.daily:
                entry.daily, entry.lines = False, frozenset({check.line})
                entry.bots_after_s = time.monotonic() - entry.since + BOTS_AFTER_S

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):  # ``wait_for`` in Python 3.11 may swallow the cancellation
                async with asyncio.timeout(TICK_S):
                    await self._look.wait()
            self._look.clear()
            with reported(FAILURE):
                if self.lobby.services.lease.is_leader:
                    await self.inherit()
                    await self.tick(time.monotonic())
                else:
                    await self._seating.begin()
                    self._rest()
                    await self._inheritance.poll()

    async def inherit(self) -> None:
        """Take over the previous leader's queue; raise ``table_moved`` if this process is not the leader.

        If the daily table has just started, it starts for them too.
        """
        if not self.lobby.services.lease.is_leader:
            raise ServerError("table_moved")
        async with self._inheriting:
            entries = [entry_of(request) for request in self._inheritance.inherit().values()]
            for entry in entries:
                if entry.person not in self._entries and self._take_place(entry.visitor.address):
                    self._entries[entry.person] = entry
            for person in await self._seated(entries):
                self._drop(person)
        if entries and self.hour.lately:
            self._gather(time.monotonic())

    async def _seated(self, entries: Iterable[Entry]) -> set[str]:
        """Return the waiting people who already have a table, opened by a process that did not report it."""
        return {entry.person for entry in entries if await self.table_of(entry.person) is not None}

    def _rest(self) -> None:
        """Clear the queue, as another process is the leader."""
        for person in list(self._entries):
            self._drop(person)
        self._checks.clear()
        self.hour.pass_by()

    async def tick(self, now: float) -> None:
        """Remove absent people, settle ready checks, and match people."""
        for entry in list(self.entries):
            if entry.stale(now) and self.check_of(entry.person) is None:
                self._drop(entry.person)
        for check in list(self._checks):
            if check.ready:
                await self._seat(check, now)
            elif now >= check.until:
                gone = {entry.person for entry in check.entries} - check.here
                for person in gone:
                    self.leavers.missed(person)
                self._dissolve(check, gone)
        await self._seating.begin()
        if self.hour.reminds():
            await self._calling.remind(self.hour.left_s() or 0)
        if self.hour.begins():
            self._gather(now)
        self._pair(now)

    def _free(self, line: RankedLine | None = None) -> list[Entry]:
        now = time.monotonic()
        called = {
            entry.person
            for check in self._checks
            for entry in check.entries
            if not (line and entry.present(now) and check.waits_for_absent(now))
        }
        free = (entry for entry in self.entries if entry.person not in called and not entry.quiet(now))
        return [
            entry
            for entry in free
            if (entry.daily if line is None else line in entry.lines and not entry.daily)
        ]

    def _uncalled(self, line: RankedLine) -> list[Entry]:
        """Return people waiting for a line who are not in a ready check."""
        return [entry for entry in self._free(line) if self.check_of(entry.person) is None]

    def _pair(self, now: float) -> None:
        """Match people, and give bots to those who have waited long enough for them."""
        by_longest = sorted(LINES, key=lambda line: min((e.since for e in self._free(line)), default=now))
        for present in (True, False):  # present people first, so that none waits for absent ones
            for line in by_longest:
                free = self._free(line) if present else self._uncalled(line)
                here = [
                    entry.waiter(line.players, now) for entry in free if entry.present(now) or not present
                ]
                for table in tables_of(here, line.players):
                    self._call(line, table, now)
        for line in by_longest:
            ready = [
                entry for entry in self._uncalled(line)
                if entry.bots_after_s is not None and now - entry.since >= entry.bots_after_s
            ]  # fmt: skip
            for start in range(0, len(ready), line.players):
                some = [entry.waiter(line.players, now) for entry in ready[start : start + line.players]]
                self._call(line, some, now, rated=False)

    def _gather(self, now: float) -> None:
        """Start the ready checks of the daily table."""
        everybody = [entry.waiter(LADDERS[0], now) for entry in self._free()]
        for table in gathered(everybody):
            line = line_of(len(table))
            apart = all(may_sit(waiter, table[:index]) for index, waiter in enumerate(table))
            self._call(line, table, now, rated=apart and len(table) == line.players)

    def _call(self, line: RankedLine, table: Sequence[Waiter], now: float, *, rated: bool = True) -> None:
        entries = [self._entries[waiter.person] for waiter in table]
        for check in {id(s): s for e in entries if (s := self.check_of(e.person))}.values():
            self._dissolve(check)  # present people get a new table, the others stay in the queue
        self._checks.append(ReadyCheck.of(line, entries, now, rated=rated))
        self._calling.call([entry for entry in entries if entry.away])

    async def _seat(self, check: ReadyCheck, now: float) -> None:
        """Open a table for a completed ready check and remove its people from the queue."""
        try:
            if seated := await self._seated(check.entries):
                self._dissolve(check, seated)
                return
            table = await self._seating.seat(check)
        except ServerError as error:  # the database is unavailable or the server full
            LOG.warning("a ranked table cannot be opened: %s", error)
            self._dissolve(check)
            return
        self._checks.remove(check)
        for entry in check.entries:
            self._seated_by_this[entry.person] = table
            self.leavers.came(entry.person)
            if check.rated:
                waits = self._waits[check.line]
                waits.append(now - entry.since)
                del waits[:-WAITS_KEPT]
            self._drop(entry.person)
