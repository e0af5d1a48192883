"""Search for a plan: from one round under a symmetry, by adding rounds one by one, or over all rounds."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from jantaku.club.kernels.anneal import anneal
from jantaku.club.seating.quality import Pair, meetings, min_repeats, repeats_of

Report = Callable[[float], None]


_REPORT: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting(call: Report) -> Iterator[None]:
    """Call ``call`` with the estimated progress (0 to 1) of searches inside the block."""
    token = _REPORT.set(call)
    try:
        yield
    finally:
        _REPORT.reset(token)


def report(part: float) -> None:
    """Report the progress of the current search, from 0 to 1."""
    call = _REPORT.get()
    if call is not None:
        call(part)


MAX_FIXED = 4


Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Symmetry:
    """The cyclic group of ``order`` on ``players``: ``orbits`` cycles; the other players are fixed."""

    players: int
    order: int
    orbits: int

    @property
    def fixed_points(self) -> int:
        """The number of players that the group does not move."""
        return self.players - self.orbits * self.order

    @property
    def is_promising(self) -> bool:
        """Whether there are three or four cycles, which give the best plans."""
        return self.orbits in (3, 4)

    def moved(self, player: Any, steps: int) -> Any:
        """Return where a player (or an array of players) moves after ``steps`` steps."""
        cycle = player // self.order * self.order + (player % self.order + steps) % self.order
        return np.where(player < self.orbits * self.order, cycle, player)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The orbits of pairs: ``kind[p, q]`` numbers a pair's orbit, ``size`` counts the pairs in each."""
        first, second = np.tril_indices(self.players, -1)
        names = np.full(len(first), self.players**2, np.int64)
        for step in range(self.order):
            one, other = self.moved(first, step), self.moved(second, step)
            np.minimum(names, np.maximum(one, other) * self.players + np.minimum(one, other), out=names)
        _, index, size = np.unique(names, return_inverse=True, return_counts=True)
        kind = np.zeros((self.players, self.players), np.int64)
        kind[first, second] = kind[second, first] = index
        return kind, size.astype(np.int64)

    def rounds(self, base: Ints, number: int) -> Ints:
        """Move a base round (``int64[tables, seats]``) step by step: ``int64[number, tables, seats]``."""
        return np.array([self.moved(base, step) for step in range(number)], np.int64)


def plain(players: int) -> Symmetry:
    """Return the trivial group, under which every round is a base round."""
    return Symmetry(players, 1, players)


def symmetries(players: int, rounds: int, seats: int) -> Iterator[Symmetry]:
    """Yield the groups to try, the most promising first: four or three cycles, few fixed points.

    Cycles at least as long as the number of rounds come first. Shorter cycles yield fewer rounds, and
    the missing ones are added. There are enough cycles to take each bye of a round from a different one.
    """
    kinds, byes = [], players % seats
    for orbits in (4, 3, 2, 1, 5, 6):
        for fixed in range(MAX_FIXED + 1):
            order, rest = divmod(players - fixed, orbits)
            if rest == 0 and order >= 2 and orbits >= byes:
                kinds.append(Symmetry(players, order, orbits))
    enough = [kind for kind in kinds if kind.order >= rounds]
    short = [kind for kind in kinds if rounds // 2 <= kind.order < rounds and kind.is_promising]
    yield from sorted(enough, key=lambda kind: (not kind.is_promising, kind.fixed_points))
    yield from sorted(short, key=lambda kind: -kind.order)


@cache
def _designs() -> dict[int, Ints]:
    """Read the rounds of the known plan for each number of players, ``int64[rounds, tables, seats]``."""
    text = resources.files(__package__).joinpath("designs.txt").read_text("utf-8")
    by_players: dict[int, list[list[list[int]]]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            players, _, tables = line.partition(":")
            seats = [[int(player) for player in table.split()] for table in tables.split("|")]
            by_players.setdefault(int(players), []).append(seats)
    return {players: np.array(rounds, np.int64) for players, rounds in by_players.items()}


def known_rounds(players: int, seats: int) -> Ints | None:
    """Return the rounds of the known plan for this many players at tables of ``seats``, if there is one."""
    rounds = _designs().get(players)
    return rounds if rounds is not None and rounds.shape[2] == seats else None


HOT = 0.6
WARM = 0.2
STEPS_PER_ROUND = 400_000
STEPS_PER_PLAN = 3_000_000
TRIES = 6
PROMISING = 5  # factor by which a promising symmetry is searched longer
REMAINING_AFTER_TRY = 0.9  # estimated fraction of the search; the number of tries is unknown
APART = 50  # cost of a meeting of two players to be kept apart, in repeats


@dataclass(frozen=True)
class Task:
    """A number of players and rounds at tables of ``seats``, and the pairs to keep apart."""

    players: int
    rounds: int
    seats: int
    apart: frozenset[Pair] = frozenset()

    @property
    def tables(self) -> int:
        """The number of tables in a round."""
        return self.players // self.seats

    def cost(self, rounds: Ints) -> tuple[int, int]:
        """Return the meetings of pairs to be kept apart, and the repeats."""
        met = meetings(rounds.tolist())
        return sum(met[pair] for pair in self.apart), repeats_of(met)

    def bound(self, rounds: Ints) -> int:
        """Return a lower bound of repeats for the numbers of games in these rounds."""
        games = Counter(rounds.flatten().tolist())
        return min_repeats([games[player] for player in range(self.players)], self.seats, self.apart)


def best_rounds(task: Task, random: np.random.Generator) -> Ints:
    """Return the best plan found, ``int64[rounds, tables, seats]``; stop if one reaches the bound."""
    best, lowest = None, (0, 0)
    for number, rounds in enumerate(_candidates(task, random), 1):
        report(1 - REMAINING_AFTER_TRY**number)
        cost = task.cost(rounds)
        if best is None or cost < lowest:
            best, lowest = rounds, cost
        if lowest == (0, task.bound(rounds)):
            break
    assert best is not None
    return best


def _candidates(task: Task, random: np.random.Generator) -> Iterator[Ints]:
    """Yield plans by every method, fast and promising ones first."""
    plans = _constructed(task, random)
    if not task.apart:
        yield from plans
        for _ in range(TRIES):
            yield _without_symmetry(task, random)
        return
    start = min(plans, key=task.cost, default=None)
    for _ in range(TRIES):
        if start is not None:
            yield _improved(task, start, random, heat=WARM)
        yield _without_symmetry(task, random)


def _constructed(task: Task, random: np.random.Generator) -> Iterator[Ints]:
    known = known_rounds(task.players, task.seats)
    if known is not None:
        yield _extended(task, known[: task.rounds], random)
    for symmetry in symmetries(task.players, task.rounds, task.seats):
        for _ in range(TRIES if symmetry.is_promising else TRIES // 2):
            rounds = _symmetric(task, symmetry, random)
            yield _extended(task, rounds, random)


def _symmetric(task: Task, symmetry: Symmetry, random: np.random.Generator) -> Ints:
    """Return the rounds that the symmetry generates from one base round, at most as many as needed."""
    base = _random_round(random.permutation(symmetry.players), symmetry, task)[None]
    kind, size = symmetry.pairs
    pairs = (size, symmetry.order, np.zeros(len(size), np.int64))
    steps = STEPS_PER_ROUND * (PROMISING if symmetry.is_promising else 1)
    anneal(base, kind, pairs, (steps, HOT, 0, 0), random)
    return symmetry.rounds(base[0], min(task.rounds, symmetry.order))


def _random_round(order: Ints, symmetry: Symmetry, task: Task) -> Ints:
    """Return a random round whose byes come from different cycles, so that byes rotate."""
    playing = task.seats * task.tables
    out: list[int] = []
    cycles: set[int] = set()
    for player in order.tolist():
        cycle = player // symmetry.order
        byes = symmetry.players - playing
        if len(out) < byes and cycle < symmetry.orbits and cycle not in cycles:
            out.append(player)
            cycles.add(cycle)
    left = [player for player in order.tolist() if player not in out]
    return np.array(left[:playing], np.int64).reshape(task.tables, task.seats)


def _extended(task: Task, rounds: Ints, random: np.random.Generator) -> Ints:
    """Add the missing rounds to the plan one by one, each with few repeats."""
    while len(rounds) < task.rounds:
        rounds = np.concatenate([rounds, _fair_round(task, rounds, random)[None]])
        rounds = _improved(task, rounds, random, frozen=len(rounds) - 1)
    return rounds


def _without_symmetry(task: Task, random: np.random.Generator) -> Ints:
    """Return a plan by annealing all rounds freely."""
    rounds = np.zeros((0, task.tables, task.seats), np.int64)
    while len(rounds) < task.rounds:
        rounds = np.concatenate([rounds, _fair_round(task, rounds, random)[None]])
    return _improved(task, rounds, random)


def _fair_round(task: Task, rounds: Ints, random: np.random.Generator) -> Ints:
    """Return a random round in which players with the most games sit out."""
    games = np.bincount(rounds.flatten(), minlength=task.players)
    order = random.permutation(task.players)
    playing = order[np.argsort(games[order], kind="stable")][: task.seats * task.tables]
    return random.permutation(playing).reshape(task.tables, task.seats)


def _improved(
    task: Task, rounds: Ints, random: np.random.Generator, *, frozen: int = 0, heat: float = HOT
) -> Ints:
    """Return the plan with its rounds from ``frozen`` on annealed to a lower cost."""
    rounds = rounds.copy()
    steps = STEPS_PER_ROUND if frozen else STEPS_PER_PLAN
    kind, size = plain(task.players).pairs
    apart = _apart_costs(task.apart, kind, len(size))
    anneal(rounds, kind, (size, 1, apart), (steps, heat, task.bound(rounds), frozen), random)
    return rounds


def _apart_costs(apart: Iterable[Pair], kind: Ints, number: int) -> Ints:
    costs = np.zeros(number, np.int64)
    for one, other in apart:
        costs[kind[one, other]] = APART
    return costs
