"""What 0, 1, 8 and 16 own yaku cost in bulk scoring and in bulk play: ``python -m bench.own_yaku``."""

import time
from collections.abc import Callable, Sequence

from bench.inputs import wins
from jantaku.adjudication.score import score_records
from jantaku.adjudication.win_records import win_records
from jantaku.lab.chunks import ChunkPlan, play_chunk
from jantaku.rules import Ruleset, load
from jantaku.rules.own.written import written

CHOSEN = (
    "sanshoku_doujun", "ittsuu", "sanrenkou", "chanta", "honitsu", "toitoi", "pinfu", "iipeikou", "tanyao",
    "sanankou", "shousangen", "chinitsu", "junchan", "sanshoku_doukou", "uumensai", "kokushi_juusanmen",
)  # fmt: skip
COUNTS = (0, 1, 8, 16)
REPEATS = 9


def rules_with(count: int) -> Ruleset:
    """The standard rules with so many own yaku, each of them a yaku of the catalogue once more."""
    own = {
        f"own_{i:02}": {"closed": 1, "open": 1, "when": written()[name]}
        for i, name in enumerate(CHOSEN[:count])
    }
    return load({"extends": "standard", "yaku": own})


def seconds(work: Callable[[Ruleset], int], rulesets: Sequence[Ruleset]) -> list[float]:
    """The least processor time of a piece of work under each ruleset, which take turns."""
    best = [float("inf")] * len(rulesets)
    for _ in range(REPEATS):
        for i, rules in enumerate(rulesets):
            began = time.process_time()
            done = work(rules)
            best[i] = min(best[i], (time.process_time() - began) / done)
    return best


def played(bot: str, games: int) -> Callable[[Ruleset], int]:
    """Play hanchan with four of a bot; the work is counted in decisions."""

    def play(rules: Ruleset) -> int:
        chunk = play_chunk(ChunkPlan(rules, (bot,) * 4, games), 0, games)
        return int(chunk.games["decisions"].sum())

    return play


def main() -> None:
    """Print what a win and a decision take with each number of own yaku."""
    records = win_records([win.win for win in wins()])
    rulesets = [rules_with(count) for count in COUNTS]
    rows = {
        "scoring, a win": seconds(lambda rules: len(score_records(records, rules)), rulesets),
        "random play, a decision": seconds(played("random", 64), rulesets),
        "play by standard, a decision": seconds(played("standard", 8), rulesets),
    }
    for name, times in rows.items():
        said = (f"{count}: {seconds * 1e9:,.0f} ns" for count, seconds in zip(COUNTS, times, strict=True))
        print(f"{name}, by own yaku: {', '.join(said)}")


if __name__ == "__main__":
    main()
