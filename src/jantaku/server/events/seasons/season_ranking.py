"""The ranking of a season's year from its events, and its best in the final."""

import json
from collections import defaultdict
from collections.abc import Container, Iterable
from datetime import UTC, datetime
from itertools import combinations
from typing import Final, NamedTuple

from jantaku.club.namesakes import same_name
from jantaku.club.season_ranking import (
    PartResult,
    Year,
    YearRules,
    YearStanding,
    days_played,
    part_result,
    share_from,
    year_of,
    year_rules,
)
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_rights import ORGANISER, changing, hidden, rights_in
from jantaku.server.events.common.event_shown import entry_name
from jantaku.server.events.registration.entries import Qualified, add_finalists
from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.seasons.season_bodies import FinalistsEntered, YearEntry, YearRanking, YearRow
from jantaku.server.events.seasons.seasons import demand_organiser, organises
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.schema import recorded_games
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language

GONE: Final = ("withdrawn", "refused")


class Ranked(NamedTuple):
    """The year, a row for each of its players, and the newest entry of each by their key."""

    year: Year
    rows: list[YearRow]
    entries: dict[str, EntryRow]


class _CountedPart(NamedTuple):
    """A part that counts: its result by keys, and what each entry shows of it."""

    result: PartResult
    shown: dict[str, YearEntry]
    entries: dict[str, EntryRow]


async def year(kit: ResultsKit, season: SeasonRow, who: PersonRow | None, language: Language) -> YearRanking:
    """The ranking of the year; raises ``standings_hidden`` if one of its standings is hidden from ``who``."""
    ranked = await _ranked(kit, season, who, language)
    twice = _twice(ranked) if organises(season, who) else []
    return YearRanking(cut=season.cut, ranking=ranked.rows, twice=twice)


def _twice(ranked: Ranked) -> list[str]:
    """The names of people who never meet in a part, and of whom one has an account and the other none."""
    alike = defaultdict[str, list[tuple[EntryRow, set[str]]]](list)
    for standing, row in zip(ranked.year.ranking, ranked.rows, strict=True):
        entry = ranked.entries[standing.player]
        if entry.erased is None:
            alike[same_name(entry.name)].append((entry, {shown.part for shown in row.entries}))
    return [
        people[0][0].name
        for people in alike.values()
        if any(
            (one.person is None) != (other.person is None) and not parts & others
            for (one, parts), (other, others) in combinations(people, 2)
        )
    ]


def rules_of(season: SeasonRow) -> YearRules:
    """How the year of a season is counted."""
    return year_rules(json.loads(season.counting))


async def _ranked(
    kit: ResultsKit, season: SeasonRow, who: PersonRow | None, language: Language | None = None
) -> Ranked:
    rules = rules_of(season)
    parts = [
        standings
        for part in season.parts
        if part.event is not None and part.ranked and (standings := await _counted(kit, part, rules, who))
    ]
    newest = {key: entry for part in parts for key, entry in part.entries.items()}
    year = year_of([part.result for part in parts], rules, season.cut)
    finalists = await _finalists(kit.services, season, year, newest)
    rows = [
        YearRow.of(
            row,
            name=entry_name(newest[row.player], language),
            finalist=row.player in finalists,
            withdrawn=row.player in year.finalists and row.player not in finalists,
            mine=who is not None and newest[row.player].person == who.id,
            entries=[part.shown[row.player] for part in parts if row.player in part.shown],
        )
        for row in year.ranking
    ]
    return Ranked(year, rows, newest)


async def _finalists(
    services: Services, season: SeasonRow, year: Year, entries: dict[str, EntryRow]
) -> frozenset[str]:
    """Who plays the finals: those who qualify, and who has moved up for those who do not play there."""
    last = max((i for i, part in enumerate(season.parts) if part.ranked), default=-1)
    finals = [part.event for part in season.parts[last + 1 :] if part.event is not None]
    if not finals:
        return frozenset(year.finalists)
    players = set[str]()
    for event in finals:
        players |= set(_best(year, entries, _gone(await services.entries.all(event))))
    return frozenset(players)


def _best(year: Year, entries: dict[str, EntryRow], gone: Container[str]) -> dict[str, YearStanding]:
    """The best of the year who may play in a final that some have left."""
    return {row.player: row for row in year.best(lambda player: _may_play(entries[player], gone))}


def _gone(entries: Iterable[EntryRow]) -> set[str]:
    """The people and accounts that have withdrawn from an event, or were refused there."""
    return {key for entry in entries if entry.status in GONE for key in (entry.player, entry.person) if key}


async def _counted(
    kit: ResultsKit, part: PartRow, rules: YearRules, who: PersonRow | None
) -> _CountedPart | None:
    """What a part counts; ``None`` if its event was cancelled."""
    rights = await rights_in(kit.services, part.event or "", who)
    if rights.event.status == "cancelled":
        return None
    if hidden(rights):
        raise ServerError("standings_hidden")
    standings = await kit.standings.get(rights.event)
    entries = {entry.id: entry for entry in await kit.services.entries.all(rights.event.id)}
    keys = {entry.id: entry.player for entry in entries.values()}
    days = await _days(kit.services, rights.event.id, rules)
    share = share_from(part.share, "share")
    result = part_result([stage.standings for stage in standings.stages], days, share)
    shown = {
        keys[entry]: YearEntry(part=part.id, entry=entry, points=rules.part_of(points, share))
        for entry, points in result.points.items()
    }
    return _CountedPart(result.keyed(keys), shown, {keys[entry]: entries[entry] for entry in result.points})


async def _days(services: Services, event: str, rules: YearRules) -> dict[str, frozenset[str]]:
    if not rules.by_day:
        return {}
    games = await services.recorded.all(event, recorded_games.c.status == "confirmed")
    played = (
        (None if game.at is None else datetime.fromtimestamp(game.at / 1000, UTC), game.players)
        for game in games
    )
    return days_played(played, rules)


async def enter_finalists(kit: ResultsKit, season: SeasonRow, who: PersonRow, name: str) -> FinalistsEntered:
    """Enter the best of the year into the event of a part, with the points they bring; who plays stays.

    For those who have withdrawn or were refused there, the next of the year move up.
    """
    demand_organiser(season, who)
    part = next((part for part in season.parts if part.id == name), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    rights = await rights_in(kit.services, part.event, who, ORGANISER)
    ranked = await _ranked(kit, season, who)
    entries = await kit.services.entries.all(part.event)
    gone = _gone(entries)
    brings = share_from(part.brings, "brings")
    people, left_out = list[Qualified](), list[str]()
    for standing in _best(ranked.year, ranked.entries, gone).values():
        points = ranked.year.rules.part_of(standing.points, brings) if brings else None
        people.append(Qualified(ranked.entries[standing.player], points))
    for player in ranked.year.finalists:
        entry = ranked.entries[player]
        if entry.erased is None and not _may_play(entry, gone):
            left_out.append(entry.label)
    async with changing(kit.services, rights) as change:
        entered, there = await add_finalists(change, people)
    return FinalistsEntered(entered=entered, there=there, left_out=left_out)


def _may_play(entry: EntryRow, gone: Container[str]) -> bool:
    """Whether somebody who has qualified can play: neither withdrawn nor refused there, nor deleted."""
    return entry.erased is None and entry.player not in gone and (entry.person or "") not in gone
