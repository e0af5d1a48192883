"""Shows the summary of an experiment and the answer to a question as tables."""

from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from jantaku.cli.console import heading, out, table
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.names import local_of, made_name, played_name
from jantaku.lab.experiment.rows import (
    change_words,
    clarity,
    compared_rows,
    is_whole,
    plain_rows,
    row_label,
    value_words,
)
from jantaku.rules.sheet import in_words, label
from jantaku.terms import listed, text

if TYPE_CHECKING:
    from jantaku.lab.experiment.names import Local
    from jantaku.lab.experiment.rows import ComparedRow
    from jantaku.lab.experiment.summary import Differences, ExperimentSummary
    from jantaku.rules import Ruleset

_CLEAR: Final = "bold"


def show_summary(summary: "ExperimentSummary") -> None:
    """Print rates, means and yaku under each ruleset, with differences to the first."""
    out().print(Text(_about(summary)))
    out().print()
    changes = _changes(summary)
    out().print(_plain_table(summary, changes))
    out().print()
    out().print(_yaku_table(summary, changes))
    _show_adapted(summary)
    out().print(Text(text("lab.intervals"), "dim"))


def _show_adapted(summary: "ExperimentSummary") -> None:
    for change in summary.adapted:
        out().print()
        out().print(_adapted_table(summary, change))


def show_answer(
    summary: "ExperimentSummary", before: "Ruleset", after: "Ruleset", *, whole: bool = False
) -> None:
    """Print what a change of the rules does: clear differences, the clearest first, or the ``whole`` list."""
    out().print(heading(text("lab.changes")))
    for path, (old, new) in before.differences(after).items():
        out().print(f"  {label(path, rules=after)}: {in_words(path, old)} → {in_words(path, new)}")
    out().print()
    out().print(Text(_about(summary)))
    out().print()
    local = local_of(ruleset.named.rules for ruleset in summary.rulesets)
    for change in summary.reported:
        ruleset = summary.ruleset(change.name)
        if ruleset.named.adapted:
            out().print(heading(_against(summary, change)))
        rows = [row for row in compared_rows(summary, change) if row.change is not None]
        clear = sorted((row for row in rows if row.clear), key=clarity, reverse=True)
        for sentence in findings(rows, summary.ruleset(change.against).named.rules, ruleset.named.rules):
            out().print(f"· {sentence}", soft_wrap=True)
        out().print()
        if not ruleset.named.adapted:
            out().print(_game_table(rows, local))
            out().print()
        if whole or clear:
            out().print(_answer_table(rows if whole else clear, local))
        out().print(
            text("lab.clear_of" if clear else "lab.nothing_clear", clear=len(clear), tested=len(rows))
        )
        out().print()
    out().print(Text(text("lab.intervals"), "dim"))


def _against(summary: "ExperimentSummary", change: "Differences") -> str:
    name, against = (played_name(summary.ruleset(each).named) for each in (change.name, change.against))
    return text("lab.report.against", name=name, against=against)


def _about(summary: "ExperimentSummary") -> str:
    hands = sum(ruleset.hands for ruleset in summary.rulesets)
    said = text("lab.about", games=summary.games, hands=hands, bots=listed(summary.bots))
    return (
        said if summary.games == summary.wanted else f"{said} {text('lab.unfinished', wanted=summary.wanted)}"
    )


_PLAIN: Final = ("rate", "mean", "seat", "place")


def _interval(row: "ComparedRow") -> Text:
    """The difference, bold if it is clearly not zero."""
    return Text(change_words(row), _CLEAR if row.clear else "")


def _changes(summary: "ExperimentSummary") -> "list[dict[tuple[str, str], ComparedRow]]":
    """The rows of each ruleset against the first, by group and name."""
    return [{row[:2]: row for row in compared_rows(summary, change)} for change in summary.paired]


def _plain_table(summary: "ExperimentSummary", changes: "list[dict[tuple[str, str], ComparedRow]]") -> Table:
    columns = [ruleset.named.name for ruleset in summary.rulesets[:1]]
    for change in summary.paired:
        columns += [change.name, text("lab.difference")]
    grid = table("", *columns)
    for group, name, kind, estimate in plain_rows(summary.rulesets[0]):
        cells = [Text(row_label(group, name)), Text(value_words(estimate, kind))]
        for rows in changes:
            row = rows[group, name]
            cells += [Text(value_words(row.after, kind)), _interval(row)]
        grid.add_row(*cells)
    return grid


def _adapted_table(summary: "ExperimentSummary", change: "Differences") -> Table:
    """What a ruleset changes against another when adapted bots play both."""
    grid = table("", text("lab.difference"), title=_against(summary, change))
    for row in compared_rows(summary, change):
        if row.group in _PLAIN:
            grid.add_row(Text(row_label(row.group, row.name)), _interval(row))
    return grid


def _yaku_table(summary: "ExperimentSummary", changes: "list[dict[tuple[str, str], ComparedRow]]") -> Table:
    """The share of wins with each yaku, the most frequent first."""
    columns = [text("lab.yaku")]
    for i, ruleset in enumerate(summary.rulesets):
        columns += [ruleset.named.name, text("lab.points")] + [text("lab.difference")] * (i > 0)
    grid = table(*columns, title=text("lab.yaku_title"))
    first, local = summary.rulesets[0], local_of(ruleset.named.rules for ruleset in summary.rulesets)
    for name in sorted(first.yaku, key=lambda name: -first.yaku[name].share.value):
        cells = [Text(made_name(name, local))]
        for i, ruleset in enumerate(summary.rulesets):
            yaku = ruleset.yaku[name]
            cells += [Text(value_words(yaku.share, "share")), Text(value_words(yaku.points, "points"))]
            if i:
                cells.append(_interval(changes[i - 1]["share", name]))
        grid.add_row(*cells)
    return grid


def _game_table(rows: "list[ComparedRow]", local: "Local") -> Table:
    """What organisers ask about a game as a whole, whether it changes or not."""
    whole = [row for row in rows if is_whole(row.group, row.name)]
    return _answer_table(whole, local, text("lab.whole"))


def _answer_table(rows: "list[ComparedRow]", local: "Local", title: str = "") -> Table:
    grid = table("", text("lab.before"), text("lab.after"), text("lab.difference"), title=title)
    for row in rows:
        before, after = value_words(row.before, row.kind), value_words(row.after, row.kind)
        grid.add_row(Text(row_label(row.group, row.name, local)), before, after, _interval(row))
    return grid
