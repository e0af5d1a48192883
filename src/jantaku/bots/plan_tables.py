"""Plans of a ruleset: every yaku that depends on the hand, with its targets and its value.

A plan is derived from the condition of its yaku (``bots.sketches``). It has the ruleset's value and the usual
one: how much people like a plan is known only at its usual value.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from jantaku.bots.sketches import targets_of
from jantaku.bots.targets import Target, rows_of
from jantaku.kernels.points import base_points
from jantaku.kernels.rules import rules_record
from jantaku.rules import Ruleset, load
from jantaku.rules.catalogue import LIMIT_HAN, MAX_HAN, YAKUMAN, YAKUMAN_BASE, Worth, catalogue, han_of
from jantaku.rules.own.written import written
from jantaku.rules.worths import worths

USUAL_RULES: Final = "tenhou"  # the rules of the games from which people's habits are known
TASTES: Final = (
    "honitsu", "chinitsu", "toitoi", "chiitoitsu", "sanshoku_doujun", "ittsuu", "chanta", "iipeikou",
    "sanshoku_doukou", "shousangen", "tanyao", "pinfu",
)  # fmt: skip
"""Yaku for which it is known how much people like to plan for them (``bots.weights``)."""
LIKELY: Final = 0.3  # an open hand does not rely on a yaku whose circumstances are less likely than this
MAX_CACHED: Final = 256

# Columns of a plan; a value is in han, or encoded as below
(CLOSED, OPEN, USUAL_CLOSED, USUAL_OPEN, TASTE, SHARE_CLOSED, SHARE_OPEN, COUNTS, BEGIN, END) = range(10)
COLUMNS: Final = 10
NOTHING: Final = -1.0  # the yaku does not count
FROM_LIMIT: Final = 50.0  # added to the han of the limit
FROM_YAKUMAN: Final = 100.0  # for each yakuman
POINTS: Final = MAX_HAN + 1
FU: Final = 30


class PlanTables(NamedTuple):
    """The plans of a ruleset as arrays: ``plans`` (``[n, COLUMNS]``), ``targets`` (``[m, targets.COLUMNS]``).

    ``points`` has the points of a win of 0, 1 … han, and as its last entry those of a yakuman. ``differs`` is
    whether any value is not the usual one; ``names`` are the yaku of the plans.
    """

    names: tuple[str, ...]
    plans: npt.NDArray[np.float64]
    targets: npt.NDArray[np.int64]
    points: npt.NDArray[np.float64]
    differs: bool


_cached: dict[str, PlanTables] = {}


def tables_of(rules: Ruleset) -> PlanTables:
    """Return the plans of a ruleset, cached by fingerprint."""
    tables = _cached.get(rules.fingerprint)
    if tables is None:
        if len(_cached) >= MAX_CACHED:
            _cached.pop(next(iter(_cached)))
        tables = _cached[rules.fingerprint] = _build(rules)
    return tables


def planned(rules: Ruleset) -> dict[str, tuple[Target, ...]]:
    """Return the targets of every yaku that depends on tiles, of the catalogue and of the ruleset."""
    own = {yaku.id: targets_of(yaku.condition) for yaku in rules.own_yaku}
    return {name: targets for name, targets in {**_of_catalogue(), **own}.items() if targets}


@cache
def _of_catalogue() -> dict[str, tuple[Target, ...]]:
    return {name: targets_of(when) for name, when in written().items()}


def _build(rules: Ruleset) -> PlanTables:
    kept: dict[str, tuple[Target, ...]] = {}
    rows, begin = [], 0
    for name, ways in planned(rules).items():
        row = _row(name, rules)
        if max(row[: USUAL_OPEN + 1]) == NOTHING:
            continue
        likely = max(target.chance for target in ways) >= LIKELY
        rows.append((*row, float(likely and _may_win(rules, name)), begin, begin + len(ways)))
        kept[name] = ways
        begin += len(ways)
    record = rules_record(rules)[0]
    points = [4.0 * base_points(han, FU, record) for han in range(POINTS)] + [4.0 * YAKUMAN_BASE]
    table = np.array(rows, np.float64).reshape(-1, COLUMNS)
    differs = bool((table[:, CLOSED : OPEN + 1] != table[:, USUAL_CLOSED : USUAL_OPEN + 1]).any())
    return PlanTables(tuple(kept), table, rows_of(kept.values()), np.array(points), differs)


def _may_win(rules: Ruleset, name: str) -> bool:
    return rules.yaku[name].minimum


def _row(name: str, rules: Ruleset) -> tuple[float, ...]:
    """Return a yaku's value, usual value, number in ``TASTES``, and the share of the usual value it keeps."""
    now = [_added(name, rules, side) for side in (0, 1)]
    usual = [_added(name, load(USUAL_RULES), side) if name in catalogue() else NOTHING for side in (0, 1)]
    taste = TASTES.index(name) if name in TASTES else -1
    shares = [_share(new, old) for new, old in zip(now, usual, strict=True)]
    return (*now, *usual, taste, *shares)


def _share(now: float, usual: float) -> float:
    return 1.0 if usual <= 0.0 or now >= usual else max(now, 0.0) / usual


def _added(name: str, rules: Ruleset, side: int) -> float:
    """Return what a yaku adds to a hand: its value minus that of the yaku it replaces."""
    worth = worths(rules, name)[side] if name in catalogue() else _own_worth(rules, name, side)
    code = _code(worth)
    if 0.0 <= code < FROM_LIMIT:
        others = [_worth(rules, other, side) for other in rules.yaku[name].replaces]
        code = max(code - max((float(han_of(other)) for other in others), default=0.0), 0.0)
    return code


def _worth(rules: Ruleset, name: str, side: int) -> Worth:
    return worths(rules, name)[side] if name in catalogue() else _own_worth(rules, name, side)


def _own_worth(rules: Ruleset, name: str, side: int) -> Worth:
    value = rules.yaku[name]
    return value.open if side else value.closed


def _code(worth: Worth) -> float:
    """Encode a value as one number."""
    if worth is False:
        return NOTHING
    if worth in YAKUMAN:
        return FROM_YAKUMAN * YAKUMAN[str(worth)]
    return FROM_LIMIT + LIMIT_HAN[worth] if worth in LIMIT_HAN else float(worth)
