"""Fuzzes the conditions of custom yaku, valid and invalid ones (``support.own_fuzz``).

Invalid conditions must be rejected quickly, with a message. Valid ones must have the stated cost, match what
a naive interpreter matches, and never make a win slow. Rulesets with them go through every use of a ruleset:
check, score, explanation, examples, trial, booklet and bots. ``python -m research.random_conditions
--seconds 3600`` runs for an hour; ``--seed`` chooses different conditions.
"""

import argparse
import time
import traceback
from collections import Counter
from random import Random

from support.own_conditions import random_condition
from support.own_fuzz import BrokenPromiseError, batches, changed, checked, scored, used

PROGRESS_S = 60.0
TEXTS = 300  # invalid conditions per ruleset
USED = 12  # complete rulesets per batch of conditions


class Failures:
    """Prints and counts violations instead of stopping at the first one."""

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
    """Test conditions until the time is up; print and count violations."""
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
