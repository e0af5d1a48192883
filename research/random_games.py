"""Plays random games with all fouls under random rules and checks every action (``support.random_games``).

``python -m research.random_games --seconds 3600`` runs for an hour, ``--rulesets 300 --games 20`` plays that
many games. A failure names its ruleset and game; ``--only`` replays one ruleset.
"""

import argparse
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from random import Random

from support.random_games import Checks, RandomGame
from support.random_rules import random_rules

PROGRESS_S = 60.0
EVERY_ACTION = 25  # in one game of 25, every format is written and read after each action


def checks_of(game: int) -> Checks:
    """Return the checks of a game: fouls vary in frequency, and few games check formats at every action."""
    fouls = (0.0, 0.01, 0.04, 0.15)[game % 4]
    return Checks(fouls=fouls, formats=1.0, steps=40) if game % EVERY_ACTION == 3 else Checks(fouls=fouls)


def play(seed: int, rulesets: Iterator[int], games: int, ends: float) -> tuple[Counter[str], int]:
    """Play games under random rulesets until time ``ends``; return the counts and the number of failures."""
    seen: Counter[str] = Counter()
    failed, reported = 0, time.monotonic()
    for number in rulesets:
        rules = random_rules(Random(f"{seed}-{number}"))
        seen["rulesets"] += 1
        for game in range(games):
            if time.monotonic() > ends:
                return seen, failed
            try:
                seen += RandomGame(rules, f"{seed}-{number}-{game}", checks_of(number + game)).play()
            except Exception:
                failed += 1
                print(f"--seed {seed} --only {number}, game {game}, {rules.id}:\n{traceback.format_exc()}")
            if time.monotonic() - reported > PROGRESS_S:
                reported = time.monotonic()
                print(f"{seen['games']} games, {seen['actions']} actions, {failed} failed", flush=True)
    return seen, failed


def main() -> int:
    """Parse the options and play."""
    parser = argparse.ArgumentParser(prog="python -m research.random_games", description=__doc__)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rulesets", type=int, default=300)
    parser.add_argument("--games", type=int, default=20, help="of each ruleset")
    parser.add_argument("--only", type=int, help="the number of the one ruleset to play")
    chosen = parser.parse_args()
    numbers = range(chosen.rulesets) if chosen.only is None else [chosen.only]
    seen, failed = play(chosen.seed, iter(numbers), chosen.games, time.monotonic() + chosen.seconds)
    for name, count in sorted(seen.items()):
        print(f"{count:9,} {name}")
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
