"""A season: several events, their ranking over the year, and the players who qualify for the final."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Final

from jantaku.adjudication.named_rules import Find
from jantaku.club.event import ClubEvent
from jantaku.club.event_file import event_from, in_one_language
from jantaku.club.season_people import season_people
from jantaku.club.season_ranking import (
    Year,
    YearStanding,
    part_result,
    share_from,
    year_of,
)
from jantaku.club.stage_standings import EventStandings, standings
from jantaku.club.templates import template
from jantaku.errors import RequestError
from jantaku.fields import Fields
from jantaku.rules import Ruleset
from jantaku.rules.options import POINTS

VERSION: Final = 1
MAX_PARTS: Final = 50
SEASON_FIELDS: Final = ("jantaku_season", "name", "about", "cut", "min_games", "parts")
PART_FIELDS: Final = ("id", "name", "ranked", "share", "brings", "event", "template")


@dataclass(frozen=True, slots=True)
class SeasonStandings:
    """The standings of every event of a season, the ranking of the year, and the players of its final.

    ``names`` maps each person's ranking key to their name, ``entries`` to their player ids by part.
    """

    name: str
    events: Mapping[str, EventStandings]
    ranking: tuple[YearStanding, ...]
    finalists: tuple[str, ...]
    names: Mapping[str, str]
    entries: Mapping[str, Mapping[str, str]]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of the season; rankings include names and player ids."""
        return {
            "ranking": [
                {
                    **asdict(standing),
                    "name": self.names[standing.player],
                    "entries": dict(self.entries[standing.player]),
                }
                for standing in self.ranking
            ],
            "finalists": list(self.finalists),
            "events": [{"id": name, **standings.to_dict()} for name, standings in self.events.items()],
        }


def season_standings(
    data: object, default_rules: Ruleset | str = "standard", find: Find | None = None
) -> SeasonStandings:
    """Compute the standings of a season from JSON: parts with an ``event`` or a ``template``, and a ``cut``.

    A player's points for the year are the sum over all ``ranked`` parts of ``share`` × the points in the last
    stage. Players without a game in these parts are not ranked; players with fewer than ``min_games`` rank
    last. Players with equal points share a rank. ``cut`` admits the top players, including ties for the last
    place. Finalists bring a share of their points for the year into a part with ``brings``. Raises
    ``RequestError`` and ``RulesError``.
    """
    fields = Fields(in_one_language(data), SEASON_FIELDS)
    version = fields.whole("jantaku_season", 1, POINTS)
    if version > VERSION:
        raise RequestError("event_version", field="jantaku_season", value=version, known=VERSION)
    cut = fields.optional_whole("cut", 1, POINTS)
    min_games = fields.optional_whole("min_games", 0, POINTS) or 0
    given: dict[str, ClubEvent] = {}
    ranked, shares = list[tuple[str, Fraction]](), dict[str, Fraction]()
    for row, within in fields.entries("parts", MAX_PARTS):
        part = Fields(row, PART_FIELDS, within)
        name = part.text("id")
        if name in given:
            raise RequestError("id_twice", field=f"{within}id", value=name)
        given[name] = _event(part, default_rules, find)
        shares[name] = share_from(part.get("brings", 0), part.path("brings"))
        share = share_from(part.get("share", 1), part.path("share"))
        if part.typed("ranked", bool, default=True):
            ranked.append((name, share))
    people = season_people([event.players for event in given.values()])
    keys = {
        name: {person.entries[i]: person.key for person in people if i in person.entries}
        for i, name in enumerate(given)
    }
    results = [
        part_result(standings(given[name]).stages.values(), share).keyed(keys[name]) for name, share in ranked
    ]
    year = year_of(results, min_games, cut)
    events = {
        name: standings(_bringing(event, year, shares[name], keys[name])) for name, event in given.items()
    }
    parts = list(given)
    return SeasonStandings(
        fields.text("name", ""),
        events,
        year.ranking,
        year.finalists,
        {person.key: person.label for person in people},
        {person.key: {parts[i]: entry for i, entry in person.entries.items()} for person in people},
    )


def events_in(data: object) -> list[object]:
    """Return the JSON of all events of a season; unreadable parts are skipped."""
    parts = data.get("parts") if isinstance(data, Mapping) else None
    events = []
    for part in parts if isinstance(parts, list) else []:
        if isinstance(part, Mapping):
            with suppress(RequestError):
                named = part.get("template")
                events.append(part.get("event") if named is None else template(named))
    return events


def _bringing(event: ClubEvent, year: Year, share: Fraction, keys: Mapping[str, str]) -> ClubEvent:
    """Return the event with the points its players bring; ``keys`` maps player ids to ranking keys."""
    if not share:
        return event
    points = year.brought(share)
    brought = {player: points[key] for player, key in keys.items() if key in points}
    players = (
        replace(player, brought=brought[player.id]) if player.id in brought else player
        for player in event.players
    )
    return replace(event, players=tuple(players))


def _event(part: Fields, default_rules: Ruleset | str, find: Find | None) -> ClubEvent:
    if (part.get("event") is None) == (part.get("template") is None):
        raise RequestError("event_or_template", field=part.within.rstrip("."))
    try:
        data = part["event"] if part.get("template") is None else template(part.text("template"))
        return event_from(data, default_rules, find)
    except RequestError as error:
        if not str(error.details["field"]).startswith(part.within):
            error.details["field"] = f"{part.path('event')}.{error.details['field']}"
        raise
