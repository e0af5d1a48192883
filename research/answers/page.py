"""The table of answers as data and as a page."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from jantaku import __version__
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.rows import ComparedRow, change_words, kind_of, row_label, value_words
from jantaku.lab.experiment.tried_changes import ANSWERS
from jantaku.rules.sheet import in_words, label, worth_in_words
from jantaku.rules.yaku_names import yaku_name
from research.answers.expected import Expected
from research.answers.measured import Measured

PAGE: Final = Path("docs/what-bots-answer-to.md")
VERDICTS: Final = {
    "moved": "as it should",
    "still": "**not at all**",
    "wrong": "**the other way**",
    "rare": "too rare to tell",
    "open": "too few games to tell",
    "": "–",
}


def as_data(answers: Sequence[Measured]) -> dict[str, Any]:
    """All answers as JSON data."""
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
    """Write the data and the page."""
    data = json.dumps(as_data(answers), ensure_ascii=False, separators=(",", ":"))
    ANSWERS.write_text(data.replace('{"path"', '\n{"path"') + "\n", "utf-8")
    PAGE.write_text("\n".join(page_lines(answers)) + "\n", "utf-8")


def share_moved(answers: Iterable[Measured]) -> tuple[int, int, Counter[str]]:
    """How many rows moved as they should, of those that should and can be told, and all verdicts."""
    counts = Counter(answer.verdict for answer in answers)
    return counts["moved"], counts["moved"] + counts["still"] + counts["wrong"], counts


INTRODUCTION: Final = """# What the bots answer to

Every yaku at other worths and every option that should change play: {games:,} games of `standard` each with
and without the change, on the same walls. The rest of the rules is `standard`; a yaku that it lacks has its
usual worth before the change. Made by `python -m research.answers`; the same as data is `answers.json` in
`src/jantaku/lab/experiment`.

Of {should} changes that should move something, {rare} concern yaku that are too rare to tell (fewer than ten
wins on both sides), and for {open} more there are too few games to rule out a change by a quarter. Of the
other {told}, **{moved} moved as they should ({of_ten:.1f} of 10)**, {still} did not move, and {wrong} moved
the other way. In {free} more no direction follows. Where bots do not move, `jantaku lab ask`, the report and
the browser say so beside the answer.

*Should* is what follows for someone who plays for points: what it names grows by the change (↑) or shrinks
(↓). A row counts as moved if the 95% interval of its difference leaves out zero; of a hundred rows that do
nothing, five look moved. The clearest changes are those that are clear among all rows of a comparison."""
HEADS: Final = ("change", "should", "before → after", "difference", "moved", "clearest changes", "why")


def page_lines(answers: Sequence[Measured]) -> Iterator[str]:
    """The page, line by line."""
    moved, figures, counts = share_moved(answers)
    numbers = {name: counts[name] for name in ("rare", "still", "wrong", "open")}
    shares = {
        "should": figures + counts["rare"] + counts["open"],
        "told": figures,
        "moved": moved,
        "free": counts[""],
    }
    of_ten = 10 * moved / max(1, figures)
    yield INTRODUCTION.format(games=answers[0].games, of_ten=of_ten, **numbers, **shares)
    for title, about_yaku in (("Yaku", True), ("Options", False)):
        rows = [answer for answer in answers if answer.expected.path.startswith("yaku.") == about_yaku]
        moved, figures, _ = share_moved(rows)
        yield f"\n## {title}\n\n{moved} of {figures} moved.\n"
        yield f"| {' | '.join(HEADS)} |"
        yield f"|{' --- |' * len(HEADS)}"
        for answer in rows:
            yield f"| {' | '.join(_cells(answer))} |"


def _cells(answer: Measured) -> Iterator[str]:
    expected = answer.expected
    yield change_of(answer.expected)
    if expected.sign == 0:
        yield from ("nothing follows", "", "")
    else:
        group, name = expected.row
        yield f"{row_label(group, name)} {'↑' if expected.sign > 0 else '↓'}"
        yield " → ".join(_value(value, (group, name)) for value in (answer.before, answer.after))
        yield _interval(answer)
    yield VERDICTS[answer.verdict]
    yield "; ".join(
        f"{row_label(row.group, row.name)} {change_words(row).partition(' (')[0]}" for row in answer.clearest
    )
    yield expected.why


def change_of(expected: Expected) -> str:
    """The change in words."""
    path, after = expected.path, expected.after
    if not path.startswith("yaku."):
        value = expected.changes[path]
        return f"{label(path)}: {in_words(path, value)} (`{path}`)"
    name = path.partition(".")[2]
    now = after.yaku[name]
    worth = worth_in_words(now.closed if now.closed is not False else now.open, "en")
    return f"{yaku_name(name, 'en', after)}: {worth}"


def _value(value: float | None, row: tuple[str, str]) -> str:
    return "–" if value is None else value_words(Estimate(value, value, value), kind_of(*row))


def _interval(answer: Measured) -> str:
    if answer.interval is None:
        return "–"
    row = answer.expected.row
    return change_words(ComparedRow(*row, kind_of(*row), None, None, Estimate(*answer.interval), clear=False))
