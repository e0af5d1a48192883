"""Plans of events, rights in events, and transactions that change an event."""

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
from jantaku.server.storage.entries import PLAYING, EntryRow, entries_of
from jantaku.server.storage.event_plan import EventKey, EventPlan
from jantaku.server.storage.events import OPEN, Change, EventRow, role_in
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services

LAST_MS: Final = 253_370_764_800_000  # the year 9999
CHECK_IN_MS: Final = 16 * 3_600_000  # covers a long evening, but not the next one
_KEY: Final[TypeAdapter[str]] = TypeAdapter(EventKey)


def _known_zone(name: str) -> str:
    if name not in zones():
        raise PydanticCustomError("zone", "not a time zone")
    return name


ZoneName = Annotated[str, Field(max_length=64), AfterValidator(_known_zone)]


def valid_check_in(at: int | None, now: int) -> int | None:
    """Return the time of a check-in, or ``None`` once it has expired after an evening or a tournament day."""
    return at if at is not None and now - at < CHECK_IN_MS else None


def checked_key(value: str, field: str) -> str:
    """Return ``value`` if it is an id that fits in a URL; raise ``event_key`` otherwise."""
    try:
        return _KEY.validate_python(value)
    except ValidationError as error:
        raise ServerError("event_key", field=field, id=value[:64]) from error


def check_plan(plan: EventPlan) -> None:
    """Raise ``RequestError`` for invalid stages."""
    for stage in plan.stages:
        instant_ms(stage.opens)
        instant_ms(stage.closes)
    check_stages(plan.stages)


def instant_ms(value: str | None) -> int | None:
    """Convert an ISO time (UTC without an offset) to Unix milliseconds; raise ``RequestError`` if invalid."""
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
    """Build the plan from a validated event file."""
    fields = {name: data[name] for name in ("stages", "tie_breaks", "about") if data.get(name)}
    if "stages" in fields:  # "unranked" depends on rounds, which a file does not contain
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
    """A person's role and entry in an event, if any."""

    event: EventRow
    person: PersonRow | None
    role: str
    entry: EntryRow | None

    def may(self, role: str) -> bool:
        """Whether the person has this role or a higher one."""
        return RANKS.index(self.role) >= RANKS.index(role)

    def demand(self, role: str) -> None:
        """Raise ``not_organiser``, ``not_referee`` or ``not_recorder`` unless the person has the role."""
        if not self.may(role):
            raise ServerError(REFUSALS[role])

    @property
    def plan(self) -> EventPlan:
        """The plan of the event."""
        return self.event.plan

    @property
    def plays(self) -> str | None:
        """The id of the person's entry, if it is playing."""
        return self.entry.id if self.entry is not None and self.entry.status == PLAYING else None


async def rights_in(services: Services, event: str, person: PersonRow | None, least: str = "") -> EventRights:
    """Return a person's rights in an event; raise ``no_event``, or the error for lacking role ``least``."""
    row = await services.events.find(event)
    if person is None:
        rights = EventRights(row, None, "", None)
    else:
        role = ORGANISER if may(person, ENDS_TABLES) else await services.events.role(event, person.id)
        rights = EventRights(row, person, role, await services.entries.of_person(event, person.id))
    rights.demand(least)
    return rights


async def roles_of(services: Services, events: Iterable[str], person: PersonRow | None) -> dict[str, str]:
    """Return a person's role by event, omitting events in which they have none."""
    if person is None:
        return {}
    if may(person, ENDS_TABLES):
        return dict.fromkeys(events, ORGANISER)
    return await services.events.roles(person.id)


@asynccontextmanager
async def changing(
    services: Services, rights: EventRights, statuses: Sequence[str] = OPEN, *, settles: bool = True
) -> AsyncIterator[Change]:
    """Open a transaction that changes an event, after checking that ``rights`` are still valid.

    Changes to one event run one at a time, so an earlier change may have revoked a role or an entry.
    Raises the error for a missing role, ``not_recorder`` for a lost entry, ``rules_moved_on`` if the rules
    have changed since the rights were read (unless ``settles`` is false: the change settles no game), and
    the errors of ``EventStore.changing``.
    """
    assert rights.person is not None
    async with services.events.changing(rights.event.id, rights.person, statuses) as change:
        await _demand_unchanged(change, rights, rights.person)
        # games settled under the earlier rules would be wrong
        if settles and change.event.fingerprint != rights.event.fingerprint:
            raise ServerError("rules_moved_on")
        yield change


async def _demand_unchanged(change: Change, rights: EventRights, person: PersonRow) -> None:
    if rights.role:
        rights._replace(role=await _role_now(change, person)).demand(rights.role)
    elif rights.entry is not None:
        entries = await entries_of(change.connection, change.event.id)
        now = next((entry for entry in entries if entry.person == person.id), None)
        if now is None or now.id != rights.entry.id or (rights.plays and now.status != PLAYING):
            raise ServerError("not_recorder")


async def _role_now(change: Change, person: PersonRow) -> str:
    site_role = select(PersonRow.role).where(PersonRow.id == person.id)
    if (await change.connection.execute(site_role)).scalar() in ENDS_TABLES:
        return ORGANISER
    return await role_in(change.connection, change.event.id, person.id)


def hidden(rights: EventRights, players: Sequence[str] = ()) -> bool:
    """Whether results are hidden from a person; the ``players`` of a game always see its result."""
    plays = rights.entry is not None and rights.entry.id in players
    return (
        rights.plan.hidden_standings and rights.event.status == "open" and not (plays or rights.may(RECORDER))
    )
