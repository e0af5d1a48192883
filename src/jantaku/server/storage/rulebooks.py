"""Rulesets in the database: those people save, and every one a game was played under."""

import dataclasses
import json

from sqlalchemy import insert, select

from jantaku.rules import Ruleset, load, preset_names
from jantaku.server.errors import ServerError
from jantaku.server.storage.schema import rulesets
from jantaku.server.storage.store import Store, now_ms


class Rulebooks:
    """Rulesets by fingerprint."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Ruleset] = {}

    async def save(self, rules: Ruleset, toml: str = "", person: str | None = None) -> str:
        """Store a ruleset unless it is there; its fingerprint."""
        async with self._store.writing() as connection:
            query = select(rulesets.c.toml).where(rulesets.c.fingerprint == rules.fingerprint)
            if (await connection.execute(query)).first() is None:
                row = {
                    "fingerprint": rules.fingerprint,
                    "name": str(next(iter(rules.name.values()), rules.id))[:100],
                    "tree": json.dumps(rules.to_dict(), ensure_ascii=False),
                    "toml": toml,
                    "person": person,
                    "created": now_ms(),
                }
                await connection.execute(insert(rulesets).values(row))
        return rules.fingerprint

    async def find(self, name: str, fingerprint: str | None = None) -> Ruleset:
        """The ruleset of a preset's name or of a fingerprint; ``no_rules`` where there is none.

        With ``fingerprint``, the one that was stored under it, should the preset have changed since.
        """
        if name in preset_names():
            preset = load(name)
            if fingerprint in (None, preset.fingerprint):
                return preset
        key = fingerprint or name
        if key not in self._known:
            query = select(rulesets.c.tree).where(rulesets.c.fingerprint == key)
            async with self._store.reading() as connection:
                row = (await connection.execute(query)).first()
            if row is None:
                raise ServerError("no_rules", rules=name)
            self._known[key] = load(json.loads(row.tree))
        return dataclasses.replace(self._known[key], id=name)

    async def toml(self, fingerprint: str) -> str:
        """The text a ruleset was saved as; empty where there is none."""
        query = select(rulesets.c.toml).where(rulesets.c.fingerprint == fingerprint)
        async with self._store.reading() as connection:
            row = (await connection.execute(query)).first()
        return "" if row is None else str(row.toml)

    async def of_person(self, person: str, most: int = 100) -> list[Ruleset]:
        """The rulesets somebody has saved, newest first."""
        query = select(rulesets.c.fingerprint).where(rulesets.c.person == person)
        async with self._store.reading() as connection:
            rows = await connection.execute(query.order_by(rulesets.c.created.desc()).limit(most))
            names = [row.fingerprint for row in rows]
        return [await self.find(name) for name in names]
