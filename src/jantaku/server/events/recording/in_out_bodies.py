"""Request and response bodies of what comes into an event from elsewhere and goes out of it."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.protocol import TableInfo
from jantaku.server.edge.setting_version import Version
from jantaku.server.edge.wire import BySeat, Seat, Wire
from jantaku.server.events.common.event_plan import EventKey, Instant
from jantaku.server.events.recording.game_bodies import Sitting, TableLabel


class EventTableBody(Wire):
    """Open a table in the parlour whose games are to count for a stage."""

    stage: EventKey
    name: Annotated[str, Field(max_length=40)] = ""
    private: bool = False
    spectators: bool = True


class DoesNotCount(Wire):
    """Why a game does not count, in words; ``seat`` is that of whoever is the reason."""

    code: str
    message: str
    seat: Seat | None


class EventTable(Wire):
    """A table that is open for a stage; ``problem``: its games would not count as it stands."""

    table: TableInfo
    problem: DoesNotCount | None


class OnlineOutcome(Wire):
    """A finished game of the parlour that was played for the event, and its recorded game if it counts."""

    replay: str
    stage: str
    ended: str | None
    names: list[str]
    game: str | None
    problem: DoesNotCount | None


class EventTableList(Wire):
    """The tables that are open for an event, and the newest games that were finished at such tables."""

    tables: list[EventTable]
    finished: list[OnlineOutcome]


SiteName = Annotated[str, Field(min_length=1, max_length=16, pattern=r"^[a-z0-9-]+$")]
OtherName = Annotated[str, Field(min_length=1, max_length=64)]


class Nickname(Wire):
    """What somebody is called on a site, such as ``tenhou`` or ``mahjongsoul``."""

    site: SiteName
    name: OtherName


class EntryNames(Wire):
    """The real name and the nicknames of an entry, which only organisers and the player read.

    ``version`` stands for them as they are.
    """

    entry: str
    version: str
    real_name: str
    nicknames: list[Nickname]


class NamesBody(Wire):
    """Change the other names of an entry; what is not named stays, an empty list removes all nicknames.

    With the ``version`` that was read, names that somebody has changed meanwhile are not taken back.
    """

    real_name: Annotated[str, Field(max_length=64)] | None = None
    nicknames: Annotated[list[Nickname], Field(max_length=20)] | None = None
    version: Version | None = None


class NamesList(Wire):
    """The other names of all entries that have any."""

    names: list[EntryNames]


LogText = Annotated[str, Field(min_length=1, max_length=2_000_000)]


class LogPreviewBody(Wire):
    """Look at a log before it is entered. ``site`` is where it was played, if it does not tell."""

    text: LogText
    site: SiteName | None = None


class LogPreview(Wire):
    """What a log tells. ``players`` are the entries that its ``names`` find, ``null`` where nobody is found.

    ``known`` is the game of the event that it is already.
    """

    format: str
    site: str
    names: list[str]
    players: list[str | None]
    hands: int
    scores: BySeat
    final: BySeat
    places: BySeat
    known: str | None


class LogBody(Wire):
    """Enter the log of a game. ``players`` are entries by seat; without them the names of the log find them.

    ``remember``: keep the names of the log as nicknames of these entries.
    """

    text: LogText
    stage: EventKey
    players: Sitting | None = None
    site: SiteName | None = None
    remember: bool = True
    at: Instant | None = None
    label: TableLabel = ""
