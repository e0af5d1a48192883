"""Stored reviews: the latest one of each seat and judge, and what its mistakes cost by kind and situation."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import ColumnElement, String, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.bots.review import Review
from jantaku.bots.review.model import MistakeKind, from_dict, to_dict
from jantaku.reading import Strict
from jantaku.server.storage.base import UNREADABLE, Id, SmallNumber, StoredModel, StoredRow, Unreadable, Word
from jantaku.server.storage.finished_games import ENGINE, source_mark
from jantaku.server.storage.games import GameRow, PlayerRow
from jantaku.server.storage.rows import log_unreadable
from jantaku.server.storage.saved import UploadRow
from jantaku.server.storage.store import Repository

Source = Literal["games", "uploads"]
Situation = Literal["dealer", "child", "early", "middle", "late", "riichi", "no_riichi"]
JUDGE_LENGTH: Final = 64


@cache
def review_mark() -> str:
    """Return a hash of the sources that determine a review."""
    return source_mark(*ENGINE, "bots/**/*.py")


class ReviewKey(NamedTuple):
    """What is reviewed: a seat of a game or upload, by a judge."""

    source: Source
    game: str
    seat: int
    judge: str


@dataclass(frozen=True, kw_only=True)
class GameCosts(Strict):
    """Points lost by mistakes in a game: in the ``hands`` played, by kind and by situation.

    ``arose``: the number of hands in which each situation arose.
    """

    hands: int
    lost: Mapping[MistakeKind, float]
    lost_in: Mapping[Situation, float]
    arose: Mapping[Situation, int]


class ReviewRow(StoredRow):
    """The latest review of a seat by a judge. ``mark``: of the version that made it; see ``review_mark``.

    ``costs`` is ``NULL`` until a review is complete.
    """

    __tablename__ = "reviews"

    source: Mapped[Word] = mapped_column(primary_key=True)
    game: Mapped[Id] = mapped_column(primary_key=True)  # or an upload
    seat: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    judge: Mapped[str] = mapped_column(String(JUDGE_LENGTH), primary_key=True)
    mark: Mapped[Id]
    progress: Mapped[float]
    review: Mapped[bytes]  # compressed JSON
    costs: Mapped[GameCosts | None] = mapped_column(StoredModel(GameCosts), default=None)


class OwnReview(NamedTuple):
    """A finished game of a person, and the costs of its complete review, ``None`` without one."""

    game: str
    seat: int
    costs: GameCosts | None


class ReviewStore(Repository):
    """Reads and writes reviews."""

    async def find(self, key: ReviewKey) -> Review | None:
        """Return the stored review of this version; ``None`` if there is none."""
        query = select(ReviewRow.review).where(*_is(key), ReviewRow.mark == review_mark())
        row = await self._store.first(query)
        if row is None:
            return None
        try:
            return from_dict(json.loads(zlib.decompress(row.review)))
        except (zlib.error, *UNREADABLE):
            log_unreadable("review", key)
            return None

    async def save(self, key: ReviewKey, review: Review, costs: GameCosts | None = None) -> None:
        """Store a review unless a deeper one of this version is stored, or its game is gone.

        The costs of an earlier version stay until there are new ones.
        """
        row = ReviewRow(*key, review_mark(), review.progress, _packed(review), costs)
        values = {name: value for name, value in row.values().items() if name not in ReviewKey._fields}
        if costs is None:
            del values["costs"]
        subject = GameRow.id if key.source == "games" else UploadRow.id
        async with self._store.exclusive() as connection:
            if (await connection.execute(select(subject).where(subject == key.game))).first() is None:
                return
            stored = await connection.execute(select(ReviewRow.mark, ReviewRow.progress).where(*_is(key)))
            before = stored.first()
            if before is None:
                await connection.execute(insert(ReviewRow).values(row.values()))
            elif before.mark != row.mark or before.progress <= row.progress:
                await connection.execute(update(ReviewRow).where(*_is(key)).values(values))

    async def of_person(self, person: str, games: list[str], judge: str) -> list[OwnReview]:
        """Return the person's seats in these games, with the costs of complete reviews by a judge."""
        of_seat = (ReviewRow.game == PlayerRow.game) & (ReviewRow.seat == PlayerRow.seat)
        of_seat &= (ReviewRow.source == "games") & (ReviewRow.judge == judge)
        query = select(PlayerRow.game, PlayerRow.seat, ReviewRow.costs).outerjoin(ReviewRow, of_seat)
        query = query.where(PlayerRow.person == person, PlayerRow.game.in_(games))
        rows = [OwnReview(*row) for row in await self._store.rows(query)]
        return [row._replace(costs=None) if isinstance(row.costs, Unreadable) else row for row in rows]


def _is(key: ReviewKey) -> tuple[ColumnElement[bool], ...]:
    return (
        ReviewRow.source == key.source,
        ReviewRow.game == key.game,
        ReviewRow.seat == key.seat,
        ReviewRow.judge == key.judge,
    )


def _packed(review: Review) -> bytes:
    return zlib.compress(json.dumps(to_dict(review), separators=(",", ":")).encode())


async def delete_reviews(connection: AsyncConnection, source: Source, games: Any) -> None:
    """Delete the reviews of games or uploads; ``games``: their ids, or a query for them."""
    mine = (ReviewRow.source == source) & ReviewRow.game.in_(games)
    await connection.execute(delete(ReviewRow).where(mine))


async def delete_reviews_of(connection: AsyncConnection, person: str) -> None:
    """Delete the reviews of a person's seats and uploads."""
    uploads = select(UploadRow.id).where(UploadRow.person == person)
    await delete_reviews(connection, "uploads", uploads)
    seats = select(PlayerRow.seat).where(PlayerRow.game == ReviewRow.game, PlayerRow.person == person)
    own = (ReviewRow.source == "games") & ReviewRow.seat.in_(seats)
    await connection.execute(delete(ReviewRow).where(own))
