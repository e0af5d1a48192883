"""Games of real tables in the database: who sits where, every version of every hand, who has signed."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, ForeignKeyConstraint, and_, func, or_, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club.doubts import Doubt
from jantaku.club.entered_results import GameEnd
from jantaku.club.recorded_hands import HandVersion
from jantaku.club.settlement import GameResult
from jantaku.server.errors import ServerError
from jantaku.server.storage import schema
from jantaku.server.storage.base import Id, LongId, Milliseconds, StoredRow, Word, table_of
from jantaku.server.storage.entries import ClaimRow, EntryRow, NicknameRow
from jantaku.server.storage.events import CallRow, Change, PenaltyRow, StaffRow, ask_to_look_at_all
from jantaku.server.storage.rounds import Absence, RoundRow, StageRow
from jantaku.server.storage.rows import as_json, from_json
from jantaku.server.storage.schema import hand_marks, recorded_seats
from jantaku.server.storage.store import OverStore

GAMES: Final = schema.recorded_games
SEATS: Final = schema.recorded_seats
VERSIONS: Final = schema.hand_versions
MARKS: Final = schema.hand_marks
FIRST: Final = "h"  # begins the ids of hands that come at once
POINTS: Final = "points-"  # begins the head of a game whose points wait for the players
ONLINE: Final = "online-"  # begins the id of what was a game of the parlour
LOG: Final = "log-"  # begins the id of what was played elsewhere
MADE_HERE: Final = (ONLINE, LOG)  # clients do not make such ids
MOST_NAMED: Final = 500  # games in one query
PART: Final = 500  # rows read at once


class RecordedGameRow(NamedTuple):
    """A recorded game; ``players`` are the entries by seat.

    ``head`` is the newest of its hand versions, or names the points that players have entered; ``revision``
    grows with each of them, and when points or the status are decided. ``result`` is without penalties;
    ``ended_with`` is what was entered instead of hands.
    ``digest`` is that of the tiles, if they are known, ``replay`` the game of the parlour that it was.
    """

    event: str
    id: str
    number: int
    stage: str
    label: str
    at: int | None
    person: str | None
    status: str
    head: str
    revision: int
    ended_with: GameEnd | None
    result: GameResult
    players: tuple[str, ...] = ()
    digest: str | None = None
    replay: str | None = None

    @property
    def values(self) -> dict[str, Any]:
        """The row as it is stored, without the players."""
        values = self._asdict()
        del values["players"]
        return values


STORED: Final = tuple(GAMES.c[name] for name in RecordedGameRow._fields if name != "players")


class HandMark(NamedTuple):
    """A seat has ``seen`` or ``signed`` a version of a hand, or ``confirmed`` the game as it stood then."""

    version: str
    seat: int
    kind: str
    person: str | None
    at: int


class RecordedGames(OverStore):
    """Reads recorded games."""

    async def find(self, event: str, game: str) -> RecordedGameRow:
        """One game; raises ``no_recorded_game`` if there is none."""
        async with self._store.reading() as connection:
            return await _game_in(connection, event, game)

    async def all(self, event: str, *where: Any, most: int | None = None) -> list[RecordedGameRow]:
        """The games of an event, newest first."""
        async with self._store.reading() as connection:
            return await games_of(connection, event, *where, most=most)

    async def named(self, event: str, games: Sequence[str]) -> list[RecordedGameRow]:
        """These games of an event."""
        async with self._store.reading() as connection:
            return await games_named(connection, event, games)

    async def of_entries(
        self, entries: Sequence[tuple[str, str]], *where: Any, most: int
    ) -> list[RecordedGameRow]:
        """The newest games for which all of ``where`` is true, newest first.

        ``entries`` are events, and an entry in each.
        """
        mine = tuple_(SEATS.c.event, SEATS.c.entry).in_(entries)
        same = and_(GAMES.c.event == SEATS.c.event, GAMES.c.id == SEATS.c.game)
        query = select(*STORED).join(SEATS, same).where(mine, *where)
        order = (GAMES.c.at.desc().nulls_last(), GAMES.c.event, GAMES.c.number.desc())
        async with self._store.reading() as connection:
            rows = list(await connection.execute(query.order_by(*order).limit(most)))
            keys = [(row.event, row.id) for row in rows]
            return await _with_players(connection, rows, tuple_(SEATS.c.event, SEATS.c.game).in_(keys))

    async def count_of(self, event: str, entry: str) -> int:
        """At how many games an entry sits, cancelled ones left out."""
        mine = (SEATS.c.event == event) & (SEATS.c.entry == entry)
        query = (
            select(func.count())
            .select_from(SEATS)
            .join(GAMES, (GAMES.c.event == SEATS.c.event) & (GAMES.c.id == SEATS.c.game))
        )
        return int(await self._store.value(query.where(mine, GAMES.c.status != "cancelled")))

    async def history(self, event: str, game: str) -> tuple[list[HandVersion], list[HandMark]]:
        """Every version of every hand, in the order of entry, and all marks."""
        async with self._store.reading() as connection:
            query = select(*(MARKS.c[name] for name in HandMark._fields))
            marks = await connection.execute(query.where(MARKS.c.event == event, MARKS.c.game == game))
            signed = [HandMark(*row) for row in marks]
            return await versions_of(connection, event, VERSIONS.c.game == game), signed

    async def confirmations(self, event: str) -> list[tuple[str, HandMark]]:
        """Every confirmation of an event's games, each with its game."""
        query = select(MARKS.c.game, *(MARKS.c[name] for name in HandMark._fields))
        query = query.where(MARKS.c.event == event, MARKS.c.kind == "confirmed")
        rows = await self._store.rows(query.order_by(MARKS.c.game, MARKS.c.at))
        return [(game, HandMark(*row)) for game, *row in rows]

    async def written_versions(self, event: str, games: Sequence[str]) -> dict[str, list[HandVersion]]:
        """Every version of every hand of these games; ``hand`` is JSON that ``read_hand`` reads.

        Reading thousands of them takes long, so others come first from time to time.
        """
        versions: dict[str, list[HandVersion]] = {game: [] for game in games}
        if not games:
            return versions
        query = select(VERSIONS.c.game, *(VERSIONS.c[name] for name in HandVersion._fields))
        query = query.where(VERSIONS.c.event == event).order_by(VERSIONS.c.game, VERSIONS.c.revision)
        if len(games) <= MOST_NAMED:
            query = query.where(VERSIONS.c.game.in_(games))
        async with self._store.reading(parts=True) as connection:
            rows = await connection.stream(query)
            async for part in rows.partitions(PART):
                for game, *row in part:
                    if game in versions:
                        versions[game].append(HandVersion(*row))
                await asyncio.sleep(0)
        return versions


def read_hand(version: HandVersion) -> HandVersion:
    """A version whose hand is read from JSON."""
    return version._replace(hand=from_json(version.hand))  # type: ignore[arg-type]


async def games_of(
    connection: AsyncConnection, event: str, *where: Any, most: int | None = None
) -> list[RecordedGameRow]:
    """The games of an event for which all of ``where`` is true, newest first."""
    query = select(*STORED).where(GAMES.c.event == event, *where).order_by(GAMES.c.number.desc())
    rows = list(await connection.execute(query if most is None else query.limit(most)))
    seats = SEATS.c.event == event
    if most is not None or len(rows) == 1:
        seats &= SEATS.c.game.in_([row.id for row in rows])
    return await _with_players(connection, rows, seats)


async def games_named(connection: AsyncConnection, event: str, games: Sequence[str]) -> list[RecordedGameRow]:
    """These games of an event."""
    return await games_of(connection, event, GAMES.c.id.in_(games), most=max(1, len(games)))


async def _with_players(
    connection: AsyncConnection, rows: Sequence[Any], seats: Any
) -> list[RecordedGameRow]:
    """Games from their rows, and from the rows of their seats; others come first from time to time."""
    query = select(SEATS.c.event, SEATS.c.game, SEATS.c.entry).where(seats)
    players: dict[tuple[str, str], list[str]] = {}
    for event, game, entry in await connection.execute(query.order_by(SEATS.c.game, SEATS.c.seat)):
        players.setdefault((event, game), []).append(entry)
    found = list[RecordedGameRow]()
    for first in range(0, len(rows), PART):
        part = rows[first : first + PART]
        found += [_game(row, tuple(players.get((row.event, row.id), ()))) for row in part]
        await asyncio.sleep(0)
    return found


def _game(row: Any, players: tuple[str, ...]) -> RecordedGameRow:
    *plain, digest, replay = row
    return RecordedGameRow._make((*plain, players, digest, replay))


async def game_of(change: Change, game: str) -> RecordedGameRow:
    """One game of the event that is being changed; raises ``no_recorded_game`` if there is none."""
    return await _game_in(change.connection, change.event.id, game)


async def _game_in(connection: AsyncConnection, event: str, game: str) -> RecordedGameRow:
    games = await games_of(connection, event, GAMES.c.id == game)
    if not games:
        raise ServerError("no_recorded_game")
    return games[0]


async def versions_by_game(
    connection: AsyncConnection, event: str, *where: Any
) -> dict[str, list[HandVersion]]:
    """Hand versions of an event by game, those of a game in the order in which they were entered."""
    query = select(VERSIONS.c.game, *(VERSIONS.c[name] for name in HandVersion._fields))
    query = query.where(VERSIONS.c.event == event, *where).order_by(VERSIONS.c.game, VERSIONS.c.revision)
    versions: dict[str, list[HandVersion]] = {}
    for game, *row in await connection.execute(query):
        versions.setdefault(game, []).append(HandVersion(*row)._replace(hand=from_json(row[5])))
    return versions


async def versions_of(connection: AsyncConnection, event: str, *where: Any) -> list[HandVersion]:
    """Hand versions of an event in the order in which they were entered."""
    query = select(*(VERSIONS.c[name] for name in HandVersion._fields))
    rows = await connection.execute(
        query.where(VERSIONS.c.event == event, *where).order_by(VERSIONS.c.revision)
    )
    return [HandVersion(*row)._replace(hand=from_json(row.hand)) for row in rows]


async def add_games(change: Change, rows: Sequence[RecordedGameRow]) -> None:
    """Store new games with their players."""
    await change.add(GAMES, (row.values for row in rows))
    seats = ((row.id, seat, entry) for row in rows for seat, entry in enumerate(row.players))
    await change.add(SEATS, ({"game": game, "seat": seat, "entry": entry} for game, seat, entry in seats))


def versions_at_once(hands: Sequence[Mapping[str, Any]], person: str | None, at: int) -> list[HandVersion]:
    """The versions of hands that all come at once, from an import or a game of the parlour."""
    versions: list[HandVersion] = []
    for i, hand in enumerate(hands):
        follows = versions[-1].id if versions else ""
        version = HandVersion(f"{FIRST}{i + 1}", follows, i + 1, "add", i, dict(hand), person, None, at, "")
        versions.append(version)
    return versions


async def add_versions(change: Change, versions: Sequence[tuple[str, HandVersion]]) -> None:
    """Store new versions of hands, each with its game; an id or predecessor that is taken fails."""
    rows = ({"game": game, **row._asdict(), "hand": as_json(row.hand)} for game, row in versions)
    await change.add(VERSIONS, rows)


async def add_imported_hands(change: Change, games: Iterable[tuple[str, Sequence[str]]]) -> None:
    """Store the hands of games that have none yet, each hand as JSON."""
    await change.add(
        VERSIONS,
        (
            {"game": game, **version._asdict(), "hand": text}
            for game, hands in games
            for version, text in zip(
                versions_at_once([{}] * len(hands), change.who.id, change.at), hands, strict=True
            )
        ),
    )


async def change_game(change: Change, game: RecordedGameRow, **values: Any) -> RecordedGameRow:
    """Change a game that nobody has changed since it was read; raises ``game_moved_on`` otherwise."""
    after = game._replace(**values)
    same = (GAMES.c.revision == game.revision) & (GAMES.c.status == game.status)
    written = {name: after.values[name] for name in values}
    if not await change.set(GAMES, GAMES.c.id == game.id, same, **written):
        raise ServerError("game_moved_on")
    return after


async def confirm_seat(change: Change, game: str, mark: HandMark) -> None:
    """Store that a seat has confirmed a game; whoever does so last stands by it."""
    await change.remove(MARKS, *_same_mark(game, mark))
    await change.add(MARKS, [{"game": game, **mark._asdict()}])


def _same_mark(game: str, mark: HandMark) -> list[ColumnElement[bool]]:
    names = ("version", "seat", "kind")
    return [MARKS.c.game == game, *(MARKS.c[name] == getattr(mark, name) for name in names)]


async def confirmations(change: Change, game: str, version: str) -> dict[int, str | None]:
    """The seats that have confirmed a game as it stood at a version, and who did so for each."""
    same = (MARKS.c.game == game) & (MARKS.c.version == version) & (MARKS.c.kind == "confirmed")
    rows = await change.rows(select(MARKS.c.seat, MARKS.c.person).where(change.of(MARKS), same))
    return {row.seat: row.person for row in rows}


async def play_together(change: Change, first: str, second: str) -> bool:
    """Whether two entries sit at the same table in some game."""
    theirs = SEATS.c.game.in_(select(SEATS.c.game).where(change.of(SEATS), SEATS.c.entry == first))
    return bool(await change.count(SEATS.c.game, SEATS.c.entry == second, theirs))


async def move_entry(change: Change, entry: str, into: str) -> list[str]:
    """Give all games, penalties, nicknames and claims of an entry to another; returns the games."""
    games = await change.rows(select(SEATS.c.game).where(change.of(SEATS), SEATS.c.entry == entry))
    for table in (SEATS, PenaltyRow, NicknameRow, ClaimRow):
        await change.set(table, table_of(table).c.entry == entry, entry=into)
    return [row.game for row in games]


async def change_seats(change: Change, game: RecordedGameRow, players: Sequence[str]) -> None:
    """Say who really sat at a game.

    Penalties within the game go to whoever sat where they were given. What somebody has seen or signed on a
    seat that was another's no longer holds.
    """
    changed = [seat for seat, entry in enumerate(game.players) if players[seat] != entry]
    seats, marks = recorded_seats.c, hand_marks.c
    for seat in changed:
        await change.set(recorded_seats, seats.game == game.id, seats.seat == seat, entry=players[seat])
    await change.remove(hand_marks, marks.game == game.id, marks.seat.in_(changed))
    await _move_penalties(change, game, players)


async def _move_penalties(change: Change, game: RecordedGameRow, players: Sequence[str]) -> None:
    for row in await change.all(PenaltyRow, PenaltyRow.game == game.id):
        now = players[game.players.index(row.entry)]
        await change.set(PenaltyRow, PenaltyRow.number == row.number, entry=now)


class ImportedRows(NamedTuple):
    """Entries, games, the hands of games as JSON, and penalties; ``doubts`` are games to look at, and why."""

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
    marks: Sequence[Mapping[str, Any]] = ()

    async def write(self, change: Change) -> None:
        """Store them all, and note how many there are."""
        await change.insert(self.entries)
        parts = (self.penalties, self.rounds, self.absences, self.settings)
        for rows in (*parts, self.calls, self.nicknames, self.staff):
            await change.insert(rows)
        await add_games(change, self.games)
        await add_imported_hands(change, self.hands)
        for table, values in ((hand_marks, self.marks),):
            await change.add(table, values)
        await ask_to_look_at_all(change, self.doubts)
        counts = {name: len(getattr(self, name)) for name in self._fields}
        change.note("import", after=counts | {"hands": sum(len(hands) for _, hands in self.hands)})


class BetRow(StoredRow):
    """A bet that ``person`` offers ``opponent``: ``offered``, ``agreed``, ``declined`` or ``withdrawn``.

    The log has nothing of it: only the two may know.
    """

    __tablename__ = "side_bets"
    __table_args__ = (ForeignKeyConstraint(["event", "game"], ["recorded_games.event", "recorded_games.id"]),)

    event: Mapped[Id] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    game: Mapped[LongId]
    person: Mapped[Id] = mapped_column(index=True)
    opponent: Mapped[Id] = mapped_column(index=True)
    kind: Mapped[Word]  # fixed, per_1000
    stake: Mapped[int]  # points
    status: Mapped[Word]
    at: Mapped[Milliseconds]


class BetStore(OverStore):
    """The bets of all events."""

    async def of(self, event: str, person: str) -> list[BetRow]:
        """The bets of one person in an event, oldest first."""
        mine = or_(BetRow.person == person, BetRow.opponent == person)
        query = select(BetRow).where(BetRow.event == event, mine)
        return await self._store.all(query.order_by(BetRow.number))


async def add_bet(change: Change, row: BetRow, most: int) -> None:
    """Store a bet under the next number; raises ``too_many_bets`` if there are ``most`` of a person."""
    if await change.count(BetRow.number, BetRow.person == row.person) >= most:
        raise ServerError("too_many_bets", most=most)
    await change.insert([replace(row, number=await change.next_number(BetRow.number))])


async def decide_bet(change: Change, row: BetRow, status: str) -> None:
    """Give an offer its new status; raises ``bet_decided`` if it is no offer any more."""
    offered = (BetRow.number == row.number) & (BetRow.status == "offered")
    if not await change.set(BetRow, offered, status=status):
        raise ServerError("bet_decided")
