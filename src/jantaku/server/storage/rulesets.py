"""Rulesets in the database: those people save, and those of every game."""

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, delete, exists, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.bounded import Newest
from jantaku.errors import Phrases
from jantaku.rules import Ruleset, load, load_kept, preset_names
from jantaku.rules.fingerprints import BASELINE
from jantaku.rules.local_marks import as_marks, from_marks
from jantaku.server.edge.fair_work import FairWork
from jantaku.server.edge.holdings import ASKER, Quota
from jantaku.server.errors import ServerError
from jantaku.server.limits import Limits
from jantaku.server.storage.rows import UNREADABLE, check_kept, log_unreadable
from jantaku.server.storage.schema import events, games, rulesets, tables
from jantaku.server.storage.store import Store, now_ms
from jantaku.terms import Language

LOCAL: Final = "local"  # the key of a stored ruleset for the marks of its local yaku


class ReadRules(NamedTuple):
    """A ruleset, and the ids of its local yaku whose code the server does not have.

    With ``missing``, ``rules`` can be shown, but nothing can be played by them: no hand has these yaku.
    ``fingerprint`` is that of the rules with all code.
    """

    rules: Ruleset
    fingerprint: str
    missing: tuple[str, ...] = ()


class HouseRules:
    """Looks up the rulesets that the server was started with."""

    def __init__(self, rulesets: Sequence[Ruleset] = ()) -> None:
        self._by_name = {rules.id: rules for rules in rulesets}
        self._by_fingerprint = {rules.fingerprint: rules for rules in rulesets}
        self._yaku = {yaku.fingerprint: yaku for rules in rulesets for yaku in rules.local}

    def __iter__(self) -> Iterator[Ruleset]:
        return iter(self._by_name.values())

    def find(self, name: str) -> Ruleset | None:
        """The ruleset with an id or a fingerprint."""
        return self._by_name.get(name) or self._by_fingerprint.get(name)

    def words(self, language: Language) -> dict[str, dict[str, str]]:
        """The name and the definition of every local yaku, by id."""
        return {
            yaku.id: {part: yaku.word(part, language) for part in ("name", "definition")}
            for yaku in self._yaku.values()
        }

    def read(self, tree: Mapping[str, Any], key: str) -> ReadRules:
        """A stored ruleset, with the code of its local yaku if the server has exactly that code."""
        tree = {"extends": BASELINE, **tree}
        stored: list[dict[str, Any]] = tree.pop(LOCAL, [])
        missing = tuple(mark["id"] for mark in stored if mark["mark"] not in self._yaku)
        rules = load_kept(tree, from_marks(stored, self._yaku))
        return ReadRules(rules, key if missing else rules.fingerprint, missing)


def check_code(name: str, missing: Sequence[str]) -> None:
    """Raise ``rules_code_missing`` if the server lacks the code of some local yaku of the rules."""
    if missing:
        raise ServerError("rules_code_missing", rules=name, yaku=Phrases(missing))


def as_stored(rules: Ruleset) -> dict[str, Any]:
    """A ruleset as ``HouseRules.read`` reads it: data, with a mark instead of the code of each local yaku."""
    return rules.to_dict() | ({LOCAL: as_marks(rules.local)} if rules.local else {})


KEPT: Final = 256  # rulesets to cache


def in_use() -> ColumnElement[bool]:
    """Rulesets that a table, a game or an event uses, by id or by fingerprint."""
    key = rulesets.c.fingerprint
    in_event = exists().where(or_(events.c.fingerprint == key, events.c.rules == key))
    at_table = exists().where(or_(tables.c.fingerprint == key, tables.c.rules == key))
    return in_event | at_table | exists().where(or_(games.c.fingerprint == key, games.c.rules == key))


async def _owner(connection: AsyncConnection, key: str) -> tuple[str | None, bool]:
    """Who saved the ruleset with an id, and whether it exists."""
    query = select(rulesets.c.person).where(rulesets.c.fingerprint == key)
    row = (await connection.execute(query)).first()
    return (None, False) if row is None else (row.person, True)


async def _check_count(connection: AsyncConnection, person: str, most: int) -> None:
    count = select(func.count()).select_from(rulesets).where(rulesets.c.person == person)
    if (await connection.execute(count)).scalar_one() >= most:
        raise ServerError("too_many_rules", most=most)


class Saved(NamedTuple):
    """A ruleset in its owner's list; ``rules`` is ``None`` if the stored row cannot be read."""

    id: str
    name: str
    rules: Ruleset | None


class RulesetStore:
    """Rulesets by id: the fingerprint, or another id if two people saved the same rules.

    ``house`` are the rulesets of the operator's files, found by their own ids. One ruleset at a time is read,
    beside the tables, by turns among those who ask: a ruleset full of own yaku takes 50 ms.
    """

    def __init__(self, store: Store, house: HouseRules) -> None:
        self._store = store
        self.house = house
        self._known = Newest[str, ReadRules](KEPT)
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
            row = {
                "fingerprint": key,
                "name": str(next(iter(rules.name.values()), rules.id))[:100],
                "tree": json.dumps(as_stored(rules), ensure_ascii=False),
                "toml": toml,
                "person": person,
                "created": now_ms(),
            }
            if limits is not None and person is not None:
                more = len(f"{row['tree']}{toml}".encode())
                await check_kept(connection, person, more, limits.kept_bytes_of_one)
                if owner != person:
                    await _check_count(connection, person, limits.rules_of_one)
            if not there:
                await connection.execute(insert(rulesets).values(row))
            elif person is not None:
                await connection.execute(update(rulesets).where(rulesets.c.fingerprint == key).values(row))
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
            if not there and name not in preset_names() and self.house.find(name) is None:
                raise ServerError("no_rules", rules=name)
            if owner != person:
                raise ServerError("not_your_rules")
            mine = rulesets.c.fingerprint == name
            gone = await connection.execute(delete(rulesets).where(mine, ~in_use()))
            if not gone.rowcount:
                await connection.execute(update(rulesets).where(mine).values(person=None))
            self.forget(name)

    async def find(self, name: str, fingerprint: str | None = None) -> Ruleset:
        """The ruleset to play by of a preset's name, a house rule's name or an id.

        With ``fingerprint``, the ruleset stored under it, in case the named rules have changed since. Raises
        ``no_rules`` if there is none, ``rules_code_missing`` if the server lacks the code of a local yaku.
        """
        ruleset = await self.shown(name, fingerprint)
        check_code(name, ruleset.missing)
        return ruleset.rules

    async def shown(self, name: str, fingerprint: str | None = None) -> ReadRules:
        """Like ``find``, but without the local yaku whose code the server lacks."""
        named = load(name) if name in preset_names() else self.house.find(name)
        if named is not None and fingerprint in (None, named.fingerprint):
            return ReadRules(named, named.fingerprint)
        for key in dict.fromkeys((name, fingerprint or name)):
            ruleset = await self._read(key)
            if ruleset is not None and fingerprint in (None, ruleset.fingerprint):
                return ruleset._replace(rules=ruleset.rules.under(name))
        raise ServerError("no_rules", rules=name)

    def forget(self, key: str | None = None) -> None:
        """Read a ruleset, or all of them, again when it is needed: names in it have changed."""
        self._changes += 1
        if key is None:
            self._known.clear()
        else:
            self._known.pop(key, None)

    async def _read(self, key: str) -> ReadRules | None:
        ruleset, before = self._known.get(key), self._changes
        if ruleset is None:
            query = select(rulesets.c.tree).where(rulesets.c.fingerprint == key)
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

    def _parsed(self, tree: str, key: str) -> ReadRules:
        try:
            ruleset = self.house.read(json.loads(tree), key)
            return ruleset._replace(rules=ruleset.rules.under(key))
        except UNREADABLE as error:
            log_unreadable("ruleset", key)
            raise ServerError("rules_unreadable", rules=key) from error

    async def toml(self, fingerprint: str) -> str:
        """The text a ruleset was saved as; empty if there is none."""
        query = select(rulesets.c.toml).where(rulesets.c.fingerprint == fingerprint)
        row = await self._store.first(query)
        return "" if row is None else str(row.toml)

    async def of_person(self, person: str, most: int = 100) -> list[Saved]:
        """The rulesets a person has saved, newest first."""
        query = select(rulesets.c.fingerprint, rulesets.c.name).where(rulesets.c.person == person)
        rows = await self._store.rows(query.order_by(rulesets.c.created.desc()).limit(most))
        named = [(row.fingerprint, row.name) for row in rows]
        shown = [(key, name, await self.readable(key)) for key, name in named]
        return [Saved(key, name, rules.rules if rules else None) for key, name, rules in shown]

    async def readable(self, name: str, fingerprint: str | None = None) -> ReadRules | None:
        """Like ``shown``, but ``None`` for unreadable rules, so that lists can skip them."""
        try:
            return await self.shown(name, fingerprint)
        except ServerError as error:
            if error.code not in ("rules_unreadable", "no_rules"):
                raise
            return None
