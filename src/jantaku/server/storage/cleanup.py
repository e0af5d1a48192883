"""Removes what nobody needs any more, so that years of guests do not fill the database."""

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
from jantaku.server.storage.people import DAY_MS, PersonRow, untie
from jantaku.server.storage.ratings import RatingStep
from jantaku.server.storage.recorded_games import HandMark, RecordedGameRow, VersionRow
from jantaku.server.storage.rows import bytes_in
from jantaku.server.storage.saved import RulesetRow, UploadRow, in_use
from jantaku.server.storage.sign_in import LinkRow, SessionRow
from jantaku.server.storage.store import OverStore, Store, now_ms
from jantaku.server.storage.tables import FILLED, GOING_ON, PRACTICE, RATED, Removed, SeatRow, TableRow
from jantaku.server.tasks import Background

OF_PEOPLE: Final[tuple[Rows, ...]] = (
    *(EntryRow, HandMark, VersionRow, RecordedGameRow, ClaimRow, CallRow, PenaltyRow),
)
PRACTICE_MS: Final = 2 * DAY_MS
AT_ONCE: Final = 500  # guests in one transaction, because tables wait to write meanwhile


class Cleanup(OverStore):
    """Cleans up the database."""

    async def tidy(self, now: int | None = None, keep: Sequence[str] = (), process: str = "") -> None:
        """Delete what has expired by ``now``: sessions, links, guests who cannot return, closed tables.

        Games that somebody played on from another game and left for days are ended, but not at tables to
        ``keep``, nor at those of other processes than ``process``.

        A guest without a session can never sign in again. Their uploads and any saved rules that no game used
        are deleted with them; their games stay, and their entries in events without an account. Games and
        accounts are never deleted.
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
            left = select(TableRow.id).where(
                TableRow.stage == PRACTICE,
                TableRow.status == "playing",
                TableRow.created < now - PRACTICE_MS,
                TableRow.id.not_in(keep),
                ~exists().where(Peer.id == TableRow.process, Peer.id != process),
            )
            ended = {"status": "aborted"}
            running = (GameRow.status == "playing") & GameRow.table_id.in_(left)
            await connection.execute(update(GameRow).where(running).values(ended=now, **ended))
            await connection.execute(update(TableRow).where(TableRow.id.in_(left)).values(ended))
        while await self._some_guests(now):
            pass

    async def _some_guests(self, now: int) -> bool:
        """Delete some guests; return whether there may be more."""
        query = select(PersonRow.id).where(_lost_for_ever(now)).limit(AT_ONCE)
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query)).scalars())
            unused = RulesetRow.person.in_(gone) & ~in_use()
            await connection.execute(delete(UploadRow).where(UploadRow.person.in_(gone)))
            await connection.execute(delete(RulesetRow).where(unused))
            await forget_in_events(connection, gone)
            await untie(connection, gone)
            await connection.execute(delete(PersonRow).where(PersonRow.id.in_(gone)))
        return len(gone) == AT_ONCE


async def forget_in_events(connection: AsyncConnection, gone: Sequence[str]) -> None:
    """Let the entries of people stand without an account; names and results stay."""
    await connection.execute(delete(StaffRow).where(StaffRow.person.in_(gone)))
    for table in map(table_of, OF_PEOPLE):
        mine = update(table).where(table.c.person.in_(gone))
        await connection.execute(mine.values(person=None))


def _lost_for_ever(now: int) -> ColumnElement[bool]:
    """Guests who cannot sign in any more and have no seat."""
    sits = exists().where(SeatRow.person == PersonRow.id, SeatRow.table_id == TableRow.id, GOING_ON)
    owns = exists().where(TableRow.owner == PersonRow.id, GOING_ON)
    comes_in = exists().where(SessionRow.person == PersonRow.id) | exists().where(
        LinkRow.person == PersonRow.id
    )
    old = PersonRow.created < now - DAY_MS
    return PersonRow.account.is_(None) & old & ~sits & ~owns & ~comes_in


FOR_EVER: Final = 0
MOST_DAYS: Final = 36_500
GAMES_AT_ONCE: Final = 200  # games or logs in one transaction, because tables wait to write meanwhile
Days = dict[str, int]


class KeptDays(StoredRow):
    """For how many days something is kept, where the owner has said so; 0: for ever."""

    __tablename__ = "keeping"

    name: Mapped[str] = mapped_column(String(20), primary_key=True)
    days: Mapped[int]


class KeptKind(NamedTuple):
    """Something that is kept for ``usual`` days, unless the owner says another number from ``least`` on."""

    name: str
    usual: int
    least: int


KINDS: Final = (
    KeptKind("unpacked", 30, 1),  # games with a row for each action
    KeptKind("casual", FOR_EVER, 7),  # games that count for no event and no rating
    KeptKind("uploads", FOR_EVER, 7),
)
GAME_PARTS: Final = (ActionRow, PackedMoves, HandRow, PlayerRow)  # of a game, beside its row
SIZES: Final = ((ActionRow, ActionRow.action), (PackedMoves, PackedMoves.moves), (HandRow, HandRow.log))


class Touched(NamedTuple):
    """How many games or logs would be packed or deleted now, and how many bytes they have."""

    rows: int
    bytes: int


class Keeping(OverStore):
    """What the owner has said, and what follows from it."""

    async def days(self) -> Days:
        """For how long each kind is kept; 0: for ever."""
        said = {row.name: row.days for row in await self._store.all(select(KeptDays))}
        return {kind.name: said.get(kind.name, kind.usual) for kind in KINDS}

    async def save(self, days: Mapping[str, int]) -> None:
        """Keep everything for so long from now on. Raises ``bad_days``."""
        checked = _checked(days)
        async with self._store.writing() as connection:
            await connection.execute(delete(KeptDays))
            changed = [
                {"name": kind.name, "days": checked[kind.name]}
                for kind in KINDS
                if checked[kind.name] != kind.usual
            ]
            if changed:
                await connection.execute(insert(KeptDays), changed)

    async def preview(self, days: Mapping[str, int], now: int | None = None) -> dict[str, Touched]:
        """What would be packed or deleted if this were saved. Raises ``bad_days``."""
        checked, now = _checked(days), now_ms() if now is None else now
        found = {}
        async with self._store.reading() as connection:
            for name, number in checked.items():
                query = _old(name, number, now)
                found[name] = Touched(0, 0) if query is None else await _touched(connection, name, query)
        return found

    async def clean(self, now: int) -> None:
        """Delete what is kept no longer."""
        days = await self.days()
        for name in ("casual", "uploads"):
            query = _old(name, days[name], now)
            while query is not None and await self._some(name, query):
                pass

    async def _some(self, name: str, query: Select[Any]) -> bool:
        """Delete some; whether there may be more."""
        async with self._store.writing() as connection:
            gone = list((await connection.execute(query.limit(GAMES_AT_ONCE))).scalars())
            if name == "uploads":
                await connection.execute(delete(UploadRow).where(UploadRow.id.in_(gone)))
            else:
                for part in GAME_PARTS:
                    await connection.execute(delete(part).where(part.game.in_(gone)))
                await connection.execute(delete(GameRow).where(GameRow.id.in_(gone)))
        return len(gone) == GAMES_AT_ONCE


LOOKED_AT: Final = 200  # games in one look for unpacked ones
PAUSE_S: Final = 0.02  # after each packed game, because tables wait to write meanwhile
EVERY_S: Final = 3600.0


class Packing(Background):
    """Packs the games that ended long ago, a game in each transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._from = (0, "")  # when the last game ended that was looked at, and its id

    async def _run(self) -> None:
        while True:
            with tasks.reported("packing old games failed"):
                days = await Keeping(self._store).days()
                await self.pack(now_ms() - days["unpacked"] * DAY_MS)
            await asyncio.sleep(EVERY_S)

    async def pack(self, before: int) -> int:
        """Pack all games that ended before a time; returns how many."""
        count = 0
        while games := await self._next(before):
            for game, ended, has_rows in games:
                if has_rows:
                    count += await self._pack(game)
                    await asyncio.sleep(PAUSE_S)
                self._from = (ended, game)
        return count

    async def _next(self, before: int) -> list[tuple[str, int, bool]]:
        """The next games by their end, and whether each still has a row for each action."""
        ended, game = self._from
        later = (GameRow.ended > ended) | ((GameRow.ended == ended) & (GameRow.id > game))
        query = select(GameRow.id, GameRow.ended, exists().where(ActionRow.game == GameRow.id))
        query = query.where(
            GameRow.ended >= ended, later, GameRow.ended < before, GameRow.status != "playing"
        )
        rows = await self._store.rows(query.order_by(GameRow.ended, GameRow.id).limit(LOOKED_AT))
        return [(game, end, bool(has_rows)) for game, end, has_rows in rows]

    async def _pack(self, game: str) -> int:
        moves = (await moves_of(self._store, game))[game]
        row = {"game": game, "count": len(moves), "moves": await asyncio.to_thread(packed, moves)}
        async with self._store.writing() as connection:
            own = ActionRow.game == game
            stored = await connection.execute(select(func.count()).where(own))
            if stored.scalar_one() == 0:  # another process has packed it meanwhile
                return 0
            await connection.execute(insert(PackedMoves).values(row))
            await connection.execute(delete(ActionRow).where(own))
        return 1


def _checked(days: Mapping[str, int]) -> Days:
    """A number of days for each kind."""
    found = {}
    for kind in KINDS:
        number = days.get(kind.name, kind.usual)
        never = FOR_EVER if kind.usual == FOR_EVER else kind.least
        if number != never and not kind.least <= number <= MOST_DAYS:
            raise ServerError("bad_days", field=kind.name, least=kind.least, most=MOST_DAYS)
        found[kind.name] = number
    return found


def _old(name: str, days: int, now: int) -> Select[Any] | None:
    """The ids of what is kept no longer; ``None`` if it is kept for ever."""
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
    """Games at tables that are over, and that count for no event, no rating and no steps of ranked play."""
    return (
        ~GOING_ON,
        TableRow.event.is_(None),
        or_(TableRow.stage.is_(None), TableRow.stage.in_((PRACTICE, FILLED))),
        ~RATED,
        ~exists().where(OutcomeRow.game == GameRow.id),
        ~exists().where(RatingStep.game == GameRow.id),
    )


async def _touched(connection: AsyncConnection, name: str, query: Select[Any]) -> Touched:
    if name == "uploads":
        row = select(func.count(), bytes_in(UploadRow.text)).where(UploadRow.id.in_(query))
        return Touched(*map(int, (await connection.execute(row)).one()))
    rows = (await connection.execute(select(func.count()).select_from(query.subquery()))).scalar_one()
    size = 0
    for part, column in SIZES[: 1 if name == "unpacked" else None]:
        counted = select(bytes_in(column)).where(part.game.in_(query))
        size += int((await connection.execute(counted)).scalar_one())
    return Touched(int(rows), size if rows else 0)


MOST_LISTED: Final = 50  # people, those with the most first


class Part(NamedTuple):
    """Rows of one kind: where they are, which columns are large, and whose they are."""

    kind: str
    rows: FromClause | type[StoredRow]
    columns: tuple[SQLColumnExpression[Any], ...]
    owner: SQLColumnExpression[Any]


_AT_TABLES: Final = table_of(GameRow).join(table_of(TableRow))
PARTS: Final = (
    Part("uploads", UploadRow, (UploadRow.text,), UploadRow.person),
    Part("rulesets", RulesetRow, (RulesetRow.tree, RulesetRow.toml), RulesetRow.person),
    Part("games", _AT_TABLES, (GameRow.players, GameRow.opening), TableRow.owner),
    Part("games", table_of(ActionRow).join(_AT_TABLES), (ActionRow.action,), TableRow.owner),
    Part("games", table_of(PackedMoves).join(_AT_TABLES), (PackedMoves.moves,), TableRow.owner),
    Part("games", table_of(HandRow).join(_AT_TABLES), (HandRow.log,), TableRow.owner),
    Part("events", RecordedGameRow, (RecordedGameRow.result,), RecordedGameRow.person),
    Part("events", VersionRow, (VersionRow.hand, VersionRow.why), VersionRow.person),
    Part("events", AuditRow, (AuditRow.before, AuditRow.after), AuditRow.person),
)
OTHER: Final = "other"  # all else in the files: other tables, indexes, free pages


class PersonUse(NamedTuple):
    """How many bytes of each kind are somebody's; nobody has an empty id."""

    person: str
    name: str
    kinds: dict[str, int]

    @property
    def total(self) -> int:
        """All kinds together."""
        return sum(self.kinds.values())


class DiskUse(NamedTuple):
    """The size of the database, and what it is made of: by kind, and by person, the largest first."""

    total: int
    kinds: dict[str, int]
    people: Sequence[PersonUse]


async def disk_use(store: Store) -> DiskUse:
    """Count everything; this reads the whole database once."""
    by_owner: dict[str, dict[str, int]] = {}
    async with store.reading() as connection:
        for part in PARTS:
            query = select(part.owner, bytes_in(*part.columns)).select_from(part.rows).group_by(part.owner)
            for owner, size in await connection.execute(query):
                kinds = by_owner.setdefault(owner or "", {})
                kinds[part.kind] = kinds.get(part.kind, 0) + int(size)
        total = await _total(connection, store.sqlite)
        largest = sorted(by_owner, key=lambda person: sum(by_owner[person].values()), reverse=True)[
            :MOST_LISTED
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
