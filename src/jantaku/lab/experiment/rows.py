"""The rows of a comparison of two rulesets: one for each rate, mean, seat, place and yaku."""

import math
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from jantaku.lab.experiment.estimates import Estimate, RatioDifference
from jantaku.lab.experiment.names import NO_OWN, Own, rate_name, share_change, yaku_label
from jantaku.lab.experiment.significance import judge
from jantaku.lab.experiment.summary import Differences, ExperimentSummary, RulesetEstimates
from jantaku.terms import signed, text
from jantaku.terms.literals import MINUS

Kind = Literal["share", "points", "number"]
"""The unit of a row: a share, points, or another number."""
_KINDS: Final[dict[str, Kind]] = {
    "mean_win": "points",
    "hand_turns": "number",
    "win_turn": "number",
    "game_hands": "number",
    "dealer_points": "points",
    "minutes": "number",
    "average_final": "points",
    "final_spread": "points",
}


_GAME_ROWS: Final = {
    "rate": ("bust", "comeback", "turned", "better", "repeat"),
    "mean": ("game_hands", "minutes", "final_spread", "dealer_points"),
    "place": (),
}
"""Rows about a game as a whole, by group; an empty tuple selects the entire group."""


def is_game_row(group: str, name: str) -> bool:
    """Return whether a row is about games as a whole rather than single hands."""
    names = _GAME_ROWS.get(group)
    return names is not None and (name in names or not names)


def kind_of(group: str, name: str) -> Kind:
    """Return the unit of a row."""
    if group == "mean":
        return _KINDS[name]
    return "share" if group in ("rate", "share") else "points"


class ComparedRow(NamedTuple):
    """One quantity before and after a change of the rules, and the difference on the same walls.

    ``group`` and ``name`` identify the quantity (``row_label`` names it); estimates that are impossible are
    ``None``. The intervals of all changes hold simultaneously and at any time (``judge``); ``clear`` means
    that the interval excludes zero.
    """

    group: str
    name: str
    kind: Kind
    before: Estimate | None
    after: Estimate | None
    change: Estimate | None
    clear: bool


def clarity(row: ComparedRow) -> float:
    """Return the difference in half widths of its interval, as a sort key."""
    if row.change is None:
        return 0.0
    half = (row.change.high - row.change.low) / 2
    return abs(row.change.value) / half if half > 0 else float(row.clear)


def effect_size(row: ComparedRow) -> float:
    """Return the size of a difference as a sort key: Cohen's h for shares, else the log of the ratio."""
    if row.before is None or row.after is None:
        return 0.0
    before, after = row.before.value, row.after.value
    if row.kind == "share":
        return abs(2 * (math.asin(math.sqrt(before)) - math.asin(math.sqrt(after))))
    return abs(math.log(after / before)) if before * after > 0 else math.inf


def row_label(group: str, name: str, own: Own = NO_OWN) -> str:
    """Return the name of a row in the current language; ``own`` are the custom yaku (``names.own_of``)."""
    if group == "rate":
        return rate_name(name)
    if group == "mean":
        return text(f"lab.{name}")
    if group == "seat":
        return text("lab.seat_points", seat=int(name) + 1)
    if group == "place":
        return text("lab.place_points", place=int(name))
    return text(f"lab.{group}_of", yaku=yaku_label(name, own))


def with_minus(numbers: str) -> str:
    """Replace hyphens by minus signs, as ``signed`` writes them."""
    return numbers.replace("-", MINUS)


def _share(value: float) -> str:
    return f"{value:.2%}" if not 0 < value < _MIN_SHARE else f"< {_MIN_SHARE:.2%}"


def _points(value: float) -> str:
    return f"{value:,.0f}"


def _number(value: float) -> str:
    return f"{value:.2f}"


_MIN_SHARE: Final = 0.0001  # a smaller share would be rounded to zero
_DIGITS: Final = {"points": 0, "number": 2}
_FORMATS: Final = {"share": _share, "points": _points, "number": _number}


def value_words(estimate: Estimate | None, kind: Kind) -> str:
    """Format an estimate without its interval."""
    return "–" if estimate is None else with_minus(_FORMATS[kind](estimate.value))


def change_words(row: ComparedRow) -> str:
    """Format a difference with its interval: ``+1.20 pp (+0.80 … +1.60)``."""
    if row.change is None:
        return "–"
    if row.kind == "share":
        return share_change(row.change)
    value, low, high = (signed(estimate, _DIGITS[row.kind]) for estimate in row.change)
    return f"{value} ({low} … {high})"


Plain = tuple[str, str, Kind, Estimate | None]


def plain_rows(estimates: RulesetEstimates) -> Iterator[Plain]:
    """Yield rates, means, and points by seat and by place: group, name, kind and estimate."""
    for name, rate in estimates.rates.items():
        yield "rate", name, "share", rate
    for name, mean in estimates.means.items():
        yield "mean", name, kind_of("mean", name), mean
    for seat, points in enumerate(estimates.seat_points):
        yield "seat", str(seat), "points", points
    for place, points in enumerate(estimates.place_points, 1):
        yield "place", str(place), "points", points


def _all_rows(estimates: RulesetEstimates) -> Iterator[Plain]:
    """Yield the rows of ``plain_rows``, then the share and points of each yaku."""
    yield from plain_rows(estimates)
    for name, yaku in estimates.yaku.items():
        yield "share", name, "share", yaku.share
        yield "points", name, "points", yaku.points


def _difference(change: Differences, group: str, name: str) -> RatioDifference | None:
    if group == "seat":
        return change.seat_points[int(name)]
    if group == "place":
        return change.place_points[int(name) - 1]
    plain = {"rate": change.rates, "mean": change.means}.get(group)
    return change.yaku[name].get(group) if plain is None else plain[name]


def compared_rows(summary: ExperimentSummary, change: Differences | None = None) -> list[ComparedRow]:
    """Return all rows of two rulesets of a summary: those of ``change``, by default the first two."""
    change = change or summary.paired[0]
    pairs = zip(
        _all_rows(summary.ruleset(change.against)), _all_rows(summary.ruleset(change.name)), strict=True
    )
    rows = [(*row, after, _difference(change, *row[:2])) for row, (*_, after) in pairs]
    known = iter(judge([row[-1] for row in rows if row[-1] is not None], summary.games, summary.wanted))
    return [ComparedRow(*row[:-1], *((None, False) if row[-1] is None else next(known))) for row in rows]
