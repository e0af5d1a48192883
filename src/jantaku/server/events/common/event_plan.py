"""How an event is run: its stages, its registration, and who sees the standings when."""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticCustomError

from jantaku.bounded import shown
from jantaku.club import ClubEvent, event_from
from jantaku.club.days import zones
from jantaku.club.event import TieBreak
from jantaku.errors import Phrases, RequestError
from jantaku.rules import Ruleset
from jantaku.server.edge.protocol import LanguageCode
from jantaku.server.edge.wire import Wire
from jantaku.server.errors import ServerError
from jantaku.server.limits import ENTRIES_OF_EVENT, STAGES_OF_EVENT
from jantaku.visible import readable

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
Words = dict[LanguageCode, Annotated[str, BeforeValidator(readable), Field(min_length=1, max_length=200)]]
LongWords = dict[
    LanguageCode, Annotated[str, BeforeValidator(readable), Field(min_length=1, max_length=4000)]
]


def _known_zone(name: str) -> str:
    if name not in zones():
        raise PydanticCustomError("zone", "no time zone")
    return name


ZoneName = Annotated[str, Field(max_length=64), AfterValidator(_known_zone)]


class StagePlan(Wire):
    """A stage as the contract has it: times are ISO 8601, points whole points."""

    id: EventKey
    kind: Literal["open", "rounds"] = "open"
    name: Words | None = None
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
    about: LongWords | None = None
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
