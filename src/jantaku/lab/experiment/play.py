"""Plays the missing portions of an experiment, on threads or on a Ray cluster."""

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
    """Progress of a run: games and hands played so far, of ``wanted`` games."""

    games: int
    hands: int
    wanted: int


ChunkProgress = Callable[[int, int], object]
"""Called with the number of games and hands of each finished chunk."""
PortionPlayer = Callable[[Experiment, Iterable[Portion], ChunkProgress], Iterator[tuple[Portion, Tables]]]
"""Plays portions in any order and yields each with its files as it finishes."""


class _StoppedError(Exception):
    """The consumer of the portions has stopped."""


def play_portion(experiment: Experiment, portion: Portion, progress: ChunkProgress | None = None) -> Tables:
    """Play a portion; return its hands and games as Parquet files, which depend on the arguments alone."""
    plan = experiment.plan(experiment.rulesets[portion.ruleset])
    return _files(_chunk_tables(plan, *chunk, progress) for chunk in _chunks(portion))


def _chunks(portion: Portion) -> Iterator[tuple[int, int]]:
    """Yield the first game and the number of games of each chunk."""
    end = portion.first + portion.size
    for first in range(portion.first, end, CHUNK):
        yield first, min(CHUNK, end - first)


def _chunk_tables(plan: ChunkPlan, first: int, count: int, progress: ChunkProgress | None) -> tuple[Any, Any]:
    """Play a chunk; return its hands and games as data frames."""
    chunk = play_chunk(plan, first, count)
    if progress:
        progress(len(chunk.games), len(chunk.hands))
    return hands_table(chunk), games_table(chunk, plan)


def _files(tables: Iterable[tuple[Any, Any]]) -> Tables:
    """Merge the tables of a portion's chunks, in order, into its files."""
    hands, games = zip(*tables, strict=True)
    pl = polars_library()
    return _parquet(pl.concat(hands)), _parquet(pl.concat(games))


def _parquet(table: object) -> bytes:
    content = BytesIO()
    table.write_parquet(content, row_group_size=1 << 20)  # type: ignore[attr-defined]  # polars is an extra
    return content.getvalue()


def on_threads(jobs: int) -> PortionPlayer:
    """Return a player that uses ``jobs`` threads of this process.

    The threads share chunks rather than portions, so all stay busy until the end. The calling thread
    builds the files meanwhile.
    """

    def play(
        experiment: Experiment, portions: Iterable[Portion], progress: ChunkProgress
    ) -> Iterator[tuple[Portion, Tables]]:
        stop = Event()

        def report(games: int, hands: int) -> None:
            if stop.is_set():
                raise _StoppedError
            progress(games, hands)

        def submit(portion: Portion) -> tuple[Portion, list[Future[tuple[Any, Any]]]]:
            plan = experiment.plan(experiment.rulesets[portion.ruleset])
            return portion, [pool.submit(_chunk_tables, plan, *chunk, report) for chunk in _chunks(portion)]

        pool = ThreadPoolExecutor(jobs)
        waiting = map(submit, portions)
        pending = deque(islice(waiting, 2 * jobs))
        try:
            while pending:
                portion, chunks = pending.popleft()
                tables = [chunk.result() for chunk in chunks]
                pending.extend(islice(waiting, 1))
                yield portion, _files(tables)
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)

    return play


def play_missing(
    folder: ExperimentFolder, player: PortionPlayer, progress: Callable[[PlayedGames], object] | None = None
) -> PlayedGames:
    """Play and store all missing portions; return the numbers of games and hands played.

    An interruption loses at most the unfinished portions. The files depend on the experiment alone, not on
    the player, its threads or interruptions. Raises ``RecordError`` if a file cannot be written.
    """
    missing = folder.missing()
    wanted = sum(portion.size for portion in missing)
    played, lock = [0, 0], Lock()

    def add(games: int, hands: int) -> None:
        with lock:  # called from several threads
            played[0] += games
            played[1] += hands
            if progress:
                progress(PlayedGames(played[0], played[1], wanted))

    for portion, tables in player(folder.experiment, missing, add):
        folder.write(portion, tables)
    return PlayedGames(played[0], played[1], wanted)
