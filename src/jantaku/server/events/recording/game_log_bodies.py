"""Request and response bodies of logs that are entered."""

from typing import Annotated

from pydantic import Field

from jantaku.server.edge.wire import BySeat, Wire
from jantaku.server.events.common.event_plan import EventKey, Instant
from jantaku.server.events.recording.recorded_game_bodies import Sitting, TableLabel
from jantaku.server.events.registration.name_bodies import SiteName

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
