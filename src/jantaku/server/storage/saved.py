"""What people save in the database: rulesets, also those of every game, and uploaded logs."""

import asyncio
import hashlib
from collections.abc import Sequence
from math import inf
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import ColumnElement, String, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.rules import Ruleset, load, load_kept, preset_names
from jantaku.rules.fingerprints import BASELINE
from jantaku.server.edge.limits import ASKER, Quota
from jantaku.server.edge.work import FairWork
from jantaku.server.errors import ServerError
from jantaku.server.settings import Limits
from jantaku.server.storage.base import UNREADABLE, Id, Milliseconds, Object, StoredRow, written_json
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import new_id
from jantaku.server.storage.rows import (
    ListPage,
    PageEnd,
    bytes_in,
    following,
    log_unreadable,
    newest,
)
from jantaku.server.storage.store import OverStore, Store, now_ms
from jantaku.server.storage.tables import TableRow

MB: Final = 1 << 20
KEPT: Final = 256  # rulesets to cache


class RulesetRow(StoredRow):
    """A ruleset that somebody has saved, or by which a game was played."""

    __tablename__ = "rulesets"

    fingerprint: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    tree: Mapped[Object]  # of ``Ruleset.to_dict``
    toml: Mapped[str]  # the saved text; empty for presets
    person: Mapped[Id | None] = mapped_column(index=True)
    created: Mapped[Milliseconds]


class UploadRow(StoredRow):
    """An uploaded log; lists leave its person and its text out."""

    __tablename__ = "uploads"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    created: Mapped[Milliseconds]
    person: Mapped[Id | None] = mapped_column(index=True, default=None)
    text: Mapped[str] = mapped_column(default="", repr=False)


async def check_kept(connection: AsyncConnection, person: str, more: int, most: int) -> None:
    """Raise ``too_much_kept`` if a person who keeps ``more`` bytes would keep more than ``most``."""
    for rows, columns in (
        (UploadRow, (UploadRow.name, UploadRow.text)),
        (RulesetRow, (RulesetRow.name, RulesetRow.tree, RulesetRow.toml)),
    ):
        size = select(bytes_in(*columns)).where(rows.person == person)
        more += (await connection.execute(size)).scalar_one()
    if more > most:
        raise ServerError("too_much_kept", most=max(1, most // MB))


def in_use() -> ColumnElement[bool]:
    """Rulesets that a table, a game or an event uses, by id or by fingerprint."""
    key = RulesetRow.fingerprint
    in_event = exists().where(or_(EventRow.fingerprint == key, EventRow.rules == key))
    at_table = exists().where(or_(TableRow.fingerprint == key, TableRow.rules == key))
    return in_event | at_table | exists().where(or_(GameRow.fingerprint == key, GameRow.rules == key))


async def _owner(connection: AsyncConnection, key: str) -> tuple[str | None, bool]:
    """Who saved the ruleset with an id, and whether it exists."""
    query = select(RulesetRow.person).where(RulesetRow.fingerprint == key)
    row = (await connection.execute(query)).first()
    return (None, False) if row is None else (row.person, True)


async def _check_count(connection: AsyncConnection, person: str, most: int) -> None:
    count = select(func.count(RulesetRow.fingerprint)).where(RulesetRow.person == person)
    if (await connection.execute(count)).scalar_one() >= most:
        raise ServerError("too_many_rules", most=most)


class Saved(NamedTuple):
    """A ruleset in its owner's list; ``rules`` is ``None`` if the stored row cannot be read."""

    id: str
    name: str
    rules: Ruleset | None


class RulesetStore:
    """Rulesets by id: the fingerprint, or another id if two people saved the same rules.

    ``house`` are the rulesets of the operator's files, found by their ids or fingerprints. One ruleset
    at a time is read, beside the tables, by turns among those who ask: one full of own yaku takes 50 ms.
    """

    def __init__(self, store: Store, house: Sequence[Ruleset] = ()) -> None:
        self._store = store
        self.house = {rules.id: rules for rules in house}
        self._by_fingerprint = {rules.fingerprint: rules for rules in house}
        self._known = LRUCache[str, Ruleset](KEPT)
        self._reading = FairWork(Quota(inf))
        self._changes = 0  # how often what is known was forgotten

    async def save(
        self, rules: Ruleset, toml: str = "", person: str | None = None, limits: Limits | None = None
    ) -> str:
        """Store a ruleset and return its id, normally its fingerprint.

        If the same rules are stored for another person or for a table, ``person`` gets their own id and text.
        Saving the same rules again replaces the text. Raises ``too_many_rules`` and ``too_much_kept`` if
        ``person`` would keep more than the limits allow.
        """
        async with self._store.counting() as connection:
            key, owner, there = rules.fingerprint, *await _owner(connection, rules.fingerprint)
            if person is not None and there and owner != person:
                key = hashlib.sha256(f"{rules.fingerprint} {person}".encode()).hexdigest()[:16]
                owner, there = await _owner(connection, key)
            name = str(next(iter(rules.name.values()), rules.id))[:100]
            row = RulesetRow(key, name, rules.to_dict(), toml, person, now_ms())
            if limits is not None and person is not None:
                more = len(f"{written_json(row.tree)}{toml}".encode())
                await check_kept(connection, person, more, limits.kept_bytes_of_one)
                if owner != person:
                    await _check_count(connection, person, limits.rules_of_one)
            if not there:
                await connection.execute(insert(RulesetRow).values(row.values()))
            elif person is not None:
                mine = RulesetRow.fingerprint == key
                await connection.execute(update(RulesetRow).where(mine).values(row.values()))
                self.forget(key)
        return key

    async def delete(self, name: str, person: str) -> None:
        """Remove rules from the list of the person who saved them.

        Tables and games that use them keep the stored copy, which then belongs to nobody; an unused copy is
        deleted. Raises ``no_rules`` if there are none with this id, ``not_your_rules`` if they are another
        person's.
        """
        async with self._store.writing() as connection:
            owner, there = await _owner(connection, name)
            if not there and name not in preset_names() and self.house_rules(name) is None:
                raise ServerError("no_rules", rules=name)
            if owner != person:
                raise ServerError("not_your_rules")
            mine = RulesetRow.fingerprint == name
            gone = await connection.execute(delete(RulesetRow).where(mine, ~in_use()))
            if not gone.rowcount:
                await connection.execute(update(RulesetRow).where(mine).values(person=None))
            self.forget(name)

    async def find(self, name: str, fingerprint: str | None = None) -> Ruleset:
        """The ruleset to play by of a preset's name, a house rule's name or an id.

        With ``fingerprint``, the ruleset stored under it, in case the named rules have changed since. Raises
        ``no_rules`` if there is none.
        """
        named = load(name) if name in preset_names() else self.house_rules(name)
        if named is not None and fingerprint in (None, named.fingerprint):
            return named
        for key in dict.fromkeys((name, fingerprint or name)):
            ruleset = await self._read(key)
            if ruleset is not None and fingerprint in (None, ruleset.fingerprint):
                return ruleset.under(name)
        raise ServerError("no_rules", rules=name)

    def house_rules(self, name: str) -> Ruleset | None:
        """The operator's ruleset with an id or a fingerprint."""
        return self.house.get(name) or self._by_fingerprint.get(name)

    def forget(self, key: str | None = None) -> None:
        """Read a ruleset, or all of them, again when it is needed: names in it have changed."""
        self._changes += 1
        if key is None:
            self._known.clear()
        else:
            self._known.pop(key, None)

    async def _read(self, key: str) -> Ruleset | None:
        ruleset, before = self._known.get(key), self._changes
        if ruleset is None:
            query = select(RulesetRow.tree).where(RulesetRow.fingerprint == key)
            row = await self._store.first(query)
            if row is None:
                return None
            async with self._reading.turn(ASKER.get()):
                ruleset = self._known.get(key) if before == self._changes else None  # read meanwhile
                if ruleset is None:
                    ruleset = await asyncio.to_thread(self._parsed, row.tree, key)
        if before == self._changes:
            self._known[key] = ruleset
        return ruleset

    def _parsed(self, tree: dict[str, Any], key: str) -> Ruleset:
        try:
            return load_kept({"extends": BASELINE, **tree}).under(key)
        except UNREADABLE as error:
            log_unreadable("ruleset", key)
            raise ServerError("rules_unreadable", rules=key) from error

    async def toml(self, fingerprint: str) -> str:
        """The text a ruleset was saved as; empty if there is none."""
        query = select(RulesetRow.toml).where(RulesetRow.fingerprint == fingerprint)
        row = await self._store.first(query)
        return "" if row is None else str(row.toml)

    async def of_person(self, person: str, most: int = 100) -> list[Saved]:
        """The rulesets a person has saved, newest first."""
        query = select(RulesetRow.fingerprint, RulesetRow.name).where(RulesetRow.person == person)
        rows = await self._store.rows(query.order_by(RulesetRow.created.desc()).limit(most))
        named = [(row.fingerprint, row.name) for row in rows]
        return [Saved(key, name, await self.readable(key)) for key, name in named]

    async def readable(self, name: str, fingerprint: str | None = None) -> Ruleset | None:
        """Like ``find``, but ``None`` for unreadable rules, so that lists can skip them."""
        try:
            return await self.find(name, fingerprint)
        except ServerError as error:
            if error.code not in ("rules_unreadable", "no_rules"):
                raise
            return None


class Uploads(OverStore):
    """Uploaded logs by id."""

    async def add(self, name: str, text: str, person: str, limits: Limits) -> str:
        """Store a person's log and return its id; raises if they have reached their limits."""
        row = UploadRow(new_id(), name, now_ms(), person, text)
        query = select(func.count(UploadRow.id)).where(UploadRow.person == person)
        most = limits.uploads_of_one
        async with self._store.counting() as connection:
            if (await connection.execute(query)).scalar_one() >= most:
                raise ServerError("too_many_uploads", most=most)
            await check_kept(connection, person, len(text.encode()), limits.kept_bytes_of_one)
            await connection.execute(insert(UploadRow).values(row.values()))
        return row.id

    async def of_person(self, person: str, before: PageEnd | None, most: int) -> ListPage[UploadRow]:
        """A person's logs that were uploaded before a position, newest first."""
        query = select(UploadRow.id, UploadRow.name, UploadRow.created).where(UploadRow.person == person)
        rows = await self._store.rows(newest(query, (UploadRow.created, UploadRow.id), before, most))
        return ListPage([UploadRow(*row) for row in rows], following(rows, "created", most))

    async def find(self, upload: str) -> tuple[str, str] | None:
        """Name and text of a log."""
        query = select(UploadRow.name, UploadRow.text).where(UploadRow.id == upload)
        row = await self._store.first(query)
        return None if row is None else (row.name, row.text)
