"""Hands that the table played for people who were away, and what these count for (``docs/server.md``).

A hand in which the table took an action for an absent person is none of that person's hands. A game of which
they played less than half of the hands themselves is none of their games. A rating is different, since
leaving must not save anybody from a loss: a rated game counts unless somebody who was not even there when it
began played none of its hands. Of games that are older than this note nobody knows who was there.
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
from jantaku.kernels.win import MOST_SEATS
from jantaku.records.native.hand_log import as_played, differing_hand
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import iso
from jantaku.server.storage.base import UNREADABLE, Id, LongId, Milliseconds, SmallNumber, StoredRow, table_of
from jantaku.server.storage.events import Change
from jantaku.server.storage.games import TABLE_OPTIONS, Beginning, GameRow, Tallies, game_of
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.rows import log_unreadable, readable
from jantaku.server.storage.store import OverStore
from jantaku.server.storage.tables import GOING_ON, Sitter, TableRow, public_at

ABSENT: Final = "absent"  # in the stored result: the hands of each seat, counted from 0
THERE: Final = "there"  # in the stored result of a rated game: the seats whose people were there at its start


def absent_hands(game: Game, taken: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The hands of each seat in which the table took one of the actions in ``taken``: number and seat."""
    dealt = [i for i, event in enumerate(game.events) if isinstance(event, HandStarted)]
    absent: list[set[int]] = [set() for _ in game.seats]
    for number, seat in taken:
        before = game.moves[number][0]
        absent[seat].add(sum(deal < before for deal in dealt) - 1)
    return [sorted(hands) for hands in absent]


def absent_in(result: Mapping[str, Any] | None, seat: int) -> frozenset[int]:
    """The hands of a stored game that others played for a seat; none if nobody noted any."""
    absent = (result or {}).get(ABSENT) or ()
    return frozenset(absent[seat]) if seat < len(absent) else frozenset()


def counts_for(result: Mapping[str, Any] | None, seat: int, hands: int) -> bool:
    """Whether a game is one of the games of the person of a seat: they played half of it or more."""
    return 2 * len(absent_in(result, seat)) <= hands


def is_rated(result: Mapping[str, Any] | None, seats: int, hands: int) -> bool:
    """Whether a game counts for ratings: everybody was there when it began, or played some of it."""
    there = (result or {}).get(THERE) or ()
    played = (seat in there or len(absent_in(result, seat)) < hands for seat in range(seats))
    return hands == 0 or all(played)


def there_in(players: Sequence[Sitter]) -> list[int]:
    """The seats whose people were there when a game began: the others are stored as gone."""
    return [seat for seat, player in enumerate(players) if not player.gone]


LOG = logging.getLogger("jantaku.server")
ENGINE: Final = ("kernels/**/*.py", "game/*.py", "rules/**/*.py", "rules/**/*.toml", "*.py")


@cache
def engine_mark() -> str:
    """What tells this version's engine from every other: a hash of its sources."""
    package, digest = Path(__file__).parents[2], hashlib.sha256()
    for path in sorted({path for pattern in ENGINE for path in package.glob(pattern)}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def replayed(
    rules: Ruleset, begun: Beginning, moves: Sequence[tuple[int, str]], logs: Sequence[bytes] = ()
) -> Game:
    """Rebuild a game from its stored actions; ``logs`` are its finished hands as they were played.

    If this version replays the actions differently, the result is a ``RecordedGame`` of the logs, which shows
    what was played and cannot go on.
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
    """The id of a player, a bot by its policy, or nobody for whoever has been erased."""
    if sitter.person is not None:
        return sitter.person
    return f"{BOT}{sitter.bot}" if sitter.bot is not None else ""


def result_of(row: GameRow) -> EventGame | None:
    """A stored game as a result without its hands; ``None`` if it has none."""
    result = row.result or {}
    if not result.get("final") or not result.get("places"):
        return None
    players = tuple(map(player_of, row.players))
    absent = tuple(absent_in(result, seat) for seat in range(len(players)))
    ended = GameResult(True, (), tuple(result["final"]), tuple(result["places"]))
    return EventGame(row.id, "", players, ended, iso(row.ended), absent=absent)


def tallies_of(game: Game, row: GameRow) -> Tallies:
    """The tallies of all seats, packed; none if the hands cannot be settled: only the points count then."""
    result = result_of(row)
    if result is None:
        return {}
    try:
        result = replace(result, result=settle(played_hands(game), game.rules))
    except UNREADABLE:
        log_unreadable("hands of the game", row.id)
        return {}
    return {seat: tally(Sitting("", result, seat)).packed() for seat in range(len(result.players))}


def tally_in(kept: bytes | None, game: str) -> HandTally | None:
    """A tally as it is kept; ``None`` if there is none, or none that this version reads."""
    try:
        return None if kept is None else unpacked(kept, game)
    except (zlib.error, *UNREADABLE):
        log_unreadable("tally of the game", game)
        return None


COUNTED: Final = "counted"
Absent = tuple[frozenset[int], ...]  # of each seat
Position = tuple[int, str]  # when a game ended, and its id
START: Final[Position] = (-1, "")


class PlayedGame(NamedTuple):
    """A finished game at a table that was opened for a stage of an event; ``public_at``: see ``public_at``.

    ``round`` is that of the stage and the table there, if it was played for one.
    """

    game: GameRow
    event: str
    stage: str
    public_at: int
    round: tuple[int, int] | None = None


class OutcomeRow(StoredRow):
    """What became of such a game: ``counted``, or why it does not count; ``seat`` is whose fault it is."""

    __tablename__ = "online_games"

    game: Mapped[Id] = mapped_column(ForeignKey("games.id"), primary_key=True)
    event: Mapped[Id] = mapped_column(ForeignKey("events.id"), index=True)
    stage: Mapped[LongId]
    outcome: Mapped[str] = mapped_column(String(24))
    seat: Mapped[SmallNumber | None]
    at: Mapped[Milliseconds]


class OnlineGames(OverStore):
    """Reads the games of the parlour that were played for events."""

    async def undecided(self, after: Position, most: int) -> tuple[list[PlayedGame], Position | None]:
        """Finished games of which nobody knows yet whether they count, the oldest first.

        Those that come ``after`` a position, at most so many, and the position of the last; ``None`` if none
        are left.
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
        rows = await self._store.rows(query.order_by(ended, GameRow.id).limit(most))
        played = readable(rows, "game", _played)
        return played, (rows[-1].ended or 0, rows[-1].id) if len(rows) == most else None

    async def of_event(self, event: str, most: int) -> list[tuple[OutcomeRow, GameRow]]:
        """The newest decided games of an event."""
        mine = [column.label(f"o_{column.name}") for column in table_of(OutcomeRow).columns]
        query = select(GameRow, *mine).join(OutcomeRow, OutcomeRow.game == GameRow.id)
        query = query.where(OutcomeRow.event == event).order_by(OutcomeRow.at.desc())
        rows = await self._store.rows(query.limit(most))
        return readable(rows, "game", lambda row: (OutcomeRow(*row[-len(mine) :]), game_of(row)))

    async def absences(self, event: str) -> dict[str, Absent]:
        """The hands that the table played for people who were away, by game, where there are any."""
        query = select(GameRow.id, GameRow.result)
        query = query.join(RecordedGameRow, RecordedGameRow.replay == GameRow.id)
        query = query.where(RecordedGameRow.event == event, GameRow.result.contains(f'"{ABSENT}"'))
        rows = await self._store.rows(query)
        return {game: tuple(absent_in(result, seat) for seat in range(MOST_SEATS)) for game, result in rows}

    async def of_stage(self, event: str, stage: str) -> dict[tuple[int, int], str]:
        """What ``open_for_rounds`` says."""
        async with self._store.reading() as connection:
            return await open_for_rounds(connection, event, stage)


def _played(row: Row[Any]) -> PlayedGame:
    public = public_at(row.ended, row.table_options)
    at_round = None if row.of_round is None else (row.of_round, row.of_round_table)
    return PlayedGame(game_of(row), row.of_event, row.of_stage, public, at_round)


async def decide_game(change: Change, row: OutcomeRow) -> None:
    """Store what became of a game; fails if somebody else has decided it."""
    await change.insert([row])


async def open_for_rounds(connection: AsyncConnection, event: str, stage: str) -> dict[tuple[int, int], str]:
    """The tables of the parlour that wait or play for tables of rounds: by round and table.

    One whose game is over is among them until the game is decided, which is once watchers have seen its end.
    """
    mine = (TableRow.event == event, TableRow.stage == stage, TableRow.round.is_not(None))
    over = (GameRow.table_id == TableRow.id) & (GameRow.status == "finished")
    undecided = exists().where(over, ~exists().where(OutcomeRow.game == GameRow.id))
    query = select(TableRow.round, TableRow.round_table, TableRow.id).where(*mine, GOING_ON | undecided)
    rows: Any = await connection.execute(query)
    return {(row[0], row[1]): row[2] for row in rows}
