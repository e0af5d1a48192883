"""Puts the report of an experiment together as one HTML page in one language."""

import math
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from jantaku import __version__, terms
from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.names import Local, local_of, made_name, rate_name
from jantaku.lab.experiment.rows import (
    ComparedRow,
    change_words,
    clarity,
    compared_rows,
    row_label,
    value_words,
)
from jantaku.lab.experiment.summary import Differences, ExperimentSummary, summarise
from jantaku.lab.report import plots
from jantaku.lab.report.difficulty import Difficulty, difficulties
from jantaku.lab.report.distributions import LOWEST, SCORE_STEP, WIN_STEPS, Distributions, distributions
from jantaku.lab.report.style import STYLE
from jantaku.rules.sheet import in_words, label
from jantaku.terms import Language, listed, signed, text

_FEW: Final = 2  # columns that fit a phone
MOST_CHANGES: Final = 30  # rows of the plots of differences
OF_WINS: Final = ("tsumo",)  # rates whose cases are wins, not hands
RARE: Final = 0.002  # yaku below this share of wins are left out of the plots, not of the tables


def report(folder: ExperimentFolder, language: Language) -> str:
    """The report as HTML; raises ``RequestError`` if nothing has been played, or Altair is missing."""
    with terms.using(language):
        found = summarise(folder)
        counted = distributions(folder)
        sections = [*_short(found), *_top(found), *_differences(found), *_yaku(found), *_difficulty(found)]
        sections += [*_distributions(found, counted), *_seats(found, counted), *_method(found)]
        title = escape(said("title", names=" / ".join(one.named.name for one in found.rulesets)))
        return (
            f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
            + "\n".join(sections)
            + f"\n<footer>Jantaku {escape(__version__)}</footer></body></html>\n"
        )


def said(key: str, **values: object) -> str:
    """A text of the report."""
    return text(f"lab.report.{key}", None, **values)


def _section(key: str, *parts: str) -> str:
    """A section: heading, what it means, and its plots and tables."""
    heading, about = escape(said(f"{key}.title")), escape(said(f"{key}.about"))
    return f"<section><h2>{heading}</h2><p>{about}</p>{''.join(parts)}</section>"


def _figure(picture: str) -> str:
    return f"<figure>{picture}</figure>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; on a phone one with several columns becomes a list, in which each value names its column."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in heads)
    body = "".join(f"<tr>{_row(heads, row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>' if len(heads) > _FEW else table


def _row(heads: Sequence[str], row: Sequence[str]) -> str:
    first, *rest = row
    named = zip(heads[1:], rest, strict=True)
    cells = (f'<td data-head="{escape(head)}"><b>{_cell(cell)}</b></td>' for head, cell in named)
    return f"<td>{_cell(first)}</td>{''.join(cells)}"


def _cell(cell: str) -> str:
    """A cell; its interval goes below the estimate where the table is too wide for the page."""
    value, bracket, interval = escape(cell).partition(" (")
    return f"{value} <span>({interval}</span>" if bracket else value


def _percent(estimate: Estimate | None) -> str:
    if estimate is None:
        return "–"
    return f"{estimate.value:.2%} ({estimate.low:.2%} … {estimate.high:.2%})"


def _points(estimate: Estimate | None) -> str:
    return "–" if estimate is None else f"{estimate.value:,.0f} ({estimate.low:,.0f} … {estimate.high:,.0f})"


def _short(found: ExperimentSummary) -> Iterator[str]:
    """What the whole report says, in a few sentences."""
    parts = []
    for one in found.paired:
        rules = (found.ruleset(name).named.rules for name in (one.against, one.name))
        sentences = "".join(
            f"<li>{escape(each)}</li>" for each in findings(compared_rows(found, one), *rules)
        )
        heading = escape(said("against", name=one.name, against=one.against))
        parts.append(f"<h3>{heading}</h3><ul>{sentences}</ul>")
    if parts:
        yield f"<section><h2>{escape(said('short.title'))}</h2>{''.join(parts)}</section>"


def _top(found: ExperimentSummary) -> Iterator[str]:
    """What was played, what the rulesets differ in, and the rates under each."""
    hands = sum(one.hands for one in found.rulesets)
    bots = listed(found.bots)
    yield f"<p>{escape(text('lab.about', games=found.games, hands=hands, bots=bots))}</p>"
    first = found.rulesets[0].named
    for one in found.rulesets:
        if one.named.adapted:
            yield f"<p>{escape(said('adapted', name=one.named.name))}</p>"
    for one in found.rulesets[1:]:
        if one.named.rules == first.rules:
            continue
        rows = [
            (label(path), in_words(path, before), in_words(path, after))
            for path, (before, after) in first.rules.differences(one.named.rules).items()
        ]
        heads = (said("option"), first.name, one.named.name)
        heading = escape(said("changes", first=first.name, second=one.named.name, count=len(rows)))
        yield f"<details><summary>{heading}</summary>{_table(heads, rows)}</details>"
    plotted = [
        plots.estimate_row(rate_name(name), one.named.name, estimate)
        for one in found.rulesets
        for name, estimate in one.rates.items()
        if estimate is not None
    ]
    names = found.rulesets[0].rates
    cells = [[rate_name(name), *(_percent(one.rates[name]) for one in found.rulesets)] for name in names]
    cells.append([text("lab.mean_win"), *(_points(one.means["mean_win"]) for one in found.rulesets)])
    columns = ["", *(one.named.name for one in found.rulesets)]
    yield _section("rates", _figure(plots.intervals(plotted, "", "%")), _table(columns, cells))


def _differences(found: ExperimentSummary) -> Iterator[str]:
    """The differences against the first ruleset, and among adapted bots, the clearest ones first."""
    local = local_of(one.named.rules for one in found.rulesets)
    parts = [part for one in (*found.paired, *found.adapted) for part in _difference(found, one, local)]
    if parts:
        yield _section("differences", *parts)


def _difference(found: ExperimentSummary, one: Differences, local: Local) -> Iterator[str]:
    """What one ruleset changes against another: heading, plots, and all rows folded."""
    yield f"<h3>{escape(said('against', name=one.name, against=one.against))}</h3>"
    rows = [row for row in compared_rows(found, one) if row.change is not None]
    clear = sorted((row for row in rows if row.clear), key=clarity, reverse=True)
    words = text("lab.clear_of", clear=len(clear), tested=len(rows)) if clear else said("nothing")
    yield f"<p>{escape(words)}</p>"
    for title, shown in (("of_hands", _of_hands(clear)), ("of_wins", _of_wins(clear))):
        changes = [(row, row.change) for row in shown[:MOST_CHANGES] if row.change]
        plotted = [
            plots.estimate_row(_short_label(row, local), one.name, change)
            for row, change in sorted(changes, key=lambda pair: -pair[1].value)
        ]
        if plotted:
            yield _figure(plots.intervals(plotted, said(title), "+%", zero=True))
    heads = ("", text("lab.before"), text("lab.after"), text("lab.difference"))
    cells = [
        (
            row_label(row.group, row.name, local),
            *(value_words(one, row.kind) for one in (row.before, row.after)),
            change_words(row),
        )
        for row in rows
    ]
    summary = escape(said("all_rows", tested=len(rows)))
    yield f"<details><summary>{summary}</summary>{_table(heads, cells)}</details>"


def _of_hands(rows: Iterable[ComparedRow]) -> list[ComparedRow]:
    """The shares of hands."""
    return [row for row in rows if row.group == "rate" and row.name not in OF_WINS]


def _of_wins(rows: Iterable[ComparedRow]) -> list[ComparedRow]:
    """The shares of wins, which are larger than those of hands and need an axis of their own."""
    return [row for row in rows if row.group == "share" or (row.group == "rate" and row.name in OF_WINS)]


def _short_label(row: ComparedRow, local: Local) -> str:
    return rate_name(row.name) if row.group == "rate" else made_name(row.name, local)


def _yaku(found: ExperimentSummary) -> Iterator[str]:
    """Frequency, value and share of points of every yaku."""
    first, local = found.rulesets[0].yaku, local_of(one.named.rules for one in found.rulesets)
    names = sorted(first, key=lambda name: -first[name].share.value)
    shown = [name for name in names if any(one.yaku[name].share.value >= RARE for one in found.rulesets)]

    def rows(what: str) -> list[plots.Row]:
        return [
            plots.estimate_row(made_name(name, local), one.named.name, getattr(one.yaku[name], what))
            for name in shown
            for one in found.rulesets
            if getattr(one.yaku[name], what) is not None
        ]

    tables = []
    for one in found.rulesets:
        heads = (text("lab.yaku"), said("wins"), said("share"), text("lab.points"), said("value_share"))
        cells = [
            (
                made_name(name, local),
                f"{one.yaku[name].wins:,}",
                _percent(one.yaku[name].share),
                _points(one.yaku[name].points),
                _percent(one.yaku[name].value_share),
            )
            for name in names
        ]
        heading = escape(one.named.name)
        tables.append(f"<details><summary>{heading}</summary>{_table(heads, cells)}</details>")
    yield _section("yaku_share", _figure(plots.intervals(rows("share"), "", "%")), *tables)
    yield _section("yaku_value", _figure(plots.intervals(rows("value_share"), "", "%")))
    yield _section("yaku_points", _figure(plots.intervals(rows("points"), "", ",.0f")))


def _difficulty(found: ExperimentSummary) -> Iterator[str]:
    """For each yaku its han now and in line with the others."""
    parts = []
    for one in found.rulesets:
        judged = difficulties(one)
        if not judged:
            continue
        local = local_of([one.named.rules])
        rows = [
            {"name": made_name(row.yaku, local), "han": row.han, "in_line": row.in_line} for row in judged
        ]
        picture = plots.in_line(rows, said("han"), said("now"), said("in_line"))
        heads = (text("lab.yaku"), said("one_in"), said("later"), said("now"), said("in_line"))
        cells = [_difficulty_cells(row, local) for row in judged]
        parts.append(f"<h3>{escape(one.named.name)}</h3>{_figure(picture)}{_table(heads, cells)}")
    if parts:
        yield _section("difficulty", *parts)


def _difficulty_cells(row: Difficulty, local: Local) -> tuple[str, ...]:
    one_in = f"{row.one_in:,.{1 if row.one_in < 10 else 0}f}"
    return made_name(row.yaku, local), one_in, signed(row.later, 1), str(row.han), f"{row.in_line:.1f}"


def _distributions(found: ExperimentSummary, counted: Sequence[Distributions]) -> Iterator[str]:
    """Values of wins, turns of hands and final scores."""
    names = [one.named.name for one in found.rulesets]

    def shares(labels: Sequence[str], what: str) -> list[plots.Row]:
        rows: list[plots.Row] = []
        for name, one in zip(names, counted, strict=True):
            values = getattr(one, what)
            total = max(1, int(values.sum()))
            rows += [
                {"name": group, "ruleset": name, "value": int(value) / total}
                for group, value in zip(labels, values, strict=True)
            ]
        used = {row["name"] for row in rows if row["value"]}
        return [row for row in rows if row["name"] in used]

    wins = [f"{low / 1000:g}–" for low in WIN_STEPS]
    turns = [str(turn) for turn in range(len(counted[0].turns))]
    scores = [f"{(LOWEST + SCORE_STEP * i) / 1000:g}" for i in range(len(counted[0].scores))]
    yield _section("win_points", _figure(plots.bars(shares(wins, "wins"), said("thousands"), "%")))
    yield _section("turns", _figure(plots.bars(shares(turns, "turns"), said("turn"), "%")))
    yield _section("scores", _figure(plots.bars(shares(scores, "scores"), said("thousands"), "%")))


def _seats(found: ExperimentSummary, counted: Sequence[Distributions]) -> Iterator[str]:
    """What the seat at the start is worth."""
    plotted = [
        plots.estimate_row(said("seat", seat=seat + 1), one.named.name, estimate)
        for one in found.rulesets
        for seat, estimate in enumerate(one.seat_points)
        if estimate is not None
    ]
    heads = ["", *(said("place", place=place + 1) for place in range(len(counted[0].places)))]
    tables = []
    for one, counts in zip(found.rulesets, counted, strict=True):
        total = max(1, found.games)
        rows = [
            [said("seat", seat=seat + 1), *(f"{int(count) / total:.1%}" for count in row)]
            for seat, row in enumerate(counts.places)
        ]
        tables.append(f"<h3>{escape(one.named.name)}</h3>{_table(heads, rows)}")
    yield _section("seats", _figure(plots.intervals(plotted, "", ",.0f")), *tables)


def _method(found: ExperimentSummary) -> Iterator[str]:
    """How it was found, and how far it can be trusted."""
    rows = [
        (one.named.name, one.named.rules.fingerprint, f"{one.hands:,}", f"{one.wins:,}")
        for one in found.rulesets
    ]
    heads = (said("ruleset"), said("fingerprint"), said("hands"), said("wins"))
    smallest = said("precision", half=_percent_of(found))
    yield _section("method", _table(heads, rows), f"<p>{escape(smallest)}</p>")


def _percent_of(found: ExperimentSummary) -> str:
    """The half width of the interval of the first ruleset's rate of wins."""
    win = found.rulesets[0].rates["win"]
    half = math.nan if win is None else (win.high - win.low) / 2
    return f"{half:.2%}"
