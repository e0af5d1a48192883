"""The search for a plan: one round under a symmetry, further rounds added to it, or all rounds freely."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from jantaku.club.kernels.anneal import anneal
from jantaku.club.seating.designs import known_rounds
from jantaku.club.seating.meetings import Pair, fewest_repeats, meetings, repeats_of
from jantaku.club.seating.progress import report
from jantaku.club.seating.symmetry import Ints, Symmetry, plain, symmetries

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
