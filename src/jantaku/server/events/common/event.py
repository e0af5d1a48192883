"""How an event is run: its stages, its registration, and who sees the standings when."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple

from fastapi import Path
from pydantic import AfterValidator, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from sqlalchemy import select

from jantaku.bounded import shown
from jantaku.club.days import zones
from jantaku.club.event_file import check_stages
from jantaku.errors import RequestError
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import ENDS_TABLES, may
from jantaku.server.storage.entries import PLAYS, EntryRow, entries_of
from jantaku.server.storage.event_plan import EventKey, EventPlan
from jantaku.server.storage.events import OPEN, Change, EventRow, role_in
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services

LAST_MS: Final = 253_370_764_800_000  # the year 9999
EVENING_MS: Final = 16 * 3_600_000  # from the first who comes to the last who goes, but not the next evening
_KEY: Final[TypeAdapter[str]] = TypeAdapter(EventKey)


def _known_zone(name: str) -> str:
    if name not in zones():
        raise PydanticCustomError("zone", "no time zone")
    return name


ZoneName = Annotated[str, Field(max_length=64), AfterValidator(_known_zone)]


def still_here(at: int | None, now: int) -> int | None:
    """When somebody checked in, if that still holds: for one evening, or day of a tournament."""
    return at if at is not None and now - at < EVENING_MS else None


def checked_key(value: str, field: str) -> str:
    """An id that can stand in an address; raises ``event_key`` for another."""
    try:
        return _KEY.validate_python(value)
    except ValidationError as error:
        raise ServerError("event_key", field=field, id=value[:64]) from error


def check_plan(plan: EventPlan) -> None:
    """Raise ``RequestError`` for stages that cannot be."""
    for stage in plan.stages:
        instant_ms(stage.opens)
        instant_ms(stage.closes)
    check_stages(plan.stages)


def instant_ms(value: str | None) -> int | None:
    """An ISO time in milliseconds since 1970, UTC without an offset; ``RequestError`` if it is none."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
        ms = round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError) as error:
        raise RequestError("no_time", field="at", value=shown(value)) from error
    if not 0 <= ms <= LAST_MS:
        raise RequestError("no_time", field="at", value=shown(value))
    return ms


def plan_from_file(data: Mapping[str, Any], **changes: Any) -> EventPlan:
    """The plan in an event file that has been checked."""
    fields = {name: data[name] for name in ("stages", "tie_breaks", "about") if data.get(name)}
    if "stages" in fields:  # who has no rank comes from rounds, which a file does not have
        fields["stages"] = [
            {name: field[name] for name in field if name != "unranked"} for field in fields["stages"]
        ]
    return EventPlan.model_validate(fields | changes)


EventId = Annotated[str, Path(max_length=16)]
EntryId = Annotated[str, Path(max_length=64)]
GameId = Annotated[str, Path(max_length=64)]
StageId = Annotated[str, Path(max_length=64)]
RoundId = Annotated[int, Path(ge=1, le=1000)]
Number = Annotated[int, Path(ge=1, le=10**9)]


ORGANISER, REFEREE, RECORDER = "organiser", "referee", "recorder"
RANKS: Final = ("", RECORDER, REFEREE, ORGANISER)
REFUSALS: Final = {ORGANISER: "not_organiser", REFEREE: "not_referee", RECORDER: "not_recorder"}


class EventRights(NamedTuple):
    """An event as one person finds it: their role and their entry, if they have any."""

    event: EventRow
    person: PersonRow | None
    role: str
    entry: EntryRow | None

    def may(self, role: str) -> bool:
        """Whether the person has the role, or one that may do more."""
        return RANKS.index(self.role) >= RANKS.index(role)

    def demand(self, role: str) -> None:
        """Raise ``not_organiser``, ``not_referee`` or ``not_recorder`` unless the person has the role."""
        if not self.may(role):
            raise ServerError(REFUSALS[role])

    @property
    def plan(self) -> EventPlan:
        """How the event is run."""
        return self.event.plan

    @property
    def plays(self) -> str | None:
        """The id of the entry with which the person plays."""
        return self.entry.id if self.entry is not None and self.entry.status == PLAYS else None


async def rights_in(services: Services, event: str, person: PersonRow | None, least: str = "") -> EventRights:
    """The rights of a person in an event; raises ``no_event``, and the refusal of the role ``least``."""
    row = await services.events.find(event)
    if person is None:
        rights = EventRights(row, None, "", None)
    else:
        role = ORGANISER if may(person, ENDS_TABLES) else await services.events.role(event, person.id)
        rights = EventRights(row, person, role, await services.entries.of_person(event, person.id))
    rights.demand(least)
    return rights


async def roles_of(services: Services, events: Iterable[str], person: PersonRow | None) -> dict[str, str]:
    """The role of a person in each of the events in which they have one."""
    if person is None:
        return {}
    if may(person, ENDS_TABLES):
        return dict.fromkeys(events, ORGANISER)
    return await services.events.roles(person.id)


@asynccontextmanager
async def changing(
    services: Services, rights: EventRights, statuses: Sequence[str] = OPEN, *, settles: bool = True
) -> AsyncIterator[Change]:
    """A transaction that changes an event, by somebody whose rights are still those that were checked.

    Changes of one event wait for each other, so nobody acts by a role or an entry that an earlier change has
    taken away. Raises the refusal of the lost role, ``not_recorder`` for a lost entry, ``rules_moved_on`` if
    the rules are others than when the rights were read (unless nothing ``settles`` by them),
    and what ``EventStore.changing`` raises.
    """
    assert rights.person is not None
    async with services.events.changing(rights.event.id, rights.person, statuses) as change:
        await _demand_unchanged(change, rights, rights.person)
        # what was settled before is wrong now
        if settles and change.event.fingerprint != rights.event.fingerprint:
            raise ServerError("rules_moved_on")
        yield change


async def _demand_unchanged(change: Change, rights: EventRights, person: PersonRow) -> None:
    if rights.role:
        rights._replace(role=await _role_now(change, person)).demand(rights.role)
    elif rights.entry is not None:
        entries = await entries_of(change.connection, change.event.id)
        now = next((entry for entry in entries if entry.person == person.id), None)
        if now is None or now.id != rights.entry.id or (rights.plays and now.status != PLAYS):
            raise ServerError("not_recorder")


async def _role_now(change: Change, person: PersonRow) -> str:
    of_parlour = select(PersonRow.role).where(PersonRow.id == person.id)
    if (await change.connection.execute(of_parlour)).scalar() in ENDS_TABLES:
        return ORGANISER
    return await role_in(change.connection, change.event.id, person.id)


def hidden(rights: EventRights, players: Sequence[str] = ()) -> bool:
    """Whether results are hidden from a person; those of a game are not hidden from its players."""
    plays = rights.entry is not None and rights.entry.id in players
    return (
        rights.plan.hidden_standings and rights.event.status == "open" and not (plays or rights.may(RECORDER))
    )
