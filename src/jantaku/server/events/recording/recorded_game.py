"""Recorded games: request and response bodies, confirmation, and reasons for a referee to check a game."""

import asyncio
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter
from pydantic_core.core_schema import definitions_schema
from sqlalchemy import func, select

from jantaku.club import SettledGame, settle
from jantaku.club.doubts import LONG_DAY_H, Doubt, EnteredGame, doubts_about, gist
from jantaku.club.entered_hands import EnteredHand
from jantaku.club.entered_results import MAX_END_CHIPS, GameEnd
from jantaku.club.event import Instant
from jantaku.club.recorded_hands import HandAction, HandVersion, LiveHand, live_hands, locked_from
from jantaku.club.settlement import GameResult
from jantaku.errors import RequestError
from jantaku.kernels.win import MAX_SEATS
from jantaku.rules import Ruleset
from jantaku.seats import BySeat, Seat
from jantaku.server.edge.bodies import Problem, iso
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import RECORDER, REFEREE, EventRights, changing, hidden, instant_ms
from jantaku.server.events.common.event_bodies import Why, names_of
from jantaku.server.storage.entries import TAKEN, ClaimRow
from jantaku.server.storage.event_plan import EventKey, EventPlan
from jantaku.server.storage.events import CallRow, Change, PenaltyRow, close_doubts, raise_doubts
from jantaku.server.storage.people import DAY_MS, PersonRow, with_account
from jantaku.server.storage.recorded_games import (
    OF_SEAT,
    HandMark,
    RecordedGameRow,
    RecordedSeat,
    change_game,
    confirm_seat,
    confirmations,
    games_of,
    versions_by_game,
)
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.wire import Wire

GameState = Literal["playing", "over", "confirmed", "cancelled", "expired"]
EndPoints = Annotated[int, Field(strict=True, ge=-10_000_000, le=10_000_000)]
EndScores = Annotated[list[EndPoints], Field(min_length=2, max_length=MAX_SEATS)]
EndChips = Annotated[
    list[Annotated[int, Field(strict=True, ge=-MAX_END_CHIPS, le=MAX_END_CHIPS)]],
    Field(min_length=2, max_length=MAX_SEATS),
]
NoWin = Annotated[list[Seat], Field(max_length=MAX_SEATS)]
ClientId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
TableLabel = Annotated[str, Field(max_length=120)]
Revision = Annotated[int, Field(strict=True, ge=0, le=10**9)]


class _HandSchema:
    """Gives a hand, stored as entered, the JSON Schema of ``EnteredHand``."""

    def __get_pydantic_json_schema__(self, _: Any, handler: Any) -> Any:
        return handler(definitions_schema(TypeAdapter(EnteredHand).core_schema, []))


EnteredJson = Annotated[dict[str, Any], _HandSchema()]
SeatEntries = Annotated[list[EventKey], Field(min_length=2, max_length=MAX_SEATS)]


def entered_end(scores: list[int], chips: list[int] | None, no_win: list[int] | None) -> GameEnd:
    """Build the end of a game from a request."""
    return GameEnd(
        tuple(scores),
        None if chips is None else tuple(chips),
        None if no_win is None else tuple(sorted(no_win)),
    )


class StartRecorded(Wire):
    """A game to start. The client chooses its ``id``; ``players`` are entries by seat, East first.

    Only staff may set ``at``, the time of play. ``scores`` are the points at the end of a finished game, with
    the ``chips`` of each seat and the seats with ``no_win`` if the rules have chips or yakitori. They count
    immediately if entered by a referee, otherwise when all players have confirmed them.
    """

    id: ClientId
    stage: EventKey
    players: SeatEntries
    label: TableLabel = ""
    at: Instant | None = None
    scores: EndScores | None = None
    chips: EndChips | None = None
    no_win: NoWin | None = None

    @property
    def end(self) -> GameEnd | None:
        """The end of the game, if it is finished."""
        return None if self.scores is None else entered_end(self.scores, self.chips, self.no_win)


class HandBody(Wire):
    """A hand to add, or a change to an earlier hand with index ``place``.

    The client chooses the ``id``; ``follows`` is the id of the last version it knows, empty for the first.
    """

    id: ClientId
    follows: Annotated[str, Field(max_length=64)]
    action: HandAction = "add"
    place: Annotated[int, Field(strict=True, ge=0, le=1000)] | None = None
    hand: EnteredJson | None = None
    why: Why = ""


class SettledHandInfo(Wire):
    """A settled hand: ``number`` counts from East 1, ``honba`` and ``deposits`` are those at its start."""

    number: int
    dealer: int
    honba: int
    deposits: int
    deltas: BySeat
    scores: BySeat
    chips: BySeat | None = None


class SettledInfo(Wire):
    """A settled game, without penalties.

    ``final`` includes ``chips`` and ``yakitori``, if the rules have them.
    """

    hands: list[SettledHandInfo]
    over: bool
    scores: BySeat
    final: BySeat | None
    places: BySeat | None
    chips: BySeat | None = None
    yakitori: BySeat | None = None


class HandEntered(Wire):
    """The response to an entered hand, the same for every retry: the game as of that version."""

    id: str
    revision: int
    place: int
    game: SettledInfo


class RecordedVersion(Wire):
    """A version of a hand; ``seat`` is that of the player who entered it."""

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
    """All versions of a game's hands, in order."""

    versions: list[RecordedVersion]


class HandConflictBody(Wire):
    """A conflict: ``theirs`` are the versions entered by others after the one that ``yours`` follows."""

    error: Problem
    yours: HandBody
    theirs: list[RecordedVersion]
    head: str


class RecordedHand(SettledHandInfo):
    """A hand of a game. ``entered`` is the seat of the player who entered it.

    ``winners`` are the seats with valid wins; the rules may void some of several rons.
    """

    version: str
    hand: EnteredJson
    winners: list[Seat]
    trust: Literal["proposed", "locked"]
    entered: Seat | None
    disputed: bool
    since: str | None


class RecordedPlayer(Wire):
    """The player at a seat. ``account``: they can confirm; ``by_me``: the caller has confirmed."""

    entry: str
    name: str
    account: bool
    confirmed: bool
    by_me: bool


class GamePenalty(Wire):
    """Points added to a seat by a referee. ``why`` is visible only to the players and staff."""

    number: int
    seat: Seat
    points: int
    why: str
    at: str | None


class RecordedSummary(Wire):
    """A game in a list. ``scores``, ``final`` and ``places`` are ``null`` while results are hidden.

    ``final`` excludes ``penalties``. ``round`` is set for stages with rounds.
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
    """A game. ``number``, ``honba`` and ``deposits`` are those of the next hand.

    ``game_number`` and ``round`` are the ``number`` and ``round`` of the list of games.

    ``head`` is the version that the next one must follow; ``revision`` grows with every version, and with
    every change of points or status. ``final`` excludes ``penalties``. ``replay`` is the id of the online
    game it was recorded from. ``one_account``: all seats are confirmed, but by a single account, so the game
    still needs another account or a referee. ``may_record`` and ``may_decide``: whether the caller may enter
    hands, and change locked ones.
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
    """Confirmation of a game at version ``head``; a referee may confirm for ``everybody``."""

    head: Annotated[str, Field(max_length=64)]
    seat: Seat | None = None
    everybody: bool = False


class GameStatusBody(Wire):
    """The status that cancels or resumes a game; ``revision`` is that of the game as last read."""

    status: Literal["playing", "cancelled"]
    why: Why = ""
    revision: Revision | None = None


class PointsBody(Wire):
    """Points that end a game in place of its hands.

    They count immediately if entered by a referee, otherwise when all players have confirmed them.

    ``chips`` of each seat and the seats with ``no_win`` are required if the rules have chips or yakitori.
    ``revision`` is that of the game as last read, required to change points entered before.
    A referee who replaces hands or confirmed points must give a reason (``why``).
    """

    scores: EndScores
    chips: EndChips | None = None
    no_win: NoWin | None = None
    why: Why = ""
    revision: Revision | None = None

    @property
    def end(self) -> GameEnd:
        """The end of the game."""
        return entered_end(self.scores, self.chips, self.no_win)


class SeatsBody(Wire):
    """The actual ``players`` of a game, as entries by seat.

    ``revision`` is that of the game as last read. ``why`` is required once something has been entered.
    """

    players: SeatEntries
    revision: Revision
    why: Why = ""


EXPIRED: Final = "expired"


@dataclass(frozen=True)
class GameTable:
    """A game with all its versions and confirmations, and a person's rights in it."""

    rights: EventRights
    plan: EventPlan
    rules: Ruleset
    row: RecordedGameRow
    versions: Sequence[HandVersion]
    marks: Sequence[HandMark]
    now: int

    @property
    def hands(self) -> list[LiveHand]:
        """The current hands."""
        return live_hands(self.versions)

    @property
    def seat(self) -> int | None:
        """The person's seat, if any."""
        entry = self.rights.entry
        return self.row.players.index(entry.id) if entry and entry.id in self.row.players else None

    @property
    def status(self) -> str:
        """The status, including ``over`` and ``expired`` for unconfirmed games."""
        return status_of(self.row, self.plan, self.now)

    @property
    def locked(self) -> int:
        """The number of hands, from the first, that only a referee can change."""
        if self.status not in ("playing", "over"):
            return len(self.hands)
        return locked_from(self.hands, self.now, self.plan.correction_min)

    @property
    def records(self) -> bool:
        """Whether the person may enter hands; withdrawn and refused players may not."""
        return self.plays or self.rights.may(RECORDER)

    @property
    def plays(self) -> bool:
        """Whether the person has a seat and is still playing in the event."""
        return self.seat is not None and self.rights.plays is not None

    def demand_record(self) -> None:
        """Raise ``not_recorder`` unless the person may enter hands."""
        if not self.records:
            raise ServerError("not_recorder")

    def demand_open(self, why: str) -> None:
        """Raise ``game_closed`` or ``why_needed``: only referees with a reason may change a finished game."""
        if self.status in ("playing", "over"):
            return
        if self.status == "cancelled" or not self.rights.may(REFEREE):
            raise ServerError("game_closed")
        if not why.strip():
            raise ServerError("why_needed", field="why")

    def demand_revision(self, revision: int | None) -> None:
        """Raise ``game_moved_on`` if ``revision`` is outdated."""
        if revision is not None and revision != self.row.revision:
            raise ServerError("game_moved_on")


def status_of(row: RecordedGameRow, plan: EventPlan, now: int) -> str:
    """Return the status of a game; an unfinished game expires when its stage closes."""
    if row.status != "playing":
        return row.status
    if row.result.over:
        return "over"
    stage = plan.stage(row.stage)
    closes = instant_ms(stage.closes) if stage else None
    return EXPIRED if closes is not None and now >= closes else "playing"


async def table_of(services: Services, rights: EventRights, game: str) -> GameTable:
    """Load a game of the event; raise ``no_recorded_game`` if there is none."""
    row = await services.recorded.find(rights.event.id, game)
    versions, marks = await services.recorded.history(rights.event.id, game)
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    plan = rights.plan
    known = [version for version in versions if version.revision <= row.revision]
    return GameTable(rights, plan, rules, row, known, marks, now_ms())


async def settled(hands: Sequence[LiveHand], rules: Ruleset) -> SettledGame:
    """Settle hands in a thread; raise ``RequestError`` for an impossible hand."""
    return await asyncio.to_thread(settle, [hand.hand for hand in hands], rules)


async def settled_result(hands: Sequence[LiveHand], rules: Ruleset) -> GameResult:
    """Return the result to store for a game with these hands."""
    return (await settled(hands, rules)).result


async def rounds_of(services: Services, rights: EventRights, stages: Collection[str]) -> dict[str, int]:
    """Return round numbers by game, for the games of these stages that belong to a round."""
    staged = [stage.id for stage in rights.plan.stages if stage.kind == "rounds" and stage.id in stages]
    return {
        table.game: row.number
        for stage in staged
        for row in (await services.rounds.of(rights.event.id, stage)).rounds
        for table in row.tables
        if table.game is not None
    }


async def _seat_to_confirm(services: Services, table: GameTable, seat: int | None) -> int:
    """Return the seat to confirm for; raise ``which_seat`` if the person may not confirm for that seat.

    Players may confirm for their own seat, anyone who may enter hands for a seat without an account, and
    referees for any seat.
    """
    table.demand_record()
    if seat is None or seat == table.seat:
        if table.seat is None:
            raise ServerError("which_seat", field="seat")
        return table.seat
    if seat >= len(table.row.players):
        raise ServerError("which_seat", field="seat")
    entries = {entry.id: entry for entry in await services.entries.all(table.row.event)}
    if entries[table.row.players[seat]].person is not None and not table.rights.may(REFEREE):
        raise ServerError("which_seat", field="seat")
    return seat


async def confirm(services: Services, table: GameTable, user: PersonRow, body: ConfirmBody) -> None:
    """Confirm a finished game. It counts when every seat or a referee has confirmed it.

    As players may confirm for seats without an account, all confirmations may come from one account. Then the
    game still needs another account or a referee, unless the event sets ``confirm_alone``.
    Raises ``game_moved_on`` if hands have changed, ``disputed`` while a dispute is open.
    """
    seats = await _confirming(services, table, body)
    if table.status == "confirmed":
        return
    if table.status == "cancelled":
        raise ServerError("game_closed")
    if table.status != "over":
        raise ServerError("not_over")
    if body.head != table.row.head:
        raise ServerError("game_moved_on")
    async with changing(services, table.rights) as change:
        if await _disputed(change, table):
            raise ServerError("disputed")
        before = await confirmations(change, table.row.id, body.head)
        if not table.rights.may(REFEREE) and all(before.get(seat) == user.id for seat in seats):
            return
        for seat in seats:
            await confirm_seat(change, table.row.id, body.head, seat)
        confirmed = await confirmations(change, table.row.id, body.head)
        everybody = len(confirmed) == len(table.row.players)
        counts = everybody and await _confirmed_by_two(change, table, confirmed)
        await change_game(change, table.row, status="confirmed" if counts else "playing")
        change.note("confirm", game=table.row.id, after={"seats": seats, "confirmed": counts})
        change.results_change = counts
        if table.rights.may(REFEREE):
            if counts:
                await close_doubts(change, table.row.id)
        elif everybody:
            await note_doubts(change, table.row, table.rules, table.versions, alone=not counts)


async def _confirmed_by_two(change: Change, table: GameTable, confirmed: Mapping[int, str | None]) -> bool:
    """Whether two people or a referee have confirmed a game, or the event requires only one.

    A guest counts as a person at a seat that they have claimed, unless an organiser has undone the claim.
    """
    plan = change.event.plan
    if plan.confirm_alone or table.rights.may(REFEREE):
        return True
    claims = {(row.entry, row.person) for row in await change.all(ClaimRow, ClaimRow.state == TAKEN)}
    own = {person for seat, person in confirmed.items() if (table.row.players[seat], person) in claims}
    accounts = await with_account(
        change.connection, {person for person in confirmed.values() if person is not None}
    )
    return len(accounts | own) > 1


async def _confirming(services: Services, table: GameTable, body: ConfirmBody) -> list[int]:
    if body.everybody:
        table.rights.demand(REFEREE)
        return list(range(len(table.row.players)))
    return [await _seat_to_confirm(services, table, body.seat)]


async def _disputed(change: Change, table: GameTable) -> bool:
    open_ = (CallRow.kind == "dispute") & CallRow.closed.is_(None)
    return await change.count(CallRow.number, CallRow.game == table.row.id, open_) > 0


def confirmed_seats(table: GameTable) -> dict[int, str | None]:
    """Return the seats that have confirmed the current version, and the account confirming for each."""
    return {mark.seat: mark.person for mark in table.marks if mark.version == table.row.head}


MAX_CALLS = 500
RESULT: Final = ("scores", "final", "places", "chips", "yakitori", "deducted")


async def summaries(
    services: Services, rows: Sequence[RecordedGameRow], rights: EventRights, now: int
) -> list[RecordedSummary]:
    """Build the list of games."""
    within = PenaltyRow.game.in_([row.id for row in rows])
    penalties = await services.desk.penalties(rights.event.id, within) if rows else []
    seated = await rounds_of(services, rights, {row.stage for row in rows})
    return [_summary(row, rights, penalties, now, seated.get(row.id)) for row in rows]


def _summary(
    row: RecordedGameRow,
    rights: EventRights,
    penalties: Sequence[PenaltyRow],
    now: int,
    number: int | None,
) -> RecordedSummary:
    shown = not hidden(rights, row.players)
    return RecordedSummary.of(
        row,
        round=number,
        at=iso(row.at),
        status=status_of(row, rights.plan, now),
        players=list(row.players),
        **{name: getattr(row.result, name) if shown else None for name in RESULT},
        hands=row.result.hand_count,
        penalties=_penalties(row, rights, penalties) if shown else [],
    )


def version_view(version: HandVersion) -> RecordedVersion:
    """Build the response for a version of a hand."""
    return RecordedVersion.of(version, at=iso(version.at))


async def game_view(
    services: Services, table: GameTable, language: Language | None = None
) -> RecordedGameInfo:
    """Build the response for a game, with its settled hands and confirmations."""
    row, confirmed, person = table.row, confirmed_seats(table), table.rights.person
    entries = {entry.id: entry for entry in await services.entries.all(row.event)}
    names = names_of(list(entries.values()), language)
    penalties = await services.desk.penalties(row.event, PenaltyRow.game == row.id)
    return RecordedGameInfo.of(
        row,
        game_number=row.number,
        round=(await rounds_of(services, table.rights, {row.stage})).get(row.id),
        at=iso(row.at),
        status=table.status,
        hands=await _hands(services, table),
        seats=[
            RecordedPlayer(
                entry=entry,
                name=names[entry],
                account=entries[entry].person is not None,
                confirmed=row.status == "confirmed" or seat in confirmed,
                by_me=person is not None and confirmed.get(seat) == person.id,
            )
            for seat, entry in enumerate(row.players)
        ],
        **{name: getattr(row.result, name) for name in ("number", "honba", "deposits", *RESULT)},
        penalties=_penalties(row, table.rights, penalties),
        one_account=table.status == "over" and len(confirmed) == len(row.players),
        only_points=row.ended_with is not None,
        may_record=table.records and table.status in ("playing", "over"),
        may_decide=table.rights.may(REFEREE),
    )


def _penalties(
    row: RecordedGameRow, rights: EventRights, penalties: Sequence[PenaltyRow]
) -> list[GamePenalty]:
    """Return the valid penalties in the game, with reasons only for its players and staff."""
    sits = rights.entry is not None and rights.entry.id in row.players
    concerned = sits or rights.may(RECORDER)
    return [
        GamePenalty.of(
            penalty,
            seat=row.players.index(penalty.entry),
            why=penalty.why if concerned else "",
            at=iso(penalty.at),
        )
        for penalty in penalties
        if penalty.game == row.id and penalty.cancelled is None
    ]


async def _hands(services: Services, table: GameTable) -> list[RecordedHand]:
    hands, locked = table.hands, table.locked
    game = await settled(hands, table.rules)
    where = (CallRow.game == table.row.id, CallRow.kind == "dispute")
    disputes = await services.desk.calls(table.row.event, *where, limit=MAX_CALLS)
    disputed = {dispute.version for dispute in disputes}
    return [
        RecordedHand.model_validate(
            {
                **played.to_dict(),
                "version": hand.version,
                "hand": hand.hand,
                "entered": hand.entered,
                "trust": "locked" if i < locked else "proposed",
                "since": iso(hand.since),
                "winners": played.winners,
                "disputed": hand.version in disputed,
            }
        )
        for i, (hand, played) in enumerate(zip(hands, game.hands, strict=True))
    ]


MAX_CHARACTERS: Final = 12_000  # enough for the maximum fouls of a hand and the yaku of its wins


def check_hand_size(hand: Mapping[str, Any], field: str) -> None:
    """Raise ``RequestError`` for a hand whose JSON is longer than any real one."""
    if len(json.dumps(hand, ensure_ascii=False)) > MAX_CHARACTERS:
        raise RequestError("text_too_long", field=field, most=MAX_CHARACTERS)


ALONE: Final = Doubt("alone", {})
MAX_COMPARED: Final = 50  # limit on games compared to find a duplicate
HOUR_MS: Final = 3_600_000


async def note_doubts(
    change: Change, game: RecordedGameRow, rules: Ruleset, versions: Sequence[HandVersion], *, alone: bool
) -> None:
    """Ask a referee to check a finished game if there are reasons, but only once for the same reasons."""
    entered = await _entered(change, game, versions)
    await raise_doubts(change, game.id, [*[ALONE] * alone, *doubts_about(entered, rules)])


async def _entered(change: Change, game: RecordedGameRow, versions: Sequence[HandVersion]) -> EnteredGame:
    """Collect the facts that may raise doubts about a game.

    Its pace counts only if players entered it at the table, or for online games.
    """
    scores, hands = game.result.scores, [hand.hand for hand in live_hands(versions)]
    at_once = game.replay is None and all(version.seat is None for version in versions)
    if game.at is None or at_once or not versions:
        return EnteredGame(scores, hands, game.ended_with)
    return EnteredGame(
        scores,
        hands,
        game.ended_with,
        seconds=max(0, versions[-1].at - game.at) // 1000,
        games=await _most_games_started(change, game),
        twin=await _duplicate(change, game, hands),
    )


async def _most_games_started(change: Change, game: RecordedGameRow) -> int:
    """Return the highest number of games that one of the players has started within ``LONG_DAY_H``."""
    query = (
        select(func.count(RecordedSeat.game))
        .join(RecordedGameRow, OF_SEAT)
        .where(RecordedSeat.event == change.event.id, RecordedSeat.entry.in_(game.players))
        .where(RecordedGameRow.status != "cancelled", RecordedGameRow.at > change.at - LONG_DAY_H * HOUR_MS)
        .group_by(RecordedSeat.entry)
    )
    return max((await change.connection.execute(query)).scalars(), default=0)


async def _duplicate(change: Change, game: RecordedGameRow, hands: Sequence[Mapping[str, Any]]) -> int | None:
    """Return the number of a game with identical hands that the same person started on the same day."""
    columns = RecordedGameRow
    others = await games_of(
        change.connection,
        change.event.id,
        *(columns.person == game.person, columns.id != game.id, columns.at > change.at - DAY_MS),
        limit=MAX_COMPARED,
    )
    entered = await versions_by_game(change.connection, change.event.id, [other.id for other in others])
    wanted = [gist(hand) for hand in hands]
    for other in others:
        if [gist(hand.hand) for hand in live_hands(entered[other.id])] == wanted:
            return other.number
    return None
