"""What two rulesets of an experiment can be compared in: one row for each rate, mean, seat and yaku."""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from jantaku.lab.experiment.estimates import Estimate
from jantaku.lab.experiment.names import NO_LOCAL, Local, made_name, rate_name
from jantaku.lab.experiment.summary import Differences, ExperimentSummary, RulesetEstimates
from jantaku.terms import text

Kind = Literal["share", "points", "number"]
"""What a row counts: a share, points, or another number."""
_KINDS: Final[dict[str, Kind]] = {"mean_win": "points", "hand_turns": "number", "win_turn": "number"}


class ComparedRow(NamedTuple):
    """One quantity before and after a change of the rules, and the difference on the same walls.

    ``group`` and ``name`` say which (``row_label`` in words); what could not be estimated is ``None``.
    """

    group: str
    name: str
    kind: Kind
    before: Estimate | None
    after: Estimate | None
    change: Estimate | None


def is_clear(change: Estimate | None) -> bool:
    """Whether the interval of a difference leaves out zero."""
    return change is not None and (change.low > 0 or change.high < 0)


def row_label(group: str, name: str, local: Local = NO_LOCAL) -> str:
    """The name of a row in the current language; ``local`` are local yaku (``names.local_of``)."""
    if group == "rate":
        return rate_name(name)
    if group == "mean":
        return text(f"lab.{name}")
    if group == "seat":
        return text("lab.seat_points", seat=int(name) + 1)
    return text(f"lab.{group}_of", yaku=made_name(name, local))


Plain = tuple[str, str, Kind, Estimate | None]


def plain_rows(one: RulesetEstimates | Differences) -> Iterator[Plain]:
    """Rates, means and scores by seat: group, name, kind and estimate."""
    for name, rate in one.rates.items():
        yield "rate", name, "share", rate
    for name, mean in one.means.items():
        yield "mean", name, _KINDS[name], mean
    for seat, points in enumerate(one.seat_points):
        yield "seat", str(seat), "points", points


def compared_rows(found: ExperimentSummary, place: int = 1) -> Iterator[ComparedRow]:
    """All rows of the first ruleset and the one at ``place``."""
    first, second, difference = found.rulesets[0], found.rulesets[place], found.paired[place - 1]
    rows = zip(plain_rows(first), plain_rows(second), plain_rows(difference), strict=True)
    for (group, name, kind, value), (*_, other), (*_, change) in rows:
        yield ComparedRow(group, name, kind, value, other, change)
    for name, yaku in first.yaku.items():
        other_yaku, changes = second.yaku[name], difference.yaku[name]
        yield ComparedRow("share", name, "share", yaku.share, other_yaku.share, changes.get("share"))
        yield ComparedRow("points", name, "points", yaku.points, other_yaku.points, changes.get("points"))
