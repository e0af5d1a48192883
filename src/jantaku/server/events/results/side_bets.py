"""Side bets between two players of a game, and their balances."""

from collections import Counter
from typing import Annotated, Literal, NamedTuple, cast

from fastapi import Depends
from pydantic import Field

from jantaku.club.side_bets import BetKind, won_points
from jantaku.server.edge.bodies import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import Number, changing, rights_in
from jantaku.server.events.common.event_bodies import names_of
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.people.auth_dependencies import deduplicate
from jantaku.server.settings import BETS_OF_ONE
from jantaku.server.storage.entries import EntryRow, entries_of
from jantaku.server.storage.event_plan import EventKey
from jantaku.server.storage.events import ANY, OPEN, PenaltyRow
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.recorded_games import BetRow, RecordedGameRow, add_bet, decide_bet, game_of
from jantaku.server.storage.services import Services
from jantaku.wire import Wire

MAX_STAKE = 1_000_000
BetStatus = Literal["offered", "agreed", "declined", "withdrawn", "settled", "void"]


class BetBody(Wire):
    """A bet on a game offered to the player of an ``entry``: ``stake`` points, or points per 1,000."""

    game: EventKey
    entry: EventKey
    kind: BetKind = "fixed"
    stake: Annotated[int, Field(strict=True, ge=1, le=MAX_STAKE)]


class BetAnswer(Wire):
    """An answer that accepts or declines a bet, or withdraws the caller's own offer."""

    answer: Literal["agreed", "declined", "withdrawn"]


class BetInfo(Wire):
    """A bet with another player; ``points`` are those won by the caller, once it is ``settled``.

    A bet is ``void`` if its game is cancelled, or confirmed before the bet is accepted.
    """

    number: int
    game: str
    kind: BetKind
    stake: int
    entry: str | None
    name: str
    offered_by_me: bool
    status: BetStatus
    points: int | None


class BetBalance(Wire):
    """Points won from a player in all settled bets; negative if lost."""

    entry: str
    name: str
    points: int


class BetList(Wire):
    """The caller's bets in an event."""

    bets: list[BetInfo]
    balances: list[BetBalance]


class _Ledger(NamedTuple):
    """The rows needed to settle the bets of an event."""

    entries: dict[str, EntryRow]  # by person
    names: dict[str, str]  # by entry
    games: dict[str, RecordedGameRow]
    penalties: list[PenaltyRow]


async def offer_bet(services: Services, event: str, user: PersonRow, body: BetBody) -> None:
    """Offer a bet to another player of a running game."""
    rights = await rights_in(services, event, user)
    async with changing(services, rights) as change:
        game = await game_of(change, body.game)
        mine, entries = rights.entry, await entries_of(change.connection, event)
        if mine is None or mine.id not in game.players:
            raise ServerError("not_recorder")
        if body.entry not in game.players or body.entry == mine.id:
            raise ServerError("bet_opponent", field="entry")
        opponent = next(entry.person for entry in entries if entry.id == body.entry)
        if opponent is None:
            raise ServerError("bet_opponent", field="entry")
        _demand_running(game)
        row = BetRow(event, 0, game.id, user.id, opponent, body.kind, body.stake, "offered", change.at)
        await add_bet(change, row, BETS_OF_ONE)


def _demand_running(game: RecordedGameRow) -> None:
    if game.status != "playing" or game.result.over:
        raise ServerError("bet_too_late")


async def answer_bet(services: Services, event: str, user: PersonRow, number: int, word: str) -> None:
    """Accept or decline a bet, or withdraw one's own offer."""
    mine = await services.bets.of(event, user.id)
    row = next((bet for bet in mine if bet.number == number), None)
    if row is None:
        raise ServerError("no_bet")
    if (word == "withdrawn") != (row.person == user.id):
        raise ServerError("not_yours_to_answer")
    async with services.events.changing(event, user, OPEN if word == "agreed" else ANY) as change:
        if word == "agreed":
            _demand_running(await game_of(change, row.game))
        await decide_bet(change, row, word)


async def ledger(services: Services, event: str, user: PersonRow) -> BetList:
    """Return a person's bets in an event, and the balance with each player."""
    await rights_in(services, event, user)
    rows = await services.bets.of(event, user.id)
    games = await services.recorded.named(event, sorted({row.game for row in rows}))
    entries = await services.entries.all(event)
    known = _Ledger(
        {entry.person: entry for entry in entries if entry.person is not None},
        names_of(entries),
        {game.id: game for game in games},
        [penalty for penalty in await services.desk.penalties(event) if penalty.cancelled is None],
    )
    bets = [_bet_info(row, user.id, known) for row in rows]
    sums: Counter[str] = Counter()
    for bet in bets:
        if bet.entry is not None:
            sums[bet.entry] += bet.points or 0
    balances = [
        BetBalance(entry=entry, name=known.names[entry], points=points) for entry, points in sums.items()
    ]
    return BetList(bets=bets, balances=balances)


def _bet_info(row: BetRow, me: str, known: _Ledger) -> BetInfo:
    """Build a bet as seen by one of its players; ``status`` takes the state of the game into account."""
    other = known.entries.get(row.opponent if row.person == me else row.person)
    status, points = _outcome(row, me, known)
    return BetInfo.of(
        row,
        entry=other and other.id,
        name=known.names[other.id] if other else "",
        offered_by_me=row.person == me,
        status=status,
        points=points,
    )


def _outcome(row: BetRow, me: str, known: _Ledger) -> tuple[str, int | None]:
    game = known.games[row.game]
    finals = {entry: _final(game, entry, known) for entry in (row.person, row.opponent)}
    if row.status not in ("offered", "agreed"):
        return row.status, None
    if game.status == "cancelled" or None in finals.values():
        return "void", None
    if game.status != "confirmed":
        return row.status, None
    if row.status == "offered":
        return "void", None
    theirs = row.opponent if row.person == me else row.person
    kind = cast("BetKind", row.kind)
    return "settled", won_points(kind, row.stake, cast("int", finals[me]), cast("int", finals[theirs]))


def _final(game: RecordedGameRow, person: str, known: _Ledger) -> int | None:
    """Return a person's final points in a game, 0 before its end; ``None`` if they have lost their seat."""
    entry = known.entries.get(person)
    if entry is None or entry.id not in game.players:
        return None
    points = (game.result.final or (0,) * len(game.players))[game.players.index(entry.id)]
    inside = (
        penalty.points for penalty in known.penalties if (penalty.game, penalty.entry) == (game.id, entry.id)
    )
    return int(points) + sum(inside)


router = router_of("/api/events/{event}/bets", "events")


@router.get("")
async def bets(context: UserEventContext) -> BetList:
    """List the caller's bets and balances."""
    return await ledger(context.services, context.event, context.user)


@router.post("", dependencies=[Depends(deduplicate)])
async def offer(context: UserEventContext, body: BetBody) -> BetList:
    """Offer a bet to another player of the same game."""
    await offer_bet(context.services, context.event, context.user, body)
    return await ledger(context.services, context.event, context.user)


@router.post("/{number}/answer")
async def answer(context: UserEventContext, number: Number, body: BetAnswer) -> BetList:
    """Accept, decline or withdraw a bet."""
    await answer_bet(context.services, context.event, context.user, number, body.answer)
    return await ledger(context.services, context.event, context.user)
