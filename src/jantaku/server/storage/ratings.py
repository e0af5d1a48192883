"""Ratings of people in the database, each ``under`` a ruleset (its fingerprint) or in ranked play."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Select, and_, bindparam, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.club import Rating
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.schema import game_players, games, rating_progress, rating_steps
from jantaku.server.storage.store import Store

STEPS, PROGRESS = rating_steps.c, rating_progress.c
# of one person: SQLite would take the index of everybody
IS_NEWEST: Final = (STEPS.standing + 0).is_not(None)
ANEW: Final = -1  # in ``rating_progress``: somebody has been erased, so that nothing counts any more
LADDERS: Final = ("3", "4")  # players in ranked play


class RatingStep(NamedTuple):
    """A person's rating after a game."""

    person: str
    ended: int
    game: str
    place: int
    mu: float
    sigma: float

    @property
    def rating(self) -> Rating:
        """The rating."""
        return Rating(self.mu, self.sigma)

    @property
    def at(self) -> datetime:
        """When the game ended."""
        return datetime.fromtimestamp(self.ended / 1000, UTC)


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
        query = select(PROGRESS.until).where(PROGRESS.under == under)
        newest: int | None = await self.store.value(query)
        return newest

    async def last_steps(self, under: str, people: Collection[str]) -> list[RatingStep]:
        """The newest step of each of these people who has one."""
        query = _steps(under).where(STEPS.person.in_(people), IS_NEWEST)
        return [RatingStep(*row) for row in await self.store.rows(query)]

    async def counted(self, under: str, people: Collection[str], ended: int) -> set[str]:
        """The games of these people that ended at that moment and count already."""
        query = select(STEPS.game).where(STEPS.under == under, STEPS.person.in_(people))
        return set(await self.store.values(query.where(STEPS.ended == ended)))

    async def games_of(
        self, under: str, people: Collection[str], since: int, before: int
    ) -> dict[str, set[str]]:
        """The games that count of each of these people, by when they ended."""
        query = select(STEPS.person, STEPS.game).where(STEPS.under == under, STEPS.person.in_(people))
        found = {person: set[str]() for person in people}
        for person, game in await self.store.rows(query.where(STEPS.ended >= since, STEPS.ended < before)):
            found[person].add(game)
        return found

    async def add(self, under: str, steps: Sequence[RatingStep], *, before: int | None, until: int) -> bool:
        """Store steps that follow each other, and until when all count.

        Stores nothing and returns whether it did, if ``before`` is no more until when all count.
        """
        last = {step.person: step for step in steps}
        rows = [
            step._asdict()
            | {"under": under, "standing": step.rating.ordinal if last[step.person] is step else None}
            for step in steps
        ]
        try:
            async with self.store.writing() as connection:
                if not await _advance(connection, under, before, until):
                    return False
                if rows:
                    superseded = update(rating_steps).values(standing=None)
                    superseded = superseded.where(
                        STEPS.under == under, STEPS.person == bindparam("who"), IS_NEWEST
                    )
                    await connection.execute(superseded, [{"who": person} for person in last])
                    await connection.execute(insert(rating_steps), rows)
        except IntegrityError:  # another process has begun at the same time
            return False
        return True

    async def course(self, under: str, person: str, most: int) -> RatingCourse:
        """The rating of a person with its newest steps, the oldest first."""
        mine = (STEPS.under == under, STEPS.person == person)
        standing = select(STEPS.standing).where(*mine, IS_NEWEST).scalar_subquery()
        everybody = select(func.count()).select_from(rating_steps)
        everybody = everybody.where(STEPS.under == under, STEPS.standing.is_not(None))
        figures = select(
            select(func.count()).select_from(rating_steps).where(*mine).scalar_subquery(),
            everybody.where(STEPS.standing > standing).scalar_subquery(),
            everybody.scalar_subquery(),
        )
        async with self.store.reading() as connection:
            steps = await _newest(connection, under, person, most)
            count, above, people = (await connection.execute(figures)).one()
        return RatingCourse(steps[::-1], count, 1 + above if steps else None, people)

    async def around(self, under: str, game: GameRow) -> dict[str, list[RatingStep]]:
        """The step of each player of a game, and the one before, if they have them."""
        ratings = {}
        earlier = or_(STEPS.ended < game.ended, and_(STEPS.ended == game.ended, STEPS.game <= game.id))
        async with self.store.reading() as connection:
            for person in (player.person for player in game.players if player.person is not None):
                ratings[person] = await _newest(connection, under, person, 2, earlier)
        return {person: steps for person, steps in ratings.items() if steps and steps[0].game == game.id}


async def _newest(
    connection: AsyncConnection, under: str, person: str, most: int, *where: Any
) -> list[RatingStep]:
    query = _steps(under).where(STEPS.person == person, *where)
    query = query.order_by(STEPS.ended.desc(), STEPS.game.desc()).limit(most)
    return [RatingStep(*row) for row in await connection.execute(query)]


async def _advance(connection: AsyncConnection, under: str, before: int | None, until: int) -> bool:
    """Note until when all games count; ``False`` if somebody else has noted it meanwhile."""
    if before is None:
        await connection.execute(insert(rating_progress).values(under=under, until=until))
        return True
    same = update(rating_progress).where(PROGRESS.under == under, PROGRESS.until == before)
    return bool((await connection.execute(same.values(until=until))).rowcount)


def _steps(under: str) -> Select[Any]:
    return select(*(STEPS[name] for name in RatingStep._fields)).where(STEPS.under == under)


async def forget_ratings_with(connection: AsyncConnection, person: str) -> None:
    """Take out the ratings of everybody who has played where a person did who is being erased.

    Every rating follows from those of the others, so all are worked out anew without this person.
    """
    rulesets = select(games.c.fingerprint).join(game_players, game_players.c.game == games.c.id)
    rulesets = rulesets.where(game_players.c.person == person).distinct()
    unders = {*LADDERS, *(await connection.execute(rulesets)).scalars()}
    await connection.execute(delete(rating_steps).where(STEPS.under.in_(unders)))
    await connection.execute(delete(rating_progress).where(PROGRESS.under.in_(unders)))
    await connection.execute(insert(rating_progress), [{"under": ladder, "until": ANEW} for ladder in unders])
