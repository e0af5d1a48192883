"""Who wants to be friends with whom, and who has blocked whom."""

from collections.abc import Callable, Collection
from typing import Any, Literal, NamedTuple

from sqlalchemy import Row, delete, func, insert, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.errors import ServerError
from jantaku.server.storage.schema import people, ties
from jantaku.server.storage.store import OverStore, Store, now_ms

TieKind = Literal["friend", "blocked"]


class TiedPerson(NamedTuple):
    """Somebody whom a tie concerns. ``shown``: friends may see where they play."""

    id: str
    name: str
    shown: bool


class PersonTies(NamedTuple):
    """The ties of a person: mutual ones, those of others, own ones, and whom they have blocked."""

    friends: list[TiedPerson]
    asked: list[TiedPerson]
    wanted: list[TiedPerson]
    blocked: list[TiedPerson]


class TieStore(OverStore):
    """All ties."""

    def __init__(self, store: Store, most: int) -> None:
        super().__init__(store)
        self._most = most  # of one person

    async def of(self, person: str) -> PersonTies:
        """The ties of a person; who has blocked them is not among them."""
        query = select(ties, people.c.id, people.c.name, people.c.presence_shown)
        mine = query.join(people, people.c.id == ties.c.other).where(ties.c.person == person)
        theirs = query.join(people, people.c.id == ties.c.person)
        theirs = theirs.where(ties.c.other == person, ties.c.kind == "friend")
        async with self._store.reading() as connection:
            own = list(await connection.execute(mine.order_by(ties.c.since)))
            of_others = list(await connection.execute(theirs.order_by(ties.c.since)))
        asking = {row.id for row in of_others}
        kinds = {row.id: row.kind for row in own}

        def those(rows: list[Row[Any]], wanted: Callable[[Row[Any]], bool]) -> list[TiedPerson]:
            return [TiedPerson(row.id, row.name, bool(row.presence_shown)) for row in rows if wanted(row)]

        return PersonTies(
            friends=those(own, lambda row: row.kind == "friend" and row.id in asking),
            asked=those(of_others, lambda row: row.id not in kinds),
            wanted=those(own, lambda row: row.kind == "friend" and row.id not in asking),
            blocked=those(own, lambda row: row.kind == "blocked"),
        )

    async def blocked(self, person: str) -> frozenset[str]:
        """Whom a person has blocked."""
        query = select(ties.c.other).where(ties.c.person == person, ties.c.kind == "blocked")
        return frozenset(await self._store.values(query))

    async def are_friends(self, one: str, other: str) -> bool:
        """Whether both want to be friends."""
        pair = or_(
            (ties.c.person == one) & (ties.c.other == other), (ties.c.person == other) & (ties.c.other == one)
        )
        query = select(func.count()).select_from(ties).where(pair, ties.c.kind == "friend")
        return int(await self._store.value(query)) == 2

    async def set(self, person: str, other: str, kind: TieKind | None) -> None:
        """Want to be friends, block, or neither; raises ``too_many_ties`` and ``no_person``."""
        async with self._store.counting() as connection:
            if (await connection.execute(select(people.c.id).where(people.c.id == other))).first() is None:
                raise ServerError("no_person")
            await connection.execute(delete(ties).where(ties.c.person == person, ties.c.other == other))
            if kind is None:
                return
            held = select(func.count()).select_from(ties).where(ties.c.person == person)
            if int((await connection.execute(held)).scalar_one()) >= self._most:
                raise ServerError("too_many_ties", most=self._most)
            row = {"person": person, "other": other, "kind": kind, "since": now_ms()}
            await connection.execute(insert(ties).values(row))

    async def decline(self, person: str, other: str) -> None:
        """End the request of another to be friends with a person."""
        asked = (ties.c.person == other) & (ties.c.other == person) & (ties.c.kind == "friend")
        async with self._store.writing() as connection:
            await connection.execute(delete(ties).where(asked))


async def untie(connection: AsyncConnection, gone: Collection[str]) -> None:
    """Delete all ties from and to people who are deleted."""
    await connection.execute(delete(ties).where(or_(ties.c.person.in_(gone), ties.c.other.in_(gone))))
