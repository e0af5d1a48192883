"""Shows the summary of an experiment and the answer to a question as tables."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from jantaku.cli.console import heading, out, table
from jantaku.lab.experiment.names import local_of, made_name, share_change
from jantaku.lab.experiment.rows import compared_rows, is_clear, plain_rows, row_label
from jantaku.rules.sheet import in_words, label
from jantaku.terms import listed, text

if TYPE_CHECKING:
    from jantaku.lab.experiment.estimates import Estimate
    from jantaku.lab.experiment.names import Local
    from jantaku.lab.experiment.rows import ComparedRow
    from jantaku.lab.experiment.summary import Differences, ExperimentSummary

_CLEAR: Final = "bold"


def show_summary(found: "ExperimentSummary") -> None:
    """Print rates, means and yaku under each ruleset, with differences to the first."""
    out().print(Text(_about(found)))
    out().print()
    out().print(_plain_table(found))
    out().print()
    out().print(_yaku_table(found))
    _show_adapted(found)
    out().print(Text(text("lab.intervals"), "dim"))


def _show_adapted(found: "ExperimentSummary") -> None:
    for one in found.adapted:
        out().print()
        out().print(_adapted_table(one))


def show_answer(found: "ExperimentSummary", changes: Mapping[str, tuple[Any, Any]]) -> None:
    """Print what a change of the rules does, the clear differences first."""
    out().print(heading(text("lab.changes")))
    for path, (before, after) in changes.items():
        out().print(f"  {label(path)}: {in_words(path, before)} → {in_words(path, after)}")
    out().print()
    out().print(Text(_about(found)))
    out().print()
    for place, one in enumerate(found.rulesets[1:], 1):
        if one.named.adapted:
            same = one.named.rules == found.rulesets[0].named.rules
            out().print(heading(text("lab.before_adapted" if same else "lab.after_adapted")))
        clear = [row for row in compared_rows(found, place) if is_clear(row.change)]
        local = local_of(one.named.rules for one in found.rulesets)
        out().print(_answer_table(clear, local) if clear else text("lab.nothing_clear"))
        out().print()
    _show_adapted(found)
    out().print(Text(text("lab.intervals"), "dim"))


def _about(found: "ExperimentSummary") -> str:
    hands = sum(one.hands for one in found.rulesets)
    said = text("lab.about", games=found.games, hands=hands, bots=listed(found.bots))
    return said if found.games == found.wanted else f"{said} {text('lab.unfinished', wanted=found.wanted)}"


def _share(value: float) -> str:
    return f"{value:.2%}"


def _points(value: float) -> str:
    return f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:.2f}"


_SHOWN: Final = {"share": _share, "points": _points, "number": _number}


def _cell(estimate: "Estimate | None", shown: Any) -> str:
    return "–" if estimate is None else shown(estimate.value)


def _interval(change: "Estimate | None", shown: Any) -> Text:
    """``+1.20 pp (+0.80 … +1.60)``, bold if it is clearly not zero."""
    if change is None:
        return Text("–")
    if shown is _share:
        said = share_change(change)
    else:
        signs = [f"{'+' if value > 0 else ''}{shown(value)}" for value in change]
        said = f"{signs[0]} ({signs[1]} … {signs[2]})"
    return Text(said, _CLEAR if is_clear(change) else "")


def _plain_table(found: "ExperimentSummary") -> Table:
    columns = [""]
    for i, one in enumerate(found.rulesets):
        columns += [one.named.name] + [text("lab.difference")] * (i > 0)
    grid = table(*columns)
    rows = [list(plain_rows(one)) for one in found.rulesets]
    changes = [list(plain_rows(one)) for one in found.paired]
    for i, (group, name, kind, estimate) in enumerate(rows[0]):
        shown = _SHOWN[kind]
        cells = [Text(row_label(group, name)), Text(_cell(estimate, shown))]
        for other, change in zip(rows[1:], changes, strict=True):
            cells += [Text(_cell(other[i][3], shown)), _interval(change[i][3], shown)]
        grid.add_row(*cells)
    return grid


def _adapted_table(one: "Differences") -> Table:
    """What a ruleset changes against another when adapted bots play both."""
    grid = table(
        "", text("lab.difference"), title=text("lab.report.against", name=one.name, against=one.against)
    )
    for group, name, kind, change in plain_rows(one):
        grid.add_row(Text(row_label(group, name)), _interval(change, _SHOWN[kind]))
    return grid


def _yaku_table(found: "ExperimentSummary") -> Table:
    """The share of wins with each yaku, the most frequent first."""
    columns = [text("lab.yaku")]
    for i, one in enumerate(found.rulesets):
        columns += [one.named.name, text("lab.points")] + [text("lab.difference")] * (i > 0)
    grid = table(*columns, title=text("lab.yaku_title"))
    first, local = found.rulesets[0], local_of(one.named.rules for one in found.rulesets)
    for name in sorted(first.yaku, key=lambda name: -first.yaku[name].share.value):
        cells = [Text(made_name(name, local))]
        for i, one in enumerate(found.rulesets):
            yaku = one.yaku[name]
            cells += [Text(_cell(yaku.share, _share)), Text(_cell(yaku.points, _points))]
            if i:
                cells.append(_interval(found.paired[i - 1].yaku[name].get("share"), _share))
        grid.add_row(*cells)
    return grid


def _answer_table(rows: "list[ComparedRow]", local: "Local") -> Table:
    grid = table("", text("lab.before"), text("lab.after"), text("lab.difference"))
    for row in rows:
        shown = _SHOWN[row.kind]
        before, after = _cell(row.before, shown), _cell(row.after, shown)
        grid.add_row(Text(row_label(row.group, row.name, local)), before, after, _interval(row.change, shown))
    return grid
