"""Delete expired rows, apply retention periods, pack old games and measure disk use."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    SQLColumnExpression,
    String,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.server import tasks
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import Rows, StoredRow, table_of
from jantaku.server.storage.cards import CardRow
from jantaku.server.storage.entries import ClaimRow, EntryRow
from jantaku.server.storage.events import AuditRow, CallRow, PenaltyRow, StaffRow
from jantaku.server.storage.finished_games import OutcomeRow
from jantaku.server.storage.games import (
    ActionRow,
    GameRow,
    HandRow,
    PackedMoves,
    PlayerRow,
    moves_of,
    packed,
)
from jantaku.server.storage.lease import Peer
from jantaku.server.storage.people import DAY_MS, PersonRow, delete_ties
from jantaku.server.storage.ratings import RatingStep
from jantaku.server.storage.recorded_games import HandMark, RecordedGameRow, VersionRow
from jantaku.server.storage.reviews import ReviewRow, delete_reviews
from jantaku.server.storage.rows import bytes_in
from jantaku.server.storage.saved import RulesetRow, UploadRow, in_use
from jantaku.server.storage.sign_in import LinkRow, SessionRow
from jantaku.server.storage.store import Repository, Store, now_ms
from jantaku.server.storage.tables import FILLED, OPEN_TABLE, PRACTICE, RATED, Removed, SeatRow, TableRow
from jantaku.server.tasks import Background

PERSON_COLUMNS: Final[tuple[Rows, ...]] = (
    *(EntryRow, HandMark, VersionRow, RecordedGameRow, ClaimRow, CallRow, PenaltyRow),
)
PRACTICE_MS: Final = 2 * DAY_MS
GUEST_BATCH: Final = 500  # guests deleted in one transaction, during which tables cannot write


class Cleanup(Repository):
    """Deletes expired data."""

    async def tidy(self, now: int | None = None, keep: Sequence[str] = (), process: str = "") -> None:
        """Delete expired sessions and links, guests who cannot return, and closed tables without games.

        Abort practice games older than ``PRACTICE_MS``, except at the tables in ``keep`` and at tables owned
        by a live process other than ``process``.

        A guest without a session can never sign in again. Their uploads, cards and any saved rulesets that no
        game used are deleted with them. Their games remain, and their event entries without an account.
        Games and accounts are never deleted here.
        """
        now = now_ms() if now is None else now
        async with self._store.writing() as connection:
            await connection.execute(delete(SessionRow).where(SessionRow.expires < now))
            await connection.execute(delete(LinkRow).where(LinkRow.expires < now))
            never_played = select(TableRow.id).where(
                TableRow.status == "closed",
                TableRow.game == 0,
                TableRow.created < now - DAY_MS,
            )
            for part in (SeatRow, Removed):
                await connection.execute(delete(part).where(part.table_id.in_(never_played)))
            await connection.execute(delete(TableRow).where(TableRow.id.in_(never_played)))
            abandoned = select(TableRow.id).where(
                TableRow.stage == PRACTICE,
                TableRow.status == "playing",
                TableRow.created < now - PRACTICE_MS,
                TableRow.id.not_in(keep),
                ~exists().where(Peer.id == TableRow.process, Peer.id != process),
            )
            aborted = {"status": "aborted"}
            running = (GameRow.status == "playing") & GameRow.table_id.in_(abandoned)
            await connection.execute(update(GameRow).where(running).values(ended=now, **aborted))
            await connection.execute(update(TableRow).where(TableRow.id.in_(abandoned)).values(aborted))
        while await self._delete_guests(now):
            pass

    async def _delete_guests(self, now: int) -> bool:
        """Delete one batch of guests; return whether there may be more."""
        query = select(PersonRow.id).where(_cannot_return(now)).limit(GUEST_BATCH)
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query)).scalars())
            unused = RulesetRow.person.in_(gone) & ~in_use()
            uploads = select(UploadRow.id).where(UploadRow.person.in_(gone))
            await delete_reviews(connection, "uploads", uploads)
            for own in (UploadRow, CardRow):
                await connection.execute(delete(own).where(own.person.in_(gone)))
            await connection.execute(delete(RulesetRow).where(unused))
            await unlink_from_events(connection, gone)
            await delete_ties(connection, gone)
            await connection.execute(delete(PersonRow).where(PersonRow.id.in_(gone)))
        return len(gone) == GUEST_BATCH


async def unlink_from_events(connection: AsyncConnection, people: Sequence[str]) -> None:
    """Remove people's accounts from event rows, and their staff roles; names and results remain."""
    await connection.execute(delete(StaffRow).where(StaffRow.person.in_(people)))
    for table in map(table_of, PERSON_COLUMNS):
        mine = update(table).where(table.c.person.in_(people))
        await connection.execute(mine.values(person=None))


def _cannot_return(now: int) -> ColumnElement[bool]:
    """Condition for guests who have no way to sign in and no seat or table."""
    seated = exists().where(SeatRow.person == PersonRow.id, SeatRow.table_id == TableRow.id, OPEN_TABLE)
    owns = exists().where(TableRow.owner == PersonRow.id, OPEN_TABLE)
    can_sign_in = exists().where(SessionRow.person == PersonRow.id) | exists().where(
        LinkRow.person == PersonRow.id
    )
    old = PersonRow.created < now - DAY_MS
    return PersonRow.account.is_(None) & old & ~seated & ~owns & ~can_sign_in


FOR_EVER: Final = 0
MAX_DAYS: Final = 36_500
DELETE_BATCH: Final = 200  # games or uploads in one transaction, during which tables cannot write
Days = dict[str, int]


class RetentionRow(StoredRow):
    """A retention period in days that differs from the default; 0 keeps the data for ever."""

    __tablename__ = "keeping"

    name: Mapped[str] = mapped_column(String(20), primary_key=True)
    days: Mapped[int]


class RetentionKind(NamedTuple):
    """A kind of data with its default retention in days, and the shortest period an owner may set."""

    name: str
    default: int
    minimum: int


KINDS: Final = (
    RetentionKind("unpacked", 30, 1),  # games with a row for each action
    RetentionKind("casual", FOR_EVER, 7),  # games that count for no event and no rating
    RetentionKind("uploads", FOR_EVER, 7),
)
GAME_PARTS: Final = (ActionRow, PackedMoves, HandRow, PlayerRow)  # tables with rows that belong to a game
SIZES: Final = (
    (ActionRow, ActionRow.action),
    (PackedMoves, PackedMoves.moves),
    (HandRow, HandRow.log),
    (ReviewRow, ReviewRow.review),
)


class Affected(NamedTuple):
    """Number of games or uploads that would be packed or deleted, and their size in bytes."""

    rows: int
    bytes: int


class Retention(Repository):
    """The retention periods set by the owner, and deletion of data that exceeds them."""

    async def days(self) -> Days:
        """Return the retention period of each kind in days; 0 means for ever."""
        stored = {row.name: row.days for row in await self._store.all(select(RetentionRow))}
        return {kind.name: stored.get(kind.name, kind.default) for kind in KINDS}

    async def save(self, days: Mapping[str, int]) -> None:
        """Store the retention periods; raises ``ServerError("bad_days")``."""
        checked = _checked(days)
        async with self._store.writing() as connection:
            await connection.execute(delete(RetentionRow))
            changed = [
                {"name": kind.name, "days": checked[kind.name]}
                for kind in KINDS
                if checked[kind.name] != kind.default
            ]
            if changed:
                await connection.execute(insert(RetentionRow), changed)

    async def preview(self, days: Mapping[str, int], now: int | None = None) -> dict[str, Affected]:
        """Return what these periods would pack or delete now; raises ``ServerError("bad_days")``."""
        checked, now = _checked(days), now_ms() if now is None else now
        affected = {}
        async with self._store.reading() as connection:
            for name, number in checked.items():
                query = _expired(name, number, now)
                affected[name] = Affected(0, 0) if query is None else await _affected(connection, name, query)
        return affected

    async def clean(self, now: int) -> None:
        """Delete data that has exceeded its retention period."""
        days = await self.days()
        for name in ("casual", "uploads"):
            query = _expired(name, days[name], now)
            while query is not None and await self._delete_batch(name, query):
                pass

    async def _delete_batch(self, name: str, query: Select[Any]) -> bool:
        """Delete one batch; return whether there may be more."""
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query.limit(DELETE_BATCH))).scalars())
            await delete_reviews(connection, "uploads" if name == "uploads" else "games", gone)
            if name == "uploads":
                await connection.execute(delete(UploadRow).where(UploadRow.id.in_(gone)))
            else:
                for part in GAME_PARTS:
                    await connection.execute(delete(part).where(part.game.in_(gone)))
                await connection.execute(delete(GameRow).where(GameRow.id.in_(gone)))
        return len(gone) == DELETE_BATCH


SCAN_BATCH: Final = 200  # games checked per query
PAUSE_S: Final = 0.02  # after each packed game, so that waiting tables can write
INTERVAL_S: Final = 3600.0


class Packing(Background):
    """Packs the actions of games that ended long ago, one game per transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._position = (0, "")  # end and id of the last game checked

    async def _run(self) -> None:
        while True:
            with tasks.reported("packing old games failed"):
                days = await Retention(self._store).days()
                await self.pack(now_ms() - days["unpacked"] * DAY_MS)
            await asyncio.sleep(INTERVAL_S)

    async def pack(self, before: int) -> int:
        """Pack all games that ended before a time in ms; return their number."""
        count = 0
        while games := await self._next(before):
            for game, ended, has_rows in games:
                if has_rows:
                    count += await self._pack(game)
                    await asyncio.sleep(PAUSE_S)
                self._position = (ended, game)
        return count

    async def _next(self, before: int) -> list[tuple[str, int, bool]]:
        """Return the next games in order of their end: id, end, and whether the game is still unpacked."""
        ended, game = self._position
        later = (GameRow.ended > ended) | ((GameRow.ended == ended) & (GameRow.id > game))
        query = select(GameRow.id, GameRow.ended, exists().where(ActionRow.game == GameRow.id))
        query = query.where(
            GameRow.ended >= ended, later, GameRow.ended < before, GameRow.status != "playing"
        )
        rows = await self._store.rows(query.order_by(GameRow.ended, GameRow.id).limit(SCAN_BATCH))
        return [(game, end, bool(has_rows)) for game, end, has_rows in rows]

    async def _pack(self, game: str) -> int:
        moves = (await moves_of(self._store, game))[game]
        row = {"game": game, "count": len(moves), "moves": await asyncio.to_thread(packed, moves)}
        async with self._store.writing() as connection:
            own = ActionRow.game == game
            stored = await connection.execute(select(func.count()).where(own))
            if stored.scalar_one() == 0:  # another process has packed it in the meantime
                return 0
            await connection.execute(insert(PackedMoves).values(row))
            await connection.execute(delete(ActionRow).where(own))
        return 1


def _checked(days: Mapping[str, int]) -> Days:
    """Validate the periods and fill in defaults."""
    checked = {}
    for kind in KINDS:
        number = days.get(kind.name, kind.default)
        never = FOR_EVER if kind.default == FOR_EVER else kind.minimum
        if number != never and not kind.minimum <= number <= MAX_DAYS:
            raise ServerError("bad_days", field=kind.name, least=kind.minimum, most=MAX_DAYS)
        checked[kind.name] = number
    return checked


def _expired(name: str, days: int, now: int) -> Select[Any] | None:
    """Select the ids of data past its retention period; ``None`` if the data is kept for ever."""
    if days == FOR_EVER:
        return None
    before = now - days * DAY_MS
    if name == "uploads":
        return select(UploadRow.id).where(UploadRow.created < before)
    ended = (GameRow.ended < before) & (GameRow.status != "playing")
    if name == "unpacked":
        return select(GameRow.id).where(ended, exists().where(ActionRow.game == GameRow.id))
    return select(GameRow.id).join(TableRow, TableRow.id == GameRow.table_id).where(ended, *_casual())


def _casual() -> tuple[ColumnElement[bool], ...]:
    """Conditions for games at closed tables that count neither for events nor for ratings or ranked play."""
    return (
        ~OPEN_TABLE,
        TableRow.event.is_(None),
        or_(TableRow.stage.is_(None), TableRow.stage.in_((PRACTICE, FILLED))),
        ~RATED,
        ~exists().where(OutcomeRow.game == GameRow.id),
        ~exists().where(RatingStep.game == GameRow.id),
    )


async def _affected(connection: AsyncConnection, name: str, query: Select[Any]) -> Affected:
    if name == "uploads":
        row = select(func.count(), bytes_in(UploadRow.text)).where(UploadRow.id.in_(query))
        return Affected(*map(int, (await connection.execute(row)).one()))
    rows = (await connection.execute(select(func.count()).select_from(query.subquery()))).scalar_one()
    size = 0
    for part, column in SIZES[: 1 if name == "unpacked" else None]:
        counted = select(bytes_in(column)).where(part.game.in_(query))
        size += int((await connection.execute(counted)).scalar_one())
    return Affected(int(rows), size if rows else 0)


MAX_LISTED: Final = 50  # people in the list of disk use


class Part(NamedTuple):
    """A source of disk use: its rows, their large columns, and the column of their owner."""

    kind: str
    rows: FromClause | type[StoredRow]
    columns: tuple[SQLColumnExpression[Any], ...]
    owner: SQLColumnExpression[Any]


_AT_TABLES: Final = table_of(GameRow).join(table_of(TableRow))
_OF_GAMES: Final = table_of(ReviewRow).join(
    _AT_TABLES, (ReviewRow.game == GameRow.id) & (ReviewRow.source == "games")
)
_OF_UPLOADS: Final = table_of(ReviewRow).join(
    table_of(UploadRow), (ReviewRow.game == UploadRow.id) & (ReviewRow.source == "uploads")
)
PARTS: Final = (
    Part("uploads", UploadRow, (UploadRow.text,), UploadRow.person),
    Part("uploads", _OF_UPLOADS, (ReviewRow.review,), UploadRow.person),
    Part("rulesets", RulesetRow, (RulesetRow.tree, RulesetRow.toml), RulesetRow.person),
    Part("games", _AT_TABLES, (GameRow.players, GameRow.opening), TableRow.owner),
    Part("games", table_of(ActionRow).join(_AT_TABLES), (ActionRow.action,), TableRow.owner),
    Part("games", table_of(PackedMoves).join(_AT_TABLES), (PackedMoves.moves,), TableRow.owner),
    Part("games", table_of(HandRow).join(_AT_TABLES), (HandRow.log,), TableRow.owner),
    Part("games", _OF_GAMES, (ReviewRow.review,), TableRow.owner),
    Part("events", RecordedGameRow, (RecordedGameRow.result,), RecordedGameRow.person),
    Part("events", VersionRow, (VersionRow.hand, VersionRow.why), VersionRow.person),
    Part("events", AuditRow, (AuditRow.before, AuditRow.after), AuditRow.person),
)
OTHER: Final = "other"  # the rest of the database: other tables, indexes, free pages


class PersonUse(NamedTuple):
    """Bytes of each kind owned by a person; rows without an owner are listed under an empty id."""

    person: str
    name: str
    kinds: dict[str, int]

    @property
    def total(self) -> int:
        """Bytes of all kinds together."""
        return sum(self.kinds.values())


class DiskUse(NamedTuple):
    """Size of the database in bytes: in total, by kind, and by person in descending order."""

    total: int
    kinds: dict[str, int]
    people: Sequence[PersonUse]


async def disk_use(store: Store) -> DiskUse:
    """Measure the disk use; this reads the whole database once."""
    by_owner: dict[str, dict[str, int]] = {}
    async with store.reading() as connection:
        for part in PARTS:
            query = select(part.owner, bytes_in(*part.columns)).select_from(part.rows).group_by(part.owner)
            for owner, size in await connection.execute(query):
                kinds = by_owner.setdefault(owner or "", {})
                kinds[part.kind] = kinds.get(part.kind, 0) + int(size)
        total = await _total(connection, store.sqlite)
        largest = sorted(by_owner, key=lambda person: sum(by_owner[person].values()), reverse=True)[
            :MAX_LISTED
        ]
        named = select(PersonRow.id, PersonRow.name).where(PersonRow.id.in_(largest))
        names = {row.id: row.name for row in await connection.execute(named)}
    sums = {
        kind: sum(kinds.get(kind, 0) for kinds in by_owner.values())
        for kind in dict.fromkeys(p.kind for p in PARTS)
    }
    sums[OTHER] = max(0, total - sum(sums.values()))
    return DiskUse(
        total, sums, [PersonUse(person, names.get(person, ""), by_owner[person]) for person in largest]
    )


async def _total(connection: AsyncConnection, sqlite: bool) -> int:
    if not sqlite:
        query = select(func.pg_database_size(func.current_database()))
        return int((await connection.execute(query)).scalar_one())
    sizes = [
        (await connection.execute(text(f"PRAGMA {name}"))).scalar_one()
        for name in ("page_count", "page_size")
    ]
    return int(sizes[0]) * int(sizes[1])
