"""All tables: opened, restored after a restart, listed, and put away when no longer needed."""

import asyncio
import dataclasses
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.server import play, seats, tasks
from jantaku.server.audience import Connection
from jantaku.server.errors import ServerError
from jantaku.server.game_loop import GameLoop
from jantaku.server.names import shown_name
from jantaku.server.old_games import keep_old_hands
from jantaku.server.protocol import TableOptions
from jantaku.server.rules_names import rules_name
from jantaku.server.services import Services
from jantaku.server.shielded import to_the_end
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.tables import TableRow
from jantaku.server.table import Table

LOG = logging.getLogger("jantaku.server")
MOST_NAME: Final = 40  # letters of a table's name
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH: Final = 8
SWEEP_S, KEEP_S, WAIT_S, DAY_S = 60.0, 600.0, 86_400.0, 86_400.0
RETRY_S: Final = 2.0
RESTARTS, SIGNED_OUT = 1012, 4401


class Purpose(NamedTuple):
    """For which stage of an event a table is opened, and the rules of the event; or another length."""

    event: str | None = None
    stage: str | None = None
    fingerprint: str = ""
    length: str | None = None


CASUAL: Final = Purpose()


class Lobby:
    """Every table in memory, by id. Other tables are read when requested."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._loops: dict[str, GameLoop] = {}
        self._finding: dict[str, asyncio.Lock] = {}
        self._adding = asyncio.Lock()
        self._work: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Resume every stored game and start looking after the tables."""
        rows = await self.services.seating.going_on()
        self.services.store.regained.append(self._mistrust)
        self._work = [
            asyncio.create_task(self._read_all(rows), name="lobby-read"),
            asyncio.create_task(self._sweep(), name="lobby-sweep"),
            asyncio.create_task(self._keep_old_hands(), name="lobby-old-hands"),
        ]

    async def close(self) -> None:
        """Stop every table and tell the sockets to reconnect."""
        await tasks.end(*self._work)
        for loop in self._loops.values():
            await loop.stop()
            for connection in loop.table.audience:
                connection.close(RESTARTS)

    def _mistrust(self) -> None:
        """Reload every game: another server may have stored something."""
        for loop in self:
            loop.mistrust()

    async def _read_all(self, rows: list[TableRow]) -> None:
        while rows:
            rows = [row for row in rows if not await self._load_table(row)]
            if rows:
                await asyncio.sleep(RETRY_S)

    async def _load_table(self, row: TableRow) -> bool:
        """Read a table; False if another attempt is worthwhile."""
        try:
            await self.find(row.id)
        except ServerError as error:
            return error.code != "storage_lost"
        except Exception:
            LOG.exception("table %s cannot be read", row.id)
        return True

    async def find(self, table_id: str) -> GameLoop:
        """The table with this id; raises ``no_table`` if there is none."""
        if table_id in self._loops:
            return self._loops[table_id]
        async with self._finding.setdefault(table_id, asyncio.Lock()):
            try:
                if table_id not in self._loops:
                    await self._read(table_id)
            finally:
                self._finding.pop(table_id, None)
        return self._loops[table_id]

    async def _read(self, table_id: str) -> None:
        row = await self.services.seating.find(table_id) if len(table_id) == ID_LENGTH else None
        if row is None or row.status == "closed":
            raise ServerError("no_table")
        found = await self.services.rulesets.shown(row.rules, row.fingerprint)
        owner = await self.services.accounts.find(row.owner)
        loop = GameLoop(Table(row, found.rules, self.services, host=owner.name if owner else ""))
        loop.table.missing = found.missing
        try:
            await play.resume(loop.table)
        except ServerError:
            raise
        except Exception:
            LOG.exception("table %s cannot go on", table_id)
            loop.table.stopped = True
        self._loops[table_id] = loop
        await self._make_room()
        loop.wake()

    async def _make_room(self) -> None:
        """If there are too many tables, forget those that have been over for longest."""
        over = [loop for loop in self if not loop.table.needed]
        spare = len(over) - self.services.settings.limits.idle_tables
        for loop in sorted(over, key=lambda one: one.table.touched)[: max(0, spare)]:
            await self._drop(loop)

    async def add(
        self, who: PersonRow, name: str, rules: str, options: TableOptions, purpose: Purpose = CASUAL
    ) -> GameLoop:
        """Open a table. Calls run one after another, so that the limits count every table."""
        async with self._adding:
            return await self._add(who, name, rules, options, purpose)

    def waiting_for(self, person: str, wanted: Callable[[Table], bool]) -> list[GameLoop]:
        """Public tables with a free seat that no event has opened, those with most people first."""
        found = [
            loop
            for loop in self
            if loop.table.row.status == "waiting"
            and not loop.table.row.options.private
            and loop.table.row.event is None
            and not loop.table.missing
            and None in loop.table.row.sitters
            and seats.seat_of(loop.table.row, person) is None
            and wanted(loop.table)
        ]
        return sorted(found, key=lambda loop: -len(seats.persons(loop.table.row)))

    async def _add(
        self, who: PersonRow, name: str, rules: str, options: TableOptions, purpose: Purpose
    ) -> GameLoop:
        limits = self.services.settings.limits
        going_on = [d for d in self if d.table.row.status in ("waiting", "playing")]
        owned = [d for d in going_on if d.table.row.owner == who.id]
        if len(going_on) >= limits.tables or len(owned) >= limits.tables_of_one:
            raise ServerError("too_many_tables", most=limits.tables_of_one)
        named = (rules, purpose.fingerprint) if purpose.fingerprint else (rules,)
        found = _of_length(await self.services.rulesets.find(*named), purpose.length)
        row = TableRow(
            "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH)),
            shown_name(name, MOST_NAME) if name.strip() else "",
            who.id,
            found.id,
            found.fingerprint,
            options,
            (None,) * len(found.seats),
            event=purpose.event,
            stage=purpose.stage,
        )
        await self.services.seating.add(row)
        await self.services.rulesets.save(
            found
        )  # stored after the table, so that deleting the rules now leaves them to it
        loop = self._loops[row.id] = GameLoop(Table(row, found, self.services, host=who.name))
        return loop

    def __iter__(self) -> Iterator[GameLoop]:
        return iter(list(self._loops.values()))

    def __len__(self) -> int:
        return len(self._loops)

    def public(self) -> list[Table]:
        """The public tables, newest first."""
        found = [d.table for d in self if not d.table.row.options.private]
        shown = [table for table in found if table.playing or table.row.status == "waiting"]
        return sorted(shown, key=lambda table: -table.row.created)

    def of_person(self, person: str) -> list[Table]:
        """The tables where a person sits, newest first."""
        found = [d.table for d in self if seats.seat_of(d.table.row, person) is not None]
        shown = [t for t in found if t.row.status != "closed" and person not in t.row.removed]
        return sorted(shown, key=lambda table: -table.row.created)

    def of_event(self, event: str) -> list[Table]:
        """The tables that wait or play for an event, newest first."""
        found = [d.table for d in self if d.table.row.event == event]
        shown = [table for table in found if table.playing or table.row.status == "waiting"]
        return sorted(shown, key=lambda table: -table.row.created)

    def playing_at(self, person: str) -> str | None:
        """The table where a person is in a game."""
        return next((table.row.id for table in self.of_person(person) if table.playing), None)

    def signed_in_anew(self, session: str, now: PersonRow, following: str) -> None:
        """Move sockets to the session that replaced theirs in a browser; close those of other people."""
        for connection in self._connections():
            if session and connection.session == session:
                connection.session = following
                if now.id != connection.person.id:
                    connection.close(SIGNED_OUT)

    def signed_out(self, gone: Callable[[Connection], bool]) -> None:
        """Close the sockets of ended sessions."""
        for connection in self._connections():
            if gone(connection):
                connection.close(SIGNED_OUT)

    def _connections(self) -> Iterator[Connection]:
        return (connection for loop in self for connection in loop.table.audience)

    async def _drop(self, loop: GameLoop) -> None:
        await loop.stop()
        self._loops.pop(loop.table.row.id, None)

    async def _keep_old_hands(self) -> None:
        try:
            await keep_old_hands(self.services)
        except ServerError:
            LOG.warning("the hands of older games are kept at the next start: the database is lost")
        except Exception:
            LOG.exception("keeping the hands of older games")

    async def _sweep(self) -> None:
        tidied = -DAY_S
        while True:
            await asyncio.sleep(SWEEP_S)
            now = time.monotonic()
            try:
                if now - tidied >= DAY_S:
                    await self.services.cleanup.tidy()
                    tidied = now
                for loop in self:
                    await to_the_end(self.put_away(loop, now))
            except ServerError:
                continue  # storage is lost, and the tables say so
            except Exception:
                LOG.exception("putting tables away")

    async def put_away(self, loop: GameLoop, now: float) -> None:
        """Forget an idle table; it can be read again."""
        table, idle = loop.table, now - loop.table.touched
        if table.row.status == "waiting" and not table.audience.anybody and idle > WAIT_S:
            await close_table(loop)
        if not table.needed and idle > KEEP_S:
            await self._drop(loop)


def _of_length(rules: Ruleset, length: str | None) -> Ruleset:
    """The same rules with games of another length; they are stored under their fingerprint."""
    if length in (None, rules.match.length):
        return rules
    changed = rules.with_changes({"match.length": length})
    return dataclasses.replace(changed, id=changed.fingerprint, name=_names(rules, str(length)))


def _names(rules: Ruleset, length: str) -> dict[str, str]:
    """The name of the rules with the length of the game, in each language."""
    return {
        language: f"{rules_name(rules, language)} · {terms.text(f'server.rules.length.{length}', language)}"
        for language in terms.LANGUAGES
    }


async def close_table(loop: GameLoop) -> None:
    """Close a table that has not begun."""
    async with loop.changing() as table:
        row = seats.with_status(table.row, "closed")
        await table.services.seating.change(row)
        table.row = row
