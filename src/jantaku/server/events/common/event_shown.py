"""Events and entries as people see them."""

from collections.abc import Mapping, Sequence

from jantaku import terms
from jantaku.rules import Ruleset
from jantaku.server.events.common import event_bodies as bodies
from jantaku.server.events.common.event_plan import EventPlan, iso, still_here
from jantaku.server.events.common.event_rights import RECORDER, EventRights, roles_of
from jantaku.server.rules.rules_names import own_yaku_names, rules_name
from jantaku.server.storage.entries import ASKED, CLAIMS, EntryRow
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language


def entry_name(entry: EntryRow, language: Language | None = None) -> str:
    """The label of an entry, or what stands instead if its name was deleted on request."""
    if entry.erased is None:
        return entry.label
    return terms.text("export.erased", language, number=entry.namesake)


def names_of(entries: Sequence[EntryRow], language: Language | None = None) -> dict[str, str]:
    """The labels of entries by id."""
    return {entry.id: entry_name(entry, language) for entry in entries}


async def names_shown(
    services: Services, event: str, names: Mapping[str, str], language: Language | None
) -> dict[str, str]:
    """The names of entries by id as ``names_of`` has them."""
    known = names_of(await services.entries.all(event), language)
    return {key: known.get(key, name) for key, name in names.items()}


def entry_shown(entry: EntryRow, person: str | None, language: Language | None = None) -> bodies.EventEntry:
    """An entry as ``person`` sees it."""
    called = entry_name(entry, language)
    return bodies.EventEntry.of(
        entry,
        team="" if entry.erased else entry.team,
        name=entry.name if entry.erased is None else called,
        called=called,
        account=entry.person is not None,
        mine=person is not None and entry.person == person,
        checked_in=iso(still_here(entry.checked_in, now_ms())),
    )


def entries_shown(
    entries: Sequence[EntryRow], rights: EventRights, language: Language | None = None
) -> list[bodies.EventEntry]:
    """What a person sees of the entries: the staff see all, others those who play and their own."""
    person = rights.person.id if rights.person else None
    shown = [entry_shown(entry, person, language) for entry in entries]
    return [entry for entry in shown if rights.may(RECORDER) or entry.status == "playing" or entry.mine]


def event_name(event: EventRow, language: Language) -> str:
    """The name of an event in a language, else in English, else in any."""
    return event.name.get(language) or event.name.get("en") or next(iter(event.name.values()), "")


async def summaries(
    services: Services, rows: Sequence[EventRow], who: PersonRow | None, language: Language
) -> list[bodies.EventSummary]:
    """Events as list entries for one person."""
    events = [row.id for row in rows]
    counts = await services.entries.count(events)
    roles = await roles_of(services, events, who)
    shown = []
    for row in rows:
        rules = await services.rulesets.readable(row.rules, row.fingerprint)
        summary = _summary(row, rules, counts.get(row.id, 0), language)
        shown.append(bodies.EventSummary.model_validate({**summary, "role": roles.get(row.id)}))
    return shown


def _summary(row: EventRow, rules: Ruleset | None, players: int, language: Language) -> dict[str, object]:
    plan = EventPlan.model_validate_json(row.plan)
    opens, closes = dates_of(plan)
    return {
        "id": row.id,
        "name": row.name,
        "status": row.status,
        "rules": row.rules,
        "rules_name": rules_name(rules, language),
        "players": players,
        "registration_open": plan.registration.open and row.status == "open",
        "opens": opens,
        "closes": closes,
        "created": iso(row.created),
    }


def dates_of(plan: EventPlan) -> tuple[str | None, str | None]:
    """When the first stage with a beginning begins, and the last with an end ends."""
    opens = [stage.opens for stage in plan.stages if stage.opens]
    closes = [stage.closes for stage in plan.stages if stage.closes]
    return opens[0] if opens else None, closes[-1] if closes else None


async def _seasons_of(services: Services, rights: EventRights) -> list[bodies.SeasonName]:
    """The seasons with this event that a person finds."""
    inside = bool(rights.role) or rights.entry is not None
    me = rights.person.id if rights.person else None
    rows = await services.seasons.holding(rights.event.id)
    shown = [row for row in rows if row.listed or inside or row.person == me]
    return [bodies.SeasonName.of(row) for row in shown]


async def _asked(services: Services, rights: EventRights) -> str | None:
    """The entry that a person without one has asked for."""
    if rights.person is None or rights.entry is not None:
        return None
    mine = (CLAIMS.c.person == rights.person.id, CLAIMS.c.state == ASKED)
    rows = await services.claims.all(rights.event.id, *mine, most=1)
    return rows[0].entry if rows else None


async def event_info(services: Services, rights: EventRights, language: Language) -> bodies.EventInfo:
    """An event as a person sees it."""
    row = rights.event
    rules = await services.rulesets.find(row.rules, row.fingerprint)
    players = (await services.entries.count([row.id])).get(row.id, 0)
    plan = EventPlan.model_validate_json(row.plan)
    entry = rights.entry
    return bodies.EventInfo.model_validate(
        {
            **_summary(row, rules, players, language),
            **plan.model_dump(by_alias=True),
            "fingerprint": row.fingerprint,
            "own_yaku": own_yaku_names(rules),
            "listed": row.listed,
            "revision": row.revision,
            "start_points": rules.match.start_points,
            "chips": rules.chips.value,
            "yakitori": rules.match.yakitori,
            "stick": rules.riichi.deposit,
            "leftover": rules.end.leftover_deposits,
            "seats": rules.match.players,
            "staff": list(map(bodies.StaffMember.of, await services.events.staff(row.id))),
            "role": rights.role or None,
            "entry": entry_shown(entry, entry.person) if entry else None,
            "asked": await _asked(services, rights),
            "code": row.code if rights.may(RECORDER) else None,
            "seasons": await _seasons_of(services, rights),
        }
    )
