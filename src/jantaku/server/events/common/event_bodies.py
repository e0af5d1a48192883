"""Request and response bodies of events and registration."""

import secrets
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from jantaku import terms
from jantaku.club import PlayerStanding, TeamStanding, template, template_names
from jantaku.club.event import Title
from jantaku.errors import Phrases
from jantaku.rules import Ruleset
from jantaku.server.edge.bodies import RulesName, iso
from jantaku.server.edge.protocol import OwnYakuNames
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import (
    RECORDER,
    EventRights,
    check_plan,
    plan_from_file,
    roles_of,
    valid_check_in,
)
from jantaku.server.names import shown_name
from jantaku.server.rules.pages import own_yaku_names, rules_name
from jantaku.server.settings import ENTRIES_OF_EVENT
from jantaku.server.storage.entries import ASKED, ClaimRow, EntryRow
from jantaku.server.storage.event_plan import EventKey, EventPlan
from jantaku.server.storage.events import EventRow
from jantaku.server.storage.people import PersonRow, new_id
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.visible import clean_text
from jantaku.wire import Wire, optional, required

EventStatus = Literal["open", "closed", "cancelled"]
StaffRole = Literal["organiser", "referee", "recorder"]
EntryStatus = Literal["asked", "waiting", "playing", "refused", "withdrawn", "merged"]
EntryName = Annotated[str, Field(min_length=1, max_length=120)]
TeamName = Annotated[str, Field(max_length=120)]
Why = Annotated[str, BeforeValidator(clean_text), Field(max_length=500)]
Reason = Annotated[str, BeforeValidator(clean_text), Field(min_length=1, max_length=500)]


@optional
class EventPatch(EventPlan):
    """Changes to an event; omit unchanged fields. ``rules`` may change until something has been recorded."""

    name: Title | None = None
    rules: RulesName | None = None
    listed: bool | None = None


class ChangeEvent(EventPatch):
    """Changes made to a known ``revision`` of an event; later changes by others are not overwritten."""

    revision: Annotated[int, Field(ge=1)] | None = None


class CreateEvent(EventPatch):
    """A new event, from a template or with a single open stage ``league``; other fields override these."""

    template: Annotated[str, Field(max_length=64)] | None = None


class ImportEvent(Wire):
    """A new event from an event file (``docs/club.md``), with its games.

    Without ``listed`` the file decides whether the event is listed publicly.
    """

    file: dict[str, Any]
    listed: bool | None = None


class StatusBody(Wire):
    """The new status of an event."""

    status: EventStatus
    why: Why = ""


class StaffBody(Wire):
    """A role for the owner of the account ``name``."""

    name: Annotated[str, Field(min_length=1, max_length=120)]
    role: StaffRole


class StaffMember(Wire):
    """A member of the event's staff."""

    person: str
    name: str
    role: StaffRole


class EventEntry(Wire):
    """An entry. ``account``: whether it is linked to an account; ``mine``: whether that is the caller's.

    ``called`` is the displayed name, numbered if there are namesakes.
    """

    id: str
    name: str
    called: str
    team: str
    status: EntryStatus
    account: bool
    mine: bool
    checked_in: str | None
    merged_into: str | None


class EntryList(Wire):
    """The entries of an event in the order of registration."""

    entries: list[EventEntry]


class EventSummary(Wire):
    """An event in a list; ``players`` is the number of players, ``role`` the caller's role."""

    id: str
    name: str
    status: EventStatus
    rules: str
    rules_name: str
    players: int
    registration_open: bool
    opens: str | None
    closes: str | None
    created: str
    role: StaffRole | None


class SeasonName(Wire):
    """A season that includes the event."""

    id: str
    name: str


class EventList(Wire):
    """Events, newest first; ``mine`` are the caller's own. ``next`` is the ``before`` of the next page."""

    events: list[EventSummary]
    mine: list[EventSummary]
    next: str | None


@required
class EventInfo(EventSummary, EventPlan):
    """An event. ``entry`` is the caller's entry; ``code`` is the check-in code, visible to staff only.

    ``asked`` is the entry that the caller has claimed, until an organiser decides.

    Unlisted ``seasons`` are visible only to players and staff of the event.
    """

    fingerprint: str
    own_yaku: OwnYakuNames
    listed: bool
    revision: int
    start_points: int
    chips: int
    yakitori: int
    stick: int
    leftover: Literal["first", "nobody", "riichi_owner"]
    seats: int
    staff: list[StaffMember]
    entry: EventEntry | None
    asked: str | None
    code: str | None
    seasons: list[SeasonName]


class ImportedEventInfo(EventInfo):
    """An imported event, and the accounts in its file that do not exist on this server.

    ``unclaimed`` are entries that were linked to such an account, ``strangers`` are the names of such staff
    members.
    """

    unclaimed: list[str]
    strangers: list[str]


class TemplateList(Wire):
    """Names of the event templates."""

    templates: list[str]


CountryCode = Annotated[str, Field(max_length=3, pattern=r"^([A-Za-z]{2,3})?$")]  # ISO 3166
AssociationNumber = Annotated[str, Field(max_length=16, pattern=r"^[0-9A-Za-z-]*$")]
"""A membership number, such as the eight digits of the European Mahjong Association."""


class RegisterEntry(Wire):
    """The caller's registration; without a ``name``, their account's name is listed."""

    name: EntryName | None = None
    team: TeamName = ""


class EarlierEntry(Wire):
    """An entry in another event organised by the caller."""

    event: Annotated[str, Field(max_length=16)]
    entry: EventKey


class ListedEntry(Wire):
    """A player registered by an organiser; the server creates a missing id.

    An ``earlier`` entry identifies them as the same person, with the same account and other names.
    """

    name: EntryName
    team: TeamName = ""
    id: EventKey | None = None
    country: CountryCode = ""
    association: AssociationNumber = ""
    earlier: EarlierEntry | None = None


class EntriesBody(Wire):
    """A list of players to register."""

    entries: Annotated[list[ListedEntry], Field(max_length=ENTRIES_OF_EVENT)]


class EntryPatch(Wire):
    """Changes to an entry. ``status`` playing admits the player, refused and withdrawn remove them.

    ``account`` is the name of the account to link; an empty name unlinks the account.
    """

    name: EntryName | None = None
    team: TeamName | None = None
    status: Literal["playing", "refused", "withdrawn"] | None = None
    account: Annotated[str, Field(max_length=120)] | None = None
    checked_in: bool | None = None
    why: Why = ""


class CheckInBody(Wire):
    """The check-in code displayed at the venue."""

    code: Annotated[str, Field(min_length=1, max_length=16)]


class NoShowsBody(Wire):
    """The ``entries`` to withdraw, unless they have checked in since."""

    entries: Annotated[list[EventKey], Field(min_length=1, max_length=ENTRIES_OF_EVENT)]
    why: Why = ""


class MergeBody(Wire):
    """A merge of an entry into ``into``, another entry of the same person."""

    into: EventKey
    why: Why = ""


class StageStandings(Wire):
    """Standings of a stage and of its teams, best first."""

    id: str
    standings: list[PlayerStanding]
    teams: list[TeamStanding]


class ByeTotal(Wire):
    """Points of a player for byes in a stage, included in ``penalty`` of its standings."""

    stage: str
    player: str
    points: int


class StandingsBody(Wire):
    """Standings of every stage, as in an event file, with the names of the entries.

    ``teams`` are those of the last stage. ``byes`` lists the points for byes included in each ``penalty``.
    """

    stages: list[StageStandings]
    teams: list[TeamStanding]
    byes: list[ByeTotal]
    names: dict[str, str]


class EventChanged(Wire):
    """Sent when an event has a new revision, so that pages reload it."""

    type: Literal["event"] = "event"
    event: str
    revision: int


def entry_name(entry: EntryRow, language: Language | None = None) -> str:
    """Return the label of an entry, or a placeholder if the player's name was deleted on request."""
    if entry.erased is None:
        return entry.label
    return terms.text("export.erased", language, number=entry.namesake)


def names_of(entries: Sequence[EntryRow], language: Language | None = None) -> dict[str, str]:
    """Return the labels of entries by id."""
    return {entry.id: entry_name(entry, language) for entry in entries}


async def names_view(
    services: Services, event: str, names: Mapping[str, str], language: Language | None
) -> dict[str, str]:
    """Replace ``names`` (by entry id) with the labels from ``names_of``, for the entries that exist."""
    known = names_of(await services.entries.all(event), language)
    return {key: known.get(key, name) for key, name in names.items()}


def entry_view(entry: EntryRow, person: str | None, language: Language | None = None) -> EventEntry:
    """Build the response for an entry as seen by the account ``person``."""
    called = entry_name(entry, language)
    return EventEntry.of(
        entry,
        team="" if entry.erased else entry.team,
        name=entry.name if entry.erased is None else called,
        called=called,
        account=entry.person is not None,
        mine=person is not None and entry.person == person,
        checked_in=iso(valid_check_in(entry.checked_in, now_ms())),
    )


def entries_view(
    entries: Sequence[EntryRow], rights: EventRights, language: Language | None = None
) -> list[EventEntry]:
    """Return the entries that a person may see: for staff, all; for others, playing entries and their own."""
    person = rights.person.id if rights.person else None
    shown = [entry_view(entry, person, language) for entry in entries]
    return [entry for entry in shown if rights.may(RECORDER) or entry.status == "playing" or entry.mine]


async def summaries(
    services: Services, rows: Sequence[EventRow], user: PersonRow | None, language: Language
) -> list[EventSummary]:
    """Build the list of events as seen by one person."""
    events = [row.id for row in rows]
    counts = await services.entries.count(events)
    roles = await roles_of(services, events, user)
    shown = []
    for row in rows:
        rules = await services.rulesets.readable(row.rules, row.fingerprint)
        summary = _summary(row, rules, counts.get(row.id, 0), language)
        shown.append(EventSummary.model_validate({**summary, "role": roles.get(row.id)}))
    return shown


def _summary(row: EventRow, rules: Ruleset | None, players: int, language: Language) -> dict[str, object]:
    plan = row.plan
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
    """Return the earliest opening and the last closing time of the stages, in the order of the plan."""
    opens = [stage.opens for stage in plan.stages if stage.opens]
    closes = [stage.closes for stage in plan.stages if stage.closes]
    return opens[0] if opens else None, closes[-1] if closes else None


async def _seasons_of(services: Services, rights: EventRights) -> list[SeasonName]:
    """Return the seasons of the event that a person may see."""
    inside = bool(rights.role) or rights.entry is not None
    me = rights.person.id if rights.person else None
    rows = await services.seasons.containing(rights.event.id)
    shown = [row for row in rows if row.listed or inside or row.person == me]
    return [SeasonName.of(row) for row in shown]


async def _claimed_entry(services: Services, rights: EventRights) -> str | None:
    """Return the entry that a person without one has claimed."""
    if rights.person is None or rights.entry is not None:
        return None
    mine = (ClaimRow.person == rights.person.id, ClaimRow.state == ASKED)
    rows = await services.claims.all(rights.event.id, *mine, limit=1)
    return rows[0].entry if rows else None


async def event_info(services: Services, rights: EventRights, language: Language) -> EventInfo:
    """Build the response for an event as seen by one person."""
    row = rights.event
    rules = await services.rulesets.find(row.rules, row.fingerprint)
    players = (await services.entries.count([row.id])).get(row.id, 0)
    plan = row.plan
    entry = rights.entry
    return EventInfo.model_validate(
        {
            **_summary(row, rules, players, language),
            **dict(plan),
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
            "staff": list(map(StaffMember.of, await services.events.staff(row.id))),
            "role": rights.role or None,
            "entry": entry_view(entry, entry.person) if entry else None,
            "asked": await _claimed_entry(services, rights),
            "code": row.code if rights.may(RECORDER) else None,
            "seasons": await _seasons_of(services, rights),
        }
    )


MAX_TITLE: Final = 100
PLAN_FIELDS: Final = tuple(EventPlan.model_fields)
EMPTY: Final[dict[str, Any]] = {"rules": "standard", "stages": [{"id": "league"}]}


@cache
def templates() -> tuple[str, ...]:
    """Return the names of the event templates."""
    return tuple(name for name in template_names() if "jantaku_event" in template(name))


def demand_account(user: PersonRow) -> None:
    """Raise ``account_needed`` for a guest, who could not return to the event later."""
    if user.guest and user.role == "player":
        raise ServerError("account_needed")


def plan_with(plan: EventPlan, body: EventPatch) -> EventPlan:
    """Return the plan with the changes in a body; raise ``RequestError`` for invalid stages."""
    changes = {name: getattr(body, name) for name in PLAN_FIELDS if getattr(body, name) is not None}
    changed = plan.model_copy(update=changes)
    check_plan(changed)
    return changed


async def create(
    services: Services, user: PersonRow, body: CreateEvent, language: Language | None = None
) -> str:
    """Create an event organised by ``user`` and return its id."""
    demand_account(user)
    if body.template is not None and body.template not in templates():
        raise ServerError("no_template", field="template", known=Phrases(templates()))
    base = template(body.template, language) if body.template is not None else EMPTY
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    rules = await services.rulesets.find(body.rules or base["rules"])
    plan = plan_with(plan_from_file(base), body)
    row = new_event(shown_name(name, MAX_TITLE), rules, plan, listed=body.listed is not False)
    await services.events.add(row, user, services.settings.limits.events_of_one)
    await services.rulesets.save(
        rules
    )  # after the event, so that rules deleted in the meantime remain stored for it
    return row.id


def new_event(name: str, rules: Ruleset, plan: EventPlan, *, listed: bool) -> EventRow:
    """Return a new event without players."""
    fixed = (rules.id, rules.fingerprint, plan)
    return EventRow(new_id(), name, *fixed, "open", listed, 1, 1, secrets.token_hex(4), now_ms())
