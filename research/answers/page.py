"""Stores the answers as JSON, and builds the site's page from them."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jantaku import __version__
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.rows import ComparedRow, change_words, kind_of, row_label, value_words
from jantaku.lab.experiment.tried_changes import ANSWERS
from jantaku.rules.sheet import in_words, label, worth_in_words
from jantaku.rules.yaku_names import yaku_name
from research.answers.expected import Expected, expected
from research.answers.measured import Measured

ADAPTED: Final = Path(__file__).with_name("adapted.json")
VERDICTS: Final = {
    "moved": "as expected",
    "still": "**not at all**",
    "wrong": "**the other way**",
    "rare": "too rare to tell",
    "open": "too few games to tell",
    "": "–",
}
Answer = Mapping[str, Any]
"""An entry of ``answers.json``."""


def as_data(answers: Sequence[Measured]) -> dict[str, Any]:
    """Return all answers as JSON data."""
    return {
        "version": __version__,
        "games": answers[0].games,
        "answers": [_one(answer) for answer in answers],
    }


def _one(answer: Measured) -> dict[str, Any]:
    expected = answer.expected
    return {
        "path": expected.path,
        "level": expected.level,
        "changes": dict(expected.changes),
        "row": list(expected.row),
        "sign": expected.sign,
        "verdict": answer.verdict,
        "before": _rounded(answer.before),
        "after": _rounded(answer.after),
        "difference": None if answer.interval is None else [_rounded(value) for value in answer.interval],
        "clearest": [
            [row.group, row.name, _rounded(row.change.value)] for row in answer.clearest if row.change
        ],
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.5g}")


def write(answers: Sequence[Measured]) -> None:
    """Write ``answers.json``."""
    data = json.dumps(as_data(answers), ensure_ascii=False, separators=(",", ":"))
    ANSWERS.write_text(data.replace('{"path"', '\n{"path"') + "\n", "utf-8")


def share_moved(verdicts: Iterable[str]) -> tuple[int, int, Counter[str]]:
    """Return how many changes moved as expected, how many were conclusive, and all verdicts."""
    counts = Counter(verdicts)
    return counts["moved"], counts["moved"] + counts["still"] + counts["wrong"], counts


INTRODUCTION: Final = """# What the bots respond to

Look up a yaku or an option below to see whether the bots change their play when a ruleset changes it.
`jantaku lab ask`, its report and the browser name the changes to which they do not respond.

The table has every yaku at other values and every option that should change play. Each row compares
{games:,} games of `standard` with the change and as many without it, on the same walls. The other rules
are those of `standard`; a yaku that `standard` lacks has its usual value before the change. `python -m
research.answers` plays the games.

Of {should} changes that should move a figure, {rare} concern yaku too rare to judge (fewer than ten wins
on both sides), and {open} would need more games to rule out a change by a quarter. Of the other {conclusive},
**{moved} moved as expected ({of_ten:.1f} of 10)**, {still} did not move, and {wrong} moved the other
way. For {free} more, no direction is expected.

*Expected* names the figure that should grow (↑) or shrink (↓) for a player who plays for points. A row
counts as moved if the 95% interval of its difference excludes zero; among a hundred changes without
effect, about five would seem to move. *Clearest changes* are those that remain clear when all rows of a
comparison are judged together."""
HEADS: Final = ("change", "expected", "before → after", "difference", "moved", "clearest changes", "reason")

ABOUT_ADAPTED: Final = """
## After adapting

`jantaku lab adapt` fits a bot to a ruleset. Here both sides, with and without the change, are played by
bots fitted to their own rules for 0, {rounds} rounds of {games:,} games (`python -m
research.answers.adapted`). The last column is the gain of one adapted bot against three that are not
adapted, under the changed rules. Adapting finds better play under any rules, so compare the columns with
each other rather than reading the gain as an effect of the rule.
"""


def answers_page() -> str:
    """Return the page about the stored answers in Markdown."""
    data = json.loads(ANSWERS.read_bytes())
    return "\n".join([*_answer_lines(data), *_adapted_lines(json.loads(ADAPTED.read_bytes()))]) + "\n"


def _answer_lines(data: Mapping[str, Any]) -> Iterator[str]:
    changes = {(change.path, change.level): change for change in expected()}
    answers: list[Answer] = data["answers"]
    moved, conclusive, counts = share_moved(answer["verdict"] for answer in answers)
    numbers = {name: counts[name] for name in ("rare", "still", "wrong", "open")}
    yield INTRODUCTION.format(
        games=data["games"], of_ten=10 * moved / max(1, conclusive), moved=moved, conclusive=conclusive,
        should=conclusive + counts["rare"] + counts["open"], free=counts[""], **numbers,
    )  # fmt: skip
    for title, about_yaku in (("Yaku", True), ("Options", False)):
        rows = [answer for answer in answers if answer["path"].startswith("yaku.") == about_yaku]
        moved, conclusive, _ = share_moved(answer["verdict"] for answer in rows)
        yield f"\n## {title}\n\n{moved} of {conclusive} moved as expected.\n"
        yield from _table_head(HEADS)
        for answer in rows:
            yield f"| {' | '.join(_cells(answer, changes[answer['path'], answer['level']]))} |"


def _table_head(heads: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{' --- |' * len(heads)}"


def _cells(answer: Answer, change: Expected) -> Iterator[str]:
    yield change_of(change)
    if not answer["sign"]:
        yield from ("no direction", "", "")
    else:
        group, name = answer["row"]
        yield f"{row_label(group, name)} {'↑' if answer['sign'] > 0 else '↓'}"
        yield " → ".join(_value(value, (group, name)) for value in (answer["before"], answer["after"]))
        yield _interval(answer["difference"], (group, name))
    yield VERDICTS[answer["verdict"]]
    yield "; ".join(
        f"{row_label(group, name)} {_interval((value,) * 3, (group, name)).partition(' (')[0]}"
        for group, name, value in answer["clearest"]
    )
    yield change.why


def change_of(change: Expected) -> str:
    """Return the change in words."""
    path, after = change.path, change.after
    if not path.startswith("yaku."):
        value = change.changes[path]
        return f"{label(path)}: {in_words(path, value)} (`{path}`)"
    name = path.partition(".")[2]
    value = after.yaku[name]
    worth = worth_in_words(value.closed if value.closed is not False else value.open, "en")
    return f"{yaku_name(name, 'en', after)}: {worth}"


def _value(value: float | None, row: tuple[str, str]) -> str:
    return "–" if value is None else value_words(Estimate(value, value, value), kind_of(*row))


def _interval(interval: Sequence[float] | None, row: tuple[str, str]) -> str:
    if interval is None:
        return "–"
    return change_words(ComparedRow(*row, kind_of(*row), None, None, Estimate(*interval), clear=False))


def _adapted_lines(data: Mapping[str, Any]) -> Iterator[str]:
    changes = {change.id: change for change in expected()}
    curves: list[Mapping[str, Any]] = data["curves"]
    rounds = [stop[0] for stop in curves[0]["stops"]]
    yield ABOUT_ADAPTED.format(rounds=", ".join(map(str, rounds[1:])), games=data["rounds"])
    yield from _table_head(
        ("change", "figure", *(f"{after} rounds" for after in rounds), "against bots not adapted")
    )
    for curve in curves:
        group, name = curve["row"]
        gain, low, high = map(round, curve["match"]["score"])
        stops = (_stop(stop, (group, name)) for stop in curve["stops"])
        cells = [change_of(changes[curve["id"]]), row_label(group, name), *stops]
        yield f"| {' | '.join(cells)} | {gain:+,} ({low:+,} … {high:+,}) |"


def _stop(stop: tuple[int, float | None, float | None, list[float] | None], row: tuple[str, str]) -> str:
    _, before, after, interval = stop
    if interval is None or before is None or after is None:
        return "too rare to tell"
    return f"{_value(before, row)} → {_value(after, row)}, {_interval(interval, row)}"
