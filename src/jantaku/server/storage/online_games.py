"""Games of the parlour that were played for an event, and what became of each."""

import json
from typing import Any, Final, NamedTuple

from sqlalchemy import Row, and_, exists, func, or_, select

from jantaku.kernels.win import MOST_SEATS
from jantaku.server.storage.absent_hands import ABSENT, absent_in
from jantaku.server.storage.event_schema import online_games, recorded_games
from jantaku.server.storage.events import Change
from jantaku.server.storage.games import TABLE_OPTIONS, GameRow, game_of
from jantaku.server.storage.schema import games, tables
from jantaku.server.storage.store import OverStore
from jantaku.server.storage.tables import options_of, public_at
from jantaku.server.storage.unreadable import readable

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


class OutcomeRow(NamedTuple):
    """What became of such a game: ``counted``, or why it does not count; ``seat`` is whose fault it is."""

    game: str
    stage: str
    outcome: str
    seat: int | None
    at: int


class OnlineGames(OverStore):
    """Reads the games of the parlour that were played for events."""

    async def undecided(self, after: Position, most: int) -> tuple[list[PlayedGame], Position | None]:
        """Finished games of which nobody knows yet whether they count, the oldest first.

        Those that come ``after`` a position, at most so many, and the position of the last; ``None`` if none
        are left.
        """
        ended = func.coalesce(games.c.ended, 0)
        about = [tables.c[name].label(f"of_{name}") for name in ("event", "stage", "round", "round_table")]
        query = select(games, *about, TABLE_OPTIONS)
        query = query.join(tables, tables.c.id == games.c.table_id).where(
            tables.c.event.is_not(None),
            games.c.status != "playing",
            ~exists().where(online_games.c.game == games.c.id),
            or_(ended > after[0], and_(ended == after[0], games.c.id > after[1])),
        )
        rows = await self._store.rows(query.order_by(ended, games.c.id).limit(most))
        played = readable(rows, "game", _played)
        return played, (rows[-1].ended or 0, rows[-1].id) if len(rows) == most else None

    async def of_event(self, event: str, most: int) -> list[tuple[OutcomeRow, GameRow]]:
        """The newest decided games of an event."""
        mine = [online_games.c[name].label(f"o_{name}") for name in OutcomeRow._fields]
        query = select(games, *mine).join(games, games.c.id == online_games.c.game)
        query = query.where(online_games.c.event == event).order_by(online_games.c.at.desc())
        rows = await self._store.rows(query.limit(most))
        return readable(
            rows,
            "game",
            lambda row: (
                OutcomeRow(*(row._mapping[f"o_{name}"] for name in OutcomeRow._fields)),
                game_of(row),
            ),
        )

    async def absences(self, event: str) -> dict[str, Absent]:
        """The hands that the table played for people who were away, by game, where there are any."""
        query = select(games.c.id, games.c.result).join(recorded_games, recorded_games.c.replay == games.c.id)
        query = query.where(recorded_games.c.event == event, games.c.result.contains(f'"{ABSENT}"'))
        rows = [(row.id, json.loads(row.result)) for row in await self._store.rows(query)]
        return {game: tuple(absent_in(result, seat) for seat in range(MOST_SEATS)) for game, result in rows}


def _played(row: Row[Any]) -> PlayedGame:
    public = public_at(row.ended, options_of(row.table_options))
    at_round = None if row.of_round is None else (row.of_round, row.of_round_table)
    return PlayedGame(game_of(row), row.of_event, row.of_stage, public, at_round)


async def decide_game(change: Change, row: OutcomeRow) -> None:
    """Store what became of a game; fails if somebody else has decided it."""
    await change.add(online_games, [row._asdict()])
