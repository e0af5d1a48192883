"""Formats a comparison: a table for the terminal, and a report in Markdown."""

from collections import Counter
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Final

from jantaku.rules.catalogue import catalogue
from research.conform.found_differences import Conformance
from research.conform.parts import SIZES
from research.conform.reasons import REASONS, UNKNOWN_REASON

PAGE: Final = Path("build/other-engines.md")
UNITS: Final = (
    "wins",
    "games",
    "hands",
    "decisions",
    "logs",
    "events read",
    "actions read",
    "yakuman",
    "no yaku",
)
TITLES: Final = {
    "wins": "wins against RiichiEnv", "mahjong": "wins against `mahjong`", "games": "games in lockstep",
    "logs": "mjai logs exchanged",
}  # fmt: skip


def listed(tally: Conformance) -> str:
    """List the differences with their counts."""
    return ", ".join(f"{count:,} × {name}" for name, count in tally.differences.most_common()) or "none"


def amount(tally: Conformance) -> str:
    """List how much was compared, and the actions played."""
    words = [f"{tally.seen[unit]:,} {unit}" for unit in UNITS if tally.seen[unit]]
    played = [f"{count:,} {name.replace('_', ' ')}" for name, count in tally.seen.items() if name in ACTIONS]
    return ", ".join((*words, *sorted(played)))


ACTIONS: Final = ("tsumo", "ron", "kan", "kita", "pon", "chi", "nine_terminals")


def table_lines(total: Mapping[str, Conformance]) -> list[str]:
    """Return a line of the table for each part of the comparison."""
    return [f"{part}: {amount(tally)}; differences: {listed(tally)}" for part, tally in total.items()]


def page_text(total: Mapping[str, Conformance]) -> str:
    """Return the report with these results."""
    rows = []
    for part, tally in total.items():
        kind, _, rules = part.partition(" ")
        rows.append(f"| {TITLES[kind]}, `{rules}` | {amount(tally)} | {listed(tally)} |")
    seen = {name for tally in total.values() for name in tally.differences}
    reasons = [f"- **{name}**: {reason.what} *{reason.source}.*" for name, reason in REASONS.items()]
    if not seen <= REASONS.keys():
        reasons.append(UNKNOWN_REASON)
    yaku = {name for tally in total.values() for name in tally.seen if name in catalogue()}
    return PAGE_TEXT.format(
        riichienv=version("riichienv"), mahjong=version("mahjong"), rows="\n".join(rows),
        reasons="\n".join(reasons), yaku=len(yaku), extent=_extent(total),
    )  # fmt: skip


def _extent(total: Mapping[str, Conformance]) -> str:
    """Return a sentence about how much of each part was compared."""
    amounts: Counter[str] = Counter()
    for part, seen in total.items():
        kind = part.partition(" ")[0]
        amounts[kind] += seen.seen["wins"] or seen.seen["games"] or seen.seen["logs"]
    done = ", ".join(f"{count:,} of {SIZES[kind]:,} {TITLES[kind]}" for kind, count in amounts.items())
    return f"Compared so far: {done}."


PAGE_TEXT: Final = """# Compared with other engines

`python -m research.conform` compares with [RiichiEnv](https://github.com/smly/RiichiEnv) {riichienv} and
with [mahjong](https://pypi.org/project/mahjong/) {mahjong}. Neither is a dependency: `pip install
riichienv mahjong xiangting`.

```
python -m research.conform --workers 2 --into results.jsonl
python -m research.conform --wins 50000 --mahjong 5000 --games 100 --logs 20
```

- **Wins** are random and rare ones: every shape of the yaku is dealt often, with kans, red tiles,
  indicators, norths set aside, honba, riichi, last tiles and first turns. They contain {yaku} different yaku.
  The comparison covers whether it is a win, han, fu (below mangan), the yaku, the number of yakuman, and the
  payments.
- **Games in lockstep** have the same walls and actions in RiichiEnv's engine and in ours. The comparison
  covers the seats to act and every legal action of each decision, the points and deposits after it (and so
  liability, honba and noten payments), the next hand and the end of the game. Players of several styles play
  them; half of the games begin in South with different points, and half with a wall stacked for a rare hand.
  An action that only one engine offers is counted and never played.
- **Logs** of such games (mjai) are read by the other side, action by action.

{extent}

| comparison | amount | differences |
| --- | --- | --- |
{rows}

## Why they differ

{reasons}

Not compared: liability (pao) in single wins, which neither evaluator knows; renhou, open riichi and local
yaku; the value that RiichiEnv's replay of an mjai log computes for a win, which omits norths set aside.
"""
