"""Request and response bodies of events and registration."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from jantaku.club.event import TieBreak
from jantaku.server.edge.protocol import OwnYakuNames
from jantaku.server.edge.shared_bodies import RulesName
from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_plan import EventKey, LongWords, Registration, StagePlan, Words
from jantaku.server.limits import ENTRIES_OF_EVENT
from jantaku.visible import sentence

EventStatus = Literal["open", "closed", "cancelled"]
StaffRole = Literal["organiser", "referee", "recorder"]
EntryStatus = Literal["asked", "waiting", "playing", "refused", "withdrawn", "merged"]
EntryName = Annotated[str, Field(min_length=1, max_length=120)]
TeamName = Annotated[str, Field(max_length=120)]
Why = Annotated[str, BeforeValidator(sentence), Field(max_length=500)]
Reason = Annotated[str, BeforeValidator(sentence), Field(min_length=1, max_length=500)]
EventName = Annotated[Words, Field(min_length=1)]


class EventPatch(Wire):
    """Change an event; what is not named stays. ``rules`` may change until something has been recorded."""

    name: EventName | None = None
    about: LongWords | None = None
    rules: RulesName | None = None
    listed: bool | None = None
    stages: Annotated[list[StagePlan], Field(min_length=1, max_length=50)] | None = None
    tie_breaks: Annotated[list[TieBreak], Field(max_length=20)] | None = None
    registration: Registration | None = None
    hidden_standings: bool | None = None
    correction_min: Annotated[int, Field(ge=0, le=10_080)] | None = None
    confirm_alone: bool | None = None
    online_tables: bool | None = None
    spectators: bool | None = None


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
    name: Words
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
    name: Words


class EventList(Wire):
    """Events, newest first, and those that I run or play in; ``next`` is the ``before`` of the next page."""

    events: list[EventSummary]
    mine: list[EventSummary]
    next: str | None


class EventInfo(EventSummary):
    """An event. ``entry`` is mine; ``code`` is for checking in and shown to its staff only.

    ``asked``: the entry of the list that I have said is mine, while an organiser has not decided.

    ``seasons`` that not everybody finds are shown to those who play in the event or run it.
    """

    about: LongWords | None
    fingerprint: str
    own_yaku: OwnYakuNames
    listed: bool
    revision: int
    stages: list[StagePlan]
    tie_breaks: list[TieBreak]
    registration: Registration
    hidden_standings: bool
    correction_min: int
    confirm_alone: bool
    online_tables: bool
    spectators: bool
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


class PlayerStanding(Wire):
    """A player in a stage: see ``docs/club.md``. ``places`` count first to last places, halves if shared.

    ``rank`` is null for who has not played, unless the stage ranks them.
    """

    rank: int | None
    player: str
    points: int
    carried: int
    penalty: int
    games: int
    counted: int
    places: list[float]
    average_place: float | None
    qualified: bool


class StageStandings(Wire):
    """The standings of a stage and of its teams, best first."""

    id: str
    standings: list[PlayerStanding]
    teams: list["TeamPoints"]


class TeamPoints(Wire):
    """A team: the sum of its players' points in a stage; ``rank`` is null if none is ranked."""

    rank: int | None
    team: str
    points: int


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
    teams: list[TeamPoints]
    byes: list[ByeTotal]
    names: dict[str, str]


class EventChanged(Wire):
    """The event has a new revision; what a page shows of it may be old."""

    type: Literal["event"] = "event"
    event: str
    revision: int
