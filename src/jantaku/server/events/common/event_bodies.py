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
    still_here,
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
from jantaku.visible import sentence
from jantaku.wire import Wire, optional, required

EventStatus = Literal["open", "closed", "cancelled"]
StaffRole = Literal["organiser", "referee", "recorder"]
EntryStatus = Literal["asked", "waiting", "playing", "refused", "withdrawn", "merged"]
EntryName = Annotated[str, Field(min_length=1, max_length=120)]
TeamName = Annotated[str, Field(max_length=120)]
Why = Annotated[str, BeforeValidator(sentence), Field(max_length=500)]
Reason = Annotated[str, BeforeValidator(sentence), Field(min_length=1, max_length=500)]


@optional
class EventPatch(EventPlan):
    """Change an event; what is not named stays. ``rules`` may change until something has been recorded."""

    name: Title | None = None
    rules: RulesName | None = None
    listed: bool | None = None


class ChangeEvent(EventPatch):
    """Change an event as I have seen it at a ``revision``: what others have changed since stays."""

    revision: Annotated[int, Field(ge=1)] | None = None


class CreateEvent(EventPatch):
    """Open an event from a template, or with one open stage ``league``; other fields replace its own."""

    template: Annotated[str, Field(max_length=64)] | None = None


class ImportEvent(Wire):
    """Open an event from an event file (``docs/club.md``), with its games.

    Without ``listed`` everybody finds it if the file says so.
    """

    file: dict[str, Any]
    listed: bool | None = None


class StatusBody(Wire):
    """Close, cancel or reopen an event."""

    status: EventStatus
    why: Why = ""


class StaffBody(Wire):
    """Give the owner of an account a role."""

    name: Annotated[str, Field(min_length=1, max_length=120)]
    role: StaffRole


class StaffMember(Wire):
    """Somebody who runs the event."""

    person: str
    name: str
    role: StaffRole


class EventEntry(Wire):
    """An entry. ``account``: whether an account belongs to it; ``mine``: whether it is mine.

    ``called`` is its name with what tells it from namesakes, if there are any.
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
    """An event in a list; ``players`` is how many play in it, ``role`` is mine."""

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
    """A season that an event is part of."""

    id: str
    name: str


class EventList(Wire):
    """Events, newest first, and those that I run or play in; ``next`` is the ``before`` of the next page."""

    events: list[EventSummary]
    mine: list[EventSummary]
    next: str | None


@required
class EventInfo(EventSummary, EventPlan):
    """An event. ``entry`` is mine; ``code`` is for checking in and shown to its staff only.

    ``asked``: the entry of the list that I have said is mine, while an organiser has not decided.

    ``seasons`` that not everybody finds are shown to those who play in the event or run it.
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
    """An imported event, and whom the server of its file knows, but this one does not.

    ``unclaimed`` are entries that had an account, ``strangers`` names of people who had a role.
    """

    unclaimed: list[str]
    strangers: list[str]


class TemplateList(Wire):
    """The names of the templates from which an event can be opened."""

    templates: list[str]


CountryCode = Annotated[str, Field(max_length=3, pattern=r"^([A-Za-z]{2,3})?$")]
AssociationNumber = Annotated[str, Field(max_length=16, pattern=r"^[0-9A-Za-z-]*$")]
"""A country by ISO 3166, and the number in an association, such as the eight digits of the European one."""


class RegisterEntry(Wire):
    """Register myself; without a name I am listed under that of my account."""

    name: EntryName | None = None
    team: TeamName = ""


class EarlierEntry(Wire):
    """An entry in another event that I organise, too."""

    event: Annotated[str, Field(max_length=16)]
    entry: EventKey


class ListedEntry(Wire):
    """Somebody whom an organiser registers; the server makes the id if there is none.

    With their ``earlier`` entry they are the same person here, with their account and names elsewhere.
    """

    name: EntryName
    team: TeamName = ""
    id: EventKey | None = None
    country: CountryCode = ""
    association: AssociationNumber = ""
    earlier: EarlierEntry | None = None


class EntriesBody(Wire):
    """Register a list of people."""

    entries: Annotated[list[ListedEntry], Field(max_length=ENTRIES_OF_EVENT)]


class EntryPatch(Wire):
    """Change an entry. ``status`` playing admits, refused and withdrawn take out.

    ``account`` is the name of the account that belongs to it; an empty one takes it away.
    """

    name: EntryName | None = None
    team: TeamName | None = None
    status: Literal["playing", "refused", "withdrawn"] | None = None
    account: Annotated[str, Field(max_length=120)] | None = None
    checked_in: bool | None = None
    why: Why = ""


class CheckInBody(Wire):
    """Check myself in with the code that is shown where the event takes place."""

    code: Annotated[str, Field(min_length=1, max_length=16)]


class NoShowsBody(Wire):
    """Take out these ``entries``, as far as they play and have not checked in meanwhile."""

    entries: Annotated[list[EventKey], Field(min_length=1, max_length=ENTRIES_OF_EVENT)]
    why: Why = ""


class MergeBody(Wire):
    """Make two entries of one person one: this entry becomes part of ``into``."""

    into: EventKey
    why: Why = ""


class StageStandings(Wire):
    """The standings of a stage and of its teams, best first."""

    id: str
    standings: list[PlayerStanding]
    teams: list[TeamStanding]


class ByeTotal(Wire):
    """The points that a player has got for byes in a stage: a part of ``penalty`` in its standings."""

    stage: str
    player: str
    points: int


class StandingsBody(Wire):
    """The standings of every stage, in the contract's form, with the names of the entries.

    ``teams`` are those of the last stage. ``byes`` says what of each ``penalty`` are points for byes.
    """

    stages: list[StageStandings]
    teams: list[TeamStanding]
    byes: list[ByeTotal]
    names: dict[str, str]


class EventChanged(Wire):
    """The event has a new revision; what a page shows of it may be old."""

    type: Literal["event"] = "event"
    event: str
    revision: int


def entry_name(entry: EntryRow, language: Language | None = None) -> str:
    """The label of an entry, or what stands instead if its name was deleted on request."""
    if entry.erased is None:
        return entry.label
    return terms.text("export.erased", language, number=entry.namesake)


def names_of(entries: Sequence[EntryRow], language: Language | None = None) -> dict[str, str]:
    """The labels of entries by id."""
    return {entry.id: entry_name(entry, language) for entry in entries}


async def names_view(
    services: Services, event: str, names: Mapping[str, str], language: Language | None
) -> dict[str, str]:
    """The names of entries by id as ``names_of`` has them."""
    known = names_of(await services.entries.all(event), language)
    return {key: known.get(key, name) for key, name in names.items()}


def entry_view(entry: EntryRow, person: str | None, language: Language | None = None) -> EventEntry:
    """An entry as ``person`` sees it."""
    called = entry_name(entry, language)
    return EventEntry.of(
        entry,
        team="" if entry.erased else entry.team,
        name=entry.name if entry.erased is None else called,
        called=called,
        account=entry.person is not None,
        mine=person is not None and entry.person == person,
        checked_in=iso(still_here(entry.checked_in, now_ms())),
    )


def entries_view(
    entries: Sequence[EntryRow], rights: EventRights, language: Language | None = None
) -> list[EventEntry]:
    """What a person sees of the entries: the staff see all, others those who play and their own."""
    person = rights.person.id if rights.person else None
    shown = [entry_view(entry, person, language) for entry in entries]
    return [entry for entry in shown if rights.may(RECORDER) or entry.status == "playing" or entry.mine]


async def summaries(
    services: Services, rows: Sequence[EventRow], who: PersonRow | None, language: Language
) -> list[EventSummary]:
    """Events as list entries for one person."""
    events = [row.id for row in rows]
    counts = await services.entries.count(events)
    roles = await roles_of(services, events, who)
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
    """When the first stage with a beginning begins, and the last with an end ends."""
    opens = [stage.opens for stage in plan.stages if stage.opens]
    closes = [stage.closes for stage in plan.stages if stage.closes]
    return opens[0] if opens else None, closes[-1] if closes else None


async def _seasons_of(services: Services, rights: EventRights) -> list[SeasonName]:
    """The seasons with this event that a person finds."""
    inside = bool(rights.role) or rights.entry is not None
    me = rights.person.id if rights.person else None
    rows = await services.seasons.holding(rights.event.id)
    shown = [row for row in rows if row.listed or inside or row.person == me]
    return [SeasonName.of(row) for row in shown]


async def _asked(services: Services, rights: EventRights) -> str | None:
    """The entry that a person without one has asked for."""
    if rights.person is None or rights.entry is not None:
        return None
    mine = (ClaimRow.person == rights.person.id, ClaimRow.state == ASKED)
    rows = await services.claims.all(rights.event.id, *mine, most=1)
    return rows[0].entry if rows else None


async def event_info(services: Services, rights: EventRights, language: Language) -> EventInfo:
    """An event as a person sees it."""
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
            "asked": await _asked(services, rights),
            "code": row.code if rights.may(RECORDER) else None,
            "seasons": await _seasons_of(services, rights),
        }
    )


MOST_TITLE: Final = 100
PLAN_FIELDS: Final = tuple(EventPlan.model_fields)
EMPTY: Final[dict[str, Any]] = {"rules": "standard", "stages": [{"id": "league"}]}


@cache
def templates() -> tuple[str, ...]:
    """The names of the templates that are events."""
    return tuple(name for name in template_names() if "jantaku_event" in template(name))


def demand_account(who: PersonRow) -> None:
    """Raise ``account_needed`` for a guest, who could not come back to an event."""
    if who.guest and who.role == "player":
        raise ServerError("account_needed")


def plan_with(plan: EventPlan, body: EventPatch) -> EventPlan:
    """The plan with the changes of a body; raises ``RequestError`` for stages that cannot be."""
    changes = {name: getattr(body, name) for name in PLAN_FIELDS if getattr(body, name) is not None}
    changed = plan.model_copy(update=changes)
    check_plan(changed)
    return changed


async def create(
    services: Services, who: PersonRow, body: CreateEvent, language: Language | None = None
) -> str:
    """Open an event and return its id; ``who`` is its organiser."""
    demand_account(who)
    if body.template is not None and body.template not in templates():
        raise ServerError("no_template", field="template", known=Phrases(templates()))
    base = template(body.template, language) if body.template is not None else EMPTY
    name = body.name or base.get("name")
    if not name:
        raise ServerError("event_name", field="name")
    rules = await services.rulesets.find(body.rules or base["rules"])
    plan = plan_with(plan_from_file(base), body)
    row = new_event(shown_name(name, MOST_TITLE), rules, plan, listed=body.listed is not False)
    await services.events.add(row, who, services.settings.limits.events_of_one)
    await services.rulesets.save(rules)  # after the event, so that deleting the rules now leaves them to it
    return row.id


def new_event(name: str, rules: Ruleset, plan: EventPlan, *, listed: bool) -> EventRow:
    """A new event without players."""
    fixed = (rules.id, rules.fingerprint, plan)
    return EventRow(new_id(), name, *fixed, "open", listed, 1, 1, secrets.token_hex(4), now_ms())
