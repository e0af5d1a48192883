"""Games: their seeds, players, actions and results."""

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count, takewhile
from statistics import median
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ForeignKey,
    Index,
    LargeBinary,
    Row,
    Select,
    String,
    func,
    insert,
    select,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.errors import RecordError
from jantaku.game import Game, Standing
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.game.mid_game_start import standing_from
from jantaku.rules import Ruleset
from jantaku.server.storage.base import (
    Id,
    Milliseconds,
    Name,
    SmallNumber,
    StoredModel,
    StoredRow,
    Word,
    table_of,
)
from jantaku.server.storage.rows import ListPage, PageEnd, Query, following, newest, readable
from jantaku.server.storage.store import Store, now_ms
from jantaku.server.storage.tables import (
    PRACTICE,
    RANKED,
    RATED,
    USUAL,
    Sitter,
    TableRow,
    public_at,
    write_table,
)
from jantaku.tiles import Tile, format_tiles, parse_tiles

VERSION: Final = 1


@dataclass(frozen=True)
class Beginning:
    """The first walls of a game, its standing if it began in the middle, and the seed of all other walls."""

    seed: bytes
    walls: tuple[tuple[Tile, ...], ...] = ()
    standing: Standing | None = None

    def game(self, rules: Ruleset) -> Game:
        """The game before its first action."""
        if not self.walls:
            return Game(rules, self.seed, standing=self.standing)
        tiles = tile_set(rules)
        later = (shuffled(tiles, self.seed, hand) for hand in count(len(self.walls)))
        return Game(rules, walls=chain(self.walls, later), standing=self.standing)

    @property
    def opening(self) -> str | None:
        """What is stored beside the seed, as text; nothing for a game that has only that."""
        if not self.walls and self.standing is None:
            return None
        walls = [format_tiles(wall, sort=False) for wall in self.walls]
        standing = self.standing and self.standing.to_dict()
        return json.dumps({"version": VERSION, "walls": walls, "standing": standing})


def beginning_of(seed: bytes, opening: str | None) -> Beginning:
    """Read what is stored of a game; raises ``RecordError`` for what a later version has stored."""
    if opening is None:
        return Beginning(seed)
    data = json.loads(opening)
    if data["version"] != VERSION:
        raise RecordError("record_version", line=1, found=data["version"], known=VERSION)
    standing = data["standing"] and standing_from(data["standing"])
    return Beginning(seed, tuple(tuple(parse_tiles(wall)) for wall in data["walls"]), standing)


class ActionRow(StoredRow):
    """An action of a game that is not packed."""

    __tablename__ = "actions"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[SmallNumber]
    action: Mapped[str] = mapped_column(String(24))  # as str() of the action writes it
    bank: Mapped[int | None]  # milliseconds left of the seat's reserve, if this action used some of it
    absent: Mapped[SmallNumber | None]  # 1: the table took it for a person who was away


class PackedMoves(StoredRow):
    """All actions of a game that ended long ago, instead of a row for each."""

    __tablename__ = "packed_moves"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    count: Mapped[int]
    moves: Mapped[bytes]  # see ``packed``


class HandRow(StoredRow):
    """A finished hand as it was played, even if a later version replays actions differently."""

    __tablename__ = "hands"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 0
    log: Mapped[bytes]  # packed by ``jantaku.records.native.hand_log``


class StoredMove(NamedTuple):
    """An action as the writer stores it: see ``jantaku.server.storage.writer.Move``."""

    seat: int
    action: str
    bank: int | None = None
    absent: int | None = None


MOVE_COLUMNS: Final = (ActionRow.seat, ActionRow.action, ActionRow.bank, ActionRow.absent)


async def moves_of(store: Store, *of: str) -> dict[str, list[StoredMove]]:
    """The actions of games, in order."""
    moves: dict[str, list[StoredMove]] = {game: [] for game in of}
    query = select(ActionRow.game, *MOVE_COLUMNS).where(ActionRow.game.in_(of))
    for game, *row in await store.rows(query.order_by(ActionRow.game, ActionRow.number)):
        moves[game].append(StoredMove(*row))
    old = [game for game, moves in moves.items() if not moves]
    if old:
        rows = await store.all(select(PackedMoves).where(PackedMoves.game.in_(old)))
        moves |= {row.game: unpacked(row.moves) for row in rows}
    return moves


def banks_of(moves: Sequence[StoredMove], since: int) -> list[tuple[int, int]]:
    """Seat and remaining reserve (ms) after each action from ``since`` on that used some of it."""
    return [(move.seat, move.bank) for move in moves[since:] if move.bank is not None]


def packed(moves: Sequence[StoredMove]) -> bytes:
    """Actions as they are stored of an old game: the values of each column, as compressed JSON."""
    columns = {name: [getattr(move, name) for move in moves] for name in StoredMove._fields}
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 9)


def unpacked(data: bytes) -> list[StoredMove]:
    """The actions in such a row; columns that are missing or unknown are those of another version."""
    columns: dict[str, list[Any]] = json.loads(zlib.decompress(data))
    count = len(columns["action"])
    values = (columns.get(name, [None] * count) for name in StoredMove._fields)
    return [StoredMove(*row) for row in zip(*values, strict=True)]


Result = dict[str, Any]
Tallies = dict[int, bytes]  # of each seat, what its hands count (``jantaku.server.storage.finished_games``)
LATE_MS: Final = 3_600_000  # a game that ended is stored by then, whatever happened to the database
TIMED: Final = 100  # games whose times are looked at
FEWEST_TIMED: Final = 10
TABLE_OPTIONS: Final = TableRow.options.label("table_options")


class GameRow(StoredRow):
    """A stored game; ``number`` counts the games of its table from 1, ``opening``: see ``Beginning``.

    ``result``: final, places, and the hands that others played for each seat. ``engine`` is the mark of the
    engine that has last played it as stored.
    """

    __tablename__ = "games"
    __table_args__ = (
        Index("ix_games_table_id_number", "table_id", "number", unique=True),
        Index("ix_games_ended", "ended"),
        Index("ix_games_fingerprint_ended", "fingerprint", "ended"),
    )

    id: Mapped[Id] = mapped_column(primary_key=True)
    table_id: Mapped[Id] = mapped_column(ForeignKey("tables.id"))
    number: Mapped[int]
    seed: Mapped[bytes] = mapped_column(LargeBinary(32))
    rules: Mapped[Name]
    fingerprint: Mapped[Id]
    players: Mapped[tuple[Sitter, ...]] = mapped_column(StoredModel(tuple[Sitter, ...]))
    status: Mapped[Word] = mapped_column(default="playing")
    started: Mapped[Milliseconds] = mapped_column(default=0)
    ended: Mapped[Milliseconds | None] = mapped_column(default=None)
    hands: Mapped[int] = mapped_column(default=0)
    result: Mapped[Result | None] = mapped_column(StoredModel(Result), default=None)
    opening: Mapped[str | None] = mapped_column(default=None)
    engine: Mapped[Id | None] = mapped_column(default=None)

    @property
    def beginning(self) -> Beginning:
        """What reproduces its walls; raises ``RecordError`` if a later version has stored it."""
        return beginning_of(self.seed, self.opening)


class PlayerRow(StoredRow):
    """Whose game it is; there is none for a bot, nor for somebody who has been erased."""

    __tablename__ = "game_players"
    __table_args__ = (Index("ix_game_players_person_ended_game", "person", "ended", "game"),)

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[Id]
    ended: Mapped[Milliseconds | None]  # as in ``games``, for the index; NULL until finished
    tally: Mapped[bytes | None]  # what their hands count, see ``HandTally``; NULL until worked out


LAST_OF_PERSON: Final = (PlayerRow.ended, PlayerRow.game)
GAME_COLUMNS: Final = len(table_of(GameRow).columns)


def game_of(row: Row[*tuple[Any, ...]]) -> GameRow:
    """The game in a row that begins with all columns of ``games``."""
    return GameRow(*row[:GAME_COLUMNS])


class StoredGame(NamedTuple):
    """A game with its actions, and its finished hands as they were played."""

    row: GameRow
    moves: list[StoredMove]
    hands: list[bytes]


class OwnGame(NamedTuple):
    """A game of a person, what their hands in it count, if that is known, and since when others know it."""

    game: GameRow
    tally: bytes | None
    public_at: int


class RatedGames(NamedTuple):
    """Games that are rated; all that ended before ``until`` are among them, and there may be ``more`` now."""

    games: list[GameRow]
    until: int
    more: bool


class Games:
    """All games."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.ended: list[Callable[[], None]] = []  # called after a game has ended

    async def begin(self, game: GameRow, table: TableRow) -> None:
        """Store a new game, and its table with the initial seats."""
        async with self._store.writing() as connection:
            await _write_game(connection, game)
            await write_table(connection, table)

    async def begin_from(self, game: GameRow, table: TableRow, moves: Sequence[tuple[int, str]]) -> None:
        """Store a new game that begins with the moves of another one, and its table."""
        rows = [
            {"game": game.id, "number": number, "seat": seat, "action": action}
            for number, (seat, action) in enumerate(moves)
        ]
        async with self._store.writing() as connection:
            await _write_game(connection, game)
            if rows:
                await connection.execute(insert(ActionRow), rows)
            await write_table(connection, table)

    async def end(
        self, game: GameRow, table: TableRow, logs: Sequence[bytes], first: int, tallies: Tallies
    ) -> None:
        """Store how a game ended, its table, and the hands from number ``first`` on."""
        async with self._store.writing() as connection:
            await _write_hands(connection, game.id, logs, first)
            await _write_end(connection, game)
            await _write_tallies(connection, game.id, tallies)
            await write_table(connection, table)
        for call in self.ended:
            call()

    async def keep_hands(self, game: str, logs: Sequence[bytes], first: int) -> None:
        """Store finished hands from number ``first`` on, as they were played; stored hands never change.

        A process that has lost the table may do so, too: its actions of these hands were stored before.
        """
        async with self._store.writing() as connection:
            await _write_hands(connection, game, logs, first)

    async def decision_s(self) -> float | None:
        """Seconds from one decision to the next in the last games between people; ``None``: too few."""
        stored = select(func.count()).where(ActionRow.game == GameRow.id).scalar_subquery()
        made = func.coalesce(PackedMoves.count, stored).label("made")
        query = select(GameRow, made).outerjoin(PackedMoves, PackedMoves.game == GameRow.id)
        query = query.where(GameRow.status == "finished")
        query = query.order_by(GameRow.ended.desc(), GameRow.id).limit(TIMED)
        rows = await self._store.rows(query)
        taken = [
            (game.ended - game.started) / 1000 / row.made
            for row in rows
            for game in readable([row], "game", game_of)
            if row.made and game.ended and not any(sitter.bot for sitter in game.players)
        ]
        return median(taken) if len(taken) >= FEWEST_TIMED else None

    async def keep_tallies(self, game: str, tallies: Tallies) -> None:
        """Store what the hands of a finished game count for each seat."""
        async with self._store.writing() as connection:
            await _write_tallies(connection, game, tallies)

    async def mark(self, game: str, engine: str) -> None:
        """Note which engine plays a finished game as it is stored."""
        await self._store.write(update(GameRow).where(GameRow.id == game).values(engine=engine))

    async def hands(self, game: str) -> list[bytes]:
        """The finished hands of a game as they were played, in order."""
        query = select(HandRow.log).where(HandRow.game == game).order_by(HandRow.number)
        return await self._store.values(query)

    async def of_table(self, table: str, number: int) -> GameRow | None:
        """A game of a table, by its number."""
        return await self._one(GameRow.table_id == table, GameRow.number == number)

    async def find(self, game: str) -> GameRow | None:
        """The game with this id."""
        return await self._one(GameRow.id == game)

    async def practice(self, ids: Sequence[str]) -> frozenset[str]:
        """Which of these games were played on from a moment of another."""
        query = select(GameRow.id).join(TableRow, TableRow.id == GameRow.table_id)
        return frozenset(
            await self._store.values(query.where(GameRow.id.in_(ids), TableRow.stage == PRACTICE))
        )

    async def _one(self, *where: Any) -> GameRow | None:
        row = await self._store.first(select(GameRow).where(*where))
        return None if row is None else game_of(row)

    async def going_on(self, at: Sequence[TableRow]) -> dict[str, StoredGame]:
        """The last game of each of these tables that has begun one, by table."""
        current = tuple_(GameRow.table_id, GameRow.number).in_([(row.id, row.game) for row in at])
        rows = [game_of(row) for row in await self._store.rows(select(GameRow).where(current))]
        ids = [game.id for game in rows]
        moves, logs = await moves_of(self._store, *ids), {game: list[bytes]() for game in ids}
        query = select(HandRow.game, HandRow.log).where(HandRow.game.in_(ids))
        for game, log in await self._store.rows(query.order_by(HandRow.game, HandRow.number)):
            logs[game].append(log)
        return {game.table_id: StoredGame(game, moves[game.id], logs[game.id]) for game in rows}

    async def moves(self, game: str) -> Sequence[tuple[int, str]]:
        """Seat and action of every move, in order."""
        return [(move.seat, move.action) for move in await self._moves(game)]

    async def _moves(self, game: str) -> list[StoredMove]:
        return (await moves_of(self._store, game))[game]

    async def taken_for(self, game: str) -> Sequence[tuple[int, int]]:
        """Number and seat of every action that the table took for a person who was away."""
        moves = enumerate(await self._moves(game))
        return [(number, move.seat) for number, move in moves if move.absent]

    async def of_person(self, person: str, most: int) -> list[OwnGame]:
        """The finished games of a person that count, newest first."""
        counts = USUAL
        own = _played_by(person).add_columns(PlayerRow.tally, TABLE_OPTIONS)
        query = newest(own, LAST_OF_PERSON, None, most)
        query = query.join(TableRow, TableRow.id == GameRow.table_id).where(counts)
        rows = await self._store.rows(query)
        return readable(rows, "game", lambda row: OwnGame(game_of(row), row.tally, _public_at(row)))

    async def rated(self, under: str | int, since: int, most: int) -> "RatedGames":
        """The oldest finished games of rated tables that ended at ``since`` or later, in order.

        ``under``: the fingerprint of a ruleset, or the number of players in ranked play, whatever its rules.
        They end before the first that not everybody is told yet.
        """
        query = _rated(under, select(GameRow, TABLE_OPTIONS)).where(GameRow.ended >= since)
        rows = await self._store.rows(query.order_by(GameRow.ended, GameRow.id).limit(most))
        now = now_ms()
        public = list(takewhile(lambda row: _public_at(row) <= now, rows))
        all_told = len(public) == len(rows)
        until = max((row.ended for row in public), default=since)
        if all_told and len(rows) < most:
            until = max(until, now - LATE_MS)
        return RatedGames(readable(public, "game", game_of), until, all_told and len(rows) == most)

    async def begin_of_rated(self, under: str | int, most: int) -> int:
        """When the first of the newest ``most`` games ended that ``rated`` finds."""
        query = _rated(under, select(GameRow.ended)).order_by(GameRow.ended.desc())
        return await self._store.value(query.offset(most - 1).limit(1)) or 0

    async def rulesets(self, since: int) -> list[tuple[str, int]]:
        """The rulesets of games that ended at ``since`` or later, with when the last of them ended."""
        query = select(GameRow.fingerprint, func.max(GameRow.ended)).where(GameRow.ended >= since)
        rows = await self._store.rows(query.group_by(GameRow.fingerprint))
        return [(fingerprint, ended) for fingerprint, ended in rows]

    async def ranked_of(self, person: str, most: int) -> list[GameRow]:
        """The newest finished games of a person in ranked play, the newest first."""
        query = _played_by(person).join(TableRow, TableRow.id == GameRow.table_id)
        query = query.where(TableRow.stage == RANKED, TableRow.event.is_(None))
        query = newest(query, LAST_OF_PERSON, None, most)
        return readable(await self._store.rows(query), "game", game_of)

    async def finished(self, before: PageEnd | None, person: str | None, most: int) -> ListPage[GameRow]:
        """Finished games that ended before a position, newest first: public ones, or those of one person."""
        if person is not None:
            query = newest(_played_by(person), LAST_OF_PERSON, before, most)
        else:
            query = select(GameRow).join(TableRow, TableRow.id == GameRow.table_id)
            query = query.where(GameRow.status == "finished", TableRow.options.contains('"private":false'))
            query = newest(query, (GameRow.ended, GameRow.id), before, most)
        rows = await self._store.rows(query)
        return ListPage(readable(rows, "game", game_of), following(rows, "ended", most))


def _rated(under: str | int, query: Query) -> Query:
    """A query for finished games at rated tables under a ruleset, or in ranked play."""
    counts = USUAL
    if isinstance(under, int):
        counts = (TableRow.stage == RANKED) & TableRow.event.is_(None) & (TableRow.seat_count == under)
    else:
        counts &= GameRow.fingerprint == under
    query = query.join(TableRow, TableRow.id == GameRow.table_id)
    return query.where(GameRow.status == "finished", counts, RATED)


def _public_at(row: Row[Any]) -> int:
    return public_at(row.ended, row.table_options)


def _played_by(person: str) -> Select[Any]:
    """The finished games of a person, who has one seat in each."""
    mine = select(GameRow).join(PlayerRow, PlayerRow.game == GameRow.id)
    return mine.where(PlayerRow.person == person, PlayerRow.ended.is_not(None))


async def _write_game(connection: AsyncConnection, game: GameRow) -> None:
    await connection.execute(insert(GameRow).values(game.values()))
    ended = game.ended if game.status == "finished" else None
    rows = [
        {"game": game.id, "seat": seat, "person": sitter.person, "ended": ended}
        for seat, sitter in enumerate(game.players)
        if sitter.person is not None
    ]
    if rows:
        await connection.execute(insert(PlayerRow), rows)


async def _write_hands(connection: AsyncConnection, game: str, logs: Sequence[bytes], first: int) -> None:
    stored = set((await connection.execute(select(HandRow.number).where(HandRow.game == game))).scalars())
    rows = [{"game": game, "number": number, "log": log} for number, log in enumerate(logs, first)]
    new = [row for row in rows if row["number"] not in stored]
    if new:
        await connection.execute(insert(HandRow), new)


async def _write_tallies(connection: AsyncConnection, game: str, tallies: Tallies) -> None:
    for seat, tally in tallies.items():
        own = update(PlayerRow).where(PlayerRow.game == game, PlayerRow.seat == seat)
        await connection.execute(own.values(tally=tally))


async def _write_end(connection: AsyncConnection, game: GameRow) -> None:
    values = {name: getattr(game, name) for name in ("status", "hands", "result", "engine")}
    ended = game.ended or now_ms()
    await connection.execute(update(GameRow).where(GameRow.id == game.id).values(ended=ended, **values))
    if game.status == "finished":
        own = update(PlayerRow).where(PlayerRow.game == game.id)
        await connection.execute(own.values(ended=ended))
