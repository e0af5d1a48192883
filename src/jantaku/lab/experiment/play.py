"""Plays what is missing of an experiment, on threads or on a Ray cluster."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from io import BytesIO
from itertools import islice
from threading import Event
from typing import NamedTuple, Protocol

from jantaku.lab.chunks import CHUNK, play_chunk
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.plan import Experiment, Share
from jantaku.lab.parquet import games_table, hands_table, polars_library

Tables = tuple[bytes, bytes]


class Played(NamedTuple):
    """Progress: games and hands played by this call so far, of ``wanted`` games."""

    games: int
    hands: int
    wanted: int


class Player(Protocol):
    """Plays shares somewhere, in any order, and tells about each chunk of games."""

    def __call__(
        self, experiment: Experiment, shares: Iterable[Share], tell: Callable[[int, int], object]
    ) -> Iterator[tuple[Share, Tables]]:
        """The shares as they finish; ``tell`` gets the games and hands of what has been played."""


class _StoppedError(Exception):
    """The experiment has been interrupted."""


def play_share(
    experiment: Experiment, share: Share, tell: Callable[[int, int], object] | None = None
) -> Tables:
    """Play a share; its hands and its games as Parquet files. They depend on nothing else."""
    pl, plan = polars_library(), experiment.plan(experiment.rulesets[share.ruleset])
    hands, games = [], []
    end = share.first + share.size
    for first in range(share.first, end, CHUNK):
        chunk = play_chunk(plan, first, min(CHUNK, end - first))
        hands.append(hands_table(chunk))
        games.append(games_table(chunk, plan))
        if tell:
            tell(len(chunk.games), len(chunk.hands))
    return _parquet(pl.concat(hands)), _parquet(pl.concat(games))


def _parquet(table: object) -> bytes:
    content = BytesIO()
    table.write_parquet(content, row_group_size=1 << 20)  # type: ignore[attr-defined]  # polars is an extra
    return content.getvalue()


def on_threads(jobs: int) -> Player:
    """A player that uses ``jobs`` threads of this process."""

    def play(
        experiment: Experiment, shares: Iterable[Share], tell: Callable[[int, int], object]
    ) -> Iterator[tuple[Share, Tables]]:
        stop = Event()

        def heard(games: int, hands: int) -> None:
            if stop.is_set():
                raise _StoppedError
            tell(games, hands)

        def submit(share: Share) -> tuple[Share, Future[Tables]]:
            return share, pool.submit(play_share, experiment, share, heard)

        pool = ThreadPoolExecutor(jobs)
        waiting = map(submit, shares)
        under_way = deque(islice(waiting, 2 * jobs))
        try:
            while under_way:
                share, tables = under_way.popleft()
                yield share, tables.result()
                under_way.extend(islice(waiting, 1))
        finally:
            stop.set()
            pool.shutdown(cancel_futures=True)

    return play


def play_missing(
    folder: ExperimentFolder, player: Player, tell: Callable[[Played], object] | None = None
) -> Played:
    """Play and store all missing shares; returns what was played.

    An interruption loses at most the shares under way. The files depend on the experiment alone, not on the
    player, its threads or interruptions. Raises ``RecordError`` if a file cannot be written.
    """
    missing = folder.missing()
    wanted = sum(share.size for share in missing)
    played = [0, 0]

    def add(games: int, hands: int) -> None:
        played[0] += games
        played[1] += hands
        if tell:
            tell(Played(played[0], played[1], wanted))

    for share, tables in player(folder.experiment, missing, add):
        folder.write(share, tables)
    return Played(played[0], played[1], wanted)
