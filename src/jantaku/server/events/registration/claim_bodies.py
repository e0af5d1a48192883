"""Request and response bodies of claims."""

from typing import Annotated, Literal

from pydantic import Field

from jantaku.server.edge.wire import Wire
from jantaku.server.events.common.event_bodies import Why

ClaimState = Literal["asked", "taken", "undone"]


class ClaimBody(Wire):
    """Say that an entry is mine: with its ``card``, with the ``code`` of the event, or else asking for it."""

    card: Annotated[str, Field(max_length=16)] = ""
    code: Annotated[str, Field(max_length=16)] = ""


class ClaimAnswer(Wire):
    """What became of it: the entry is mine (``taken``), or an organiser decides (``asked``)."""

    state: ClaimState


class ClaimInfo(Wire):
    """Somebody called ``name`` has said that an entry is theirs; ``guest``: they have no account."""

    number: int
    entry: str
    name: str
    how: Literal["card", "code", "asked"]
    state: ClaimState
    at: str | None


class ClaimList(Wire):
    """The newest claims of an event, the newest first."""

    claims: list[ClaimInfo]


class DecideClaim(Wire):
    """Let a claim hold, or undo it."""

    state: Literal["taken", "undone"]
    why: Why = ""


class EntryCard(Wire):
    """The card of an entry that nobody has claimed; it stands in a link."""

    entry: str
    card: str


class CardList(Wire):
    """The cards of all who play or wait without an account."""

    cards: list[EntryCard]
