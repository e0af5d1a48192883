"""Chooses who plays together: people of like rating; the longer someone waits, the less alike.

Pure functions, which ``python -m bench.ranked_queue`` runs with up to 20,000 people.
"""

from collections.abc import Sequence, Set
from math import inf
from typing import Final, NamedTuple

FAIR: Final = 3.0  # how far ratings (mu) at one table may differ at once
WIDER_PER_S: Final = 0.1  # how much further for each second that the first of them has waited
PATIENCE_S: Final = 90.0  # after so long anybody will do
FOUR, THREE = 4, 3


class Waiter(NamedTuple):
    """Somebody who waits: ``marks`` are the address and the browser, and ids of whom they have blocked.

    Nobody is paired with whoever has one of their marks: two accounts may be one person.
    """

    person: str
    rating: float
    waited_s: float
    marks: Set[str] = frozenset()


def allowed(waited_s: float) -> float:
    """How far ratings at a table may differ for somebody who has waited so long.

    >>> allowed(0), allowed(30), allowed(90)
    (3.0, 6.0, inf)
    """
    return inf if waited_s >= PATIENCE_S else FAIR + WIDER_PER_S * waited_s


def tables_of(waiting: Sequence[Waiter], players: int) -> list[list[Waiter]]:
    """The tables that can begin now; whoever has waited longest comes first.

    >>> people = [Waiter(name, rating, 0) for name, rating in zip("abcde", (20, 21, 35, 22, 21))]
    >>> [sorted(one.person for one in table) for table in tables_of(people, 4)]
    [['a', 'b', 'd', 'e']]
    """
    if len(waiting) < players:
        return []
    by_rating = sorted(waiting, key=lambda waiter: waiter.rating)
    places = {waiter.person: index for index, waiter in enumerate(by_rating)}
    taken: set[str] = set()
    tables = []
    for first in sorted(waiting, key=lambda waiter: -waiter.waited_s):
        if first.person in taken:
            continue
        table = _nearest(by_rating, places[first.person], players, taken)
        ratings = [waiter.rating for waiter in table]
        if len(table) == players and max(ratings) - min(ratings) <= allowed(first.waited_s):
            tables.append(table)
            taken |= {waiter.person for waiter in table}
    return tables


def _nearest(by_rating: Sequence[Waiter], index: int, players: int, taken: set[str]) -> list[Waiter]:
    """Somebody and those nearest in rating who may all sit together; fewer if there are too few."""
    table, below, above = [by_rating[index]], index - 1, index + 1
    rating = by_rating[index].rating
    while len(table) < players and (below >= 0 or above < len(by_rating)):
        down = rating - by_rating[below].rating if below >= 0 else inf
        up = by_rating[above].rating - rating if above < len(by_rating) else inf
        if down <= up:
            next_one, below = by_rating[below], below - 1
        else:
            next_one, above = by_rating[above], above + 1
        if next_one.person not in taken and may_sit(next_one, table):
            table.append(next_one)
    return table


def may_sit(waiter: Waiter, table: Sequence[Waiter]) -> bool:
    """Whether somebody may play with those at a table.

    >>> mina, ren = (Waiter(*one) for one in (("mina", 0, 0, {"198.51.100.7"}), ("ren", 0, 0, {"mina"})))
    >>> may_sit(mina, [mina._replace(person="second")]), may_sit(mina, [ren]), may_sit(ren, [mina])
    (False, False, False)
    """
    own = {*waiter.marks, waiter.person}
    return all(own.isdisjoint({*other.marks, other.person}) for other in table)


def gathered(waiting: Sequence[Waiter]) -> list[list[Waiter]]:
    """Everybody at once at tables of four and three, of like rating; who is left over plays with bots.

    >>> [[len(table) for table in gathered([Waiter(str(i), i, 0) for i in range(n)])] for n in (2, 5, 7, 9)]
    [[2], [4, 1], [4, 3], [3, 3, 3]]
    """
    count = len(waiting)
    whole = [fours for fours in range(count // FOUR, -1, -1) if (count - FOUR * fours) % THREE == 0]
    fours = whole[0] if whole else count // FOUR
    sizes = [FOUR] * fours + [THREE] * ((count - FOUR * fours) // THREE if whole else 0)
    sizes += [count - sum(sizes)] if count > sum(sizes) else []
    by_rating, groups = sorted(waiting, key=lambda waiter: -waiter.rating), []
    for size in sizes:
        groups.append(by_rating[:size])
        by_rating = by_rating[size:]
    return groups
