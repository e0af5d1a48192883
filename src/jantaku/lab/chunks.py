"""Plays bot games in chunks on several threads and yields the chunks in order."""

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.chance import new_source
from jantaku.bots.match import by_seat
from jantaku.bots.net_file import TrainedBot
from jantaku.bots.policies import ADAPTED, ADAPTED_NAME, BOTS, STANDARD
from jantaku.bots.search.kernels.own_draws import Players, new_draws
from jantaku.bots.workspace import new_bot_workspace
from jantaku.errors import RequestError, wrong_choice
from jantaku.game.engine import context
from jantaku.game.fair_walls import tile_set
from jantaku.kernels.win import MAX_SEATS
from jantaku.lab.kernels.games import NO_ROOM, Results, play_games
from jantaku.lab.kernels.hand_rows import ENDED_GAME, ENDED_HAND
from jantaku.lab.kernels.recording import Recording, is_full, new_recording, records
from jantaku.lab.kernels.turns import CHOICES, new_batch, sources
from jantaku.rules import Ruleset

CHUNK: Final = 64  # games
_HANDS_PER_GAME: Final = 32  # initial capacity; the arrays grow if that is not enough
_STEPS, _OPTIONS = 3, 8  # recorded steps and options, a seat and hand


class Recorded(NamedTuple):
    """The arrays of a ``Recording`` (``lab.kernels.recording``), less the rows that are not used."""

    steps: npt.NDArray[np.int32]
    states: npt.NDArray[np.float32]
    decisions: npt.NDArray[np.int32]
    options: npt.NDArray[np.float16]
    chances: npt.NDArray[np.float32]


def places_of(counts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Number the options of each decision from 0; ``counts`` has the number of each decision's options."""
    places: npt.NDArray[np.int64] = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return places


class Chunk(NamedTuple):
    """Results of the games from number ``first`` on: ``ENDED_HAND[m]`` and ``ENDED_GAME[n]``.

    ``recorded`` has the decisions if the bots choose at random. ``own_yaku`` are the ids of the rules' custom
    yaku, in the order of their bits.
    """

    first: int
    hands: npt.NDArray[Any]
    games: npt.NDArray[Any]
    seats: range
    own_yaku: tuple[str, ...] = ()
    recorded: Recorded | None = None

    @property
    def seated(self) -> npt.NDArray[np.int64]:
        """The player at each seat, ``int64[n, seats]``."""
        return players_at(np.arange(self.first, self.first + len(self.games)), self.seats)


@dataclass(frozen=True)
class ChunkPlan:
    """A simulation of ``games`` games of ``bots`` (names of ``jantaku.bots.BOTS``) under a ruleset.

    With ``adapted``, a bot from a file, ``adapted`` is a further name. With a ``sharpness`` above 0 the bots
    choose at random (``bots.explore``) and the decisions of ``adapted`` are recorded, with ``critic`` also
    what the critic sees.

    Player ``p`` is ``bots[p]`` and sits at seat ``(p + game) % seats``, so every player is first dealer
    equally often. Game ``g`` depends only on the rules, the bots, ``seed``, ``own_draws``
    (``bots.search.kernels.own_draws``) and ``g``. Raises ``RequestError`` for unknown bots or numbers out of
    range.
    """

    rules: Ruleset
    bots: tuple[str, ...]
    games: int
    seed: int = 0
    own_draws: bool = False
    adapted: TrainedBot | None = None
    sharpness: float = 0.0
    critic: bool = False

    def __post_init__(self) -> None:
        known = (*BOTS, ADAPTED_NAME) if self.adapted else BOTS
        for name in self.bots:
            if name not in known:
                raise wrong_choice("bots", name, known)
        if len(self.bots) != len(self.rules.seats):
            wanted = len(self.rules.seats)
            raise RequestError("bot_count", field="bots", count=len(self.bots), wanted=wanted)
        for field, number, low in (("games", self.games, 1), ("seed", self.seed, 0)):
            if number < low:
                raise RequestError("number_least", field=field, value=number, low=low)


def players_at(games: npt.NDArray[Any], seats: range) -> npt.NDArray[np.int64]:
    """Return the player at each seat of the games with these numbers: ``int64[n, len(seats)]``."""
    players: npt.NDArray[np.int64] = (np.array(seats) - np.asarray(games, np.int64)[:, None]) % len(seats)
    return players


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def play_chunk(plan: ChunkPlan, first: int, count: int) -> Chunk:
    """Play ``count`` games from number ``first`` on."""
    policies = by_seat([(*BOTS, ADAPTED_NAME).index(name) for name in plan.bots])
    seated = np.zeros((count, MAX_SEATS), np.int64)
    seated[:, plan.rules.seats] = policies[players_at(np.arange(first, first + count), plan.rules.seats)]
    tiles = np.array(tile_set(plan.rules), np.uint8)
    capacity = _HANDS_PER_GAME * count
    while True:
        batch = new_batch(plan.rules, tiles, plan.seed, first, count)
        chances = sources(plan.seed, CHOICES, first, count)
        record = _new_recording(plan, capacity)
        results = Results(np.zeros(capacity, ENDED_HAND), np.zeros(count, ENDED_GAME), record)
        draws = new_draws(len(tiles) if plan.own_draws else 0)
        work = new_bot_workspace(new_source(0), plan.rules, plan.adapted)
        work.sharpness[0] = plan.sharpness
        if records(record):  # the inputs of a head without a network too: training may learn one
            work.corrected[ADAPTED - STANDARD] = 1
        players = Players(seated, chances, work, draws)
        done = int(play_games(batch, players, results, context(plan.rules.tiles.man)))
        if done != NO_ROOM and not is_full(record):
            own = tuple(yaku.id for yaku in plan.rules.own_yaku)
            return Chunk(first, results.hands[:done], results.games, plan.rules.seats, own, _used(record))
        capacity *= 2


def _new_recording(plan: ChunkPlan, hands: int) -> Recording:
    learners = plan.bots.count(ADAPTED_NAME) if plan.sharpness else 0
    return new_recording(learners * hands * _STEPS, learners * hands * _OPTIONS, critic=plan.critic)


def _used(record: Recording) -> Recorded | None:
    if not records(record):
        return None
    steps, decisions, rows = (int(number) for number in record.used)
    return Recorded(
        record.steps[:steps].copy(),
        record.states[:steps].copy(),
        record.decisions[:decisions].copy(),
        record.options[:rows].astype(np.float16),
        record.chances[:rows].copy(),
    )


@contextmanager
def played_chunks(plan: ChunkPlan, jobs: int) -> Iterator[Iterator[Chunk]]:
    """Play all games on ``jobs`` threads and iterate over their chunks in order.

    Leaving the context cancels the remaining chunks.
    """
    if jobs < 1:
        raise RequestError("number_range", field="jobs", value=jobs, low=1, high=cores())
    pool = ThreadPoolExecutor(jobs)
    try:
        yield _in_order(pool, plan, jobs)
    finally:
        pool.shutdown(cancel_futures=True)


def _in_order(pool: ThreadPoolExecutor, plan: ChunkPlan, jobs: int) -> Iterator[Chunk]:
    futures = (
        pool.submit(play_chunk, plan, first, min(CHUNK, plan.games - first))
        for first in range(0, plan.games, CHUNK)
    )
    pending: deque[Future[Chunk]] = deque(islice(futures, 2 * jobs))
    while pending:
        yield pending.popleft().result()
        pending.extend(islice(futures, 1))
