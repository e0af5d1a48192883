"""Seasons of stored events: opening one, the ranking of the year, and its best in the final."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from jantaku.club import template, template_names
from jantaku.club.season import finalists_of, year_ranking
from jantaku.errors import Phrases, RequestError
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import CreateEvent
from jantaku.server.events.common.event_plan import EventPlan
from jantaku.server.events.common.event_shown import dates_of, entry_name
from jantaku.server.events.common.opening import create, demand_account, shown_names
from jantaku.server.events.common.rights import ORGANISER, changing, hidden, rights_in
from jantaku.server.events.registration.entries import Listed, add_finalists
from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.seasons.season_bodies import (
    CreateSeason,
    FinalistsEntered,
    SeasonPart,
    SeasonPartInfo,
    SeasonPatch,
    YearEntry,
    YearRanking,
    YearRow,
)
from jantaku.server.names import told_apart
from jantaku.server.people.accounts import ENDS_TABLES, may
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.storage.accounts import PersonRow, new_id
from jantaku.server.storage.entries import EntryRow
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language

BETWEEN: Final = " · "  # the name of a season and that of its part


class Ranked(NamedTuple):
    """The year: a row for each player, and the newest entry of each by their key."""

    rows: list[YearRow]
    keys: tuple[str, ...]
    entries: dict[str, EntryRow]


def season_templates() -> tuple[str, ...]:
    """The names of the templates that are seasons."""
    return tuple(name for name in template_names() if "jantaku_season" in template(name))


def organises(season: SeasonRow, who: PersonRow | None) -> bool:
    """Whether somebody may change a season."""
    return who is not None and (season.person == who.id or may(who, ENDS_TABLES))


def demand_organiser(season: SeasonRow, who: PersonRow) -> None:
    """Raise ``not_organiser`` for others."""
    if not organises(season, who):
        raise ServerError("not_organiser")


async def open_season(kit: ResultsKit, who: PersonRow, body: CreateSeason) -> str:
    """Open a season and return its id; ``who`` organises it and the events that its template opens."""
    demand_account(who)
    if body.template is not None and body.template not in season_templates():
        raise ServerError("no_template", field="template", known=Phrases(season_templates()))
    base: dict[str, Any] = {} if body.template is None else template(body.template)
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    if body.rules is not None:  # unknown ones would leave a season without events
        await kit.services.rulesets.find(body.rules)
    parts = await _checked_parts(kit, who, body.parts, ())
    found = SeasonRow(
        new_id(), shown_names(name), body.cut or base.get("cut"), body.listed, who.id, now_ms(), parts=parts
    )
    await kit.services.seasons.add(found, kit.services.settings.limits.seasons_of_one)
    opened = []
    for part in () if body.parts else base.get("parts", ()):
        event = await create(kit.services, who, _event_of(found.name, part, body))
        opened.append(PartRow(part["id"], part.get("name", {}), part.get("ranked", True), event))
    if opened:
        await kit.services.seasons.change(found.id, {}, opened, found.revision)
    return found.id


def _event_of(season: dict[str, str], part: dict[str, Any], body: CreateSeason) -> CreateEvent:
    """The event that a part of a template describes, by the names of both; its organiser sets the dates."""
    given = part.get("event") or template(part["template"])
    names = {
        language: BETWEEN.join((season[language], text))
        for language, text in part["name"].items()
        if language in season
    }
    fields = {name: given[name] for name in ("rules", "tie_breaks", "about") if name in given}
    fields["stages"] = [
        {name: value for name, value in stage.items() if name not in ("opens", "closes")}
        for stage in given["stages"]
    ]
    if body.rules is not None:
        fields["rules"] = body.rules
    return CreateEvent.model_validate({**fields, "name": names or season, "listed": body.listed})


async def change_season(kit: ResultsKit, season: SeasonRow, who: PersonRow, body: SeasonPatch) -> None:
    """Change a season; what the body does not name stays as it is.

    Raises ``season_moved_on`` if somebody has changed it since the ``revision`` that the body names.
    """
    demand_organiser(season, who)
    values: dict[str, Any] = {}
    if body.name is not None:
        values["name"] = json.dumps(shown_names(body.name), ensure_ascii=False)
    if "cut" in body.model_fields_set:
        values["cut"] = body.cut
    if body.listed is not None:
        values["listed"] = body.listed
    parts = None
    if body.parts is not None:
        if body.revision is None:  # all parts at once: without it, those of somebody else would go
            raise RequestError("missing_field", field="revision")
        parts = await _checked_parts(kit, who, body.parts, season.parts)
    await kit.services.seasons.change(season.id, values, parts, body.revision)


async def _checked_parts(
    kit: ResultsKit, who: PersonRow, parts: Sequence[SeasonPart], before: Iterable[PartRow]
) -> tuple[PartRow, ...]:
    """The parts as rows; only its organiser brings an event into a season, and only once."""
    for values, field in (([part.id for part in parts], "id"), ([part.event for part in parts], "event")):
        twice = [one for one, count in Counter(values).items() if one is not None and count > 1]
        if twice:
            raise ServerError("part_twice", field=field, id=twice[0])
    known = {part.event for part in before}
    for part in parts:
        if part.event is not None and part.event not in known:
            (await rights_in(kit.services, part.event, who)).demand(ORGANISER)
    return tuple(PartRow(part.id, shown_names(dict(part.name)), part.ranked, part.event) for part in parts)


async def part_shown(
    services: Services, part: PartRow, who: PersonRow | None, language: Language
) -> SeasonPartInfo:
    """A part as a person sees it."""
    if part.event is None:
        return SeasonPartInfo.model_validate(part._asdict())
    rights = await rights_in(services, part.event, who)
    event, plan = rights.event, EventPlan.model_validate_json(rights.event.plan)
    opens, closes = dates_of(plan)
    rules = await services.rulesets.readable(event.rules, event.fingerprint)
    about = {
        "event_name": event.name,
        "rules": event.rules,
        "rules_name": rules_name(rules and rules.rules, language),
        "status": event.status,
        "opens": opens,
        "closes": closes,
    }
    mine = {"role": rights.role or None, "plays": rights.plays is not None}
    hides = plan.hidden_standings and event.status == "open"
    return SeasonPartInfo.model_validate({**part._asdict(), **about, **mine, "hidden": hides})


async def year(kit: ResultsKit, season: SeasonRow, who: PersonRow | None, language: Language) -> YearRanking:
    """The ranking of the year; raises ``standings_hidden`` if one of its standings is hidden from ``who``."""
    return YearRanking(cut=season.cut, ranking=(await _ranked(kit, season, who, language)).rows)


async def _ranked(
    kit: ResultsKit, season: SeasonRow, who: PersonRow | None, language: Language | None = None
) -> Ranked:
    points: list[dict[str, int]] = []
    played: set[str] = set()
    shown: dict[str, list[YearEntry]] = {}
    newest: dict[str, EntryRow] = {}
    for part in season.parts:
        if part.event is None or not part.ranked:
            continue
        rights = await rights_in(kit.services, part.event, who)
        if rights.event.status == "cancelled":
            continue
        if hidden(rights):
            raise ServerError("standings_hidden")
        found = await kit.standings.get(rights.event)
        entries = {one.id: one for one in await kit.services.entries.all(part.event)}
        keys = _keys(entries.values())
        counted: dict[str, int] = {}
        for row in found.stages[-1].standings:
            if row.rank is None and not row.points:
                continue
            key = keys[row.player]
            counted[key] = row.points
            shown.setdefault(key, []).append(YearEntry(part=part.id, entry=row.player, points=row.points))
            newest[key] = entries[row.player]
        points.append(counted)
        played |= {keys[row.player] for stage in found.stages for row in stage.standings if row.games}
    ranking = year_ranking(points, played)
    best = finalists_of(ranking, season.cut)
    who_is_who = [newest[one.player] for one in ranking]
    names = told_apart([(entry_name(one, language), "" if one.erased else one.team) for one in who_is_who])
    rows = [
        YearRow(
            rank=one.rank,
            name=name,
            points=one.points,
            finalist=one.player in best,
            mine=who is not None and newest[one.player].person == who.id,
            entries=shown[one.player],
        )
        for one, name in zip(ranking, names, strict=True)
    ]
    return Ranked(rows, best, newest)


def _keys(entries: Iterable[EntryRow]) -> dict[str, str]:
    """Who is behind each entry: the account, or else whoever has this name, the second of that name apart."""
    found: dict[str, str] = {}
    names: Counter[str] = Counter()
    for one in entries:
        if one.erased is not None:
            found[one.id] = f"erased {one.event} {one.id}"
        elif one.person is not None:
            found[one.id] = f"account {one.person}"
        else:
            name = one.name.casefold()
            names[name] += 1
            found[one.id] = f"name {name} {names[name]}"
    return found


async def enter_finalists(kit: ResultsKit, season: SeasonRow, who: PersonRow, name: str) -> FinalistsEntered:
    """Enter the best of the year into the event of a part; whoever plays there already stays."""
    demand_organiser(season, who)
    part = next((part for part in season.parts if part.id == name), None)
    if part is None or part.event is None:
        raise ServerError("no_part", field="part")
    rights = await rights_in(kit.services, part.event, who)
    rights.demand(ORGANISER)
    year = await _ranked(kit, season, who)
    best = [(key, year.entries[key]) for key in year.keys if year.entries[key].erased is None]
    people = {key: (Listed(one.name, one.team), one.person) for key, one in best}
    async with changing(kit.services, rights) as change:
        entered, there, left_out = await add_finalists(change, people, _keys)
    return FinalistsEntered(entered=entered, there=there, left_out=left_out)
