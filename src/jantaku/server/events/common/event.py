"""How an event is run: its stages, its registration, and who sees the standings when."""

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, NamedTuple

from fastapi import Path
from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError
from sqlalchemy import select

from jantaku.bounded import shown
from jantaku.club import ClubEvent, event_from
from jantaku.club.days import zones
from jantaku.club.event import TieBreak
from jantaku.errors import Phrases, RequestError
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import ENDS_TABLES, may
from jantaku.server.settings import ENTRIES_OF_EVENT, ROUNDS_OF_STAGE, STAGES_OF_EVENT
from jantaku.server.storage.entries import PLAYS, EntryRow, entries_of
from jantaku.server.storage.events import OPEN, Change, EventRow, role_in
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.schema import people
from jantaku.server.storage.services import Services
from jantaku.visible import readable
from jantaku.wire import Wire

LAST_MS: Final = 253_370_764_800_000  # the year 9999
MOST_NUMBER: Final = 100_000
# Letters, digits and a few signs, so that an id can stand in an address, but not only dots
EventKey = Annotated[
    str, Field(min_length=1, max_length=64, pattern=r"^\.*[\p{L}\p{N}_~-][\p{L}\p{N}_.~-]*$")
]
EVENING_MS: Final = 16 * 3_600_000  # from the first who comes to the last who goes, but not the next evening
_KEY: Final[TypeAdapter[str]] = TypeAdapter(EventKey)
Instant = Annotated[str, Field(max_length=40)]
Count = Annotated[int, Field(ge=1, le=MOST_NUMBER)]
Title = Annotated[str, BeforeValidator(readable), Field(min_length=1, max_length=200)]
LongText = Annotated[str, BeforeValidator(readable), Field(max_length=4000)]


def _known_zone(name: str) -> str:
    if name not in zones():
        raise PydanticCustomError("zone", "no time zone")
    return name


ZoneName = Annotated[str, Field(max_length=64), AfterValidator(_known_zone)]


class StagePlan(Wire):
    """A stage as the contract has it: times are ISO 8601, points whole points."""

    id: EventKey
    kind: Literal["open", "rounds"] = "open"
    name: Title | None = None
    counts: Literal["all"] | dict[Literal["best", "best_run"], Count] = "all"
    min_games: Annotated[int, Field(ge=0, le=MOST_NUMBER)] | None = None
    max_games: Count | None = None
    ranks_unplayed: bool | None = None
    from_: Annotated[EventKey | None, Field(alias="from")] = None
    cut: Count | None = None
    carry: Annotated[int | float, Field(ge=-10, le=10)] | None = None
    opens: Instant | None = None
    closes: Instant | None = None


class Registration(Wire):
    """``moderated``: an organiser admits each entry; ``limit``: further entries wait for a free place."""

    open: bool = True
    moderated: bool = False
    limit: Annotated[int, Field(ge=1, le=ENTRIES_OF_EVENT)] | None = None


class EventPlan(Wire):
    """What an organiser decides about an event.

    ``hidden_standings``: only those who run the event see standings and results until it is closed.
    ``correction_min``: for so many minutes players may correct a hand themselves. ``confirm_alone``: a game
    counts though one account has confirmed it for every seat. ``online_tables``: players may open tables in
    the parlour themselves. ``spectators``: others may watch the event's tables there.
    """

    stages: Annotated[list[StagePlan], Field(min_length=1, max_length=STAGES_OF_EVENT)]
    tie_breaks: list[TieBreak] = Field(default_factory=list, max_length=20)
    about: LongText = ""
    registration: Registration = Registration()
    hidden_standings: bool = False
    correction_min: Annotated[int, Field(ge=0, le=10_080)] = 30
    confirm_alone: bool = False
    online_tables: bool = True
    spectators: bool = True

    def stage(self, name: str) -> StagePlan | None:
        """The stage with an id."""
        return next((stage for stage in self.stages if stage.id == name), None)

    def known_stage(self, name: str) -> StagePlan:
        """The same; raises ``no_stage`` if there is none."""
        stage = self.stage(name)
        if stage is None:
            known = Phrases(stage.id for stage in self.stages)
            raise ServerError("no_stage", field="stage", stage=name, known=known)
        return stage


def still_here(at: int | None, now: int) -> int | None:
    """When somebody checked in, if that still holds: for one evening, or day of a tournament."""
    return at if at is not None and now - at < EVENING_MS else None


def contract_of(plan: EventPlan) -> dict[str, Any]:
    """The stages and tie-breaks as they stand in an event file."""
    stages = [stage.model_dump(by_alias=True, exclude_none=True) for stage in plan.stages]
    return {"jantaku_event": 1, "stages": stages, "tie_breaks": list(plan.tie_breaks)}


def checked_key(value: str, field: str) -> str:
    """An id that can stand in an address; raises ``event_key`` for another."""
    try:
        return _KEY.validate_python(value)
    except ValidationError as error:
        raise ServerError("event_key", field=field, id=value[:64]) from error


def skeleton_of(plan: EventPlan, rules: Ruleset) -> ClubEvent:
    """The event without players and games; raises ``RequestError`` for stages that cannot be."""
    return _skeleton(plan.model_dump_json(include={"stages", "tie_breaks"}), rules)


@lru_cache(maxsize=64)
def _skeleton(plan: str, rules: Ruleset) -> ClubEvent:
    read = EventPlan.model_validate_json(plan)
    for stage in read.stages:
        instant_ms(stage.opens)
        instant_ms(stage.closes)
    return event_from(contract_of(read), rules)


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


def iso(ms: int | None) -> str | None:
    """A stored time as ISO 8601; ``None`` if there is none."""
    return None if ms is None else datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


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
        return EventPlan.model_validate_json(self.event.plan)

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
    of_parlour = select(people.c.role).where(people.c.id == person.id)
    if (await change.connection.execute(of_parlour)).scalar() in ENDS_TABLES:
        return ORGANISER
    return await role_in(change.connection, change.event.id, person.id)


def hidden(rights: EventRights, players: Sequence[str] = ()) -> bool:
    """Whether results are hidden from a person; those of a game are not hidden from its players."""
    plays = rights.entry is not None and rights.entry.id in players
    return (
        rights.plan.hidden_standings and rights.event.status == "open" and not (plays or rights.may(RECORDER))
    )


RoundNumber = Annotated[int, Field(ge=1, le=ROUNDS_OF_STAGE)]
FixedPoints = Annotated[int, Field(strict=True, ge=-1_000_000, le=1_000_000)]
Pair = Annotated[list[EventKey], Field(min_length=2, max_length=2)]


class RoundSettings(Wire):
    """How the rounds of a stage are run.

    ``minutes``: how long a round lasts, 0 without a timer; ``last_hand``: the rule for its end, as players
    read it. ``late_until``: the last round in which somebody may come in. ``bye_points``: what a bye adds to
    the points of a player. ``substitutes`` are entries that fill the tables where the number of players is no
    multiple of the seats; they get ``substitute_points`` for a game whatever they score, or else the points
    that they won or lost and ``substitute_uma``, or else what everybody gets. Team mates do not meet with
    ``teams_apart``, nor do the pairs in ``apart``, if that can be avoided. With ``checked_in`` only those are
    seated who have checked in.
    """

    minutes: Annotated[int, Field(ge=0, le=1440)] = 0
    last_hand: LongText = ""
    late_until: RoundNumber | None = None
    bye_points: FixedPoints = 0
    substitutes: Annotated[list[EventKey], Field(max_length=100)] = Field(default_factory=list)
    substitute_points: FixedPoints | None = None
    substitute_uma: FixedPoints | None = None
    teams_apart: bool = True
    checked_in: bool = False
    apart: Annotated[list[Pair], Field(max_length=1000)] = Field(default_factory=list)
