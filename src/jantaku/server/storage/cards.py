"""Cards: mistakes from a person's own games, repeated at growing intervals (FSRS)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple, cast

from fsrs import Card, Rating, Scheduler
from sqlalchemy import ForeignKey, Index, UniqueConstraint, func, insert, select, update
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.bots.review import ReviewedDecision
from jantaku.game.view import View
from jantaku.reading import Strict
from jantaku.server.storage.base import (
    Id,
    Milliseconds,
    Object,
    SmallNumber,
    StoredModel,
    StoredRow,
    Unreadable,
    Word,
)
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.reviews import Source
from jantaku.server.storage.store import Repository, now_ms
from jantaku.server.storage.tables import IS_PUBLIC, TableRow

MAX_CARDS: Final = 1000  # of one person
SCHEDULER: Final = Scheduler(enable_fuzzing=False)
Felt = Literal["hard", "easy"]
RATINGS: Final[dict[Felt | None, Rating]] = {
    "hard": Rating.Hard,
    None: Rating.Good,
    "easy": Rating.Easy,
}


@dataclass(frozen=True, kw_only=True)
class Puzzle(Strict):
    """A mistake in a game or upload: the reviewed ``decision`` and the ``view`` before it.

    ``rules``: fingerprint.
    """

    source: Source
    game: str
    rules: str
    view: View
    decision: ReviewedDecision


class CardRow(StoredRow):
    """A puzzle of a person, with its FSRS state and when it is due."""

    __tablename__ = "cards"
    __table_args__ = (
        UniqueConstraint("person", "source", "game", "seat", "step"),
        Index("ix_cards_due", "person", "due"),
    )

    id: Mapped[Id] = mapped_column(primary_key=True)
    person: Mapped[Id] = mapped_column(ForeignKey("people.id"))
    source: Mapped[Word]
    game: Mapped[Id]
    seat: Mapped[SmallNumber]
    step: Mapped[int]
    puzzle: Mapped[Puzzle] = mapped_column(StoredModel(Puzzle), repr=False)
    fsrs: Mapped[Object]  # ``Card.to_dict`` of the library
    due: Mapped[Milliseconds]
    created: Mapped[Milliseconds]


class CardCounts(NamedTuple):
    """The number of cards, of those due, and when the next one is due in ms, ``None`` without cards."""

    cards: int
    due: int
    next: int | None


class CardStore(Repository):
    """Reads and writes cards. Times are in ms and default to now."""

    async def add(self, person: str, puzzles: Sequence[Puzzle], now: int | None = None) -> int:
        """Add the puzzles that a person does not have yet, up to ``MAX_CARDS``; return the number added."""
        now = now_ms() if now is None else now
        key = (CardRow.source, CardRow.game, CardRow.seat, CardRow.step)
        async with self._store.exclusive() as connection:
            rows = await connection.execute(select(*key).where(CardRow.person == person))
            known = {tuple(row) for row in rows}
            new: dict[tuple[str, str, int, int], Puzzle] = {}
            for puzzle in puzzles:
                place = (puzzle.source, puzzle.game, puzzle.view.seat, puzzle.decision.step)
                if place not in known and len(known) + len(new) < MAX_CARDS:
                    new[place] = puzzle
            known_person = select(PersonRow.id).where(PersonRow.id == person)
            if (await connection.execute(known_person)).first() is None:  # erased in the meantime
                return 0
            if new:
                state = Card(card_id=1, due=_moment(now)).to_dict()
                rows_ = [CardRow(new_id(), person, *at, new[at], dict(state), now, now) for at in new]
                await connection.execute(insert(CardRow), [row.values() for row in rows_])
        return len(new)

    async def counts(self, person: str, now: int | None = None) -> CardCounts:
        """Count a person's cards."""
        now = now_ms() if now is None else now
        due = func.count().filter(CardRow.due <= now)
        query = select(func.count(), due, func.min(CardRow.due)).where(CardRow.person == person)
        return CardCounts(*(await self._store.rows(query))[0])

    async def next(self, person: str, now: int | None = None) -> CardRow | None:
        """Return the readable card that has been due the longest; ``None`` if none is due."""
        now = now_ms() if now is None else now
        query = select(CardRow).where(CardRow.person == person, CardRow.due <= now).order_by(CardRow.due)
        for row in await self._store.all(query.limit(20)):
            if not isinstance(row.puzzle, Unreadable):
                return row
        return None

    async def find(self, person: str, card: str) -> CardRow | None:
        """Return a person's card; ``None`` if it is unknown, unreadable or another person's."""
        row = await self._store.one(select(CardRow).where(CardRow.person == person, CardRow.id == card))
        return None if row is None or isinstance(row.puzzle, Unreadable) else row

    async def public(self, rules: str, before: int, seed: int) -> Puzzle | None:
        """Return a puzzle from a public game under rules, by fingerprint, whose card was made ``before``.

        Its player shares reviews. The same seed chooses the same puzzle as long as no card is deleted.
        """
        query = select(CardRow.puzzle).join(PersonRow, PersonRow.id == CardRow.person)
        query = query.join(GameRow, GameRow.id == CardRow.game)
        query = query.join(TableRow, TableRow.id == GameRow.table_id)
        query = query.where(CardRow.source == "games", CardRow.created < before, PersonRow.reviews_shown)
        query = query.where(GameRow.status == "finished", GameRow.fingerprint == rules, IS_PUBLIC)
        (count,) = (await self._store.rows(select(func.count()).select_from(query.subquery())))[0]
        if not count:
            return None
        row = await self._store.first(query.order_by(CardRow.id).offset(seed % count).limit(1))
        return None if row is None or isinstance(row.puzzle, Unreadable) else row.puzzle

    async def answer(self, card: CardRow, right: bool, felt: Felt | None, now: int | None = None) -> int:
        """Schedule a card after an answer and return when it is due again.

        A second answer to the same question, late or from another device, changes nothing.
        """
        now = now_ms() if now is None else now
        if card.due > now:
            return card.due
        rating = RATINGS[felt] if right else Rating.Again
        state, _ = SCHEDULER.review_card(Card.from_dict(cast("Any", card.fsrs)), rating, _moment(now))
        due = int(state.due.timestamp() * 1000)
        same = update(CardRow).where(CardRow.id == card.id, CardRow.due == card.due)
        await self._store.write(same.values(fsrs=state.to_dict(), due=due))
        return due


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
