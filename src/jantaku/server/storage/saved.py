"""Stored rulesets (saved by people or used by games) and uploaded logs."""

import asyncio
import hashlib
from collections.abc import Sequence
from math import inf
from typing import Any, Final, NamedTuple

from cachetools import LRUCache
from sqlalchemy import ColumnElement, String, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.rules import Ruleset, load, load_stored, preset_names
from jantaku.rules.fingerprints import BASELINE
from jantaku.server.edge.limits import ASKER, Quota
from jantaku.server.edge.work import FairWork
from jantaku.server.errors import ServerError
from jantaku.server.settings import Limits
from jantaku.server.storage.base import UNREADABLE, Id, Milliseconds, Object, StoredRow, encode_json
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import new_id
from jantaku.server.storage.rows import (
    ListPage,
    PageEnd,
    bytes_in,
    log_unreadable,
    newest,
    next_page,
)
from jantaku.server.storage.store import Repository, Store, now_ms
from jantaku.server.storage.tables import TableRow

MB: Final = 1 << 20
CACHED_RULESETS: Final = 256


class RulesetRow(StoredRow):
    """A ruleset that a person has saved or a game has used."""

    __tablename__ = "rulesets"

    fingerprint: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    tree: Mapped[Object]  # from ``Ruleset.to_dict``
    toml: Mapped[str]  # the text as saved; empty for presets
    person: Mapped[Id | None] = mapped_column(index=True)
    created: Mapped[Milliseconds]


class UploadRow(StoredRow):
    """An uploaded log; lists omit its person and text."""

    __tablename__ = "uploads"

    id: Mapped[Id] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(100))
    created: Mapped[Milliseconds]
    person: Mapped[Id | None] = mapped_column(index=True, default=None)
    text: Mapped[str] = mapped_column(default="", repr=False)


async def check_quota(connection: AsyncConnection, person: str, more: int, limit: int) -> None:
    """Raise ``too_much_kept`` if ``more`` additional bytes would exceed a person's ``limit`` in bytes."""
    for rows, columns in (
        (UploadRow, (UploadRow.name, UploadRow.text)),
        (RulesetRow, (RulesetRow.name, RulesetRow.tree, RulesetRow.toml)),
    ):
        size = select(bytes_in(*columns)).where(rows.person == person)
        more += (await connection.execute(size)).scalar_one()
    if more > limit:
        raise ServerError("too_much_kept", most=max(1, limit // MB))


def in_use() -> ColumnElement[bool]:
    """Condition for rulesets that a table, game or event uses, by id or by fingerprint."""
    key = RulesetRow.fingerprint
    in_event = exists().where(or_(EventRow.fingerprint == key, EventRow.rules == key))
    at_table = exists().where(or_(TableRow.fingerprint == key, TableRow.rules == key))
    return in_event | at_table | exists().where(or_(GameRow.fingerprint == key, GameRow.rules == key))


async def _owner(connection: AsyncConnection, key: str) -> tuple[str | None, bool]:
    """Return the owner of a ruleset, if any, and whether the ruleset exists."""
    query = select(RulesetRow.person).where(RulesetRow.fingerprint == key)
    row = (await connection.execute(query)).first()
    return (None, False) if row is None else (row.person, True)


async def _check_count(connection: AsyncConnection, person: str, limit: int) -> None:
    count = select(func.count(RulesetRow.fingerprint)).where(RulesetRow.person == person)
    if (await connection.execute(count)).scalar_one() >= limit:
        raise ServerError("too_many_rules", most=limit)


class SavedRuleset(NamedTuple):
    """A ruleset in its owner's list; ``rules`` is ``None`` if the stored row cannot be read."""

    id: str
    name: str
    rules: Ruleset | None


class RulesetStore:
    """Rulesets by id, which is the fingerprint, or another id if two people have saved the same rules.

    ``house`` holds the rulesets from the operator's files; they are found by id or fingerprint. Parsing a
    ruleset with many custom yaku takes 50 ms, so rulesets are parsed one at a time in a worker thread, in
    turns among the callers.
    """

    def __init__(self, store: Store, house: Sequence[Ruleset] = ()) -> None:
        self._store = store
        self.house = {rules.id: rules for rules in house}
        self._by_fingerprint = {rules.fingerprint: rules for rules in house}
        self._cache = LRUCache[str, Ruleset](CACHED_RULESETS)
        self._parsing = FairWork(Quota(inf))
        self._changes = 0  # number of cache invalidations

    async def save(
        self, rules: Ruleset, toml: str = "", person: str | None = None, limits: Limits | None = None
    ) -> str:
        """Store a ruleset and return its id, normally its fingerprint.

        If the same rules are stored for another person or for a table, ``person`` gets a separate copy with
        its own id and text. Saving the same rules again replaces the text. Raises ``ServerError`` with
        ``too_many_rules`` or ``too_much_kept`` if ``person`` would exceed ``limits``.
        """
        async with self._store.exclusive() as connection:
            key, owner, exists = rules.fingerprint, *await _owner(connection, rules.fingerprint)
            if person is not None and exists and owner != person:
                key = hashlib.sha256(f"{rules.fingerprint} {person}".encode()).hexdigest()[:16]
                owner, exists = await _owner(connection, key)
            name = str(next(iter(rules.name.values()), rules.id))[:100]
            row = RulesetRow(key, name, rules.to_dict(), toml, person, now_ms())
            if limits is not None and person is not None:
                more = len(f"{encode_json(row.tree)}{toml}".encode())
                await check_quota(connection, person, more, limits.kept_bytes_of_one)
                if owner != person:
                    await _check_count(connection, person, limits.rules_of_one)
            if not exists:
                await connection.execute(insert(RulesetRow).values(row.values()))
            elif person is not None:
                mine = RulesetRow.fingerprint == key
                await connection.execute(update(RulesetRow).where(mine).values(row.values()))
                self.forget(key)
        return key

    async def delete(self, name: str, person: str) -> None:
        """Remove a ruleset from its owner's list.

        A ruleset in use stays stored without an owner; otherwise it is deleted. Raises ``ServerError`` with
        ``no_rules`` if it does not exist, or ``not_your_rules`` if ``person`` is not its owner.
        """
        async with self._store.writing() as connection:
            owner, exists = await _owner(connection, name)
            if not exists and name not in preset_names() and self.house_rules(name) is None:
                raise ServerError("no_rules", rules=name)
            if owner != person:
                raise ServerError("not_your_rules")
            mine = RulesetRow.fingerprint == name
            gone = await connection.execute(delete(RulesetRow).where(mine, ~in_use()))
            if not gone.rowcount:
                await connection.execute(update(RulesetRow).where(mine).values(person=None))
            self.forget(name)

    async def find(self, name: str, fingerprint: str | None = None) -> Ruleset:
        """Return the ruleset with a preset's name, a house ruleset's name or an id.

        With ``fingerprint``, return exactly that version, even if the named rules have changed since. Raises
        ``ServerError("no_rules")`` if there is none.
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
        """Return the operator's ruleset with this id or fingerprint."""
        return self.house.get(name) or self._by_fingerprint.get(name)

    def forget(self, key: str | None = None) -> None:
        """Drop a ruleset, or all of them, from the cache, because names in it may have changed."""
        self._changes += 1
        if key is None:
            self._cache.clear()
        else:
            self._cache.pop(key, None)

    async def _read(self, key: str) -> Ruleset | None:
        ruleset, before = self._cache.get(key), self._changes
        if ruleset is None:
            query = select(RulesetRow.tree).where(RulesetRow.fingerprint == key)
            row = await self._store.first(query)
            if row is None:
                return None
            async with self._parsing.turn(ASKER.get()):
                # another task may have parsed it in the meantime
                ruleset = self._cache.get(key) if before == self._changes else None
                if ruleset is None:
                    ruleset = await asyncio.to_thread(self._parsed, row.tree, key)
        if before == self._changes:
            self._cache[key] = ruleset
        return ruleset

    def _parsed(self, tree: dict[str, Any], key: str) -> Ruleset:
        try:
            return load_stored({"extends": BASELINE, **tree}).under(key)
        except UNREADABLE as error:
            log_unreadable("ruleset", key)
            raise ServerError("rules_unreadable", rules=key) from error

    async def toml(self, fingerprint: str) -> str:
        """Return the text of a saved ruleset; empty if there is none."""
        query = select(RulesetRow.toml).where(RulesetRow.fingerprint == fingerprint)
        row = await self._store.first(query)
        return "" if row is None else str(row.toml)

    async def of_person(self, person: str, limit: int = 100) -> list[SavedRuleset]:
        """Return the rulesets a person has saved, newest first."""
        query = select(RulesetRow.fingerprint, RulesetRow.name).where(RulesetRow.person == person)
        rows = await self._store.rows(query.order_by(RulesetRow.created.desc()).limit(limit))
        named = [(row.fingerprint, row.name) for row in rows]
        return [SavedRuleset(key, name, await self.readable(key)) for key, name in named]

    async def readable(self, name: str, fingerprint: str | None = None) -> Ruleset | None:
        """Return the result of ``find``, or ``None`` for missing or unreadable rules, which lists skip."""
        try:
            return await self.find(name, fingerprint)
        except ServerError as error:
            if error.code not in ("rules_unreadable", "no_rules"):
                raise
            return None


class Uploads(Repository):
    """Reads and writes uploaded logs."""

    async def add(self, name: str, text: str, person: str, limits: Limits) -> str:
        """Store a person's log and return its id; raises ``too_many_uploads`` or ``too_much_kept``."""
        row = UploadRow(new_id(), name, now_ms(), person, text)
        query = select(func.count(UploadRow.id)).where(UploadRow.person == person)
        limit = limits.uploads_of_one
        async with self._store.exclusive() as connection:
            if (await connection.execute(query)).scalar_one() >= limit:
                raise ServerError("too_many_uploads", most=limit)
            await check_quota(connection, person, len(text.encode()), limits.kept_bytes_of_one)
            await connection.execute(insert(UploadRow).values(row.values()))
        return row.id

    async def of_person(self, person: str, before: PageEnd | None, limit: int) -> ListPage[UploadRow]:
        """Return a page of a person's logs before a position, newest first."""
        query = select(UploadRow.id, UploadRow.name, UploadRow.created).where(UploadRow.person == person)
        rows = await self._store.rows(newest(query, (UploadRow.created, UploadRow.id), before, limit))
        return ListPage([UploadRow(*row) for row in rows], next_page(rows, "created", limit))

    async def find(self, upload: str) -> tuple[str, str] | None:
        """Return name and text of a log."""
        query = select(UploadRow.name, UploadRow.text).where(UploadRow.id == upload)
        row = await self._store.first(query)
        return None if row is None else (row.name, row.text)
