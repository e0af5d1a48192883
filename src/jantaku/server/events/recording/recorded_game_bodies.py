"""Request and response bodies of recorded games, calls and penalties."""

from typing import Annotated, Any, Literal

from pydantic import Field

from jantaku.club.entered_results import MOST_END_CHIPS, GameEnd
from jantaku.club.recorded_hands import HandAction
from jantaku.kernels.win import MOST_SEATS
from jantaku.server.edge.shared_bodies import Problem
from jantaku.server.edge.wire import BySeat, Seat, Wire
from jantaku.server.events.common.event_bodies import Why
from jantaku.server.events.common.event_plan import EventKey, Instant

GameState = Literal["playing", "over", "confirmed", "cancelled", "expired"]
EndPoints = Annotated[int, Field(strict=True, ge=-10_000_000, le=10_000_000)]
EndScores = Annotated[list[EndPoints], Field(min_length=2, max_length=MOST_SEATS)]
EndChips = Annotated[
    list[Annotated[int, Field(strict=True, ge=-MOST_END_CHIPS, le=MOST_END_CHIPS)]],
    Field(min_length=2, max_length=MOST_SEATS),
]
NoWin = Annotated[list[Seat], Field(max_length=MOST_SEATS)]
ClientId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
TableLabel = Annotated[str, Field(max_length=120)]
Revision = Annotated[int, Field(strict=True, ge=0, le=10**9)]
EnteredJson = Annotated[dict[str, Any], Field(description="A hand of the contract: see docs/club.md.")]
Sitting = Annotated[list[EventKey], Field(min_length=2, max_length=MOST_SEATS)]


def entered_end(scores: list[int], chips: list[int] | None, no_win: list[int] | None) -> GameEnd:
    """The end of a game as a referee enters it."""
    return GameEnd(
        tuple(scores),
        None if chips is None else tuple(chips),
        None if no_win is None else tuple(sorted(no_win)),
    )


class StartRecorded(Wire):
    """Start a game: the client makes its ``id``, ``players`` are entries by seat, East first.

    Those who run the event may say when it was played. ``scores`` are those that it ended with, with the
    ``chips`` of each seat and the seats with ``no_win``, where the rules have chips or yakitori: those of a
    referee count at once, those of a player when everybody has confirmed them.
    """

    id: ClientId
    stage: EventKey
    players: Sitting
    label: TableLabel = ""
    at: Instant | None = None
    scores: EndScores | None = None
    chips: EndChips | None = None
    no_win: NoWin | None = None

    @property
    def end(self) -> GameEnd | None:
        """How the game ended, if it is over."""
        return None if self.scores is None else entered_end(self.scores, self.chips, self.no_win)


class HandBody(Wire):
    """Enter a hand, or change an earlier one at ``place`` (from 0).

    The client makes the ``id``; ``follows`` is the id of the last entry that it knows, empty for the first.
    """

    id: ClientId
    follows: Annotated[str, Field(max_length=64)]
    action: HandAction = "add"
    place: Annotated[int, Field(strict=True, ge=0, le=1000)] | None = None
    hand: EnteredJson | None = None
    why: Why = ""


class SettledHandInfo(Wire):
    """A hand as it is settled: ``number`` from East 1, ``honba`` and ``deposits`` as it began."""

    number: int
    dealer: int
    honba: int
    deposits: int
    deltas: BySeat
    scores: BySeat
    chips: BySeat | None = None


class SettledInfo(Wire):
    """A game as it is settled, without penalties.

    ``chips`` and ``yakitori`` are part of ``final``, where the rules have them.
    """

    hands: list[SettledHandInfo]
    over: bool
    scores: BySeat
    final: BySeat | None
    places: BySeat | None
    chips: BySeat | None = None
    yakitori: BySeat | None = None


class HandEntered(Wire):
    """The answer to an entry, the same for every retry: the game as it stood right after it."""

    id: str
    revision: int
    place: int
    game: SettledInfo


class RecordedVersion(Wire):
    """One entry at a table; ``seat`` and ``name`` are those of who made it."""

    id: str
    follows: str
    revision: int
    action: HandAction
    place: int
    hand: EnteredJson | None
    seat: Seat | None
    at: str | None
    why: str


class VersionList(Wire):
    """Every entry of a game, in order."""

    versions: list[RecordedVersion]


class HandConflictBody(Wire):
    """Somebody else was first: ``theirs`` are the entries after the one that ``yours`` follows."""

    error: Problem
    yours: HandBody
    theirs: list[RecordedVersion]
    head: str


class RecordedHand(SettledHandInfo):
    """A hand of a game. ``entered`` is the seat that entered it.

    ``winners`` are the seats whose wins stand: of several rons maybe not all.
    """

    version: str
    hand: EnteredJson
    winners: list[Seat]
    trust: Literal["proposed", "locked"]
    entered: Seat | None
    disputed: bool
    since: str | None


class RecordedPlayer(Wire):
    """Who sits at a seat. ``account``: whether they can confirm by themselves; ``by_me``: I have."""

    entry: str
    name: str
    account: bool
    confirmed: bool
    by_me: bool


class GamePenalty(Wire):
    """Points that a referee has added to a seat. Only the players and the staff read ``why``."""

    number: int
    seat: Seat
    points: int
    why: str
    at: str | None


class RecordedSummary(Wire):
    """A game in a list. ``scores``, ``final`` and ``places`` are ``null`` while they are not shown.

    ``final`` is without the ``penalties``. ``round`` is that of its stage, where the stage has rounds.
    """

    id: str
    number: int
    stage: str
    label: str
    round: int | None = None
    revision: int = 0
    at: str | None
    status: GameState
    players: list[str]
    hands: int
    scores: BySeat | None
    final: BySeat | None
    places: BySeat | None
    chips: BySeat | None = None
    yakitori: BySeat | None = None
    deducted: BySeat | None = None
    penalties: list[GamePenalty]
    replay: str | None


class RecordedList(Wire):
    """Games of an event, newest first; ``next`` is the ``before`` of the next page."""

    games: list[RecordedSummary]
    next: int | None


class RecordedGameInfo(Wire):
    """A game. ``number``, ``honba`` and ``deposits`` are those of the hand that comes next.

    ``game_number`` and ``round`` are the ``number`` and ``round`` of the list of games.

    ``head`` is what the next entry follows; ``revision`` grows with every entry, and when a referee decides
    points or status. ``final`` is without the ``penalties``. ``replay`` is the game of the parlour that it
    was. ``one_account``: every seat is confirmed, but by one account alone: it waits for another one or a
    referee. ``may_record`` and ``may_decide``: whether I may enter hands, and change what is locked.
    """

    id: str
    game_number: int | None = None
    stage: str
    round: int | None = None
    label: str
    at: str | None
    status: GameState
    seats: list[RecordedPlayer]
    head: str
    revision: int
    hands: list[RecordedHand]
    number: int
    honba: int
    deposits: int
    scores: BySeat
    final: BySeat | None
    places: BySeat | None
    chips: BySeat | None = None
    yakitori: BySeat | None = None
    deducted: BySeat | None = None
    penalties: list[GamePenalty]
    one_account: bool
    only_points: bool
    replay: str | None
    may_record: bool
    may_decide: bool


class ConfirmBody(Wire):
    """Confirm a game as it stands at ``head``; a referee may confirm it for ``everybody``."""

    head: Annotated[str, Field(max_length=64)]
    seat: Seat | None = None
    everybody: bool = False


class GameStatusBody(Wire):
    """Cancel a game, or let it go on. ``revision``: that of the game as I have seen it."""

    status: Literal["playing", "cancelled"]
    why: Why = ""
    revision: Revision | None = None


class PointsBody(Wire):
    """End a game by the points of its seats, instead of its hands.

    Those of a referee count at once, those of a player when everybody has confirmed them.

    ``chips`` of each seat and the seats with ``no_win`` belong to it where the rules have chips or yakitori.
    ``revision`` is that of the game as I have seen it. Points that somebody has entered change only with it.
    What replaces hands or points that are there needs a reason (``why``).
    """

    scores: EndScores
    chips: EndChips | None = None
    no_win: NoWin | None = None
    why: Why = ""
    revision: Revision | None = None

    @property
    def end(self) -> GameEnd:
        """How the game ended."""
        return entered_end(self.scores, self.chips, self.no_win)


class SeatsBody(Wire):
    """Say who really sat at a game: ``players`` are entries by seat.

    ``revision`` is that of the game as I have seen it. Once something was entered, ``why`` is needed.
    """

    players: Sitting
    revision: Revision
    why: Why = ""
