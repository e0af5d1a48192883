"""Plays what is missing of an experiment, on threads or on a Ray cluster."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from itertools import islice
from threading import Event, Lock
from typing import Any, NamedTuple

from jantaku.lab.chunks import CHUNK, ChunkPlan, play_chunk
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, Portion
from jantaku.lab.parquet import games_table, hands_table, polars_library

Tables = tuple[bytes, bytes]


class PlayedGames(NamedTuple):
    """Progress: games and hands played by this call so far, of ``wanted`` games."""

    games: int
    hands: int
    wanted: int


Tell = Callable[[int, int], object]
"""Gets the games and hands of a chunk that has been played."""
PortionPlayer = Callable[[Experiment, Iterable[Portion], Tell], Iterator[tuple[Portion, Tables]]]
"""Plays portions somewhere, in any order, and returns their files as they finish."""


class _StoppedError(Exception):
    """The experiment has been interrupted."""


def play_portion(experiment: Experiment, portion: Portion, tell: Tell | None = None) -> Tables:
    """Play a portion; its hands and its games as Parquet files. They depend on nothing else."""
    plan = experiment.plan(experiment.rulesets[portion.ruleset])
    return _files(_chunk_tables(plan, *chunk, tell) for chunk in _chunks(portion))


def _chunks(portion: Portion) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of each chunk."""
    end = portion.first + portion.size
    for first in range(portion.first, end, CHUNK):
        yield first, min(CHUNK, end - first)


def _chunk_tables(plan: ChunkPlan, first: int, count: int, tell: Tell | None) -> tuple[Any, Any]:
    """Play a chunk; its hands and its games as tables."""
    chunk = play_chunk(plan, first, count)
    if tell:
        tell(len(chunk.games), len(chunk.hands))
    return hands_table(chunk), games_table(chunk, plan)


def _files(tables: Iterable[tuple[Any, Any]]) -> Tables:
    """The files of a portion from the tables of its chunks, in order."""
    hands, games = zip(*tables, strict=True)
    pl = polars_library()
    return _parquet(pl.concat(hands)), _parquet(pl.concat(games))


def _parquet(table: object) -> bytes:
    content = BytesIO()
    table.write_parquet(content, row_group_size=1 << 20)  # type: ignore[attr-defined]  # polars is an extra
    return content.getvalue()


def on_threads(jobs: int) -> PortionPlayer:
    """A player that uses ``jobs`` threads of this process.

    The threads share chunks and not portions, so that none is left over at the end; files are made beside.
    """

    def play(
        experiment: Experiment, portions: Iterable[Portion], tell: Tell
    ) -> Iterator[tuple[Portion, Tables]]:
        stop = Event()

        def heard(games: int, hands: int) -> None:
            if stop.is_set():
                raise _StoppedError
            tell(games, hands)

        def submit(portion: Portion) -> tuple[Portion, list[Future[tuple[Any, Any]]]]:
            plan = experiment.plan(experiment.rulesets[portion.ruleset])
            return portion, [pool.submit(_chunk_tables, plan, *chunk, heard) for chunk in _chunks(portion)]

        pool = ThreadPoolExecutor(jobs)
        waiting = map(submit, portions)
        under_way = deque(islice(waiting, 2 * jobs))
        try:
            while under_way:
                portion, chunks = under_way.popleft()
                tables = [chunk.result() for chunk in chunks]
                under_way.extend(islice(waiting, 1))
                yield portion, _files(tables)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)

    return play


def play_missing(
    folder: ExperimentFolder, player: PortionPlayer, tell: Callable[[PlayedGames], object] | None = None
) -> PlayedGames:
    """Play and store all missing portions; returns what was played.

    An interruption loses at most the portions under way. The files depend on the experiment alone, not on the
    player, its threads or interruptions. Raises ``RecordError`` if a file cannot be written.
    """
    missing = folder.missing()
    wanted = sum(portion.size for portion in missing)
    played, lock = [0, 0], Lock()

    def add(games: int, hands: int) -> None:
        with lock:  # threads tell at the same time
            played[0] += games
            played[1] += hands
            if tell:
                tell(PlayedGames(played[0], played[1], wanted))

    for portion, tables in player(folder.experiment, missing, add):
        folder.write(portion, tables)
    return PlayedGames(played[0], played[1], wanted)
