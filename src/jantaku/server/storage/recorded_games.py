"""Stored event games: players, all versions of every hand, confirmations, imports and side bets."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import ForeignKey, ForeignKeyConstraint, Index, String, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club.doubts import Doubt
from jantaku.club.entered_results import GameEnd
from jantaku.club.recorded_hands import HandVersion
from jantaku.club.settlement import GameResult
from jantaku.server.errors import ServerError
from jantaku.server.storage.base import (
    BATCH_ROWS,
    EncodedJson,
    Id,
    Json,
    LongId,
    Milliseconds,
    Name,
    SmallNumber,
    StoredModel,
    StoredRow,
    Word,
    read_rows,
    table_of,
)
from jantaku.server.storage.entries import ClaimRow, EntryRow, NicknameRow
from jantaku.server.storage.events import (
    CallRow,
    Change,
    PenaltyRow,
    StaffRow,
    add_doubts,
    raise_doubts,
)
from jantaku.server.storage.rounds import Absence, RoundRow, StageRow
from jantaku.server.storage.store import Repository

# prefixes of ids
FIRST: Final = "h"  # of hands stored together with their game
POINTS: Final = "points-"  # of the head of a game whose points await confirmation by the players
ONLINE: Final = "online-"  # of games played online
LOG: Final = "log-"  # of games from uploaded logs
RESERVED_PREFIXES: Final = (ONLINE, LOG)  # clients may not create such ids
MAX_IDS: Final = 500  # games listed in one query
UNCLAIMED: Final = Doubt("unclaimed", {})


class RecordedGameRow(StoredRow):
    """A recorded game: ``playing``, ``confirmed`` or ``cancelled``; ``players`` are the entries by seat.

    ``head`` is the id of its newest hand version, or identifies the points that players have entered;
    ``revision`` grows with each of these, and with each decision about points or status. ``result`` excludes
    penalties. ``ended_with`` is set if the final points were entered instead of hands. ``digest`` is the hash
    of the tiles, if known, and ``replay`` the id of the online game.
    """

    __tablename__ = "recorded_games"
    __table_args__ = (
        Index("ix_recorded_games_event_stage", "event", "stage"),
        Index("ix_recorded_games_event_digest", "event", "digest", unique=True),
    )

    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), primary_key=True)
    id: Mapped[LongId] = mapped_column(primary_key=True)
    number: Mapped[int]  # order in the event
    stage: Mapped[LongId]
    label: Mapped[Name]  # name of the table
    at: Mapped[Milliseconds | None]  # unknown in some imported files
    person: Mapped[Id | None]  # account that started the game
    status: Mapped[Word]
    head: Mapped[LongId]
    revision: Mapped[int]
    ended_with: Mapped[GameEnd | None] = mapped_column(StoredModel(GameEnd))
    result: Mapped[GameResult] = mapped_column(StoredModel(GameResult))
    digest: Mapped[Name | None] = mapped_column(default=None)
    replay: Mapped[Id | None] = mapped_column(default=None)
    players: tuple[str, ...] = ()


def _of_games() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"])


class RecordedSeat(StoredRow):
    """The entry in a seat of a recorded game."""

    __tablename__ = "recorded_seats"
    __table_args__ = (_of_games(), Index("ix_recorded_seats_event_entry", "event", "entry"))

    event: Mapped[Id] = mapped_column(primary_key=True)
    game: Mapped[LongId] = mapped_column(primary_key=True)
    seat: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    entry: Mapped[LongId]


class VersionRow(StoredRow):
    """A ``HandVersion`` of a game. Rows are never changed.

    Clients create the ids, so that a repeated request is recognised.
    """

    __tablename__ = "hand_versions"
    __table_args__ = (
        _of_games(),
        Index("ix_hand_versions_follows", "event", "game", "follows", unique=True),
        Index("ix_hand_versions_revision", "event", "game", "revision", unique=True),
    )

    event: Mapped[Id] = mapped_column(primary_key=True)
    game: Mapped[LongId] = mapped_column(primary_key=True)
    id: Mapped[LongId] = mapped_column(primary_key=True)
    follows: Mapped[LongId]
    revision: Mapped[int]
    action: Mapped[str] = mapped_column(String(8))
    place: Mapped[SmallNumber]
    hand: Mapped[Json]  # as entered
    person: Mapped[Id | None]
    seat: Mapped[SmallNumber | None]
    at: Mapped[Milliseconds]
    why: Mapped[str]


class HandMark(StoredRow):
    """A mark of a seat on a game at a version; its ``kind`` is ``confirmed``."""

    __tablename__ = "hand_marks"
    __table_args__ = (_of_games(),)

    event: Mapped[Id] = mapped_column(primary_key=True)
    game: Mapped[LongId] = mapped_column(primary_key=True)
    version: Mapped[LongId] = mapped_column(primary_key=True)
    seat: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[Word] = mapped_column(primary_key=True)
    person: Mapped[Id | None]
    at: Mapped[Milliseconds]


OF_SEAT: Final = (RecordedGameRow.event == RecordedSeat.event) & (RecordedGameRow.id == RecordedSeat.game)


class RecordedGames(Repository):
    """Reads recorded games."""

    async def find(self, event: str, game: str) -> RecordedGameRow:
        """Return a game; raises ``ServerError("no_recorded_game")`` if there is none."""
        async with self._store.reading() as connection:
            return await _game_in(connection, event, game)

    async def all(self, event: str, *where: Any, limit: int | None = None) -> list[RecordedGameRow]:
        """Return the games of an event that match all conditions, newest first."""
        async with self._store.reading() as connection:
            return await games_of(connection, event, *where, limit=limit)

    async def named(self, event: str, games: Sequence[str]) -> list[RecordedGameRow]:
        """Return games of an event by id, newest first."""
        async with self._store.reading() as connection:
            return await games_by_id(connection, event, games)

    async def of_entries(
        self, entries: Sequence[tuple[str, str]], *where: Any, limit: int
    ) -> list[RecordedGameRow]:
        """Return the games of these entries that match all conditions, newest first.

        ``entries`` are pairs of an event and an entry.
        """
        mine = tuple_(RecordedSeat.event, RecordedSeat.entry).in_(entries)
        query = select(RecordedGameRow).join(RecordedSeat, OF_SEAT).where(mine, *where)
        order = (RecordedGameRow.at.desc().nulls_last(), RecordedGameRow.event, RecordedGameRow.number.desc())
        async with self._store.reading() as connection:
            games = await read_rows(connection, query.order_by(*order).limit(limit))
            keys = [(game.event, game.id) for game in games]
            return await _with_players(
                connection, games, tuple_(RecordedSeat.event, RecordedSeat.game).in_(keys)
            )

    async def count_of(self, event: str, entry: str) -> int:
        """Return the number of games of an entry, without cancelled ones."""
        mine = (RecordedSeat.event == event) & (RecordedSeat.entry == entry)
        query = select(func.count(RecordedSeat.game)).join(RecordedGameRow, OF_SEAT)
        return int(await self._store.value(query.where(mine, RecordedGameRow.status != "cancelled")))

    async def history(self, event: str, game: str) -> tuple[list[HandVersion], list[HandMark]]:
        """Return all hand versions of a game in the order of entry, and all marks."""
        async with self._store.reading() as connection:
            versions = select(table_of(VersionRow)).where(VersionRow.event == event, VersionRow.game == game)
            rows = await connection.execute(versions.order_by(VersionRow.revision))
            marks = select(HandMark).where(HandMark.event == event, HandMark.game == game)
            return [HandVersion(*row[2:]) for row in rows], await read_rows(connection, marks)

    async def confirmations(self, event: str) -> list[HandMark]:
        """Return all confirmations of an event's games."""
        query = select(HandMark).where(HandMark.event == event, HandMark.kind == "confirmed")
        return await self._store.all(query.order_by(HandMark.game, HandMark.at))

    async def versions(self, event: str, games: Sequence[str]) -> dict[str, list[HandVersion]]:
        """Return all hand versions of these games in the order of entry, by game."""
        async with self._store.reading(in_transaction=True) as connection:
            return await versions_by_game(connection, event, games)


async def games_of(
    connection: AsyncConnection, event: str, *where: Any, limit: int | None = None
) -> list[RecordedGameRow]:
    """Return the games of an event that match all conditions, newest first."""
    query = select(RecordedGameRow).where(RecordedGameRow.event == event, *where)
    query = query.order_by(RecordedGameRow.number.desc())
    games = await read_rows(connection, query if limit is None else query.limit(limit))
    seats = RecordedSeat.event == event
    if limit is not None or len(games) == 1:
        seats &= RecordedSeat.game.in_([game.id for game in games])
    return await _with_players(connection, games, seats)


async def games_by_id(connection: AsyncConnection, event: str, games: Sequence[str]) -> list[RecordedGameRow]:
    """Return games of an event by id, newest first."""
    return await games_of(connection, event, RecordedGameRow.id.in_(games), limit=max(1, len(games)))


async def _with_players(
    connection: AsyncConnection, games: list[RecordedGameRow], seats: Any
) -> list[RecordedGameRow]:
    query = select(RecordedSeat).where(seats).order_by(RecordedSeat.game, RecordedSeat.seat)
    players = defaultdict[tuple[str, str], list[str]](list)
    for row in await read_rows(connection, query):
        players[row.event, row.game].append(row.entry)
    for game in games:
        game.players = tuple(players[game.event, game.id])
    return games


async def game_of(change: Change, game: str) -> RecordedGameRow:
    """Return a game of the event being changed; raises ``no_recorded_game`` if there is none."""
    return await _game_in(change.connection, change.event.id, game)


async def _game_in(connection: AsyncConnection, event: str, game: str) -> RecordedGameRow:
    games = await games_of(connection, event, RecordedGameRow.id == game)
    if not games:
        raise ServerError("no_recorded_game")
    return games[0]


async def versions_by_game(
    connection: AsyncConnection, event: str, games: Sequence[str]
) -> dict[str, list[HandVersion]]:
    """Return the hand versions of these games in the order of entry, by game.

    Yields to the event loop between batches, because reading thousands of rows takes long.
    """
    versions: dict[str, list[HandVersion]] = {game: [] for game in games}
    if not games:
        return versions
    query = select(table_of(VersionRow)).where(VersionRow.event == event)
    if len(games) <= MAX_IDS:
        query = query.where(VersionRow.game.in_(games))
    rows = await connection.stream(query.order_by(VersionRow.game, VersionRow.revision))
    async for batch in rows.partitions(BATCH_ROWS):
        for _, game, *row in batch:
            if game in versions:
                versions[game].append(HandVersion(*row))
        await asyncio.sleep(0)
    return versions


async def add_games(change: Change, rows: Sequence[RecordedGameRow]) -> None:
    """Store new games with their players."""
    await change.insert(rows)
    await change.insert(
        RecordedSeat(row.event, row.id, seat, entry) for row in rows for seat, entry in enumerate(row.players)
    )


def initial_versions(hands: Sequence[Mapping[str, Any]], person: str | None, at: int) -> list[HandVersion]:
    """Return the versions of hands stored together with their game: of an import or an online game."""
    versions: list[HandVersion] = []
    for i, hand in enumerate(hands):
        follows = versions[-1].id if versions else ""
        version = HandVersion(f"{FIRST}{i + 1}", follows, i + 1, "add", i, dict(hand), person, None, at, "")
        versions.append(version)
    return versions


async def add_versions(change: Change, versions: Sequence[tuple[str, HandVersion]]) -> None:
    """Store new hand versions, each with its game; fails if an id or a predecessor is already used."""
    await change.insert(VersionRow(change.event.id, game, *version) for game, version in versions)


async def add_imported_hands(change: Change, games: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Store the hands of games that have none yet; each hand is JSON text."""
    await change.insert(
        replace(VersionRow(change.event.id, game, *version), hand=EncodedJson(text))
        for game, hands in games
        for version, text in zip(
            initial_versions([{}] * len(hands), change.who.id, change.at), hands, strict=True
        )
    )


async def change_game(change: Change, game: RecordedGameRow, **values: Any) -> RecordedGameRow:
    """Update a game; raises ``ServerError("game_moved_on")`` if it has changed since it was read."""
    same = (RecordedGameRow.revision == game.revision) & (RecordedGameRow.status == game.status)
    if not await change.set(RecordedGameRow, RecordedGameRow.id == game.id, same, **values):
        raise ServerError("game_moved_on")
    return replace(game, **values)


async def confirm_seat(change: Change, game: str, version: str, seat: int) -> None:
    """Store that a seat has confirmed a game at a version, replacing its earlier confirmation."""
    mark = HandMark(change.event.id, game, version, seat, "confirmed", change.who.id, change.at)
    same = (HandMark.game == game) & (HandMark.version == version) & (HandMark.seat == seat)
    await change.remove(HandMark, same, HandMark.kind == mark.kind)
    await change.insert([mark])


async def confirmations(change: Change, game: str, version: str) -> dict[int, str | None]:
    """Return the seats that have confirmed a game at a version, each with the account that did so."""
    same = (HandMark.game == game) & (HandMark.version == version) & (HandMark.kind == "confirmed")
    return {mark.seat: mark.person for mark in await change.all(HandMark, same)}


async def retract(change: Change, entry: str, person: str) -> list[str]:
    """Delete a person's confirmations at the seats of an entry in games that do not count yet.

    Returns the games that do count and that the person had confirmed.
    """
    sits = (RecordedSeat.event == HandMark.event) & (RecordedSeat.game == HandMark.game)
    at_seat = (
        select(RecordedSeat.game)
        .where(sits, RecordedSeat.seat == HandMark.seat, RecordedSeat.entry == entry)
        .exists()
    )
    same = (RecordedGameRow.event == HandMark.event) & (RecordedGameRow.id == HandMark.game)
    counts = select(RecordedGameRow.id).where(same, RecordedGameRow.status == "confirmed").exists()
    mine = HandMark.person == person
    marks = await change.all(HandMark, mine, HandMark.kind == "confirmed", at_seat, counts)
    await change.remove(HandMark, mine, at_seat, ~counts)
    return sorted({mark.game for mark in marks})


async def retract_marks(change: Change, entry: EntryRow) -> None:
    """Retract the confirmations by an entry's owner; confirmed games get a doubt for the referees."""
    for game in await retract(change, entry.id, entry.person or ""):
        await raise_doubts(change, game, [UNCLAIMED])


async def play_together(change: Change, first: str, second: str) -> bool:
    """Whether two entries have played in the same game."""
    theirs = RecordedSeat.game.in_(
        select(RecordedSeat.game).where(change.of(RecordedSeat), RecordedSeat.entry == first)
    )
    return bool(await change.count(RecordedSeat.game, RecordedSeat.entry == second, theirs))


async def move_entry(change: Change, entry: str, into: str) -> list[str]:
    """Move all games, penalties, nicknames and claims of an entry to another; return the games."""
    seats = await change.all(RecordedSeat, RecordedSeat.entry == entry)
    for kind in (RecordedSeat, PenaltyRow, NicknameRow, ClaimRow):
        await change.set(kind, kind.entry == entry, entry=into)
    return [row.game for row in seats]


async def change_seats(change: Change, game: RecordedGameRow, players: Sequence[str]) -> None:
    """Correct the players of a game.

    Penalties in the game stay with their seats and pass to the new players. Confirmations of changed seats
    are deleted.
    """
    changed = [seat for seat, entry in enumerate(game.players) if players[seat] != entry]
    for seat in changed:
        await change.set(
            RecordedSeat, RecordedSeat.game == game.id, RecordedSeat.seat == seat, entry=players[seat]
        )
    await change.remove(HandMark, HandMark.game == game.id, HandMark.seat.in_(changed))
    for row in await change.all(PenaltyRow, PenaltyRow.game == game.id):
        now = players[game.players.index(row.entry)]
        await change.set(PenaltyRow, PenaltyRow.number == row.number, entry=now)


class ImportedRows(NamedTuple):
    """All rows of an imported event; hands are JSON by game, and ``doubts`` are games with reasons."""

    entries: Sequence[EntryRow]
    games: Sequence[RecordedGameRow]
    hands: Sequence[tuple[str, Sequence[str]]]
    penalties: Sequence[PenaltyRow]
    doubts: Sequence[tuple[str, Sequence[Doubt]]] = ()
    rounds: Sequence[RoundRow] = ()
    absences: Sequence[Absence] = ()
    settings: Sequence[StageRow] = ()
    calls: Sequence[CallRow] = ()
    nicknames: Sequence[NicknameRow] = ()
    staff: Sequence[StaffRow] = ()
    marks: Sequence[HandMark] = ()

    async def write(self, change: Change) -> None:
        """Store all rows, and log their numbers."""
        await change.insert(self.entries)
        await add_games(change, self.games)
        await add_imported_hands(change, self.hands)
        parts = (self.penalties, self.rounds, self.absences, self.settings)
        for rows in (*parts, self.calls, self.nicknames, self.staff, self.marks):
            await change.insert(rows)
        await add_doubts(change, self.doubts)
        counts = {name: len(getattr(self, name)) for name in self._fields}
        change.note("import", after=counts | {"hands": sum(len(hands) for _, hands in self.hands)})


class BetRow(StoredRow):
    """A side bet offered by ``person``: ``offered``, ``agreed``, ``declined`` or ``withdrawn``.

    Only the two players may see it, so it is not logged.
    """

    __tablename__ = "side_bets"
    __table_args__ = (ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),)

    event: Mapped[Id] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[LongId]
    person: Mapped[Id] = mapped_column(index=True)
    opponent: Mapped[Id] = mapped_column(index=True)
    kind: Mapped[Word]  # ``fixed`` or ``per_1000``
    stake: Mapped[int]  # points
    status: Mapped[Word]
    at: Mapped[Milliseconds]


class BetStore(Repository):
    """Reads side bets."""

    async def of(self, event: str, person: str) -> list[BetRow]:
        """Return the bets of a person in an event, oldest first."""
        mine = or_(BetRow.person == person, BetRow.opponent == person)
        query = select(BetRow).where(BetRow.event == event, mine)
        return await self._store.all(query.order_by(BetRow.number))


async def add_bet(change: Change, row: BetRow, limit: int) -> None:
    """Store a bet under the next number; raises ``too_many_bets`` if the person has reached ``limit``."""
    if await change.count(BetRow.number, BetRow.person == row.person) >= limit:
        raise ServerError("too_many_bets", most=limit)
    await change.insert([replace(row, number=await change.next_number(BetRow.number))])


async def decide_bet(change: Change, row: BetRow, status: str) -> None:
    """Set the status of an offer; raises ``ServerError("bet_decided")`` if it is no longer open."""
    offered = (BetRow.number == row.number) & (BetRow.status == "offered")
    if not await change.set(BetRow, offered, status=status):
        raise ServerError("bet_decided")
