"""Finished games: absent players, replays, statistics, and games that may count for events.

A hand in which the table acted for an absent player does not count as theirs. If they missed more than half
of the hands, the game does not count as theirs either. Ratings follow another rule, because leaving must not
save anyone from a loss: a rated game counts unless a player was absent from the start to the end
(``docs/server.md``).
"""

import hashlib
import logging
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import ForeignKey, Row, String, and_, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import Mapped, mapped_column

from jantaku.club import EventGame, GameResult, settle
from jantaku.club.as_entered import played_hands
from jantaku.club.statistics import HandTally, Sitting, tally, unpacked
from jantaku.errors import JantakuError
from jantaku.game import Game
from jantaku.game.actions import parse
from jantaku.game.events import HandStarted
from jantaku.kernels.win import MAX_SEATS
from jantaku.records.native.hand_log import as_played, differing_hand
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import iso
from jantaku.server.storage.base import UNREADABLE, Id, LongId, Milliseconds, SmallNumber, StoredRow, table_of
from jantaku.server.storage.events import Change
from jantaku.server.storage.games import TABLE_OPTIONS, Beginning, GameRow, Tallies, game_of
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rows import log_unreadable, readable
from jantaku.server.storage.store import Repository
from jantaku.server.storage.tables import OPEN_TABLE, Sitter, TableRow, public_at

# keys of the stored result
ABSENT: Final = "absent"  # the hands each seat's player was absent from, numbered from 0
PRESENT: Final = "there"  # rated games only: the seats whose players were present at the start


def absent_hands(game: Game, moves: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return, for each seat, the hands in which the table acted for its player.

    ``moves`` holds the number and seat of each action taken by the table.
    """
    dealt = [i for i, event in enumerate(game.events) if isinstance(event, HandStarted)]
    absent: list[set[int]] = [set() for _ in game.seats]
    for number, seat in moves:
        before = game.moves[number][0]
        absent[seat].add(sum(deal < before for deal in dealt) - 1)
    return [sorted(hands) for hands in absent]


def absent_in(result: Mapping[str, Any] | None, seat: int) -> frozenset[int]:
    """Return the hands that a seat's player was absent from, as recorded in the result of a game."""
    absent = (result or {}).get(ABSENT) or ()
    return frozenset(absent[seat]) if seat < len(absent) else frozenset()


def counts_for(result: Mapping[str, Any] | None, seat: int, hands: int) -> bool:
    """Whether a game counts for the player of a seat, who must have played at least half of its hands."""
    return 2 * len(absent_in(result, seat)) <= hands


def is_rated(result: Mapping[str, Any] | None, seats: int, hands: int) -> bool:
    """Whether a game counts for ratings: every player was present at the start or played some hand."""
    present = (result or {}).get(PRESENT) or ()
    played = (seat in present or len(absent_in(result, seat)) < hands for seat in range(seats))
    return hands == 0 or all(played)


def present_seats(players: Sequence[Sitter]) -> list[int]:
    """Return the seats whose players are present; players who have left are marked ``gone``."""
    return [seat for seat, player in enumerate(players) if not player.gone]


LOG = logging.getLogger("jantaku.server")
ENGINE: Final = ("kernels/**/*.py", "game/*.py", "rules/**/*.py", "rules/**/*.toml", "*.py")


@cache
def engine_mark() -> str:
    """Return a hash of the engine's sources, which identifies its version."""
    return source_mark(*ENGINE)


def source_mark(*patterns: str) -> str:
    """Return a hash of the package's files that match these patterns."""
    package, digest = Path(__file__).parents[2], hashlib.sha256()
    for path in sorted({path for pattern in patterns for path in package.glob(pattern)}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def replayed(
    rules: Ruleset, begun: Beginning, moves: Sequence[tuple[int, str]], logs: Sequence[bytes] = ()
) -> Game:
    """Rebuild a game from its stored actions; ``logs`` are the logs of its finished hands.

    If this version replays the actions differently, return a ``RecordedGame`` built from the logs. It shows
    what was played but cannot be continued.
    """
    game = begun.game(rules)
    try:
        for seat, action in moves:
            game.play(seat, parse(action))
        differing = differing_hand(game, logs)
    except JantakuError as error:
        if not logs:
            raise
        LOG.error("this version cannot continue a stored game (%s)", error)
        return as_played(rules, logs, moves)
    if differing is None:
        return game
    LOG.error("this version replays hand %s of a stored game differently", differing + 1)
    return as_played(rules, logs, moves)


BOT: Final = "bot:"


def player_of(sitter: Sitter) -> str:
    """Return a player's id: the person's, ``bot:`` with the policy's name, or an empty string if erased."""
    if sitter.person is not None:
        return sitter.person
    return f"{BOT}{sitter.bot}" if sitter.bot is not None else ""


def result_of(row: GameRow) -> EventGame | None:
    """Return the final result of a stored game, without its hands; ``None`` if the game has no result."""
    result = row.result or {}
    if not result.get("final") or not result.get("places"):
        return None
    players = tuple(map(player_of, row.players))
    absent = tuple(absent_in(result, seat) for seat in range(len(players)))
    ended = GameResult(True, (), tuple(result["final"]), tuple(result["places"]))
    return EventGame(row.id, "", players, ended, iso(row.ended), absent=absent)


def tallies_of(game: Game, row: GameRow) -> Tallies:
    """Compute the packed tally of each seat; empty if the game has no result or cannot be settled."""
    result = result_of(row)
    if result is None:
        return {}
    try:
        result = replace(result, result=settle(played_hands(game), game.rules))
    except UNREADABLE:
        log_unreadable("hands of the game", row.id)
        return {}
    return {seat: tally(Sitting("", result, seat)).packed() for seat in range(len(result.players))}


def read_tally(data: bytes | None, game: str) -> HandTally | None:
    """Unpack a stored tally; ``None`` if there is none or this version cannot read it."""
    try:
        return None if data is None else unpacked(data, game)
    except (zlib.error, *UNREADABLE):
        log_unreadable("tally of the game", game)
        return None


COUNTED: Final = "counted"
Absent = tuple[frozenset[int], ...]  # the hands each seat's player was absent from
Position = tuple[int, str]  # end of a game in ms, and its id
START: Final[Position] = (-1, "")


class PlayedGame(NamedTuple):
    """A finished game at a table opened for a stage of an event.

    ``public_at`` is the time in ms at which spectators see its end. ``round`` holds the numbers of the round
    and of its table if the game belongs to a round.
    """

    game: GameRow
    event: str
    stage: str
    public_at: int
    round: tuple[int, int] | None = None


class OutcomeRow(StoredRow):
    """Whether an online game counts for its event.

    ``outcome`` is ``counted`` or the reason why not; ``seat`` is the seat responsible for that reason.
    """

    __tablename__ = "online_games"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), index=True)
    stage: Mapped[LongId]
    outcome: Mapped[str] = mapped_column(String(24))
    seat: Mapped[SmallNumber | None]
    at: Mapped[Milliseconds]


class OnlineGames(Repository):
    """Reads online games that were played for events."""

    async def undecided(self, after: Position, limit: int) -> tuple[list[PlayedGame], Position | None]:
        """Return finished games without an outcome, oldest first, and the position of the next page.

        The games start ``after`` a position. The next position is ``None`` on the last page.
        """
        ended = func.coalesce(GameRow.ended, 0)
        about = (TableRow.event, TableRow.stage, TableRow.round, TableRow.round_table)
        query = select(GameRow, *(column.label(f"of_{column.key}") for column in about), TABLE_OPTIONS)
        query = query.join(TableRow, TableRow.id == GameRow.table_id).where(
            TableRow.event.is_not(None),
            GameRow.status != "playing",
            ~exists().where(OutcomeRow.game == GameRow.id),
            or_(ended > after[0], and_(ended == after[0], GameRow.id > after[1])),
        )
        rows = await self._store.rows(query.order_by(ended, GameRow.id).limit(limit))
        played = readable(rows, "game", _played)
        return played, (rows[-1].ended or 0, rows[-1].id) if len(rows) == limit else None

    async def of_event(self, event: str, limit: int) -> list[tuple[OutcomeRow, GameRow]]:
        """Return the games of an event that have an outcome, newest decision first."""
        mine = [column.label(f"o_{column.name}") for column in table_of(OutcomeRow).columns]
        query = select(GameRow, *mine).join(OutcomeRow, OutcomeRow.game == GameRow.id)
        query = query.where(OutcomeRow.event == event).order_by(OutcomeRow.at.desc())
        rows = await self._store.rows(query.limit(limit))
        return readable(rows, "game", lambda row: (OutcomeRow(*row[-len(mine) :]), game_of(row)))

    async def absences(self, event: str) -> dict[str, Absent]:
        """Return each seat's absences in the online games of an event, by game; only games with absences."""
        query = select(GameRow.id, GameRow.result)
        query = query.join(RecordedGameRow, RecordedGameRow.replay == GameRow.id)
        query = query.where(RecordedGameRow.event == event, GameRow.result.contains(f'"{ABSENT}"'))
        rows = await self._store.rows(query)
        return {game: tuple(absent_in(result, seat) for seat in range(MAX_SEATS)) for game, result in rows}

    async def of_stage(self, event: str, stage: str) -> dict[tuple[int, int], str]:
        """Return ``open_for_rounds`` outside a change."""
        async with self._store.reading() as connection:
            return await open_for_rounds(connection, event, stage)


def _played(row: Row[Any]) -> PlayedGame:
    public = public_at(row.ended, row.table_options)
    at_round = None if row.of_round is None else (row.of_round, row.of_round_table)
    return PlayedGame(game_of(row), row.of_event, row.of_stage, public, at_round)


async def decide_game(change: Change, row: OutcomeRow) -> None:
    """Store the outcome of a game; fails if it already has one."""
    await change.insert([row])


async def open_for_rounds(connection: AsyncConnection, event: str, stage: str) -> dict[tuple[int, int], str]:
    """Return the ids of online tables that are in use for a stage, by round and table number.

    A table with a finished game is in use until the game has an outcome, which is after spectators have seen
    its end.
    """
    mine = (TableRow.event == event, TableRow.stage == stage, TableRow.round.is_not(None))
    over = (GameRow.table_id == TableRow.id) & (GameRow.status == "finished")
    undecided = exists().where(over, ~exists().where(OutcomeRow.game == GameRow.id))
    query = select(TableRow.round, TableRow.round_table, TableRow.id).where(*mine, OPEN_TABLE | undecided)
    rows: Any = await connection.execute(query)
    return {(row[0], row[1]): row[2] for row in rows}
