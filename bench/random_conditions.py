"""Random conditions of own yaku, right and wrong, against what the language promises (``support.own_fuzz``).

Wrong ones are refused soon, with a message. The others cost what they are said to, and compiled code finds
what a plain reading finds, without a slow win. ``python -m bench.random_conditions --seconds 3600`` tries
them until the time is over, ``--seed`` others.
"""

import argparse
import time
from collections import Counter
from random import Random

from support.own_conditions import random_condition
from support.own_fuzz import batches, changed, checked, scored

PROGRESS_S = 60.0
TEXTS = 300  # wrong ones for each ruleset


def main() -> int:
    """Try conditions until the time is over; a broken promise ends it."""
    parser = argparse.ArgumentParser(prog="python -m bench.random_conditions", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    chance, seen, slowest = Random(chosen.seed), Counter[str](), 0.0
    ends = reported = time.monotonic()
    ends += chosen.seconds
    for conditions in batches(chance):
        for _ in range(TEXTS):
            seen[checked(changed(chance, random_condition(chance)))] += 1
        slowest = max(slowest, scored(chance, conditions))
        seen["rulesets"] += 1
        seen["their conditions"] += len(conditions)
        if time.monotonic() > ends:
            break
        if time.monotonic() - reported > PROGRESS_S:
            reported = time.monotonic()
            print(f"{seen['rulesets']} rulesets, {sum(seen.values())} conditions", flush=True)
    for name, count in sorted(seen.items()):
        print(f"{count:9,} {name}")
    print(f"slowest win: {slowest * 1e6:,.0f} µs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
