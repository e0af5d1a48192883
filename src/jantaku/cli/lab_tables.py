"""Shows the summary of an experiment and the answer to a question as tables."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from rich.table import Table
from rich.text import Text

from jantaku.cli.console import heading, out, table
from jantaku.lab.experiment.names import made_name, rate_name, share_change
from jantaku.rules.sheet import in_words, label
from jantaku.terms import text

if TYPE_CHECKING:
    from jantaku.lab.experiment.estimates import Estimate
    from jantaku.lab.experiment.summary import Differences, ExperimentSummary, RulesetEstimates

_CLEAR: Final = "bold"


def show_summary(found: "ExperimentSummary") -> None:
    """Print rates, means and yaku under each ruleset, with differences to the first."""
    out().print(Text(_about(found)))
    out().print()
    out().print(_plain_table(found))
    out().print()
    out().print(_yaku_table(found))
    out().print(Text(text("lab.intervals"), "dim"))


def show_answer(found: "ExperimentSummary", changes: Mapping[str, tuple[Any, Any]]) -> None:
    """Print what a change of the rules does, the clear differences first."""
    out().print(heading(text("lab.changes")))
    for path, (before, after) in changes.items():
        out().print(f"  {label(path)}: {in_words(path, before)} → {in_words(path, after)}")
    out().print()
    out().print(Text(_about(found)))
    out().print()
    first, second = found.rulesets
    difference = found.paired[0]
    rows = [
        (name, _cell(value, shown), _cell(other, shown), change, shown)
        for name, value, other, change, shown in _all_rows(first, second, difference)
    ]
    clear = [row for row in rows if is_clear(row[3])]
    if clear:
        out().print(_answer_table(clear))
    else:
        out().print(text("lab.nothing_clear"))
    out().print(Text(text("lab.intervals"), "dim"))


def is_clear(change: "Estimate | None") -> bool:
    """Whether the interval of a difference leaves out zero."""
    return change is not None and (change.low > 0 or change.high < 0)


def _about(found: "ExperimentSummary") -> str:
    hands = sum(one.hands for one in found.rulesets)
    said = text("lab.about", games=found.games, hands=hands, bots=", ".join(found.bots))
    return said if found.games == found.wanted else f"{said} {text('lab.unfinished', wanted=found.wanted)}"


def _share(value: float) -> str:
    return f"{value:.2%}"


def _points(value: float) -> str:
    return f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:.2f}"


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


def _plain_rows(one: "RulesetEstimates") -> list[tuple[str, "Estimate | None", Any]]:
    """Rates and means: label, estimate, and how it is shown."""
    rates = [(rate_name(name), estimate, _share) for name, estimate in one.rates.items()]
    shown = {"mean_win": _points, "hand_turns": _number, "win_turn": _number}
    means = [(text(f"lab.{name}"), estimate, shown[name]) for name, estimate in one.means.items()]
    seats = [
        (text("lab.seat_points", seat=seat + 1), estimate, _points)
        for seat, estimate in enumerate(one.seat_points)
    ]
    return [*rates, *means, *seats]


def _plain_changes(one: "Differences") -> list["Estimate | None"]:
    return [*one.rates.values(), *one.means.values(), *one.seat_points]


def _all_rows(first: "RulesetEstimates", second: "RulesetEstimates", difference: "Differences") -> Any:
    """Everything that two rulesets can be compared in: label, both estimates, difference, how it is shown."""
    rows = zip(_plain_rows(first), _plain_rows(second), _plain_changes(difference), strict=True)
    for (name, value, shown), (_, other, _), change in rows:
        yield name, value, other, change, shown
    for name, yaku in first.yaku.items():
        share = text("lab.share_of", yaku=made_name(name))
        yield share, yaku.share, second.yaku[name].share, difference.yaku[name].get("share"), _share
        points = text("lab.points_of", yaku=made_name(name))
        change = difference.yaku[name].get("points")
        yield points, yaku.points, second.yaku[name].points, change, _points


def _plain_table(found: "ExperimentSummary") -> Table:
    columns = [""]
    for i, one in enumerate(found.rulesets):
        columns += [one.named.name] + [text("lab.difference")] * (i > 0)
    grid = table(*columns)
    rows = [_plain_rows(one) for one in found.rulesets]
    changes = [_plain_changes(one) for one in found.paired]
    for i, (name, estimate, shown) in enumerate(rows[0]):
        cells = [Text(name), Text(_cell(estimate, shown))]
        for other, change in zip(rows[1:], changes, strict=True):
            cells += [Text(_cell(other[i][1], shown)), _interval(change[i], shown)]
        grid.add_row(*cells)
    return grid


def _yaku_table(found: "ExperimentSummary") -> Table:
    """The share of wins with each yaku, the most frequent first."""
    columns = [text("lab.yaku")]
    for i, one in enumerate(found.rulesets):
        columns += [one.named.name, text("lab.points")] + [text("lab.difference")] * (i > 0)
    grid = table(*columns, title=text("lab.yaku_title"))
    first = found.rulesets[0]
    for name in sorted(first.yaku, key=lambda name: -first.yaku[name].share.value):
        cells = [Text(made_name(name))]
        for i, one in enumerate(found.rulesets):
            yaku = one.yaku[name]
            cells += [Text(_cell(yaku.share, _share)), Text(_cell(yaku.points, _points))]
            if i:
                cells.append(_interval(found.paired[i - 1].yaku[name].get("share"), _share))
        grid.add_row(*cells)
    return grid


def _answer_table(rows: list[Any]) -> Table:
    grid = table("", text("lab.before"), text("lab.after"), text("lab.difference"))
    for name, before, after, change, shown in rows:
        grid.add_row(Text(name), before, after, _interval(change, shown))
    return grid
