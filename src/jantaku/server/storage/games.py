"""Stored games: seeds, players, actions, finished hands and results."""

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
from jantaku.server.storage.rows import ListPage, PageEnd, Query, newest, next_page, readable
from jantaku.server.storage.store import Store, now_ms
from jantaku.server.storage.tables import (
    IS_PUBLIC,
    NOT_PRACTICE,
    PRACTICE,
    RANKED,
    RATED,
    Sitter,
    TableRow,
    public_at,
    write_table,
)
from jantaku.tiles import Tile, format_tiles, parse_tiles

VERSION: Final = 1


@dataclass(frozen=True)
class Beginning:
    """How a game starts: its first walls, its standing if it starts mid-game, and the seed of later walls."""

    seed: bytes
    walls: tuple[tuple[Tile, ...], ...] = ()
    standing: Standing | None = None

    def game(self, rules: Ruleset) -> Game:
        """Return a game before its first action."""
        if not self.walls:
            return Game(rules, self.seed, standing=self.standing)
        tiles = tile_set(rules)
        later = (shuffled(tiles, self.seed, hand) for hand in count(len(self.walls)))
        return Game(rules, walls=chain(self.walls, later), standing=self.standing)

    @property
    def opening(self) -> str | None:
        """The first walls and the standing as stored JSON; ``None`` if the seed is enough."""
        if not self.walls and self.standing is None:
            return None
        walls = [format_tiles(wall, sort=False) for wall in self.walls]
        standing = self.standing and self.standing.to_dict()
        return json.dumps({"version": VERSION, "walls": walls, "standing": standing})


def beginning_of(seed: bytes, opening: str | None) -> Beginning:
    """Decode a stored beginning; raises ``RecordError`` if a newer version has stored it."""
    if opening is None:
        return Beginning(seed)
    data = json.loads(opening)
    if data["version"] != VERSION:
        raise RecordError("record_version", line=1, found=data["version"], known=VERSION)
    standing = data["standing"] and standing_from(data["standing"])
    return Beginning(seed, tuple(tuple(parse_tiles(wall)) for wall in data["walls"]), standing)


class ActionRow(StoredRow):
    """An action of an unpacked game."""

    __tablename__ = "actions"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[SmallNumber]
    action: Mapped[str] = mapped_column(String(24))  # ``str()`` of the action
    bank: Mapped[int | None]  # ms left of the seat's time reserve, if this action used some of it
    absent: Mapped[SmallNumber | None]  # 1: the table acted for an absent player


class PackedMoves(StoredRow):
    """All actions of a game that ended long ago, in one row."""

    __tablename__ = "packed_moves"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    count: Mapped[int]
    moves: Mapped[bytes]  # see ``packed``


class HandRow(StoredRow):
    """The log of a finished hand as played, in case a later engine replays it differently."""

    __tablename__ = "hands"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # from 0
    log: Mapped[bytes]  # packed by ``jantaku.records.native.hand_log``


class StoredMove(NamedTuple):
    """A stored action; see ``jantaku.server.storage.writer.Move`` for the fields."""

    seat: int
    action: str
    bank: int | None = None
    absent: int | None = None


MOVE_COLUMNS: Final = (ActionRow.seat, ActionRow.action, ActionRow.bank, ActionRow.absent)


async def moves_of(store: Store, *games: str) -> dict[str, list[StoredMove]]:
    """Return the actions of games in order, by game id."""
    moves: dict[str, list[StoredMove]] = {game: [] for game in games}
    query = select(ActionRow.game, *MOVE_COLUMNS).where(ActionRow.game.in_(games))
    for game, *row in await store.rows(query.order_by(ActionRow.game, ActionRow.number)):
        moves[game].append(StoredMove(*row))
    old = [game for game, moves in moves.items() if not moves]
    if old:
        rows = await store.all(select(PackedMoves).where(PackedMoves.game.in_(old)))
        moves |= {row.game: unpacked(row.moves) for row in rows}
    return moves


def banks_of(moves: Sequence[StoredMove], since: int) -> list[tuple[int, int]]:
    """Return seat and remaining time reserve (ms) for the actions from index ``since`` that used it."""
    return [(move.seat, move.bank) for move in moves[since:] if move.bank is not None]


def packed(moves: Sequence[StoredMove]) -> bytes:
    """Pack actions as compressed JSON with one list per column."""
    columns = {name: [getattr(move, name) for move in moves] for name in StoredMove._fields}
    return zlib.compress(json.dumps(columns, separators=(",", ":")).encode(), 9)


def unpacked(data: bytes) -> list[StoredMove]:
    """Unpack actions. Missing columns become ``None`` and unknown ones are ignored, as versions differ."""
    columns: dict[str, list[Any]] = json.loads(zlib.decompress(data))
    count = len(columns["action"])
    values = (columns.get(name, [None] * count) for name in StoredMove._fields)
    return [StoredMove(*row) for row in zip(*values, strict=True)]


Result = dict[str, Any]
Tallies = dict[int, bytes]  # the packed ``HandTally`` of each seat
MAX_DELAY_MS: Final = 3_600_000  # the result of a game is stored within this time, even after failures
TIMED_GAMES: Final = 100  # sample for the average decision time
MIN_TIMED_GAMES: Final = 10
TABLE_OPTIONS: Final = TableRow.options.label("table_options")


class GameRow(StoredRow):
    """A stored game. ``number`` counts the games of its table from 1; ``opening`` encodes its ``Beginning``.

    ``result`` holds the final points, the places and each seat's hands played by the table. ``engine`` is
    the mark of the last engine version known to replay the game as stored.
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
        """The game's beginning; raises ``RecordError`` if a newer version has stored it."""
        return beginning_of(self.seed, self.opening)


class PlayerRow(StoredRow):
    """A person's seat in a game. Bots and erased people have no row."""

    __tablename__ = "game_players"
    __table_args__ = (Index("ix_game_players_person_ended_game", "person", "ended", "game"),)

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[SmallNumber] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[Id]
    ended: Mapped[Milliseconds | None]  # copied from ``games`` for the index; NULL until finished
    tally: Mapped[bytes | None]  # statistics of the player's hands (``HandTally``); NULL until computed


LAST_OF_PERSON: Final = (PlayerRow.ended, PlayerRow.game)
GAME_COLUMNS: Final = len(table_of(GameRow).columns)


def game_of(row: Row[*tuple[Any, ...]]) -> GameRow:
    """Build the game from a row that starts with all columns of ``games``."""
    return GameRow(*row[:GAME_COLUMNS])


class StoredGame(NamedTuple):
    """A game with its actions and the logs of its finished hands."""

    row: GameRow
    moves: list[StoredMove]
    hands: list[bytes]


class OwnGame(NamedTuple):
    """A game of a person, their packed tally if computed, and the time (ms) at which it becomes public."""

    game: GameRow
    tally: bytes | None
    public_at: int


class RatedGames(NamedTuple):
    """Rated games, complete for games that ended before ``until``; ``more``: others may follow."""

    games: list[GameRow]
    until: int
    more: bool


class Games:
    """Reads and writes games."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.on_ended: list[Callable[[], None]] = []  # called after the end of a game is stored

    async def begin(self, game: GameRow, table: TableRow) -> None:
        """Store a new game and its updated table."""
        async with self._store.writing() as connection:
            await _write_game(connection, game)
            await write_table(connection, table)

    async def begin_from(self, game: GameRow, table: TableRow, moves: Sequence[tuple[int, str]]) -> None:
        """Store a new game that starts with the moves of another one, and its updated table."""
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
        """Store the end of a game, its table, and the logs of its hands from number ``first`` on."""
        async with self._store.writing() as connection:
            await _write_hands(connection, game.id, logs, first)
            await _write_end(connection, game)
            await _write_tallies(connection, game.id, tallies)
            await write_table(connection, table)
        for call in self.on_ended:
            call()

    async def store_hands(self, game: str, logs: Sequence[bytes], first: int) -> None:
        """Store the logs of finished hands from number ``first`` on; hands already stored are not replaced.

        A process that has lost the table may do this too, because the actions of these hands are stored.
        """
        async with self._store.writing() as connection:
            await _write_hands(connection, game, logs, first)

    async def decision_s(self) -> float | None:
        """Return the median time per decision in recent games without bots, in seconds.

        ``None`` if there are fewer than ``MIN_TIMED_GAMES``.
        """
        stored = select(func.count()).where(ActionRow.game == GameRow.id).scalar_subquery()
        made = func.coalesce(PackedMoves.count, stored).label("made")
        query = select(GameRow, made).outerjoin(PackedMoves, PackedMoves.game == GameRow.id)
        query = query.where(GameRow.status == "finished")
        query = query.order_by(GameRow.ended.desc(), GameRow.id).limit(TIMED_GAMES)
        rows = await self._store.rows(query)
        seconds = [
            (game.ended - game.started) / 1000 / row.made
            for row in rows
            for game in readable([row], "game", game_of)
            if row.made and game.ended and not any(sitter.bot for sitter in game.players)
        ]
        return median(seconds) if len(seconds) >= MIN_TIMED_GAMES else None

    async def store_tallies(self, game: str, tallies: Tallies) -> None:
        """Store the packed tally of each seat of a finished game."""
        async with self._store.writing() as connection:
            await _write_tallies(connection, game, tallies)

    async def mark(self, game: str, engine: str) -> None:
        """Record the engine version that replays a finished game as stored."""
        await self._store.write(update(GameRow).where(GameRow.id == game).values(engine=engine))

    async def hands(self, game: str) -> list[bytes]:
        """Return the logs of a game's finished hands in order."""
        query = select(HandRow.log).where(HandRow.game == game).order_by(HandRow.number)
        return await self._store.values(query)

    async def of_table(self, table: str, number: int) -> GameRow | None:
        """Return a game of a table by its number."""
        return await self._one(GameRow.table_id == table, GameRow.number == number)

    async def player(self, game: str, seat: int) -> str | None:
        """Return the person in a seat of a game; ``None`` for a bot or an erased person."""
        query = select(PlayerRow.person).where(PlayerRow.game == game, PlayerRow.seat == seat)
        person: str | None = await self._store.value(query)
        return person

    async def find(self, game: str) -> GameRow | None:
        """Return the game with this id."""
        return await self._one(GameRow.id == game)

    async def practice(self, ids: Sequence[str]) -> frozenset[str]:
        """Return which of these games are practice games, continued from a position of another game."""
        query = select(GameRow.id).join(TableRow, TableRow.id == GameRow.table_id)
        return frozenset(
            await self._store.values(query.where(GameRow.id.in_(ids), TableRow.stage == PRACTICE))
        )

    async def _one(self, *where: Any) -> GameRow | None:
        row = await self._store.first(select(GameRow).where(*where))
        return None if row is None else game_of(row)

    async def latest(self, tables: Sequence[TableRow]) -> dict[str, StoredGame]:
        """Return the latest game of each table, by table id; tables without a game are left out."""
        current = tuple_(GameRow.table_id, GameRow.number).in_([(row.id, row.game) for row in tables])
        rows = [game_of(row) for row in await self._store.rows(select(GameRow).where(current))]
        ids = [game.id for game in rows]
        moves, logs = await moves_of(self._store, *ids), {game: list[bytes]() for game in ids}
        query = select(HandRow.game, HandRow.log).where(HandRow.game.in_(ids))
        for game, log in await self._store.rows(query.order_by(HandRow.game, HandRow.number)):
            logs[game].append(log)
        return {game.table_id: StoredGame(game, moves[game.id], logs[game.id]) for game in rows}

    async def moves(self, game: str) -> Sequence[tuple[int, str]]:
        """Return the seat and action of every move in order."""
        return [(move.seat, move.action) for move in await self._moves(game)]

    async def _moves(self, game: str) -> list[StoredMove]:
        return (await moves_of(self._store, game))[game]

    async def absent_moves(self, game: str) -> Sequence[tuple[int, int]]:
        """Return number and seat of every action that the table took for an absent player."""
        moves = enumerate(await self._moves(game))
        return [(number, move.seat) for number, move in moves if move.absent]

    async def of_person(self, person: str, limit: int) -> list[OwnGame]:
        """Return the finished games of a person without practice games, newest first."""
        own = _played_by(person).add_columns(PlayerRow.tally, TABLE_OPTIONS)
        query = newest(own, LAST_OF_PERSON, None, limit)
        query = query.join(TableRow, TableRow.id == GameRow.table_id).where(NOT_PRACTICE)
        rows = await self._store.rows(query)
        return readable(rows, "game", lambda row: OwnGame(game_of(row), row.tally, _public_at(row)))

    async def rated(self, under: str | int, since: int, limit: int) -> "RatedGames":
        """Return the oldest rated games that ended at ``since`` (ms) or later, in order.

        ``under`` is the fingerprint of a ruleset, or the number of players in ranked play under any rules.
        The list stops at the first game that is not public yet.
        """
        query = _rated(under, select(GameRow, TABLE_OPTIONS)).where(GameRow.ended >= since)
        rows = await self._store.rows(query.order_by(GameRow.ended, GameRow.id).limit(limit))
        now = now_ms()
        public = list(takewhile(lambda row: _public_at(row) <= now, rows))
        all_public = len(public) == len(rows)
        until = max((row.ended for row in public), default=since)
        if all_public and len(rows) < limit:
            until = max(until, now - MAX_DELAY_MS)
        return RatedGames(readable(public, "game", game_of), until, all_public and len(rows) == limit)

    async def start_of_rated(self, under: str | int, count: int) -> int:
        """Return the end (ms) of the oldest among the newest ``count`` rated games; 0 if there are fewer."""
        query = _rated(under, select(GameRow.ended)).order_by(GameRow.ended.desc())
        return await self._store.value(query.offset(count - 1).limit(1)) or 0

    async def rulesets(self, since: int) -> list[tuple[str, int]]:
        """Return the rulesets (fingerprints) of games that ended since then, with the latest end (ms)."""
        query = select(GameRow.fingerprint, func.max(GameRow.ended)).where(GameRow.ended >= since)
        rows = await self._store.rows(query.group_by(GameRow.fingerprint))
        return [(fingerprint, ended) for fingerprint, ended in rows]

    async def ranked_of(self, person: str, limit: int) -> list[GameRow]:
        """Return the finished ranked games of a person, newest first."""
        query = _played_by(person).join(TableRow, TableRow.id == GameRow.table_id)
        query = query.where(TableRow.stage == RANKED, TableRow.event.is_(None))
        query = newest(query, LAST_OF_PERSON, None, limit)
        return readable(await self._store.rows(query), "game", game_of)

    async def finished(self, before: PageEnd | None, person: str | None, limit: int) -> ListPage[GameRow]:
        """Return a page of finished games, newest first: those of one person, or all of public tables."""
        if person is not None:
            query = newest(_played_by(person), LAST_OF_PERSON, before, limit)
        else:
            query = select(GameRow).join(TableRow, TableRow.id == GameRow.table_id)
            query = query.where(GameRow.status == "finished", IS_PUBLIC)
            query = newest(query, (GameRow.ended, GameRow.id), before, limit)
        rows = await self._store.rows(query)
        return ListPage(readable(rows, "game", game_of), next_page(rows, "ended", limit))


def _rated(under: str | int, query: Query) -> Query:
    """Restrict a query to finished rated games under a ruleset, or in ranked play."""
    counts = NOT_PRACTICE
    if isinstance(under, int):
        counts = (TableRow.stage == RANKED) & TableRow.event.is_(None) & (TableRow.seat_count == under)
    else:
        counts &= GameRow.fingerprint == under
    query = query.join(TableRow, TableRow.id == GameRow.table_id)
    return query.where(GameRow.status == "finished", counts, RATED)


def _public_at(row: Row[Any]) -> int:
    return public_at(row.ended, row.table_options)


def _played_by(person: str) -> Select[Any]:
    """Select the finished games of a person."""
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
