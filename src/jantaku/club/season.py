"""A season: several events, their ranking over the year, and who qualifies for the final."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from jantaku.adjudication.named_rules import Find
from jantaku.club.event_file import event_from
from jantaku.club.stage_standings import EventStandings, standings
from jantaku.club.templates import template
from jantaku.errors import RequestError
from jantaku.fields import Fields
from jantaku.rules import Ruleset
from jantaku.rules.options import POINTS

VERSION: Final = 1
MOST_PARTS: Final = 50
SEASON_FIELDS: Final = ("jantaku_season", "name", "about", "cut", "parts")
PART_FIELDS: Final = ("id", "name", "ranked", "event", "template")


@dataclass(frozen=True, slots=True)
class YearStanding:
    """A player's place in the year: points over the ranked events, and in how many of them they stand.

    Who has played no game in any of them has no place.
    """

    rank: int
    player: str
    points: int
    events: int


@dataclass(frozen=True, slots=True)
class SeasonStandings:
    """The standings of every event of a season, the ranking of the year, and the players of its final."""

    name: Mapping[str, str]
    events: Mapping[str, EventStandings]
    ranking: tuple[YearStanding, ...]
    finalists: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "ranking": [asdict(one) for one in self.ranking],
            "finalists": list(self.finalists),
            "events": [{"id": name, **found.to_dict()} for name, found in self.events.items()],
        }


def season_standings(
    data: object, default_rules: Ruleset | str = "standard", find: Find | None = None
) -> SeasonStandings:
    """Work out a season from its JSON: parts with an ``event`` or a ``template``, and a ``cut``.

    A player's points of the year are those of the last stage of every part that is ``ranked``; who has
    played no game in them is not ranked. Players with the same points share the rank; ``cut`` takes the
    best, and whoever shares the last place.
    Raises ``RequestError`` and ``RulesError``.
    """
    fields = Fields(data, SEASON_FIELDS)
    version = fields.whole("jantaku_season", 1, POINTS)
    if version > VERSION:
        raise RequestError("event_version", field="jantaku_season", value=version, known=VERSION)
    cut = fields.maybe_whole("cut", 1, POINTS)
    events: dict[str, EventStandings] = {}
    points: list[Mapping[str, int]] = []
    played: set[str] = set()
    for one, within in fields.entries("parts", MOST_PARTS):
        part = Fields(one, PART_FIELDS, within)
        name = part.text("id")
        if name in events:
            raise RequestError("id_twice", field=f"{within}id", value=name)
        events[name] = found = _event(part, default_rules, find)
        if part.typed("ranked", bool, default=True):
            last = list(found.stages.values())[-1]
            standing = [row for row in last if row.rank is not None or row.points]
            points.append({row.player: row.points for row in standing})
            played |= {row.player for rows in found.stages.values() for row in rows if row.games}
    ranking = year_ranking(points, played)
    return SeasonStandings(fields.words("name"), events, ranking, finalists_of(ranking, cut))


def _event(part: Fields, default_rules: Ruleset | str, find: Find | None) -> EventStandings:
    if (part.get("event") is None) == (part.get("template") is None):
        raise RequestError("event_or_template", field=part.within.rstrip("."))
    try:
        data = part["event"] if part.get("template") is None else template(part.text("template"))
        return standings(event_from(data, default_rules, find))
    except RequestError as error:
        if not str(error.details["field"]).startswith(part.within):
            error.details["field"] = f"{part.path('event')}.{error.details['field']}"
        raise


def year_ranking(parts: Iterable[Mapping[str, int]], played: Collection[str]) -> tuple[YearStanding, ...]:
    """The players of a year by the points they have in its ranked parts; equal points share the rank.

    ``played`` are those who have played a game in one of the parts; only they have a place.

    >>> parts = [{"a": 5, "b": 3, "c": 0}, {"b": 2}]
    >>> [(one.rank, one.player, one.points) for one in year_ranking(parts, {"a", "b"})]
    [(1, 'a', 5), (1, 'b', 5)]
    """
    points: dict[str, list[int]] = {}
    for part in parts:
        for player, found in part.items():
            if player in played:
                points.setdefault(player, []).append(found)
    sums = sorted(((player, sum(found)) for player, found in points.items()), key=lambda one: -one[1])
    ranks: dict[int, int] = {}
    for place, (_, total) in enumerate(sums, 1):
        ranks.setdefault(total, place)
    return tuple(YearStanding(ranks[total], player, total, len(points[player])) for player, total in sums)


def finalists_of(ranking: Iterable[YearStanding], cut: int | None) -> tuple[str, ...]:
    """Who qualifies: the best ``cut``, and everybody who shares the last of these places."""
    return () if cut is None else tuple(one.player for one in ranking if one.rank <= cut)
