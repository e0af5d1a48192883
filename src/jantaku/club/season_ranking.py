"""The ranking of a year, computed from the parts of a season."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any, Protocol, cast

from jantaku.club.stage_standings import rounded
from jantaku.errors import RequestError


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of a ranked part: points in its last stage, and each player's games over all its stages."""

    points: Mapping[str, int]
    games: Mapping[str, int]
    share: Fraction = Fraction(1)

    def keyed(self, keys: Mapping[str, str]) -> "PartResult":
        """Return the result with other keys for its players."""
        given: tuple[Mapping[str, Any], ...] = (self.points, self.games)
        points, games = ({keys[player]: value for player, value in row.items()} for row in given)
        return PartResult(points, games, self.share)


@dataclass(frozen=True, slots=True)
class YearStanding:
    """A player's position in the year: total points of the ranked events, and how many events gave points.

    Players without a game in these events have no rank.
    """

    rank: int
    player: str
    points: int
    events: int
    games: int = 0
    qualified: bool = True


@dataclass(frozen=True, slots=True)
class Year:
    """The ranking of a year and the players who qualify for its final."""

    ranking: tuple[YearStanding, ...]
    finalists: tuple[str, ...]
    cut: int | None = None

    def best(self, may_play: Callable[[str], bool]) -> list[YearStanding]:
        """Return the best eligible players; others replace finalists who cannot play, and ties qualify."""
        if self.cut is None:
            return []
        eligible = [row for row in self.ranking if row.qualified and may_play(row.player)]
        return [row for row in eligible if row.points >= eligible[: self.cut][-1].points]

    def brought(self, share: Fraction) -> dict[str, int]:
        """Return the points that each finalist brings into a part: ``share`` of their total."""
        best = (standing for standing in self.ranking if standing.player in self.finalists)
        return {row.player: rounded(row.points * share) for row in best}


class PlayerInStage(Protocol):
    """The fields of a player's stage standing that the ranking of the year needs."""

    @property
    def player(self) -> str: ...  # noqa: D102
    @property
    def rank(self) -> int | None: ...  # noqa: D102
    @property
    def points(self) -> int: ...  # noqa: D102
    @property
    def games(self) -> int: ...  # noqa: D102
    @property
    def qualified(self) -> bool: ...  # noqa: D102


def part_result(stages: Iterable[Sequence[PlayerInStage]], share: Fraction = Fraction(1)) -> PartResult:
    """Return the result of an event for the year, from the standings of its stages."""
    games: defaultdict[str, int] = defaultdict(int)
    rows: Sequence[PlayerInStage] = ()
    for rows in stages:
        for row in rows:
            games[row.player] += row.games
    points = {row.player: row.points for row in rows if row.rank is not None or row.points}
    return PartResult(points, games, share)


def year_of(parts: Iterable[PartResult], min_games: int = 0, cut: int | None = None) -> Year:
    """Rank the year; its final admits the best ``cut`` players and all tied for the last place.

    Players with equal points share a rank. Players with fewer than ``min_games`` rank last and do not
    qualify.

    >>> first = PartResult({"a": 5, "b": 3, "c": 0}, {"a": 1, "b": 1})
    >>> second = PartResult({"b": 4}, {"b": 1}, share=Fraction(1, 2))
    >>> [(one.rank, one.player, one.points) for one in year_of([first, second]).ranking]
    [(1, 'a', 5), (1, 'b', 5)]
    """
    given: dict[str, list[int]] = {}
    games: defaultdict[str, int] = defaultdict(int)
    for part in parts:
        for player, points in part.points.items():
            given.setdefault(player, []).append(rounded(points * part.share))
        for player, count in part.games.items():
            games[player] += count
    rows = [
        (player, sum(points_of), len(points_of), games[player], games[player] >= min_games)
        for player, points_of in given.items()
        if games[player]
    ]
    rows.sort(key=lambda row: (not row[4], -row[1]))
    ranking: list[YearStanding] = []
    for _, tied in groupby(rows, key=lambda row: (row[4], row[1])):
        rank = len(ranking) + 1
        ranking += [YearStanding(rank, *row) for row in tied]
    best = () if cut is None else tuple(row.player for row in ranking if row.qualified and row.rank <= cut)
    return Year(tuple(ranking), best, cut)


def share_from(value: object, field: str) -> Fraction:
    """Read a share of points from 0 to 1, exactly as its decimals are written: 0.1 is one tenth."""
    if type(value) not in (int, float) or not 0 <= cast("float", value) <= 1:
        raise RequestError("number_range", field=field, value=str(value)[:64], low=0, high=1)
    return Fraction(repr(value))
