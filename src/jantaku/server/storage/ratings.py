"""Stored ratings: each person has one ``under`` each ruleset (by fingerprint) and one in ranked play."""

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

RESTART: Final = -1  # progress of ratings that must be recomputed because a player was erased
LADDERS: Final = ("3", "4")  # number of players in ranked play


class RatingStep(StoredRow):
    """A person's rating after a rated game, which ended at ``ended``.

    ``under`` is the fingerprint of a ruleset, or the number of players in ranked play. People are ranked by
    ``standing``, which is set only in their newest step.
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
        """The rating as mean and deviation."""
        return Rating(self.mu, self.sigma)

    @property
    def at(self) -> datetime:
        """When the game ended."""
        return datetime.fromtimestamp(self.ended / 1000, UTC)


class RatingProgress(StoredRow):
    """How far the ratings have been computed: up to the games that ended before ``until``, or ``RESTART``."""

    __tablename__ = "rating_progress"

    under: Mapped[Id] = mapped_column(primary_key=True)
    until: Mapped[Milliseconds]


# for queries of one person: the addition stops SQLite from using the index over all standings
IS_NEWEST: Final = (RatingStep.standing + 0).is_not(None)


class RatingCourse(NamedTuple):
    """A person's rating: the newest steps, the number of games, the rank, and the number of rated people."""

    steps: list[RatingStep]
    games: int
    rank: int | None
    people: int


@dataclass(frozen=True)
class RatingStore:
    """Reads ratings and adds the steps of newer games."""

    store: Store

    async def until(self, under: str) -> int | None:
        """Return the time (ms) up to which games are counted, ``RESTART``, or ``None`` at the first run."""
        query = select(RatingProgress.until).where(RatingProgress.under == under)
        newest: int | None = await self.store.value(query)
        return newest

    async def last_steps(self, under: str, people: Collection[str]) -> list[RatingStep]:
        """Return the newest step of each of these people, if any."""
        query = _steps(under).where(RatingStep.person.in_(people), IS_NEWEST)
        return await self.store.all(query)

    async def counted(self, under: str, people: Collection[str], ended: int) -> set[str]:
        """Return the games of these people that ended at ``ended`` and have been counted."""
        query = select(RatingStep.game).where(RatingStep.under == under, RatingStep.person.in_(people))
        return set(await self.store.values(query.where(RatingStep.ended == ended)))

    async def games_of(
        self, under: str, people: Collection[str], since: int, before: int
    ) -> dict[str, set[str]]:
        """Return each person's counted games that ended between ``since`` and ``before`` (ms, exclusive)."""
        query = select(RatingStep.person, RatingStep.game).where(
            RatingStep.under == under, RatingStep.person.in_(people)
        )
        games = {person: set[str]() for person in people}
        for person, game in await self.store.rows(
            query.where(RatingStep.ended >= since, RatingStep.ended < before)
        ):
            games[person].add(game)
        return games

    async def add(self, under: str, steps: Sequence[RatingStep], *, before: int | None, until: int) -> bool:
        """Store steps in order, and the progress ``until``; return whether they were stored.

        Nothing is stored if the progress is no longer ``before``, because another process has advanced it.
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
        except IntegrityError:  # another process started at the same time
            return False
        return True

    async def course(self, under: str, person: str, limit: int) -> RatingCourse:
        """Return a person's rating with up to ``limit`` newest steps in chronological order."""
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
            steps = await _newest(connection, under, person, limit)
            count, above, people = (await connection.execute(figures)).one()
        return RatingCourse(steps[::-1], count, 1 + above if steps else None, people)

    async def around(self, under: str, game: GameRow) -> dict[str, list[RatingStep]]:
        """Return the step after a game and the previous one, for each player with a step for this game."""
        ratings = {}
        earlier = or_(
            RatingStep.ended < game.ended, and_(RatingStep.ended == game.ended, RatingStep.game <= game.id)
        )
        async with self.store.reading() as connection:
            for person in (player.person for player in game.players if player.person is not None):
                ratings[person] = await _newest(connection, under, person, 2, earlier)
        return {person: steps for person, steps in ratings.items() if steps and steps[0].game == game.id}


async def _newest(
    connection: AsyncConnection, under: str, person: str, limit: int, *where: Any
) -> list[RatingStep]:
    query = _steps(under).where(RatingStep.person == person, *where)
    query = query.order_by(RatingStep.ended.desc(), RatingStep.game.desc()).limit(limit)
    return await read_rows(connection, query)


async def _advance(connection: AsyncConnection, under: str, before: int | None, until: int) -> bool:
    """Store the progress; ``False`` if another process has advanced it in the meantime."""
    if before is None:
        await connection.execute(insert(RatingProgress).values(under=under, until=until))
        return True
    same = update(RatingProgress).where(RatingProgress.under == under, RatingProgress.until == before)
    return bool((await connection.execute(same.values(until=until))).rowcount)


def _steps(under: str) -> Select[RatingStep]:
    return select(RatingStep).where(RatingStep.under == under)


async def delete_ratings_with(connection: AsyncConnection, person: str) -> None:
    """Delete all ratings under the rulesets that a person, who is being erased, has played.

    Ratings depend on each other, so all of them are recomputed without this person.
    """
    rulesets = select(GameRow.fingerprint).join(PlayerRow, PlayerRow.game == GameRow.id)
    rulesets = rulesets.where(PlayerRow.person == person).distinct()
    unders = {*LADDERS, *(await connection.execute(rulesets)).scalars()}
    await connection.execute(delete(RatingStep).where(RatingStep.under.in_(unders)))
    await connection.execute(delete(RatingProgress).where(RatingProgress.under.in_(unders)))
    await connection.execute(
        insert(RatingProgress), [{"under": ladder, "until": RESTART} for ladder in unders]
    )
