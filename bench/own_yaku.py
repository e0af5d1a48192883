"""What own yaku cost in bulk scoring, with 0, 1, 8 and 16 of them: ``python -m bench.own_yaku``."""

import csv
import time
from pathlib import Path

from bench.inputs import wins
from jantaku.adjudication.records import win_records
from jantaku.adjudication.score import score_records
from jantaku.rules import Ruleset, load

CATALOGUE = Path(__file__).parents[1] / "docs" / "own-yaku-catalogue.tsv"
CHOSEN = (
    "sanshoku_doujun", "ittsuu", "sanrenkou", "chanta", "honitsu", "toitoi", "pinfu", "iipeikou", "tanyao",
    "sanankou", "shousangen", "chinitsu", "junchan", "sanshoku_doukou", "uumensai", "kokushi_juusanmen",
)  # fmt: skip
COUNTS = (0, 1, 8, 16)
REPEATS = 9


def rules_with(count: int) -> Ruleset:
    """The standard rules with so many own yaku, each of them a yaku of the catalogue once more."""
    with CATALOGUE.open(encoding="utf-8") as file:
        written = {row["yaku"]: row["when"] for row in csv.DictReader(file, delimiter="\t")}
    own = {
        f"own_{i:02}": {"closed": 1, "open": 1, "when": written[name]}
        for i, name in enumerate(CHOSEN[:count])
    }
    return load({"extends": "standard", "yaku": own})


def main() -> None:
    """Print the best of some repeats for each number of own yaku, in turn."""
    records = win_records([one.win for one in wins()])
    rulesets = {count: rules_with(count) for count in COUNTS}
    best = dict.fromkeys(COUNTS, float("inf"))
    for _ in range(REPEATS):
        for count, rules in rulesets.items():
            began = time.process_time()
            score_records(records, rules)
            best[count] = min(best[count], time.process_time() - began)
    for count, seconds in best.items():
        print(f"{count:>2} own yaku: {seconds / len(records) * 1e9:4.0f} ns a win")


if __name__ == "__main__":
    main()
