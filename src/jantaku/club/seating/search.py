"""The search for a plan: one round under a symmetry, further rounds added to it, or all rounds freely."""

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
from jantaku.club.seating.quality import Pair, fewest_repeats, meetings, repeats_of

Report = Callable[[float], None]


_REPORT: ContextVar[Report | None] = ContextVar("report", default=None)


@contextmanager
def reporting(call: Report) -> Iterator[None]:
    """Within the block, ``call`` is told the estimated part (0 to 1) of a search that is done."""
    token = _REPORT.set(call)
    try:
        yield
    finally:
        _REPORT.reset(token)


def report(part: float) -> None:
    """Say that this part of the search is done."""
    call = _REPORT.get()
    if call is not None:
        call(part)


MOST_FIXED = 4


Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Symmetry:
    """The cyclic group of ``order`` on ``players``: ``orbits`` circles, the other players are fixed."""

    players: int
    order: int
    orbits: int

    @property
    def standing_still(self) -> int:
        """How many players the group does not move."""
        return self.players - self.orbits * self.order

    @property
    def is_promising(self) -> bool:
        """Whether there are three or four circles, which made the best plans."""
        return self.orbits in (3, 4)

    def moved(self, player: Any, steps: int) -> Any:
        """Where a player (or an array of players) goes in so many steps."""
        circle = player // self.order * self.order + (player % self.order + steps) % self.order
        return np.where(player < self.orbits * self.order, circle, player)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """The orbits of pairs: ``kind[p, q]`` numbers them, ``size`` says how many pairs each has."""
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
        """``int64[number, tables, seats]``: the base round (``int64[tables, seats]``) moved step by step."""
        return np.array([self.moved(base, step) for step in range(number)], np.int64)


def plain(players: int) -> Symmetry:
    """No symmetry: every round is a base round."""
    return Symmetry(players, 1, players)


def symmetries(players: int, rounds: int, seats: int) -> Iterator[Symmetry]:
    """The groups worth trying, the most promising first: four or three circles, few fixed points.

    Circles as long as there are rounds come first. Shorter ones make fewer rounds, to which others are added.
    Byes come from different circles, so that no circle has two in a round.
    """
    kinds, byes = [], players % seats
    for orbits in (4, 3, 2, 1, 5, 6):
        for fixed in range(MOST_FIXED + 1):
            order, rest = divmod(players - fixed, orbits)
            if rest == 0 and order >= 2 and orbits >= byes:
                kinds.append(Symmetry(players, order, orbits))
    enough = [kind for kind in kinds if kind.order >= rounds]
    short = [kind for kind in kinds if rounds // 2 <= kind.order < rounds and kind.is_promising]
    yield from sorted(enough, key=lambda kind: (not kind.is_promising, kind.standing_still))
    yield from sorted(short, key=lambda kind: -kind.order)


@cache
def _designs() -> dict[int, Ints]:
    """The rounds of the known plan for each number of players, ``int64[rounds, tables, seats]``."""
    text = resources.files(__package__).joinpath("designs.txt").read_text("utf-8")
    by_players: dict[int, list[list[list[int]]]] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            players, _, tables = line.partition(":")
            seats = [[int(player) for player in table.split()] for table in tables.split("|")]
            by_players.setdefault(int(players), []).append(seats)
    return {players: np.array(rounds, np.int64) for players, rounds in by_players.items()}


def known_rounds(players: int, seats: int) -> Ints | None:
    """The rounds of the known plan for so many players at tables of ``seats``, or ``None``."""
    rounds = _designs().get(players)
    return rounds if rounds is not None and rounds.shape[2] == seats else None


HOT = 0.6


WARM = 0.2


STEPS_OF_A_ROUND = 400_000


STEPS_OF_A_PLAN = 3_000_000


TRIES = 6


PROMISING = 5  # how many times longer a promising symmetry is searched


LEFT_AFTER_A_TRY = 0.9  # of the search, estimated, since nobody knows how many tries it takes


APART = 50  # what a meeting of two that are kept apart costs, in repeats


@dataclass(frozen=True)
class Task:
    """So many players and rounds at tables of ``seats``, and the pairs that are kept apart."""

    players: int
    rounds: int
    seats: int
    apart: frozenset[Pair] = frozenset()

    @property
    def tables(self) -> int:
        """How many tables there are."""
        return self.players // self.seats

    def cost(self, rounds: Ints) -> tuple[int, int]:
        """Meetings of pairs kept apart, and repeats."""
        met = meetings(rounds.tolist())
        return sum(met[pair] for pair in self.apart), repeats_of(met)

    def bound(self, rounds: Ints) -> int:
        """The fewest repeats that counting allows for the players' numbers of games."""
        games = Counter(rounds.flatten().tolist())
        return fewest_repeats([games[player] for player in range(self.players)], self.seats, self.apart)


def best_rounds(task: Task, random: np.random.Generator) -> Ints:
    """``int64[rounds, tables, seats]``: the best plan found, the first one that reaches the bound."""
    best, lowest = None, (0, 0)
    for number, rounds in enumerate(_candidates(task, random), 1):
        report(1 - LEFT_AFTER_A_TRY**number)
        cost = task.cost(rounds)
        if best is None or cost < lowest:
            best, lowest = rounds, cost
        if lowest == (0, task.bound(rounds)):
            break
    assert best is not None
    return best


def _candidates(task: Task, random: np.random.Generator) -> Iterator[Ints]:
    """Plans by every method, the quick and promising ones first."""
    plans = _constructed(task, random)
    if not task.apart:
        yield from plans
        for _ in range(TRIES):
            yield _free(task, random)
        return
    start = min(plans, key=task.cost, default=None)
    for _ in range(TRIES):
        if start is not None:
            yield _improved(task, start, random, heat=WARM)
        yield _free(task, random)


def _constructed(task: Task, random: np.random.Generator) -> Iterator[Ints]:
    known = known_rounds(task.players, task.seats)
    if known is not None:
        yield _lengthened(task, known[: task.rounds], random)
    for symmetry in symmetries(task.players, task.rounds, task.seats):
        for _ in range(TRIES if symmetry.is_promising else TRIES // 2):
            made = _symmetric(task, symmetry, random)
            yield _lengthened(task, made, random)


def _symmetric(task: Task, symmetry: Symmetry, random: np.random.Generator) -> Ints:
    """The rounds that the symmetry makes from one base round, at most as many as wanted."""
    base = _drawn(random.permutation(symmetry.players), symmetry, task)[None]
    kind, size = symmetry.pairs
    pairs = (size, symmetry.order, np.zeros(len(size), np.int64))
    steps = STEPS_OF_A_ROUND * (PROMISING if symmetry.is_promising else 1)
    anneal(base, kind, pairs, (steps, HOT, 0, 0), random)
    return symmetry.rounds(base[0], min(task.rounds, symmetry.order))


def _drawn(order: Ints, symmetry: Symmetry, task: Task) -> Ints:
    """A random round; the players who sit out come from different circles, so that byes rotate."""
    playing = task.seats * task.tables
    out: list[int] = []
    circles: set[int] = set()
    for player in order.tolist():
        circle = player // symmetry.order
        byes = symmetry.players - playing
        if len(out) < byes and circle < symmetry.orbits and circle not in circles:
            out.append(player)
            circles.add(circle)
    left = [player for player in order.tolist() if player not in out]
    return np.array(left[:playing], np.int64).reshape(task.tables, task.seats)


def _lengthened(task: Task, rounds: Ints, random: np.random.Generator) -> Ints:
    """The plan with the missing rounds added one by one, each with few repeats."""
    while len(rounds) < task.rounds:
        rounds = np.concatenate([rounds, _fair_round(task, rounds, random)[None]])
        rounds = _improved(task, rounds, random, frozen=len(rounds) - 1)
    return rounds


def _free(task: Task, random: np.random.Generator) -> Ints:
    """A plan without any symmetry."""
    rounds = np.zeros((0, task.tables, task.seats), np.int64)
    while len(rounds) < task.rounds:
        rounds = np.concatenate([rounds, _fair_round(task, rounds, random)[None]])
    return _improved(task, rounds, random)


def _fair_round(task: Task, rounds: Ints, random: np.random.Generator) -> Ints:
    """A random round; the players with the most games sit out."""
    games = np.bincount(rounds.flatten(), minlength=task.players)
    order = random.permutation(task.players)
    playing = order[np.argsort(games[order], kind="stable")][: task.seats * task.tables]
    return random.permutation(playing).reshape(task.tables, task.seats)


def _improved(
    task: Task, rounds: Ints, random: np.random.Generator, *, frozen: int = 0, heat: float = HOT
) -> Ints:
    """The plan with its rounds from ``frozen`` on changed to cost less."""
    rounds = rounds.copy()
    steps = STEPS_OF_A_ROUND if frozen else STEPS_OF_A_PLAN
    kind, size = plain(task.players).pairs
    apart = _apart_costs(task.apart, kind, len(size))
    anneal(rounds, kind, (size, 1, apart), (steps, heat, task.bound(rounds), frozen), random)
    return rounds


def _apart_costs(apart: Iterable[Pair], kind: Ints, number: int) -> Ints:
    costs = np.zeros(number, np.int64)
    for one, other in apart:
        costs[kind[one, other]] = APART
    return costs
