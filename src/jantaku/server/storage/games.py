"""Games: their seeds, players, actions and results."""

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count, takewhile
from statistics import median
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, Select, func, insert, select, tuple_, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.errors import RecordError
from jantaku.game import Game, Standing
from jantaku.game.fair_walls import shuffled, tile_set
from jantaku.game.mid_game_start import standing_from
from jantaku.rules import Ruleset
from jantaku.server.storage.rows import ListPage, PageEnd, following, newest, readable
from jantaku.server.storage.schema import actions, game_players, games, hands, packed_moves
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


class StoredMove(NamedTuple):
    """An action as the writer stores it: see ``jantaku.server.storage.writer.Move``."""

    seat: int
    action: str
    bank: int | None = None
    absent: int | None = None


MOVE_COLUMNS: Final = tuple(actions.c[name] for name in StoredMove._fields)


async def moves_of(store: Store, *of: str) -> dict[str, list[StoredMove]]:
    """The actions of games, in order."""
    moves: dict[str, list[StoredMove]] = {game: [] for game in of}
    query = select(actions.c.game, *MOVE_COLUMNS).where(actions.c.game.in_(of))
    for game, *row in await store.rows(query.order_by(actions.c.game, actions.c.number)):
        moves[game].append(StoredMove(*row))
    old = [game for game, moves in moves.items() if not moves]
    if old:
        query = select(packed_moves.c.game, packed_moves.c.moves).where(packed_moves.c.game.in_(old))
        moves |= {game: unpacked(data) for game, data in await store.rows(query)}
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
COLUMNS: Final = tuple(games.c.keys())
TABLE_OPTIONS: Final = TableRow.options.label("table_options")
LAST_OF_PERSON: Final = (game_players.c.ended, game_players.c.game)


@dataclass(frozen=True)
class GameRow:
    """A stored game; ``number`` counts the games of its table from 1, ``opening``: see ``Beginning``."""

    id: str
    table_id: str
    number: int
    seed: bytes
    rules: str
    fingerprint: str
    players: tuple[Sitter, ...]
    status: str = "playing"
    started: int = 0
    ended: int | None = None
    hands: int = 0
    result: Result | None = None
    opening: str | None = None
    engine: str | None = None

    @property
    def beginning(self) -> Beginning:
        """What reproduces its walls; raises ``RecordError`` if a later version has stored it."""
        return beginning_of(self.seed, self.opening)


def _values(row: GameRow) -> dict[str, Any]:
    players = json.dumps([vars(sitter) for sitter in row.players], ensure_ascii=False)
    return vars(row) | {"players": players, "result": row.result and json.dumps(row.result)}


def game_of(row: Row[Any]) -> GameRow:
    """The game in a row that begins with all columns of ``games``."""
    players = tuple(Sitter(**sitter) for sitter in json.loads(row.players))
    result = json.loads(row.result) if row.result else None
    columns = dict(zip(COLUMNS, row, strict=False))
    return GameRow(**{**columns, "players": players, "result": result})


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
                await connection.execute(insert(actions), rows)
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
        stored = select(func.count()).where(actions.c.game == games.c.id).scalar_subquery()
        made = func.coalesce(packed_moves.c.count, stored).label("made")
        query = select(games, made).outerjoin(packed_moves, packed_moves.c.game == games.c.id)
        query = query.where(games.c.status == "finished")
        query = query.order_by(games.c.ended.desc(), games.c.id).limit(TIMED)
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
        await self._store.write(update(games).where(games.c.id == game).values(engine=engine))

    async def hands(self, game: str) -> list[bytes]:
        """The finished hands of a game as they were played, in order."""
        query = select(hands.c.log).where(hands.c.game == game).order_by(hands.c.number)
        return await self._store.values(query)

    async def of_table(self, table: str, number: int) -> GameRow | None:
        """A game of a table, by its number."""
        return await self._one(games.c.table_id == table, games.c.number == number)

    async def find(self, game: str) -> GameRow | None:
        """The game with this id."""
        return await self._one(games.c.id == game)

    async def practice(self, ids: Sequence[str]) -> frozenset[str]:
        """Which of these games were played on from a moment of another."""
        query = select(games.c.id).join(TableRow, TableRow.id == games.c.table_id)
        return frozenset(
            await self._store.values(query.where(games.c.id.in_(ids), TableRow.stage == PRACTICE))
        )

    async def _one(self, *where: Any) -> GameRow | None:
        row = await self._store.first(select(games).where(*where))
        return None if row is None else game_of(row)

    async def going_on(self, at: Sequence[TableRow]) -> dict[str, StoredGame]:
        """The last game of each of these tables that has begun one, by table."""
        current = tuple_(games.c.table_id, games.c.number).in_([(row.id, row.game) for row in at])
        rows = [game_of(row) for row in await self._store.rows(select(games).where(current))]
        ids = [game.id for game in rows]
        moves, logs = await moves_of(self._store, *ids), {game: list[bytes]() for game in ids}
        query = select(hands.c.game, hands.c.log).where(hands.c.game.in_(ids))
        for game, log in await self._store.rows(query.order_by(hands.c.game, hands.c.number)):
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
        own = _played_by(person).add_columns(game_players.c.tally, TABLE_OPTIONS)
        query = newest(own, LAST_OF_PERSON, None, most)
        query = query.join(TableRow, TableRow.id == games.c.table_id).where(counts)
        rows = await self._store.rows(query)
        return readable(rows, "game", lambda row: OwnGame(game_of(row), row.tally, _public_at(row)))

    async def rated(self, under: str | int, since: int, most: int) -> "RatedGames":
        """The oldest finished games of rated tables that ended at ``since`` or later, in order.

        ``under``: the fingerprint of a ruleset, or the number of players in ranked play, whatever its rules.
        They end before the first that not everybody is told yet.
        """
        query = _rated(under, select(games, TABLE_OPTIONS)).where(games.c.ended >= since)
        rows = await self._store.rows(query.order_by(games.c.ended, games.c.id).limit(most))
        now = now_ms()
        public = list(takewhile(lambda row: _public_at(row) <= now, rows))
        all_told = len(public) == len(rows)
        until = max((row.ended for row in public), default=since)
        if all_told and len(rows) < most:
            until = max(until, now - LATE_MS)
        return RatedGames(readable(public, "game", game_of), until, all_told and len(rows) == most)

    async def begin_of_rated(self, under: str | int, most: int) -> int:
        """When the first of the newest ``most`` games ended that ``rated`` finds."""
        query = _rated(under, select(games.c.ended)).order_by(games.c.ended.desc())
        return await self._store.value(query.offset(most - 1).limit(1)) or 0

    async def rulesets(self, since: int) -> list[tuple[str, int]]:
        """The rulesets of games that ended at ``since`` or later, with when the last of them ended."""
        query = select(games.c.fingerprint, func.max(games.c.ended)).where(games.c.ended >= since)
        rows = await self._store.rows(query.group_by(games.c.fingerprint))
        return [(fingerprint, ended) for fingerprint, ended in rows]

    async def ranked_of(self, person: str, most: int) -> list[GameRow]:
        """The newest finished games of a person in ranked play, the newest first."""
        query = _played_by(person).join(TableRow, TableRow.id == games.c.table_id)
        query = query.where(TableRow.stage == RANKED, TableRow.event.is_(None))
        query = newest(query, LAST_OF_PERSON, None, most)
        return readable(await self._store.rows(query), "game", game_of)

    async def finished(self, before: PageEnd | None, person: str | None, most: int) -> ListPage[GameRow]:
        """Finished games that ended before a position, newest first: public ones, or those of one person."""
        if person is not None:
            query = newest(_played_by(person), LAST_OF_PERSON, before, most)
        else:
            query = select(games).join(TableRow, TableRow.id == games.c.table_id)
            query = query.where(games.c.status == "finished", TableRow.options.contains('"private":false'))
            query = newest(query, (games.c.ended, games.c.id), before, most)
        rows = await self._store.rows(query)
        return ListPage(readable(rows, "game", game_of), following(rows, "ended", most))


def _rated(under: str | int, query: Select[Any]) -> Select[Any]:
    """A query for finished games at rated tables under a ruleset, or in ranked play."""
    counts = USUAL
    if isinstance(under, int):
        counts = (TableRow.stage == RANKED) & TableRow.event.is_(None) & (TableRow.seat_count == under)
    else:
        counts &= games.c.fingerprint == under
    query = query.join(TableRow, TableRow.id == games.c.table_id)
    return query.where(games.c.status == "finished", counts, RATED)


def _public_at(row: Row[Any]) -> int:
    return public_at(row.ended, row.table_options)


def _played_by(person: str) -> Select[Any]:
    """The finished games of a person, who has one seat in each."""
    mine = game_players.join(games, games.c.id == game_players.c.game)
    where = (game_players.c.person == person, game_players.c.ended.is_not(None))
    return select(games).select_from(mine).where(*where)


async def _write_game(connection: AsyncConnection, game: GameRow) -> None:
    await connection.execute(insert(games).values(_values(game)))
    ended = game.ended if game.status == "finished" else None
    rows = [
        {"game": game.id, "seat": seat, "person": sitter.person, "ended": ended}
        for seat, sitter in enumerate(game.players)
        if sitter.person is not None
    ]
    if rows:
        await connection.execute(insert(game_players), rows)


async def _write_hands(connection: AsyncConnection, game: str, logs: Sequence[bytes], first: int) -> None:
    stored = set((await connection.execute(select(hands.c.number).where(hands.c.game == game))).scalars())
    rows = [{"game": game, "number": number, "log": log} for number, log in enumerate(logs, first)]
    new = [row for row in rows if row["number"] not in stored]
    if new:
        await connection.execute(insert(hands), new)


async def _write_tallies(connection: AsyncConnection, game: str, tallies: Tallies) -> None:
    for seat, tally in tallies.items():
        own = update(game_players).where(game_players.c.game == game, game_players.c.seat == seat)
        await connection.execute(own.values(tally=tally))


async def _write_end(connection: AsyncConnection, game: GameRow) -> None:
    values = {name: _values(game)[name] for name in ("status", "hands", "result", "engine")}
    ended = game.ended or now_ms()
    await connection.execute(update(games).where(games.c.id == game.id).values(ended=ended, **values))
    if game.status == "finished":
        own = update(game_players).where(game_players.c.game == game.id)
        await connection.execute(own.values(ended=ended))
