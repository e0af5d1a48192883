"""Ratings of people in the database, each ``under`` a ruleset (its fingerprint) or in ranked play."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    Double,
    ForeignKey,
    Index,
    Select,
    and_,
    bindparam,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club import Rating
from jantaku.server.storage.base import Id, Milliseconds, SmallNumber, StoredRow, read_rows, table_of
from jantaku.server.storage.games import GameRow, PlayerRow
from jantaku.server.storage.store import Store

ANEW: Final = -1  # of a ladder: somebody has been erased, so that nothing counts any more
LADDERS: Final = ("3", "4")  # players in ranked play


class RatingStep(StoredRow):
    """A person's rating after a game that counts for it; ``ended`` is that of the game.

    ``under``: a fingerprint, or the players of ranked play. People are ranked by ``standing``, which only
    their newest step has.
    """

    __tablename__ = "rating_steps"
    __table_args__ = (Index("ix_rating_steps_under_standing", "under", "standing"),)

    under: Mapped[Id] = mapped_column(primary_key=True)
    person: Mapped[Id] = mapped_column(primary_key=True)
    ended: Mapped[Milliseconds] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    place: Mapped[SmallNumber]
    mu: Mapped[float] = mapped_column(Double)
    sigma: Mapped[float] = mapped_column(Double)
    standing: Mapped[float | None] = mapped_column(Double, default=None)

    @property
    def rating(self) -> Rating:
        """The rating."""
        return Rating(self.mu, self.sigma)

    @property
    def at(self) -> datetime:
        """When the game ended."""
        return datetime.fromtimestamp(self.ended / 1000, UTC)


class RatingProgress(StoredRow):
    """All rated games that ended before ``until`` count; ``ANEW``: none does."""

    __tablename__ = "rating_progress"

    under: Mapped[Id] = mapped_column(primary_key=True)
    until: Mapped[Milliseconds]


# of one person: SQLite would take the index of everybody
IS_NEWEST: Final = (RatingStep.standing + 0).is_not(None)


class RatingCourse(NamedTuple):
    """A person's rating: its newest steps, over how many games, and their place among how many people."""

    steps: list[RatingStep]
    games: int
    rank: int | None
    people: int


@dataclass(frozen=True)
class RatingStore:
    """Reads ratings, and adds what newer games make of them."""

    store: Store

    async def until(self, under: str) -> int | None:
        """All games that ended before then count; ``None``: none was looked at, ``ANEW``: none counts now."""
        query = select(RatingProgress.until).where(RatingProgress.under == under)
        newest: int | None = await self.store.value(query)
        return newest

    async def last_steps(self, under: str, people: Collection[str]) -> list[RatingStep]:
        """The newest step of each of these people who has one."""
        query = _steps(under).where(RatingStep.person.in_(people), IS_NEWEST)
        return await self.store.all(query)

    async def counted(self, under: str, people: Collection[str], ended: int) -> set[str]:
        """The games of these people that ended at that moment and count already."""
        query = select(RatingStep.game).where(RatingStep.under == under, RatingStep.person.in_(people))
        return set(await self.store.values(query.where(RatingStep.ended == ended)))

    async def games_of(
        self, under: str, people: Collection[str], since: int, before: int
    ) -> dict[str, set[str]]:
        """The games that count of each of these people, by when they ended."""
        query = select(RatingStep.person, RatingStep.game).where(
            RatingStep.under == under, RatingStep.person.in_(people)
        )
        found = {person: set[str]() for person in people}
        for person, game in await self.store.rows(
            query.where(RatingStep.ended >= since, RatingStep.ended < before)
        ):
            found[person].add(game)
        return found

    async def add(self, under: str, steps: Sequence[RatingStep], *, before: int | None, until: int) -> bool:
        """Store steps under a ruleset that follow each other, and until when all count.

        Stores nothing and returns whether it did, if ``before`` is no more until when all count.
        """
        last = {step.person: step for step in steps}
        standings = (step.rating.ordinal if last[step.person] is step else None for step in steps)
        rows = [
            step.values() | {"standing": standing} for step, standing in zip(steps, standings, strict=True)
        ]
        try:
            async with self.store.writing() as connection:
                if not await _advance(connection, under, before, until):
                    return False
                if rows:
                    superseded = update(table_of(RatingStep)).values(standing=None)
                    superseded = superseded.where(
                        RatingStep.under == under, RatingStep.person == bindparam("who"), IS_NEWEST
                    )
                    await connection.execute(superseded, [{"who": person} for person in last])
                    await connection.execute(insert(RatingStep), rows)
        except IntegrityError:  # another process has begun at the same time
            return False
        return True

    async def course(self, under: str, person: str, most: int) -> RatingCourse:
        """The rating of a person with its newest steps, the oldest first."""
        mine = (RatingStep.under == under, RatingStep.person == person)
        standing = select(RatingStep.standing).where(*mine, IS_NEWEST).scalar_subquery()
        everybody = select(func.count(RatingStep.game))
        everybody = everybody.where(RatingStep.under == under, RatingStep.standing.is_not(None))
        figures = select(
            select(func.count(RatingStep.game)).where(*mine).scalar_subquery(),
            everybody.where(RatingStep.standing > standing).scalar_subquery(),
            everybody.scalar_subquery(),
        )
        async with self.store.reading() as connection:
            steps = await _newest(connection, under, person, most)
            count, above, people = (await connection.execute(figures)).one()
        return RatingCourse(steps[::-1], count, 1 + above if steps else None, people)

    async def around(self, under: str, game: GameRow) -> dict[str, list[RatingStep]]:
        """The step of each player of a game, and the one before, if they have them."""
        ratings = {}
        earlier = or_(
            RatingStep.ended < game.ended, and_(RatingStep.ended == game.ended, RatingStep.game <= game.id)
        )
        async with self.store.reading() as connection:
            for person in (player.person for player in game.players if player.person is not None):
                ratings[person] = await _newest(connection, under, person, 2, earlier)
        return {person: steps for person, steps in ratings.items() if steps and steps[0].game == game.id}


async def _newest(
    connection: AsyncConnection, under: str, person: str, most: int, *where: Any
) -> list[RatingStep]:
    query = _steps(under).where(RatingStep.person == person, *where)
    query = query.order_by(RatingStep.ended.desc(), RatingStep.game.desc()).limit(most)
    return await read_rows(connection, query)


async def _advance(connection: AsyncConnection, under: str, before: int | None, until: int) -> bool:
    """Note until when all games count; ``False`` if somebody else has noted it meanwhile."""
    if before is None:
        await connection.execute(insert(RatingProgress).values(under=under, until=until))
        return True
    same = update(RatingProgress).where(RatingProgress.under == under, RatingProgress.until == before)
    return bool((await connection.execute(same.values(until=until))).rowcount)


def _steps(under: str) -> Select[RatingStep]:
    return select(RatingStep).where(RatingStep.under == under)


async def forget_ratings_with(connection: AsyncConnection, person: str) -> None:
    """Take out the ratings of everybody who has played where a person did who is being erased.

    Every rating follows from those of the others, so all are worked out anew without this person.
    """
    rulesets = select(GameRow.fingerprint).join(PlayerRow, PlayerRow.game == GameRow.id)
    rulesets = rulesets.where(PlayerRow.person == person).distinct()
    unders = {*LADDERS, *(await connection.execute(rulesets)).scalars()}
    await connection.execute(delete(RatingStep).where(RatingStep.under.in_(unders)))
    await connection.execute(delete(RatingProgress).where(RatingProgress.under.in_(unders)))
    await connection.execute(insert(RatingProgress), [{"under": ladder, "until": ANEW} for ladder in unders])
