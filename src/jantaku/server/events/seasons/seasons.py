"""Seasons of stored events: opening one, the ranking of the year, and its best in the final."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

from jantaku.club import template, template_names
from jantaku.errors import Phrases, RequestError
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_bodies import CreateEvent
from jantaku.server.events.common.event_rights import ORGANISER, rights_in
from jantaku.server.events.common.event_shown import dates_of
from jantaku.server.events.common.new_event import create, demand_account, shown_names
from jantaku.server.events.registration.season_people import link
from jantaku.server.events.results.results_kit import ResultsKit
from jantaku.server.events.seasons import season_bodies as bodies
from jantaku.server.people.roles import ENDS_TABLES, may
from jantaku.server.rules.rules_names import rules_name
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language

BETWEEN: Final = " · "  # the name of a season and that of its part
PART_RULES: Final = ("id", "name", "ranked", "share", "brings")  # of a part in a template


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


async def open_season(kit: ResultsKit, who: PersonRow, body: bodies.CreateSeason) -> str:
    """Open a season and return its id; ``who`` organises it and the events that its template opens."""
    demand_account(who)
    if body.template is not None and body.template not in season_templates():
        raise ServerError("no_template", field="template", known=Phrases(season_templates()))
    base: dict[str, Any] = {} if body.template is None else template(body.template)
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    for rules in {*body.part_rules.values(), *([body.rules] if body.rules else [])}:
        await kit.services.rulesets.find(rules)  # unknown ones would leave a season without events
    parts = await _checked_parts(kit, who, body.parts, ())
    counting = body.counting or bodies.YearCounting.model_validate(base.get("counting", {}))
    row = SeasonRow(
        *(new_id(), shown_names(name), body.cut or base.get("cut"), body.listed, who.id, now_ms()),
        counting=counting.model_dump_json(),
        parts=parts,
    )
    await kit.services.seasons.add(row, kit.services.settings.limits.seasons_of_one)
    opened = []
    for part in () if body.parts else base.get("parts", ()):
        event = await create(kit.services, who, _event_of(row.name, part, body))
        about = bodies.SeasonPart.model_validate({name: part[name] for name in PART_RULES if name in part})
        opened.append(_row_of(about, event))
    if opened:
        await kit.services.seasons.change(row.id, {}, opened, row.revision)
    await _link(kit, who, (), parts)
    return row.id


async def _link(kit: ResultsKit, who: PersonRow, before: Iterable[PartRow], after: Iterable[PartRow]) -> None:
    """Say who the people of the events are that have come into a season, in the order of its parts."""
    linked = [part.event for part in before if part.event is not None]
    for part in after:
        if part.event is not None and part.event not in linked:
            await link(kit.services, who, part.event, linked)
            linked.append(part.event)


def _event_of(season: dict[str, str], part: dict[str, Any], body: bodies.CreateSeason) -> CreateEvent:
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
    if rules := body.part_rules.get(part["id"], body.rules):
        fields["rules"] = rules
    return CreateEvent.model_validate({**fields, "name": names or season, "listed": body.listed})


async def change_season(kit: ResultsKit, season: SeasonRow, who: PersonRow, body: bodies.SeasonPatch) -> None:
    """Change a season; what the body does not name stays as it is.

    Raises ``season_moved_on`` if somebody has changed it since the ``revision`` that the body names.
    """
    demand_organiser(season, who)
    values: dict[str, Any] = {}
    if body.name is not None:
        values["name"] = json.dumps(shown_names(body.name), ensure_ascii=False)
    if "cut" in body.model_fields_set:
        values["cut"] = body.cut
    if body.counting is not None:
        values["counting"] = body.counting.model_dump_json()
    if body.listed is not None:
        values["listed"] = body.listed
    parts = None
    if body.parts is not None:
        if body.revision is None:  # all parts at once: without it, those of somebody else would go
            raise RequestError("missing_field", field="revision")
        parts = await _checked_parts(kit, who, body.parts, season.parts)
    await kit.services.seasons.change(season.id, values, parts, body.revision)
    if parts is not None:
        stay = {part.event for part in parts}
        await _link(kit, who, [part for part in season.parts if part.event in stay], parts)


async def _checked_parts(
    kit: ResultsKit, who: PersonRow, parts: Sequence[bodies.SeasonPart], before: Iterable[PartRow]
) -> tuple[PartRow, ...]:
    """The parts as rows; only its organiser brings an event into a season, and only once."""
    for values, field in (([part.id for part in parts], "id"), ([part.event for part in parts], "event")):
        twice = [value for value, count in Counter(values).items() if value is not None and count > 1]
        if twice:
            raise ServerError("part_twice", field=field, id=twice[0])
    known = {part.event for part in before}
    for part in parts:
        if part.event is not None and part.event not in known:
            (await rights_in(kit.services, part.event, who)).demand(ORGANISER)
    return tuple(_row_of(part, part.event) for part in parts)


def _row_of(part: bodies.SeasonPart, event: str | None) -> PartRow:
    return PartRow(part.id, shown_names(dict(part.name)), part.ranked, event, part.share, part.brings)


async def part_shown(
    services: Services, part: PartRow, who: PersonRow | None, language: Language
) -> bodies.SeasonPartInfo:
    """A part as a person sees it."""
    if part.event is None:
        return bodies.SeasonPartInfo.model_validate(part._asdict())
    rights = await rights_in(services, part.event, who)
    event, plan = rights.event, rights.plan
    opens, closes = dates_of(plan)
    rules = await services.rulesets.readable(event.rules, event.fingerprint)
    about = {
        "event_name": event.name,
        "rules": event.rules,
        "rules_name": rules_name(rules, language),
        "status": event.status,
        "opens": opens,
        "closes": closes,
    }
    mine = {"role": rights.role or None, "plays": rights.plays is not None}
    hides = plan.hidden_standings and event.status == "open"
    return bodies.SeasonPartInfo.model_validate({**part._asdict(), **about, **mine, "hidden": hides})
