"""Improve seating plans by annealing: exchange two players of a round, or renumber two tables.

A plan is ``int64[b, t, seats]``: base rounds, tables, players. A group of ``order`` steps turns each base
round into ``order`` rounds. ``kind[p, q]`` is the orbit of a pair under the group and ``size`` the number of
pairs in each orbit. If one pair sits together in a base round, every pair of its orbit meets ``order / size``
times. ``apart`` is the extra cost of an orbit's first meeting, 0 for most orbits.
"""

import math

import numpy as np

from jantaku.kernels._jit import allocating, kernel

COOLEST = 0.05
TABLES_HOT = 12.0
TABLES_COOL = 0.5


@kernel
def cost_of(uses, size, order, apart):
    """Return the cost of an orbit that sits together in ``uses`` base rounds: meetings after the first."""
    if uses == 0:
        return 0
    return uses * order - size + apart


@kernel
def total_cost(uses, size, order, apart):
    """Return the cost of all orbits."""
    total = 0
    for i in range(len(uses)):
        total += cost_of(int(uses[i]), int(size[i]), order, int(apart[i]))
    return total


@kernel
def change(uses, orbit, step, size, order, apart):
    """Add ``step`` to the uses of an orbit; return the change of cost."""
    before = cost_of(int(uses[orbit]), int(size[orbit]), order, int(apart[orbit]))
    uses[orbit] += step
    return cost_of(int(uses[orbit]), int(size[orbit]), order, int(apart[orbit])) - before


@kernel
def leave(table, seat, kind, uses, step, pairs):
    """Remove the player at ``seat`` from the table (``step`` −1) or add them (1); return the cost change."""
    size, order, apart = pairs
    total, player = 0, int(table[seat])
    for other in range(len(table)):
        if other != seat:
            total += change(uses, int(kind[player, int(table[other])]), step, size, order, apart)
    return total


@kernel
def exchange(round_, first, second, kind, uses, pairs):
    """Exchange the players at two positions (``table * seats + seat``) of different tables.

    Returns the change of cost.
    """
    seats = round_.shape[1]
    table, other = round_[first // seats], round_[second // seats]
    total = leave(table, first % seats, kind, uses, -1, pairs)
    total += leave(other, second % seats, kind, uses, -1, pairs)
    player = table[first % seats]
    table[first % seats] = other[second % seats]
    other[second % seats] = player
    total += leave(table, first % seats, kind, uses, 1, pairs)
    return total + leave(other, second % seats, kind, uses, 1, pairs)


@kernel
def count_uses(plan, kind, uses):
    """Write to ``uses`` how often each orbit sits together in the base rounds."""
    uses[:] = 0
    for base in range(plan.shape[0]):
        for table in range(plan.shape[1]):
            for seat in range(plan.shape[2]):
                for other in range(seat):
                    uses[int(kind[int(plan[base, table, seat]), int(plan[base, table, other])])] += 1


@allocating
def anneal(plan, kind, pairs, run, random):
    """Improve ``plan`` in place to the best plan found; return its cost.

    ``pairs`` is ``(size, order, apart)``, ``run`` is ``(steps, hottest, wanted, frozen)``: the search stops
    at the cost ``wanted``, and the first ``frozen`` base rounds do not change. ``random`` is a ``Generator``.
    """
    size, order, apart = pairs
    steps, hottest, wanted, frozen = run
    uses = np.zeros(len(size), np.int64)
    count_uses(plan, kind, uses)
    cost = total_cost(uses, size, order, apart)
    best, kept = cost, plan.copy()
    seats = plan.shape[2]
    positions = plan.shape[1] * seats
    cooling = math.log(COOLEST / hottest)
    for step in range(steps):
        if best <= wanted or positions < 2 * seats:
            break
        heat = hottest * math.exp(cooling * step / steps) * order
        base = plan[frozen + int(random.random() * (plan.shape[0] - frozen))]
        first = int(random.random() * positions)
        second = int(random.random() * positions)
        if first // seats == second // seats:
            continue
        more = exchange(base, first, second, kind, uses, pairs)
        if more > 0 and random.random() >= math.exp(-more / heat):
            exchange(base, first, second, kind, uses, pairs)
            continue
        cost += more
        if cost < best:
            best = cost
            kept[:] = plan
    plan[:] = kept
    return best


@kernel
def move_table(table, old, new, seen):
    """Renumber a table from ``old`` to ``new``; return the change in the sum of cubed player counts."""
    total = 0
    for seat in range(len(table)):
        player = int(table[seat])
        more, less = int(seen[player, new]), int(seen[player, old])
        total += 3 * more * (more + 1) - 3 * less * (less - 1)
        seen[player, old] -= 1
        seen[player, new] += 1
    return total


@allocating
def spread_tables(plan, seen, steps, random):
    """Renumber the tables of each round so that every player sits at different tables evenly.

    ``plan`` is ``int64[rounds, tables, seats]``; ``seen[player, table]`` counts how often each player sits at
    each table. Annealing swaps two table numbers of a round at a time and minimises the sum of the cubes of
    these counts, because cubes penalise high counts.
    """
    cost, best, kept = 0, 0, plan.copy()
    tables = plan.shape[1]
    cooling = math.log(TABLES_COOL / TABLES_HOT)
    for step in range(steps):
        heat = TABLES_HOT * math.exp(cooling * step / steps)
        round_ = plan[int(random.random() * plan.shape[0])]
        first, second = int(random.random() * tables), int(random.random() * tables)
        if first == second:
            continue
        more = move_table(round_[first], first, second, seen)
        more += move_table(round_[second], second, first, seen)
        if more > 0 and random.random() >= math.exp(-more / heat):
            move_table(round_[first], second, first, seen)
            move_table(round_[second], first, second, seen)
            continue
        for seat in range(plan.shape[2]):
            player = int(round_[first, seat])
            round_[first, seat] = round_[second, seat]
            round_[second, seat] = player
        cost += more
        if cost < best:
            best = cost
            kept[:] = plan
    plan[:] = kept
