"""Prints the quality of seating plans by players and rounds: ``python -m research.seating``.

``docs/club.md`` explains the columns.
"""

import sys
from itertools import product

from jantaku.club.seating import SeatingPlan, seat

PLAYERS = (*range(8, 33, 4), 36, 40, 44, 48, 52, 60, 64, 72, 80, 100)
UNEVEN = (17, 18, 19, 21, 22, 23, 26, 27, 30)
ROUNDS = (4, 5, 6, 7, 8, 10)

HEAD = """\
| players | rounds | repeats | bound | winds | tables | seconds |
| --- | --- | --- | --- | --- | --- | --- |
"""


def row(plan: SeatingPlan, players: int) -> str:
    """Return a row of the table."""
    figures = (plan.repeats, plan.bound, plan.seat_spread, plan.table_spread)
    cells = (players, len(plan.rounds), *figures, f"{plan.seconds:.1f}")
    return f"| {' | '.join(map(str, cells))} |\n"


def main() -> None:
    """Print the table."""
    seat(8, 1)  # compile before timing
    sys.stdout.write(HEAD)
    for players, rounds in product(sorted((*PLAYERS, *UNEVEN)), ROUNDS):
        sys.stdout.write(row(seat(players, rounds), players))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
