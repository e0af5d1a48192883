"""The standings in an exported workbook of an event, recalculated from the points at the end of its games.

It relies on the columns of the sheets and on rules stated as data, and uses no code of the product.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

import openpyxl

NOTHING: Final[Mapping[str, int]] = MappingProxyType({})
GAME, SEAT = (
    5,
    5,
)  # number of columns before the first seat, and the columns of a seat: id, name, points, final, place


@dataclass(frozen=True)
class RuleText:
    """The rules for points: return points, uma by place, oka, and whether tied players share a place."""

    back: int
    uma: Sequence[int]
    oka: int = 0
    shares: bool = False


@dataclass(frozen=True)
class StageText:
    """A stage: its name, the share of points carried over, and the stage it follows."""

    name: str
    carry: Fraction = Fraction(0)
    after: str = ""


def away_from_zero(points: Fraction) -> int:
    """Round to whole points, halves away from zero."""
    whole = int(abs(points) + Fraction(1, 2))
    return whole if points > 0 else -whole


def game_points(scores: Sequence[int], rules: RuleText) -> list[int]:
    """Return points without penalties: each score minus the return points, plus uma and oka."""
    worth = [rules.uma[0] + rules.oka, *rules.uma[1:]]
    points = []
    for seat, score in enumerate(scores):
        above = sum(other > score for other in scores)
        equal = [i for i, other in enumerate(scores) if other == score]
        rank = above if rules.shares else above + equal.index(seat)
        given = sum(worth[above : above + len(equal)]) if rules.shares else worth[rank]
        count = len(equal) if rules.shares else 1
        points.append(score - rules.back + away_from_zero(Fraction(given, count)))
    return points


class Workbook:
    """The rows of an exported workbook."""

    def __init__(self, data: bytes) -> None:
        book = openpyxl.load_workbook(BytesIO(data))
        self.titles = book.sheetnames
        sheets: dict[str, Any] = {name: book[name] for name in self.titles}
        rows: dict[str, list[Any]] = {
            name: list(sheet.iter_rows(values_only=True)) for name, sheet in sheets.items()
        }
        self.standings = rows[self.titles[0]][1:]
        games = next(name for name in self.titles if len(rows[name][0]) >= GAME + 3 * SEAT)
        head = rows[games][0]
        self.first = next(i for i, title in enumerate(head) if ":" in str(title))
        self.seats = (len(head) - self.first) // SEAT
        self.games = rows[games][1:]
        last = rows[self.titles[-1]]
        self.penalties = last[1:] if len(last[0]) == 6 else []

    def counted(
        self, rules: RuleText, stages: Sequence[StageText], brought: Mapping[str, int]
    ) -> dict[tuple[str, str], tuple[int, int]]:
        """Return points and number of games by stage and player; ``brought`` has initial points by name."""
        cells: dict[tuple[str, str], tuple[int, int]] = {}
        for stage in stages:
            sums: dict[str, list[int]] = {}
            for row in self.games:
                if row[1] != stage.name:
                    continue
                seats = [row[self.first + SEAT * i : self.first + SEAT * (i + 1)] for i in range(self.seats)]
                within = self._penalties_within(row[0])
                points = game_points([int(seat[2]) for seat in seats], rules)
                for (player, _, _, final, _), own in zip(seats, points, strict=True):
                    assert own + within.get(player, 0) == final, row
                    sums.setdefault(str(player), []).append(int(final))
            named = {str(row[2]): str(row[3]) for row in self.standings if row[0] == stage.name}
            for player, name in named.items():
                penalty = sum(
                    int(row[4])
                    for row in self.penalties
                    if (row[0], row[1] or "", row[2]) == (stage.name, "", player)
                )
                carried = brought.get(name, 0)
                if stage.after:
                    carried = away_from_zero(stage.carry * cells[stage.after, player][0])
                finals = sums.get(player, [])
                cells[stage.name, player] = (sum(finals) + penalty + carried, len(finals))
        return cells

    def _penalties_within(self, game: Any) -> dict[Any, int]:
        """Return the penalties imposed within a game by player."""
        counts: dict[Any, int] = {}
        for row in self.penalties:
            if row[1] == game:
                counts[row[2]] = counts.get(row[2], 0) + int(row[4])
        return counts


def differences(
    data: bytes, rules: RuleText, stages: Sequence[StageText], brought: Mapping[str, int] = NOTHING
) -> list[str]:
    """List where the standings of a workbook differ from its games or are out of order."""
    book = Workbook(data)
    counted = book.counted(rules, stages, brought)
    wrong = []
    for stage in stages:
        rows = [row for row in book.standings if row[0] == stage.name]
        assert rows, stage
        for row in rows:
            own = counted[stage.name, str(row[2])]
            if own != (row[5], row[8]):
                wrong.append(f"{stage.name}, {row[3]}: {own} counted, {row[5], row[8]} exported")
        ranked = [row for row in rows if row[1] is not None and row[8]]
        for better, worse in pairwise(ranked):
            if int(better[5]) < int(worse[5]):
                wrong.append(f"{stage.name}: {better[3]} stands above {worse[3]}")
            sharing = better[1] == worse[1]
            if (better[1] > worse[1]) or (sharing and better[5] != worse[5]):
                wrong.append(f"{stage.name}: the ranks of {better[3]} and {worse[3]}")
    return wrong
