"""Builds the report of an experiment as one HTML page."""

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from jantaku import __version__, terms
from jantaku.lab.experiment.findings import findings
from jantaku.lab.experiment.folder import ExperimentFolder
from jantaku.lab.experiment.names import Own, own_of, played_name, rate_name, yaku_label
from jantaku.lab.experiment.plan import NamedRules
from jantaku.lab.experiment.rows import (
    ComparedRow,
    change_words,
    clarity,
    compared_rows,
    is_game_row,
    plain_rows,
    row_label,
    value_words,
)
from jantaku.lab.experiment.summary import BETTER, Differences, ExperimentSummary, summarise
from jantaku.lab.report import plots
from jantaku.lab.report.difficulty import Difficulty, difficulties
from jantaku.lab.report.distributions import LOWEST, SCORE_STEP, WIN_STEPS, Distributions, distributions
from jantaku.lab.report.markup import (
    collapsed,
    estimated,
    figure,
    percent,
    points,
    report_text,
    section,
    table,
)
from jantaku.lab.report.style import STYLE
from jantaku.rules.sheet import differences_in_words
from jantaku.terms import Language, listed, signed, text

MAX_CHANGES: Final = 12  # rows of a plot of differences
MAX_OPTIONS: Final = 5  # changed options listed in one line; more go into a table
MAX_YAKU: Final = 20  # rows of the plots of yaku, the most frequent ones; the tables contain all
BASES: Final = {"tsumo": "wins", "bust": "games", "comeback": "games", "turned": "games", BETTER: "games"}
"""The base of each rate that is not a share of hands. Each base has its own plot."""
BASE_NAMES: Final = ("hands", "wins", "games")


def report(folder: ExperimentFolder, language: Language) -> str:
    """Return the report as HTML; raise ``RequestError`` if nothing has been played."""
    with terms.using(language):
        summary = summarise(folder)
        counted = distributions(folder)
        sections = [
            *_short(summary),
            *_game(summary),
            *_rates(summary),
            *_differences(summary),
            *_yaku(summary),
        ]
        sections += [*_difficulty(summary), *_distributions(summary, counted), *_seats(summary, counted)]
        sections += _method(summary)
        names = [ruleset.named.name for ruleset in summary.rulesets if not ruleset.named.adapted]
        title = escape(report_text("title", names=" / ".join(names)))
        return (
            f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n"
            + "\n".join(sections)
            + f"\n<footer>Jantaku {escape(__version__)}</footer></body></html>\n"
        )


def _short(summary: ExperimentSummary) -> Iterator[str]:
    """Yield the main findings in a few sentences."""
    hands = sum(ruleset.hands for ruleset in summary.rulesets)
    about = text("lab.about", games=summary.games, hands=hands, bots=listed(summary.bots))
    parts = []
    for change in summary.reported:
        before, after = (summary.ruleset(name).named for name in (change.against, change.name))
        sentences = findings(compared_rows(summary, change), before.rules, after.rules)
        if after.adapted:
            sentences.insert(0, report_text("adapted" if before.adapted else "adapted_alone"))
        items = "".join(f"<li>{escape(each)}</li>" for each in sentences)
        options = "" if before.adapted else _changes(before, after)
        parts.append(f"<h3>{_against(summary, change)}</h3>{options}<ul>{items}</ul>")
    heading = f"<h2>{escape(report_text('short.title'))}</h2>" if parts else ""
    bots = f"<p>{escape(report_text('bots'))}</p><p>{escape(about)}</p>"
    yield f'<section class="lead">{heading}{"".join(parts)}{bots}</section>'


def _against(summary: ExperimentSummary, change: Differences) -> str:
    """Return the heading of a comparison."""
    name, against = (played_name(summary.ruleset(each).named) for each in (change.name, change.against))
    return escape(report_text("against", name=name, against=against))


def _changes(before: NamedRules, after: NamedRules) -> str:
    """Return the differences between two rulesets: a few in one line, many in a collapsed table."""
    rows = list(differences_in_words(before.rules, after.rules).values())
    if not rows:
        return ""
    if len(rows) <= MAX_OPTIONS:
        listed = "; ".join(f"{name}: {old} → {new}" for name, old, new in rows)
        return f"<p>{escape(listed)}</p>"
    heading = report_text("changes", first=before.name, second=after.name, count=len(rows))
    return collapsed(heading, table((report_text("option"), before.name, after.name), rows))


def _game(summary: ExperimentSummary) -> Iterator[str]:
    """Yield the table of figures about games as a whole."""
    rows: dict[tuple[str, str], list[str]] = {}
    for ruleset in summary.rulesets:
        for group, name, kind, estimate in plain_rows(ruleset):
            if is_game_row(group, name):
                rows.setdefault((group, name), []).append(estimated(estimate, kind))
    columns = ["", *(played_name(ruleset.named) for ruleset in summary.rulesets)]
    cells = [[row_label(*key), *values] for key, values in rows.items()]
    about = escape(report_text("game.about", seconds=f"{summary.decision_s:g}"))
    title = escape(report_text("game.title"))
    yield f"<section><h2>{title}</h2><p>{about}</p>{table(columns, cells)}</section>"


def _rates(summary: ExperimentSummary) -> Iterator[str]:
    """Yield the rates under each ruleset, with separate plots for shares of hands, wins and games."""
    pictures = []
    for base in BASE_NAMES:
        plotted = [
            plots.estimate_row(rate_name(name), played_name(ruleset.named), estimate)
            for ruleset in summary.rulesets
            for name, estimate in ruleset.rates.items()
            if estimate is not None and BASES.get(name, "hands") == base
        ]
        pictures.append(figure(plots.intervals(plotted, report_text(f"share_of.{base}"), "%")))
    names = summary.rulesets[0].rates
    cells = [
        [rate_name(name), *(percent(ruleset.rates[name]) for ruleset in summary.rulesets)] for name in names
    ]
    cells.append([text("lab.mean_win"), *(points(ruleset.means["mean_win"]) for ruleset in summary.rulesets)])
    columns = ["", *(played_name(ruleset.named) for ruleset in summary.rulesets)]
    yield section("rates", *pictures, collapsed(report_text("rates.title"), table(columns, cells)))


def _differences(summary: ExperimentSummary) -> Iterator[str]:
    """Yield the differences caused by the rules alone, the clearest ones first."""
    own = own_of(ruleset.named.rules for ruleset in summary.rulesets)
    parts = [part for change in summary.reported for part in _difference(summary, change, own)]
    if parts:
        yield section("differences", *parts)


def _difference(summary: ExperimentSummary, compared: Differences, own: Own) -> Iterator[str]:
    """Yield one comparison: heading, plots, and all rows collapsed."""
    yield f"<h3>{_against(summary, compared)}</h3>"
    rows = [row for row in compared_rows(summary, compared) if row.change is not None]
    clear = sorted((row for row in rows if row.clear), key=clarity, reverse=True)
    words = text("lab.clear_of", clear=len(clear), tested=len(rows)) if clear else report_text("nothing")
    yield f"<p>{escape(words)}</p>"
    for base in BASE_NAMES:
        shown = [row for row in clear if _base_of(row) == base]
        changes = [(row, row.change) for row in shown[:MAX_CHANGES] if row.change]
        plotted = [
            plots.estimate_row(_short_label(row, own), compared.name, change)
            for row, change in sorted(changes, key=lambda pair: -pair[1].value)
        ]
        if plotted:
            yield figure(plots.intervals(plotted, report_text(f"difference_of.{base}"), "+%", zero=True))
    heads = ("", text("lab.before"), text("lab.after"), text("lab.difference"))
    cells = [
        (
            row_label(row.group, row.name, own),
            *(value_words(estimate, row.kind) for estimate in (row.before, row.after)),
            change_words(row),
        )
        for row in rows
    ]
    yield collapsed(report_text("all_rows", tested=len(rows)), table(heads, cells))


def _base_of(row: ComparedRow) -> str:
    """Return the base of a share: ``hands``, ``wins`` or ``games``; empty for points and numbers."""
    if row.group == "share":
        return "wins"
    return BASES.get(row.name, "hands") if row.group == "rate" else ""


def _short_label(row: ComparedRow, own: Own) -> str:
    return rate_name(row.name) if row.group == "rate" else yaku_label(row.name, own)


def _yaku(summary: ExperimentSummary) -> Iterator[str]:
    """Yield the frequency, points and share of points of every yaku."""
    first, own = summary.rulesets[0].yaku, own_of(ruleset.named.rules for ruleset in summary.rulesets)
    names = sorted(first, key=lambda name: -first[name].share.value)
    shown = names[:MAX_YAKU]

    def rows(what: str) -> list[plots.Row]:
        return [
            plots.estimate_row(
                yaku_label(name, own), played_name(ruleset.named), getattr(ruleset.yaku[name], what)
            )
            for name in shown
            for ruleset in summary.rulesets
            if getattr(ruleset.yaku[name], what) is not None
        ]

    tables = []
    for ruleset in summary.rulesets:
        heads = (
            text("lab.yaku"),
            report_text("wins"),
            report_text("share"),
            text("lab.points"),
            report_text("value_share"),
        )
        cells = [
            (
                yaku_label(name, own),
                f"{ruleset.yaku[name].wins:,}",
                percent(ruleset.yaku[name].share),
                points(ruleset.yaku[name].points),
                percent(ruleset.yaku[name].value_share),
            )
            for name in names
        ]
        tables.append(collapsed(played_name(ruleset.named), table(heads, cells)))
    yield section("yaku_share", figure(plots.intervals(rows("share"), "", "%")), *tables)
    yield section("yaku_value", figure(plots.intervals(rows("value_share"), "", "%")))
    yield section("yaku_points", figure(plots.intervals(rows("points"), "", ",.0f")))


def _difficulty(summary: ExperimentSummary) -> Iterator[str]:
    """Yield each yaku's han under the rules and in line with the others."""
    parts = []
    for ruleset in summary.rulesets:
        judged = difficulties(ruleset)
        if not judged:
            continue
        own = own_of([ruleset.named.rules])
        rows = [
            {
                "name": yaku_label(row.yaku, own),
                "han": row.han,
                "in_line": row.in_line,
                "low": max(0.0, row.low),
                "high": row.high,
            }
            for row in judged
        ]
        picture = plots.in_line(rows, report_text("han"), report_text("now"), report_text("in_line"))
        heads = (
            text("lab.yaku"),
            report_text("one_in"),
            report_text("later"),
            report_text("now"),
            report_text("in_line"),
        )
        cells = [_difficulty_cells(row, own) for row in judged]
        whole = collapsed(played_name(ruleset.named), table(heads, cells))
        parts.append(
            f"<h3>{escape(played_name(ruleset.named))}</h3>{_verdict(judged, own)}{figure(picture)}{whole}"
        )
    if parts:
        yield section("difficulty", *parts)


def _verdict(judged: Sequence[Difficulty], own: Own) -> str:
    """Return the sentence that names the yaku paying clearly less or more than their difficulty."""
    less = [yaku_label(row.yaku, own) for row in judged if row.han < row.low]
    more = [yaku_label(row.yaku, own) for row in judged if row.han > row.high]
    sentences = [
        report_text(f"pays_{name}", yaku=listed(yaku))
        for name, yaku in (("less", less), ("more", more))
        if yaku
    ]
    return f"<p>{escape(' '.join(sentences) or report_text('pays_in_line'))}</p>"


def _difficulty_cells(row: Difficulty, own: Own) -> tuple[str, ...]:
    one_in = f"{row.one_in:,.{1 if row.one_in < 10 else 0}f}"
    return (
        yaku_label(row.yaku, own),
        one_in,
        signed(row.later, 1),
        str(row.han),
        (f"{row.in_line:.1f} ({row.low:.1f} … {row.high:.1f})"),
    )


def _distributions(summary: ExperimentSummary, counted: Sequence[Distributions]) -> Iterator[str]:
    """Yield the distributions of win values, turns of hands and scores at the end."""
    names = [played_name(ruleset.named) for ruleset in summary.rulesets]

    def shares(labels: Sequence[str], what: str) -> list[plots.Row]:
        rows: list[plots.Row] = []
        for name, counts in zip(names, counted, strict=True):
            values = getattr(counts, what)
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
    yield section("win_points", figure(plots.bars(shares(wins, "wins"), report_text("thousands"), "%")))
    yield section("turns", figure(plots.bars(shares(turns, "turns"), report_text("turn"), "%")))
    yield section("scores", figure(plots.bars(shares(scores, "scores"), report_text("thousands"), "%")))


def _seats(summary: ExperimentSummary, counted: Sequence[Distributions]) -> Iterator[str]:
    """Yield the points and places by starting seat."""
    plotted = [
        plots.estimate_row(report_text("seat", seat=seat + 1), played_name(ruleset.named), estimate)
        for ruleset in summary.rulesets
        for seat, estimate in enumerate(ruleset.seat_points)
        if estimate is not None
    ]
    heads = ["", *(report_text("place", place=place + 1) for place in range(len(counted[0].places)))]
    tables = []
    for ruleset, counts in zip(summary.rulesets, counted, strict=True):
        total = max(1, summary.games)
        rows = [
            [report_text("seat", seat=seat + 1), *(f"{int(count) / total:.1%}" for count in row)]
            for seat, row in enumerate(counts.places)
        ]
        tables.append(collapsed(played_name(ruleset.named), table(heads, rows)))
    yield section("seats", figure(plots.intervals(plotted, "", ",.0f")), *tables)


def _method(summary: ExperimentSummary) -> Iterator[str]:
    """Yield the method and the precision of the report."""
    rows = [
        (
            played_name(ruleset.named),
            ruleset.named.rules.fingerprint,
            f"{ruleset.hands:,}",
            f"{ruleset.wins:,}",
        )
        for ruleset in summary.rulesets
    ]
    heads = (report_text("ruleset"), report_text("fingerprint"), report_text("hands"), report_text("wins"))
    smallest = report_text("precision", half=_win_rate_precision(summary))
    yield section("method", table(heads, rows), f"<p>{escape(smallest)}</p>")


def _win_rate_precision(summary: ExperimentSummary) -> str:
    """Return the half width of the interval of the first ruleset's win rate."""
    win = summary.rulesets[0].rates["win"]
    half = math.nan if win is None else (win.high - win.low) / 2
    return f"{half:.2%}"
