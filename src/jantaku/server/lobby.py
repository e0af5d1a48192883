"""All tables: opened, found again after a restart, listed, put away when nobody needs them."""

import asyncio
import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from jantaku.rules.sheet import ruleset_name
from jantaku.server import play, seats
from jantaku.server.driver import Driver
from jantaku.server.errors import ServerError
from jantaku.server.protocol import TableOptions
from jantaku.server.services import Services
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.seating import TableRow
from jantaku.server.table import Table

LOG = logging.getLogger("jantaku.server")
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH: Final = 8
SWEEP_S, KEEP_S, WAIT_S = 60.0, 600.0, 86_400.0
RESTARTS: Final = 1012


class Lobby:
    """Every table that is in memory, by id; others are read when somebody asks for them."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._drivers: dict[str, Driver] = {}
        self._finding: dict[str, asyncio.Lock] = {}
        self._work: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Go on with every stored game, and look after the tables."""
        rows = await self.services.seating.going_on()
        self._work = [
            asyncio.create_task(self._read_all(rows), name="lobby-read"),
            asyncio.create_task(self._sweep(), name="lobby-sweep"),
        ]

    async def close(self) -> None:
        """Stop every table and tell the sockets to come back."""
        for task in self._work:
            task.cancel()
        for task in self._work:
            with suppress(asyncio.CancelledError):
                await task
        for driver in self._drivers.values():
            await driver.stop()
            for connection in driver.table.audience:
                connection.close(RESTARTS)

    async def _read_all(self, rows: list[TableRow]) -> None:
        for row in rows:
            with suppress(ServerError):
                await self.find(row.id)

    async def find(self, table_id: str) -> Driver:
        """The table of that id; ``no_table`` where there is none."""
        if table_id in self._drivers:
            return self._drivers[table_id]
        async with self._finding.setdefault(table_id, asyncio.Lock()):
            try:
                if table_id not in self._drivers:
                    await self._read(table_id)
            finally:
                self._finding.pop(table_id, None)
        return self._drivers[table_id]

    async def _read(self, table_id: str) -> None:
        row = await self.services.seating.find(table_id) if len(table_id) == ID_LENGTH else None
        if row is None or row.status == "closed":
            raise ServerError("no_table")
        rules = await self.services.rulebooks.find(row.rules, row.fingerprint)
        driver = Driver(Table(row, rules, self.services))
        await play.resume(driver.table)
        self._drivers[table_id] = driver
        driver.wake()

    async def add(self, who: PersonRow, name: str, rules: str, options: TableOptions) -> Driver:
        """Open a table."""
        limits, owned = self.services.settings.limits, [d for d in self if d.table.row.owner == who.id]
        going_on = [d for d in owned if d.table.row.status in ("waiting", "playing")]
        if len(self._drivers) >= limits.tables or len(going_on) >= limits.tables_of_one:
            raise ServerError("too_many_tables", most=limits.tables_of_one)
        found = await self.services.rulebooks.find(rules)
        await self.services.rulebooks.save(found)
        row = TableRow(
            "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)),
            " ".join(name.split()) or ruleset_name(found, "en")[:40],
            who.id,
            found.id,
            found.fingerprint,
            options,
        )
        await self.services.seating.add(row)
        driver = self._drivers[row.id] = Driver(Table(row, found, self.services))
        return driver

    def __iter__(self) -> Iterator[Driver]:
        return iter(list(self._drivers.values()))

    def __len__(self) -> int:
        return len(self._drivers)

    def public(self) -> list[Table]:
        """The tables everybody may see, newest first."""
        found = [d.table for d in self if not d.table.row.options.private]
        shown = [table for table in found if table.row.status in ("waiting", "playing")]
        return sorted(shown, key=lambda table: -table.row.created)

    def of_person(self, person: str) -> list[Table]:
        """The tables somebody sits at, newest first."""
        found = [d.table for d in self if seats.seat_of(d.table.row, person) is not None]
        shown = [table for table in found if table.row.status != "closed"]
        return sorted(shown, key=lambda table: -table.row.created)

    def playing_at(self, person: str) -> str | None:
        """The table where somebody is in a game."""
        return next((table.row.id for table in self.of_person(person) if table.playing), None)

    def drop(self, table_id: str) -> None:
        """Forget a table that is stored."""
        self._drivers.pop(table_id, None)

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            for driver in self:
                with suppress(ServerError):
                    await self._put_away(driver, time.monotonic())

    async def _put_away(self, driver: Driver, now: float) -> None:
        """Forget a table where nothing happens any more; it can be read again."""
        table, idle = driver.table, now - driver.table.touched
        if any(True for _ in table.audience) or table.playing:
            return
        if table.row.status == "waiting" and idle > WAIT_S:
            await close_table(driver)
        if table.row.status != "waiting" and idle > KEEP_S:
            await driver.stop()
            self.drop(table.row.id)


async def close_table(driver: Driver) -> None:
    """End a table that has not begun."""
    table = driver.table
    async with table.lock:
        row = seats.with_status(table.row, "closed")
        await table.services.seating.change(row)
        table.row = row
