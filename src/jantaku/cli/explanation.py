"""Lays out an explanation for a terminal."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.text import Text

from jantaku import terms
from jantaku.adjudication.explanation_words import value_text
from jantaku.cli.console import heading, indented, out, table, words
from jantaku.cli.hand_drawing import win_text
from jantaku.rules import Ruleset
from jantaku.rules.sheet import yaku_name
from jantaku.terms import signed
from jantaku.win import Win

if TYPE_CHECKING:
    from jantaku.adjudication.explanation import Explanation
    from jantaku.adjudication.recorded_score import RecordedScore
    from jantaku.adjudication.score import Score

YAKUMAN_NAMES = ("", "yakuman", "double_yakuman", "triple_yakuman")


def print_explanation(explanation: "Explanation", win: Win) -> None:
    """Print the hand, then each section that is not empty."""
    out().print(explained(explanation, win))


def explained(explanation: "Explanation", win: Win, sections: Sequence[str] | None = None) -> RenderableType:
    """The hand and its non-empty sections, in that order, one below the other."""
    rows: list[RenderableType] = [
        heading(explanation.title),
        Text(f"{explanation.headings['rules']}: {explanation.rules}", "dim"),
        Text(),
        indented(win_text(win)),
    ]
    shape = " · ".join(filter(None, (explanation.form, explanation.wait)))
    if shape:
        rows.append(indented(Text(shape, "dim")))
    for note in explanation.notes:
        rows += [Text(), Text(note)]
    for section in sections or SECTIONS:
        body = SECTIONS[section](explanation)
        if body is not None:
            rows += [Text(), heading(explanation.headings[section]), indented(body)]
    return Group(*rows)


def _reading(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "", "")
    for group in explanation.reading:
        winning = f"← {group.winning}" if group.winning else ""
        rows.add_row(Text(group.tiles, "bold"), group.label, Text(winning, "yellow"))
    return rows if explanation.reading else None


def _yaku(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "", "")
    rows.columns[1].no_wrap = True
    for row in explanation.yaku:
        name = Text(row.name, "bold")
        if explanation.language != "en" and row.reading not in ("", row.name):
            name.append(f" {row.reading}", "not bold dim")
        rows.add_row(name, Text(row.worth, "green"), row.why)
    return rows if explanation.yaku else None


def _near_misses(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "")
    for row in explanation.near_misses:
        rows.add_row(Text(row.name, "dim bold"), Text(row.why, "dim"))
    return rows if explanation.near_misses else None


def _fu(explanation: "Explanation") -> RenderableType | None:
    if not explanation.fu:
        return None
    rows = table("", "", "", right=[1])
    for row in explanation.fu:
        rows.add_row(row.label, Text(str(row.points), "green"), Text(row.detail, "dim"))
    return Group(rows, Text(explanation.fu_total, "bold"))


def _arithmetic(explanation: "Explanation") -> RenderableType | None:
    return Text("\n").join(map(Text, explanation.arithmetic)) if explanation.arithmetic else None


def _payments(explanation: "Explanation") -> RenderableType | None:
    rows = table("", "", "", "", right=[1])
    for row in explanation.payments:
        if not row.points and not row.role:
            continue
        sticks = " + ".join(f"{value:,}×{count}" for value, count in row.sticks.items() if count)
        points = Text(signed(row.points), "green" if row.points > 0 else "red")
        rows.add_row(row.name, points, row.role, Text(sticks, "dim"))
    return rows if rows.row_count else None


SECTIONS: Final[dict[str, Callable[["Explanation"], RenderableType | None]]] = {
    "reading": _reading,
    "yaku": _yaku,
    "fu": _fu,
    "arithmetic": _arithmetic,
    "payments": _payments,
    "near_misses": _near_misses,
}


def summary(result: "Score") -> str:
    """Value, points and yaku in one line."""
    counted = (
        f"{name_of(name, result.rules)} {worth(han, result)}".rstrip() for name, han in result.yaku.items()
    )
    yaku = terms.text("explain.separator").join(counted)
    value = value_in_words(result)
    return words("score.summary", value=value, points=result.points, yaku=yaku)


def worth(han: int, result: "Score") -> str:
    """The han of one yaku; in a yakuman hand, its number of yakuman."""
    if not result.yakuman:
        return str(han)
    return "" if han == 13 else f"×{han // 13}"


def value_in_words(score: "Score | RecordedScore") -> str:
    """``3 han 30 fu``, ``mangan (5 han 30 fu)``, ``double yakuman``."""
    if count := score.yakuman:
        many = terms.text("explain.limit.many_yakuman", None, count=count)
        return terms.text(f"explain.limit.{YAKUMAN_NAMES[count]}") if count < 4 else many
    return value_text(score.han or 0, score.fu or 0, score.limit)


def class_in_words(name: str) -> str:
    """A number of han, or the name of a limit."""
    if name.isdigit():
        return terms.text("explain.value.han", None, han=name)
    return terms.text(f"explain.limit.{name}")


def name_of(name: str, rules: Ruleset | None = None) -> str:
    """The name of a kind of dora or a yaku, including the local ones of ``rules``."""
    if name in ("dora", "red_dora", "ura_dora"):
        return terms.text(f"explain.bonus.{name}")
    return yaku_name(name, rules=rules)
