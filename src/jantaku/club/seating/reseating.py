"""Reseat upcoming rounds after a change: a player left, arrived late or sat at the wrong table."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import chain
from time import perf_counter

import numpy as np

from jantaku.club.kernels.anneal import anneal
from jantaku.club.seating.plan import (
    MAX_ROUNDS,
    NO_WISHES,
    Seated,
    SeatingPlan,
    Tables,
    Wishes,
    assign_byes,
    check_players,
)
from jantaku.club.seating.quality import meetings, min_repeats, quality_of, repeats_of
from jantaku.club.seating.search import (
    APART,
    HOT,
    STEPS_PER_PLAN,
    STEPS_PER_ROUND,
    TRIES,
    WARM,
    Ints,
    Task,
    best_rounds,
    plain,
    report,
)
from jantaku.club.seating.winds import winds_after, with_table_numbers
from jantaku.errors import RequestError
from jantaku.fields import whole
from jantaku.kernels.win import MAX_SEATS

Rounds = list[list[list[int]]]


def reseat(
    played: Sequence[Seated],
    present: Sequence[Collection[str]],
    *,
    planned: Sequence[Tables] = (),
    wishes: Wishes = NO_WISHES,
    seats: int = MAX_SEATS,
    seed: int = 0,
) -> SeatingPlan:
    """Seat the rounds after ``played`` with few repeats, counting meetings in those rounds.

    ``present[r]`` are the players available in each upcoming round. ``planned`` is the previous plan of these
    rounds, from which the search starts. The result contains only the upcoming rounds; its measures cover all
    rounds. The same ``seed`` gives the same rounds. Raises ``RequestError``.
    """
    started = perf_counter()
    whole(len(played) + len(present), "rounds", 1, MAX_ROUNDS)
    random = np.random.default_rng(seed)
    who = assign_byes(played, present, wishes.reserves, seats, random)
    playing = [players for players, _ in who]
    names = sorted(
        {
            *chain.from_iterable(playing),
            *(player for round_ in played for table in round_.tables for player in table),
        }
    )
    for players in playing:
        check_players(len(players), seats)
    task = _Search(names, [round_.tables for round_ in played], playing, wishes.apart, seats)
    best = task.best([*planned], random)
    seated = task.with_places(best, random)
    tables = tuple(tuple(tuple(names[i] for i in table) for table in round_) for round_ in seated)
    quality = quality_of([*(round_.tables for round_ in played), *tables], seats, task.apart, len(played))
    byes = tuple(tuple(byes) for _, byes in who)
    return SeatingPlan(tables, byes, **quality.to_dict(), seconds=perf_counter() - started)


class _Search:
    """The search for the upcoming rounds; players are numbers."""

    def __init__(
        self,
        names: Sequence[str],
        played: Sequence[Tables],
        playing: Sequence[Sequence[str]],
        apart: Sequence[tuple[str, str]],
        seats: int,
    ) -> None:
        self.number = {name: i for i, name in enumerate(names)}
        for one, other in apart:
            if one == other:
                raise RequestError("id_twice", field="apart", value=one)
        self.apart = [pair for pair in apart if pair[0] in self.number and pair[1] in self.number]
        pairs = [sorted((self.number[one], self.number[other])) for one, other in self.apart]
        self.pairs = frozenset((one, other) for one, other in pairs)
        self.played = [[[self.number[player] for player in table] for table in tables] for tables in played]
        self.playing = [[self.number[player] for player in round_] for round_ in playing]
        self.seats = seats
        games = Counter(chain.from_iterable(self.playing))
        met = meetings(self.played)
        self.bound = min_repeats([games[i] for i in range(len(names))], seats, self.pairs, met)
        self.kind = plain(len(names)).pairs[0]

    def cost(self, rounds: Rounds) -> tuple[int, int]:
        """Return the meetings of pairs to be kept apart, and the repeats, over all rounds."""
        met = meetings([*self.played, *rounds])
        return sum(met[pair] for pair in self.pairs), repeats_of(met)

    def best(self, planned: list[Tables], random: np.random.Generator) -> Rounds:
        """Return the best seating found; stop at the first one that reaches the bound."""
        start = self._start(planned, random)
        rounds, lowest = start, self.cost(start)
        for number in range(TRIES):
            if lowest == (0, self.bound):
                break
            report(number / TRIES)
            heat = WARM if number % 2 == 0 else HOT
            tried = self._improved(rounds if heat == WARM else start, heat, random)
            cost = self.cost(tried)
            if cost < lowest:
                rounds, lowest = tried, cost
        return rounds

    def _start(self, planned: list[Tables], random: np.random.Generator) -> Rounds:
        """Return the planned rounds, or else a new plan, without absent players."""
        known: list[list[list[int]]] = [
            [[self.number[player] for player in table if player in self.number] for table in tables]
            for tables in planned
        ]
        if not planned and not self.played:
            task = Task(len(self.number), len(self.playing), self.seats, self.pairs)
            known = best_rounds(task, random).tolist()
        known += [[]] * (len(self.playing) - len(known))
        return [
            self._patched(tables, playing, random)
            for tables, playing in zip(known, self.playing, strict=False)
        ]

    def _patched(
        self, tables: list[list[int]], playing: list[int], random: np.random.Generator
    ) -> list[list[int]]:
        """Remove players who do not play from the tables and fill them with players who are not seated."""
        present, seen = set(playing), set[int]()
        left: list[list[int]] = []
        for table in tables:
            stays = [player for player in table if player in present and player not in seen]
            seen.update(stays)
            left.append(stays[: self.seats])
        wanted = len(playing) // self.seats
        left = sorted(left, key=len, reverse=True)[:wanted]
        left += [[] for _ in range(wanted - len(left))]
        sitting = set(chain.from_iterable(left))
        free = [player for player in random.permutation(playing).tolist() if player not in sitting]
        for table in left:
            while len(table) < self.seats:
                table.append(free.pop())
        return left

    def _improved(self, rounds: Rounds, heat: float, random: np.random.Generator) -> Rounds:
        """Anneal the rounds in groups with equal numbers of tables, with all other rounds fixed."""
        copy = [[list(table) for table in tables] for tables in rounds]
        for size in sorted({len(tables) for tables in copy}, reverse=True):
            mine = [r for r, tables in enumerate(copy) if len(tables) == size]
            others = [tables for r, tables in enumerate(copy) if r not in mine]
            block = np.array([copy[r] for r in mine], np.int64)
            met = meetings([*self.played, *others])
            costs = np.zeros(len(self.number) * (len(self.number) - 1) // 2, np.int64)
            for one, other in met:
                costs[self.kind[one, other]] = 1
            for one, other in self.pairs:
                costs[self.kind[one, other]] += APART
            steps = min(STEPS_PER_PLAN, STEPS_PER_ROUND * len(mine))
            wanted = self.bound - repeats_of(met)
            pairs = (np.ones_like(costs), 1, costs)
            anneal(block, self.kind, pairs, (steps, heat, wanted, 0), random)
            for r, tables in zip(mine, block.tolist(), strict=True):
                copy[r] = tables
        return copy

    def with_places(self, rounds: Rounds, random: np.random.Generator) -> Rounds:
        """Balance table numbers and winds without changing the tables, counting the rounds played."""
        placed: Rounds = [[] for _ in rounds]
        for size in {len(tables) for tables in rounds}:
            mine = [r for r, tables in enumerate(rounds) if len(tables) == size]
            numbered = with_table_numbers(
                np.array([rounds[r] for r in mine], np.int64),
                len(self.number),
                random,
                self._tables_before(size),
            )
            for r, tables in zip(mine, numbered.tolist(), strict=True):
                placed[r] = tables
        return winds_after(self.played, placed, self.seats, random)

    def _tables_before(self, tables: int) -> Ints:
        seen = np.zeros((len(self.number), tables), np.int64)
        for round_ in self.played:
            for t, table in enumerate(round_[:tables]):
                for player in table:
                    seen[player, t] += 1
        return seen


def reseated(
    rounds: Sequence[Seated], played: int, leave: Sequence[str], reserves: Sequence[str], seed: int
) -> SeatingPlan:
    """Return a whole plan whose rounds after the first ``played`` are reseated.

    ``leave`` lists players who have left for good, or who miss a single round (``NAME:N``). Raises
    ``RequestError`` for an unknown name or round.
    """
    if played >= len(rounds):
        raise RequestError("number_range", field="--played", value=played, low=0, high=len(rounds) - 1)
    done, planned = rounds[:played], rounds[played:]
    present = [[name for name in names if name not in reserves] for names in _present(planned, played, leave)]
    seating = reseat(
        done,
        present,
        planned=[round_.tables for round_ in planned],
        wishes=Wishes(reserves=reserves),
        seats=max(len(table) for round_ in rounds for table in round_.tables),
        seed=seed,
    )
    tables = (tuple(map(tuple, round_.tables)) for round_ in done)
    byes = (tuple(round_.byes) for round_ in done)
    return replace(seating, rounds=(*tables, *seating.rounds), byes=(*byes, *seating.byes))


def _present(planned: Sequence[Seated], played: int, leave: Sequence[str]) -> list[list[str]]:
    """Return the players available in each upcoming round."""
    names = [[*(player for table in round_.tables for player in table), *round_.byes] for round_ in planned]
    known = {name for listed in names for name in listed}
    for leaver in leave:
        name, colon, number = (leaver, "", "") if leaver in known else leaver.rpartition(":")
        if name not in known or (colon and not (number.isascii() and number.isdecimal())):
            raise RequestError("unknown_id", field="--out", value=leaver, nearest="")
        away = [whole(int(number), "--out", played + 1, played + len(names))] if colon else None
        for r, present in enumerate(names, played + 1):
            if away is None or r in away:
                present[:] = [player for player in present if player != name]
    return names
