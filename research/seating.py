"""Seating plans for many numbers of players and rounds: the table in docs/seating.md.

``python -m research.seating > docs/seating.md``
"""

import sys
from itertools import product

from jantaku.club.seating import SeatingPlan, seat

PLAYERS = (*range(8, 33, 4), 36, 40, 44, 48, 52, 60, 64, 72, 80, 100)
UNEVEN = (17, 18, 19, 21, 22, 23, 26, 27, 30)
ROUNDS = (4, 5, 6, 7, 8, 10)

INTRODUCTION = """\
# Seating plans

<!-- Generated: python -m research.seating > docs/seating.md -->

```
$ jantaku event seat --players 40 --rounds 8                   # a table for each round
$ jantaku event seat --players 40 --rounds 8 --json            # for programs
$ jantaku event seat --players 28 --rounds 7 --teams teams.csv # team mates are kept apart
$ jantaku event reseat plan.json --played 4 --out 12           # the rounds to come, after 12 has left
```

```python
from jantaku.club import seat

plan = seat(40, 8)  # or a list of names; teams=…, apart=…, seed=…
plan.rounds[0][3], plan.repeats, plan.bound
```

A plan is made in three steps.

1. **Opponents.** The players are placed on three or four circles of the same length; a few may stay
   outside them. The search looks for a single round. For the next round every player on a circle moves on
   by one step. If no step moves one table's pair onto another pair of that round, nobody meets anybody
   twice. Rounds that this does not cover are added one by one. If no such round is found, all rounds are
   searched at once. For 20 players a known plan is used.
2. **Tables.** The tables of each round get numbers so that players change tables evenly.
3. **Winds.** Each player's games are taken in groups of four. An edge colouring of the graph of players
   and tables with four colours gives everybody each wind once in every four games.

If the players do not fill the tables, byes rotate: nobody has two more than anybody else. A pair that
should be kept apart (`--teams`, `--apart`) costs fifty times as much as a repeated opponent. The same
`--seed` gives the same plan.

`jantaku event reseat` seats the rounds to come anew: somebody left or came late, or a table was seated
wrongly. The rounds that have been played stay. The search begins with the old plan, so the new one never has
more repeats if the players are the same; `bound` counts what has been played. After two players had taken
each other's seats, plans of 40 × 8, 64 × 8 and 16 × 5 still came out without a repeat, 100 × 10 with the one
that had already happened, in under a second; 28 × 7 came out with 4 (bound 3) and 32 × 8 with 6 (bound 3), in
three to five seconds.

## Why not CP-SAT

The search is simulated annealing. Google's CP-SAT (OR-Tools 9.15) was tried in its place, with a variable for
each player, round and table and one for each pair and round, the same costs, and the same construction as its
hint. It had 20 seconds on two cores beside other work; the annealing had one core. The figures are meetings
of pairs that should be kept apart, then repeats. Where the annealing did not reach the bound, CP-SAT also
began from its result, and improved none of them in 20 more seconds.

| case | construction | annealing | seconds | CP-SAT | seconds |
| --- | --- | --- | --- | --- | --- |
| teams of four, 32 × 7 | 18, 84 | 0, 2 | 12 | 6, 59 | 20 |
| teams of four, 32 × 10 | 27, 41 | 0, 50 | 27 | 26, 44 | 20 |
| teams of four, 40 × 8 | 23, 0 | 0, 0 | 24 | no answer | 20 |
| teams of four, 64 × 8 | 20, 0 | 0, 0 | 32 | no answer | 20 |
| teams of four, 80 × 8 | 23, 17 | 0, 0 | 11 | no answer | 20 |
| 12 pairs apart, 24 × 6 | 4, 47 | 0, 3 | 32 | 0, 31 | 20 |
| 12 pairs apart, 30 × 8 with byes | 4, 7 | 0, 4 | 28 | 0, 39 | 20 |
| 30 pairs apart, 36 × 8 | 13, 7 | 0, 0 | 23 | 2, 50 | 20 |
| wrong seats in round 3, 24 × 7 | 0, 6 | 0, 6 | 3 | 0, 6 | 20 |
| wrong seats in round 3, 28 × 7 | 0, 5 | 0, 5 | 5 | 0, 5 | 20 |
| wrong seats in round 4, 32 × 8 | 0, 6 | 0, 5 | 4 | 0, 6 | 20 |
| a player replaced after round 4, 40 × 8 | 0, 0 | 0, 0 | 0 | 0, 0 | 2 |
| a player replaced after round 3, teams of four, 32 × 7 | 0, 2 | 0, 0 | 1 | 0, 2 | 20 |

With this model CP-SAT was better in none, equal in three and worse in ten: from 40 players with teams on it
did not even find the plan it was given. Its lower bound never rose above what counting gives. So there is no
dependency on it. The annealing took longer than 20 seconds in six of the cases, because other programs ran at
the same time.

## Measured plans

`repeats` is the number of meetings after the first, summed over all pairs. `bound` is a lower bound from
counting: a player has three opponents in each game, and there are only so many other players. It cannot
always be reached. `winds` is the largest difference, for any player, between the numbers of games in two
winds; `tables` is the same for tables. `seconds` are for one core.

| players | rounds | repeats | bound | winds | tables | seconds |
| --- | --- | --- | --- | --- | --- | --- |
"""


def row(plan: SeatingPlan, players: int) -> str:
    """A line of the table."""
    figures = (plan.repeats, plan.bound, plan.seat_spread, plan.table_spread)
    cells = (players, len(plan.rounds), *figures, f"{plan.seconds:.1f}")
    return f"| {' | '.join(map(str, cells))} |\n"


def main() -> None:
    """Print the page."""
    seat(8, 1)  # compiles
    sys.stdout.write(INTRODUCTION)
    for players, rounds in product(sorted((*PLAYERS, *UNEVEN)), ROUNDS):
        sys.stdout.write(row(seat(players, rounds), players))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
