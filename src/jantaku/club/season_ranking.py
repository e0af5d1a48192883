"""The ranking of a year: what each part of a season gives, and what attendance and places add by rule."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from itertools import groupby
from typing import Any, Final, Literal, Protocol, cast, get_args

from jantaku.club.days import day_of, zone_named
from jantaku.errors import RequestError
from jantaku.fields import Fields, choice, whole
from jantaku.rules.options import POINTS

Rounding = Literal["nearest", "down", "towards_zero"]
PerAttendance = Literal["event", "day", "game"]

ROUNDINGS: Final[tuple[str, ...]] = get_args(Rounding)
PER_ATTENDANCE: Final[tuple[str, ...]] = get_args(PerAttendance)
MOST_GAMES: Final = 100_000
MOST_UNIT: Final = 10_000
MOST_BONUSES: Final = 100


@dataclass(frozen=True, slots=True)
class Attendance:
    """Points for taking part: for each event, day or game that was played, at most for so many.

    A day is one of the ``zone``.
    """

    points: int
    per: PerAttendance = "event"
    most: int | None = None
    zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class YearRules:
    """How a year is counted.

    Who has played fewer than ``min_games`` stands after the others and does not qualify. ``bonus`` has the
    points for the first, second and further places of each part that counts. A share of points is rounded to
    whole ``unit``: to the ``nearest`` (half away from zero), ``down``, or ``towards_zero``.
    """

    min_games: int = 0
    attendance: Attendance | None = None
    bonus: tuple[int, ...] = ()
    unit: int = 1
    rounding: Rounding = "nearest"

    @property
    def by_day(self) -> bool:
        """Whether attendance is counted by days."""
        return self.attendance is not None and self.attendance.per == "day"

    def part_of(self, points: int, share: Fraction) -> int:
        """A share of points, rounded; all of them stay as they are.

        >>> rules = YearRules(unit=1000)
        >>> rules.part_of(-12500, Fraction(1)), rules.part_of(-13000, Fraction(1, 2))
        (-12500, -7000)
        """
        return points if share == 1 else self.rounded(points * share)

    def rounded(self, points: Fraction) -> int:
        """Points in whole units."""
        units = abs(points) / self.unit
        if self.rounding == "nearest":
            units += Fraction(1, 2)
        elif self.rounding == "down" and points < 0:
            units = Fraction(-(-units // 1))
        whole_units = int(units)
        return (whole_units if points >= 0 else -whole_units) * self.unit


@dataclass(frozen=True, slots=True)
class PartResult:
    """A part that counts: points of its last stage, places there, and how often each player has played.

    ``games`` are those of all its stages, ``days`` those on which they were played. Without games there
    is no place.
    """

    points: Mapping[str, int]
    places: Mapping[str, int]
    games: Mapping[str, int]
    days: Mapping[str, frozenset[str]] = field(default_factory=dict)
    share: Fraction = Fraction(1)

    def keyed(self, keys: Mapping[str, str]) -> "PartResult":
        """The same by other keys of its players."""
        given: tuple[Mapping[str, Any], ...] = (self.points, self.places, self.games, self.days)
        points, places, games, days = (
            {keys[player]: value for player, value in row.items()} for row in given
        )
        return PartResult(points, places, games, days, self.share)


@dataclass(frozen=True, slots=True)
class YearStanding:
    """A player's place in the year: points over the ranked events, and in how many of them they stand.

    ``points`` include those for ``attendance`` and the ``bonus`` for places. Anyone who has played in
    none of them has no place.
    """

    rank: int
    player: str
    points: int
    events: int
    games: int = 0
    attendance: int = 0
    bonus: int = 0
    qualified: bool = True


@dataclass(frozen=True, slots=True)
class Year:
    """A year as counted: its ranking, and who qualifies for its final."""

    rules: YearRules
    ranking: tuple[YearStanding, ...]
    finalists: tuple[str, ...]
    cut: int | None = None

    def best(self, may_play: Callable[[str], bool]) -> list[YearStanding]:
        """The finalists of whom ``may_play`` is true, and as many of the next as cannot, ties included."""
        if self.cut is None:
            return []
        there = [row for row in self.ranking if row.qualified and may_play(row.player)]
        return [row for row in there if row.points >= there[: self.cut][-1].points]

    def brought(self, share: Fraction) -> dict[str, int]:
        """The points that the finalists bring into a part: a share of theirs."""
        best = (standing for standing in self.ranking if standing.player in self.finalists)
        return {row.player: self.rules.part_of(row.points, share) for row in best}


class PlayerInStage(Protocol):
    """A player's row in the standings of a stage."""

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


def part_result(
    stages: Iterable[Sequence[PlayerInStage]],
    days: Mapping[str, frozenset[str]] | None = None,
    share: Fraction = Fraction(1),
) -> PartResult:
    """The result of an event for the year, from the standings of its stages."""
    games: defaultdict[str, int] = defaultdict(int)
    rows: Sequence[PlayerInStage] = ()
    for rows in stages:
        for row in rows:
            games[row.player] += row.games
    standing = [row for row in rows if row.rank is not None or row.points]
    return PartResult(
        {row.player: row.points for row in standing},
        {row.player: row.rank for row in standing if row.rank is not None and row.qualified and row.games},
        games,
        days or {},
        share,
    )


def year_ranking(parts: Iterable[PartResult], rules: YearRules = YearRules()) -> tuple[YearStanding, ...]:
    """The players of a year by their points; equal points share the rank.

    >>> first = PartResult({"a": 5, "b": 3, "c": 0}, {}, {"a": 1, "b": 1})
    >>> second = PartResult({"b": 4}, {}, {"b": 1}, share=Fraction(1, 2))
    >>> [(one.rank, one.player, one.points) for one in year_ranking([first, second])]
    [(1, 'a', 5), (1, 'b', 5)]
    """
    parts = tuple(parts)
    given: dict[str, list[int]] = {}
    bonus: defaultdict[str, int] = defaultdict(int)
    games: defaultdict[str, int] = defaultdict(int)
    for part in parts:
        for player, points in part.points.items():
            given.setdefault(player, []).append(rules.part_of(points, part.share))
        for player, points in _bonuses(part.places, rules).items():
            bonus[player] += points
        for player, count in part.games.items():
            games[player] += count
    rows = []
    for player, points_of in given.items():
        if games[player]:
            attended = _attendance(player, parts, rules.attendance)
            total = sum(points_of) + attended + bonus[player]
            qualified = games[player] >= rules.min_games
            rows.append((player, total, len(points_of), games[player], attended, bonus[player], qualified))
    rows.sort(key=lambda row: (not row[6], -row[1]))
    ranking: list[YearStanding] = []
    for _, tied in groupby(rows, key=lambda row: (row[6], row[1])):
        rank = len(ranking) + 1
        ranking += [YearStanding(rank, *row) for row in tied]
    return tuple(ranking)


def _bonuses(places: Mapping[str, int], rules: YearRules) -> dict[str, int]:
    """The bonus of each player for their place; who share a place share what its places bring."""
    bonuses: dict[str, int] = {}
    ordered = sorted(places.items(), key=lambda pair: pair[1])
    taken = 0
    for _, tied in groupby(ordered, key=lambda pair: pair[1]):
        players = [player for player, _ in tied]
        together = sum(rules.bonus[taken : taken + len(players)])
        taken += len(players)
        if together:
            given = together if len(players) == 1 else rules.rounded(Fraction(together, len(players)))
            bonuses |= dict.fromkeys(players, given)
    return bonuses


def _attendance(player: str, parts: Sequence[PartResult], rule: Attendance | None) -> int:
    if rule is None:
        return 0
    if rule.per == "event":
        times = sum(part.games.get(player, 0) > 0 for part in parts)
    elif rule.per == "game":
        times = sum(part.games.get(player, 0) for part in parts)
    else:
        times = len(frozenset[str]().union(*(part.days.get(player, frozenset()) for part in parts)))
    return rule.points * (times if rule.most is None else min(times, rule.most))


def year_of(parts: Iterable[PartResult], rules: YearRules, cut: int | None) -> Year:
    """The year of these parts; its final takes the best ``cut``, and whoever shares the last place."""
    ranking = year_ranking(parts, rules)
    best = (
        ()
        if cut is None
        else tuple(standing.player for standing in ranking if standing.qualified and standing.rank <= cut)
    )
    return Year(rules, ranking, best, cut)


def days_played(
    games: Iterable[tuple[datetime | None, Iterable[str]]], rules: YearRules
) -> dict[str, frozenset[str]]:
    """The days on which each player sat at one of the games, where attendance is counted by days."""
    days: defaultdict[str, set[str]] = defaultdict(set)
    attendance = rules.attendance
    if attendance is not None and rules.by_day:
        zone = zone_named(attendance.zone)
        for at, players in games:
            if day := day_of(at, zone):
                for player in players:
                    days[player].add(day)
    return {player: frozenset(days) for player, days in days.items()}


def year_rules(data: object) -> YearRules:
    """How a year is counted, as JSON says it; raises ``RequestError``."""
    fields = Fields(data, ("min_games", "attendance", "bonus", "unit", "rounding"), "counting.")
    bonus = [
        whole(points, place.rstrip("."), -POINTS, POINTS)
        for points, place in fields.entries("bonus", MOST_BONUSES)
    ]
    rounding = choice(fields.get("rounding", "nearest"), fields.path("rounding"), ROUNDINGS)
    given = fields.get("attendance")
    return YearRules(
        fields.maybe_whole("min_games", 0, MOST_GAMES) or 0,
        None if given is None else _attendance_rule(given, fields.path("attendance.")),
        tuple(bonus),
        fields.maybe_whole("unit", 1, MOST_UNIT) or 1,
        cast("Any", rounding),
    )


def _attendance_rule(data: object, within: str) -> Attendance:
    fields = Fields(data, ("points", "per", "most", "zone"), within)
    zone = fields.text("zone", "UTC")
    return Attendance(
        fields.whole("points", -POINTS, POINTS),
        cast("Any", choice(fields.get("per", "event"), fields.path("per"), PER_ATTENDANCE)),
        fields.maybe_whole("most", 1, MOST_GAMES),
        zone_named(zone, fields.path("zone")).key,
    )


def share_from(value: object, field: str) -> Fraction:
    """A share of points, from none (0) to all (1), as it was written: 0.1 is a tenth."""
    if type(value) not in (int, float) or not 0 <= cast("float", value) <= 1:
        raise RequestError("number_range", field=field, value=str(value)[:64], low=0, high=1)
    return Fraction(repr(value))
