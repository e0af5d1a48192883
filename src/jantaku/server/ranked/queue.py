"""The queue of ranked play: its tables, its notifications and its steward."""

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
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.people.auth_dependencies import Visitor
from jantaku.server.play import carry_out, table_seats
from jantaku.server.play.broadcast import sits
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
    Leavers,
    RankedLine,
    Summons,
    Waiter,
    entry_of,
    gathered,
    is_here,
    line_of,
    mark_of,
    may_sit,
    said_of,
    step_of,
    tables_of,
)
from jantaku.server.storage.lease import LeaderState
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import FILLED, RANKED, Sitter
from jantaku.server.tasks import Background, reported
from jantaku.terms import Language

SEATS_S: Final = 10.0  # how long another process may take to open a table
OPENS_MS: Final = 8000  # how long a table waits for the sockets of its players
RATED: Final = TableOptions(hints=False, rated=True)
WITH_BOTS: Final = TableOptions()


class Seating:
    """Opens tables and begins their games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        lobby.services.links.questions["seat"] = self._seat_here

    async def seat(self, summons: Summons) -> str:
        """Open a table, at the process with the fewest, and seat everybody."""
        services, people = self._lobby.services, [entry.who.told for entry in summons.entries]
        said = [summons.line, summons.rated, people]
        return str(await services.links.ask(services.lease.fewest(), "seat", said, SEATS_S))

    async def _seat_here(self, said: Any) -> str:
        """Open a table here; with bots the game begins at once."""
        line, rated = RankedLine(*said[0]), said[1]
        people = [Visitor.of(told) for told in said[2]]
        options, stage = (RATED, RANKED) if rated else (WITH_BOTS, FILLED)
        free = (None,) * (line.players - len(people))
        sitters = (*(Sitter(who.person.name, who.person.id) for who in people), *free)
        wanted = NewTable("", line.rules, options, stage=stage, length=line.length, sitters=sitters)
        loop = await self._lobby.add(people[0].person, people[0].address, wanted)
        async with loop.changing() as table:
            for who in people:
                table.taken_from[who.person.id] = who.address
                sits(table, who.person.id, who.browser)
            if not rated:
                await carry_out.start(table)
        loop.wake()
        return loop.table.row.id

    async def begin(self) -> None:
        """Begin the games of ranked tables whose players have come, or had time to."""
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
                await carry_out.start(table)
        table.touched = time.monotonic()
        loop.wake()


PAGE: Final = "/ranked"
MINUTE_S: Final = 60


class Calling:
    """Calls people who have notifications on and are elsewhere."""

    def __init__(self, services: Services, push: PushSender) -> None:
        self._services, self._push = services, push

    def call(self, entries: Sequence[Entry]) -> None:
        """Their table is ready."""
        self._push.tell(
            [entry.person for entry in entries], lambda language: _text("call", language), int(HERE_AWAY_S)
        )

    async def remind(self, left_s: float) -> None:
        """The daily table begins soon: usually in ten minutes, in fewer after a start of the server."""
        people = await self._services.accounts.reminded()
        minutes = max(1, round(left_s / MINUTE_S))
        self._push.tell(people, lambda language: _text("daily", language, minutes=minutes), int(left_s))


def _text(term: str, language: Language, **values: int) -> str:
    title = terms.text(f"server.ranked.{term}.title", language)
    body = terms.text(f"server.ranked.{term}.body", language, **values)
    return json.dumps(
        {"title": title, "body": body, "url": PAGE, "tag": f"ranked {term}"}, ensure_ascii=False
    )


LOG = logging.getLogger("jantaku.server")
TICK_S: Final = 1.0
WAITS_KEPT: Final = 20  # of each line, by which one is told how long it takes
FEWEST_WAITS: Final = 3
SEATED_KEPT: Final = 10_000
FAILURE: Final = "bringing people together failed"


class RankedQueue(Background):
    """The only queue of a site, in the memory of its steward; tables are begun where they are."""

    def __init__(self, lobby: Lobby, ratings: TableRatings, calling: Calling) -> None:
        services = lobby.services
        self.lobby, self.ratings, self._calling = lobby, ratings, calling
        self.leavers = Leavers(services)
        self.hour = DailyHour(services.settings.daily)
        self._seating = Seating(lobby)
        self._of_address = UseLimit(services.settings.limits.waiting_of_address)
        self._of_network = UseLimit(WIDER * services.settings.limits.waiting_of_address)
        self._entries: dict[str, Entry] = {}
        self._summons: list[Summons] = []
        self._seated_by_this = LRUCache[str, str](SEATED_KEPT)  # an older process stores no stage with bots
        self._waits = {line: list[float]() for line in LINES}
        self._inheritance = LeaderState(
            *(services.lease, services.links, "ranked_queue"),
            lambda: {person: mark_of(entry) for person, entry in self._entries.items()},
            lambda person: said_of(self._entries[person]),
        )
        self._inheriting = asyncio.Lock()  # whoever asks meanwhile finds everybody
        self._look = asyncio.Event()
        services.lease.changed.append(self._look.set)
        services.links.subscribe(PRESENCE, self._show)

    @property
    def entries(self) -> Iterable[Entry]:
        """Everybody who waits."""
        return self._entries.values()

    def of(self, person: str) -> Entry | None:
        """The entry of somebody who waits."""
        return self._entries.get(person)

    def summons_of(self, person: str) -> Summons | None:
        """The table for which somebody is called."""
        return next(
            (summons for summons in self._summons if any(e.person == person for e in summons.entries)), None
        )

    async def table_of(self, person: str) -> str | None:
        """The running or coming table at which the parlour has seated somebody."""
        for row in await self.lobby.services.seating.going_on(person):
            if row.brought or row.id == self._seated_by_this.get(person):
                return row.id
        return None

    def wait_s(self, line: RankedLine) -> float | None:
        """How long one has waited for a table lately; ``None`` if too few have."""
        waits = self._waits[line]
        return median(waits) if len(waits) >= FEWEST_WAITS else None

    async def join(self, entry: Entry) -> None:
        """Wait, or go on waiting with other wishes. Raises ``ranked_held`` and the like."""
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
        await self.lobby.holdings.check_seat(entry.who.holder)
        before = self._entries.get(entry.person)
        if before is not None and self.summons_of(entry.person) is not None:
            before.seen = time.monotonic()  # called already: another tab changes nothing
            return
        if before is None or before.who.address != entry.who.address:
            if not self._take_place(entry.who.address):
                raise ServerError("too_many_seats_there")
            self._drop(entry.person)  # from where they have waited before
        entry.since = entry.since if before is None else before.since
        self._entries[entry.person] = entry
        self._look.set()

    def _show(self, person: str, on: bool) -> None:
        """Let others see that somebody waits, or not."""
        if person in self._entries:
            self._entries[person].shown = on

    def seen(self, person: str, *, hidden: bool) -> None:
        """The page of somebody is open, perhaps behind others."""
        entry = self._entries.get(person)
        if entry is not None:
            entry.seen, entry.hidden = time.monotonic(), hidden

    def here(self, person: str) -> None:
        """Somebody who is called says that they are there. Raises ``ranked_gone`` if it is too late."""
        summons = self.summons_of(person)
        if summons is None:
            raise ServerError("ranked_gone")
        summons.here.add(person)
        self._look.set()

    def leave(self, person: str) -> None:
        """Wait no more; whoever is called then has not come."""
        summons = self.summons_of(person)
        if summons is not None and summons.ready:
            raise ServerError("ranked_playing")  # they are being seated
        if summons is not None:
            self.leavers.missed(person)
            self._dissolve(summons, {person})
        self._drop(person)

    def _drop(self, person: str) -> None:
        entry = self._entries.pop(person, None)
        if entry is not None:
            self._of_address.give_back(entry.who.address)
            self._of_network.give_back(wide_network_of(entry.who.address))

    def _take_place(self, address: str) -> bool:
        """Take one of the few places of an address, and of its network: nobody is paired with their own."""
        if is_here(address):  # everybody comes from there behind some proxies
            return True
        if not self._of_address.take(address):
            return False
        if self._of_network.take(wide_network_of(address)):
            return True
        self._of_address.give_back(address)
        return False

    def _dissolve(self, summons: Summons, gone: Iterable[str] = ()) -> None:
        """All who are there wait again, as long as before; those for the daily table soon with bots."""
        self._summons.remove(summons)
        for entry in summons.entries:
            if entry.person in gone:
                self._drop(entry.person)
            elif entry.daily:
                entry.daily, entry.lines = False, frozenset({summons.line})
                entry.bots_after_s = time.monotonic() - entry.since + BOTS_AFTER_S

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):  # ``wait_for`` of Python 3.11 may swallow the end of this task
                async with asyncio.timeout(TICK_S):
                    await self._look.wait()
            self._look.clear()
            with reported(FAILURE):
                if self.lobby.services.lease.serves_all:
                    await self.inherit()
                    await self.tick(time.monotonic())
                else:
                    await self._seating.begin()
                    self._rest()
                    await self._inheritance.look()

    async def inherit(self) -> None:
        """Let those go on waiting who waited with the steward before; raises ``table_moved`` elsewhere.

        The daily table, if it began meanwhile, begins for them now.
        """
        if not self.lobby.services.lease.serves_all:
            raise ServerError("table_moved")
        async with self._inheriting:
            entries = [entry_of(said) for said in self._inheritance.take().values()]
            for entry in entries:
                if entry.person not in self._entries and self._take_place(entry.who.address):
                    self._entries[entry.person] = entry
            for person in await self._seated(entries):
                self._drop(person)
        if entries and self.hour.lately:
            self._gather(time.monotonic())

    async def _seated(self, entries: Iterable[Entry]) -> set[str]:
        """Who of those that wait has a table: a process ended, or was not heard, after it had seated them."""
        return {entry.person for entry in entries if await self.table_of(entry.person) is not None}

    def _rest(self) -> None:
        """Another process brings people together now."""
        for person in list(self._entries):
            self._drop(person)
        self._summons.clear()
        self.hour.pass_by()

    async def tick(self, now: float) -> None:
        """Do everything that is due."""
        for entry in list(self.entries):
            if entry.stale(now) and self.summons_of(entry.person) is None:
                self._drop(entry.person)
        for summons in list(self._summons):
            if summons.ready:
                await self._seat(summons, now)
            elif now >= summons.until:
                gone = {entry.person for entry in summons.entries} - summons.here
                for person in gone:
                    self.leavers.missed(person)
                self._dissolve(summons, gone)
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
            for summons in self._summons
            for entry in summons.entries
            if not (line and entry.present(now) and summons.waits_for_absent(now))
        }
        free = (entry for entry in self.entries if entry.person not in called and not entry.quiet(now))
        return [
            entry
            for entry in free
            if (entry.daily if line is None else line in entry.lines and not entry.daily)
        ]

    def _uncalled(self, line: RankedLine) -> list[Entry]:
        """Those who wait and are not called at all."""
        return [entry for entry in self._free(line) if self.summons_of(entry.person) is None]

    def _pair(self, now: float) -> None:
        """Call those together who fit, and those who take bots by now."""
        by_longest = sorted(LINES, key=lambda line: min((e.since for e in self._free(line)), default=now))
        for present in (True, False):  # nobody who is here waits for somebody who may not come
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
        """The daily table begins."""
        everybody = [entry.waiter(LADDERS[0], now) for entry in self._free()]
        for table in gathered(everybody):
            line = line_of(len(table))
            apart = all(may_sit(waiter, table[:index]) for index, waiter in enumerate(table))
            self._call(line, table, now, rated=apart and len(table) == line.players)

    def _call(self, line: RankedLine, table: Sequence[Waiter], now: float, *, rated: bool = True) -> None:
        entries = [self._entries[waiter.person] for waiter in table]
        for summons in {id(s): s for e in entries if (s := self.summons_of(e.person))}.values():
            self._dissolve(summons)  # those who are here play, and the others wait on
        self._summons.append(Summons.of(line, entries, now, rated=rated))
        self._calling.call([entry for entry in entries if entry.away])

    async def _seat(self, summons: Summons, now: float) -> None:
        """Everybody is there: they get a table, and wait no more."""
        try:
            if seated := await self._seated(summons.entries):
                self._dissolve(summons, seated)
                return
            table = await self._seating.seat(summons)
        except ServerError as error:  # storage is lost, or the parlour is full
            LOG.warning("a ranked table cannot be opened: %s", error)
            self._dissolve(summons)
            return
        self._summons.remove(summons)
        for entry in summons.entries:
            self._seated_by_this[entry.person] = table
            self.leavers.came(entry.person)
            if summons.rated:
                waits = self._waits[summons.line]
                waits.append(now - entry.since)
                del waits[:-WAITS_KEPT]
            self._drop(entry.person)
