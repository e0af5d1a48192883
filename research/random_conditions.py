"""Random conditions of own yaku, right and wrong, against what the language promises (``support.own_fuzz``).

Wrong ones are refused soon, with a message. The others cost what they are said to, and compiled code finds
what a plain reading finds, without a slow win. Rulesets with them are used wherever one is: check, score,
explanation, examples, trial, booklet and bots. ``python -m research.random_conditions --seconds 3600`` tries
them until the time is over, ``--seed`` others.
"""

import argparse
import time
import traceback
from collections import Counter
from random import Random

from support.own_conditions import random_condition
from support.own_fuzz import BrokenPromiseError, batches, changed, checked, scored, used

PROGRESS_S = 60.0
TEXTS = 300  # wrong ones for each ruleset
USED = 12  # whole rulesets after each


class Failures:
    """Prints a broken promise and counts it, so that the others are tried too."""

    count = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, BrokenPromiseError):
            return False
        self.count += 1
        print("".join(traceback.format_exception(error)), flush=True)
        return True


def main() -> int:
    """Try conditions until the time is over; broken promises are printed and counted."""
    parser = argparse.ArgumentParser(prog="python -m research.random_conditions", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    chance, seen, slowest = Random(chosen.seed), Counter[str](), 0.0
    failed = Failures()
    ends = reported = time.monotonic()
    ends += chosen.seconds
    for conditions in batches(chance):
        for _ in range(TEXTS):
            with failed:
                seen[checked(changed(chance, random_condition(chance)))] += 1
        with failed:
            slowest = max(slowest, scored(chance, conditions))
        for _ in range(USED):
            seen["whole rulesets"] += 1
            with failed:
                seen[f"whole rulesets: {used(chance, seen['whole rulesets'])}"] += 1
            if time.monotonic() > ends:
                break
        seen["rulesets"] += 1
        seen["their conditions"] += len(conditions)
        if time.monotonic() > ends:
            break
        if time.monotonic() - reported > PROGRESS_S:
            reported = time.monotonic()
            print(f"{seen['rulesets']} rulesets, {failed.count} failed", flush=True)
    for name, count in sorted(seen.items()):
        print(f"{count:9,} {name}")
    print(f"slowest win: {slowest * 1e6:,.0f} µs")
    print(f"{failed.count} failed")
    return 1 if failed.count else 0


if __name__ == "__main__":
    raise SystemExit(main())
