"""Starting recorded games, entering hands, and ending games by points or status."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy.exc import IntegrityError

from jantaku.club import GameResult, SettledGame
from jantaku.club.entered_results import GameEnd, check_end, ended_game
from jantaku.club.recorded_hands import HandVersion, check_place, live_hands
from jantaku.errors import RequestError
from jantaku.rules import Ruleset
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import RECORDER, REFEREE, EventRights, changing, instant_ms, rights_in
from jantaku.server.events.recording.recorded_game import (
    GameStatusBody,
    GameTable,
    HandBody,
    HandEntered,
    StartRecorded,
    check_hand_size,
    note_doubts,
    settled,
    settled_result,
    table_of,
)
from jantaku.server.events.registration.entries import demand_playing, shown_team
from jantaku.server.events.results.counted_results import StandingsCache
from jantaku.server.settings import GAMES_OF_EVENT, STARTED_PER_DAY, VERSIONS_OF_GAME
from jantaku.server.storage.event_plan import StagePlan
from jantaku.server.storage.events import Change, EventRow, close_doubts
from jantaku.server.storage.people import DAY_MS, PersonRow
from jantaku.server.storage.recorded_games import (
    POINTS,
    RESERVED_PREFIXES,
    RecordedGameRow,
    add_games,
    add_versions,
    change_game,
    confirm_seat,
)
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms


async def start(
    services: Services, rights: EventRights, user: PersonRow, body: StartRecorded, standings: StandingsCache
) -> None:
    """Start a game, or enter the points of a finished one; a repeated request changes nothing.

    Points count immediately if entered by a referee, otherwise when the players have confirmed them.

    For a stage that follows another, the ``standings`` of the event determine who may play.
    """
    _check_may_start(rights, body)
    known = await services.recorded.all(rights.event.id, RecordedGameRow.id == body.id)
    if known:
        same = (known[0].stage, list(known[0].players)) == (body.stage, body.players)
        if not same or body.end not in (None, known[0].ended_with):
            raise ServerError("id_reused", field="id", id=body.id)
        return
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    _check_allowed(rights, body, rules)
    await _check_admitted(rights, body, standings)
    result = await settled_result([], rules)
    ended = body.end
    if ended is not None:
        check_end(ended, rules)
        result = ended_game(ended, rules).result
    elif body.chips is not None or body.no_win is not None:
        raise RequestError("missing_field", field="scores")
    try:
        async with changing(services, rights) as change:
            past = ended is not None or body.at is not None
            await demand_playing(change, body.players, "players", over=past)
            await check_room(change)
            await _check_day(change, rights, user)
            number = await change.next_number(RecordedGameRow.number)
            at = instant_ms(body.at) or change.at
            key = (change.event.id, body.id, number, body.stage, shown_team(body.label), at, user.id)
            counts = ended is not None and rights.may(REFEREE)
            asks = ended is not None and not counts
            status, head = "confirmed" if counts else "playing", _points_head(1) if asks else ""
            row = RecordedGameRow(*key, status, head, int(asks), ended, result, players=tuple(body.players))
            await add_games(change, [row])
            after = {"stage": row.stage, "players": row.players, "label": row.label, **logged_end(ended)}
            change.note("game", game=row.id, after=after)
            if counts:
                await note_doubts(change, row, rules, [], alone=False)
            elif asks and rights.plays in row.players:
                await confirm_seat(change, row.id, row.head, row.players.index(rights.plays))
            change.results_change = counts
    except IntegrityError:  # a simultaneous identical request
        await start(services, rights, user, body, standings)


def _check_may_start(rights: EventRights, body: StartRecorded) -> None:
    """Raise unless the person may start a game with these players and an id not reserved by the server."""
    if not rights.may(RECORDER) and rights.plays not in body.players:
        raise ServerError("not_recorder")
    if body.id.startswith(RESERVED_PREFIXES):
        raise ServerError("id_reused", field="id", id=body.id)


def _check_allowed(rights: EventRights, body: StartRecorded, rules: Ruleset) -> None:
    """Raise unless the person may start this game at this time and its players are valid."""
    stage = rights.plan.known_stage(body.stage)
    if (body.at is not None or stage.kind == "rounds") and not rights.may(RECORDER):
        raise ServerError("stage_seated" if body.at is None else "not_recorder", stage=stage.id)
    check_time(stage, rights)
    check_players(body.players, rules.match.players)


def check_players(players: Sequence[str], wanted: int) -> None:
    """Raise unless there are as many different players as seats (``wanted``)."""
    if len(players) != wanted:
        raise RequestError("wrong_count", field="players", count=len(players), wanted=wanted)
    if len(set(players)) != wanted:
        raise ServerError("twice_at_table", field="players", wanted=wanted)


async def _check_admitted(rights: EventRights, body: StartRecorded, standings: StandingsCache) -> None:
    """Raise ``not_admitted`` unless all players qualified for the stage; referees may add substitutes."""
    admitted = None if rights.may(REFEREE) else await admitted_to(rights.event, body.stage, standings)
    for player in body.players:
        if admitted is not None and player not in admitted:
            raise ServerError("not_admitted", field="players", id=player, stage=body.stage)


async def admitted_to(event: EventRow, stage: str, standings: StandingsCache) -> set[str] | None:
    """Return the entries admitted to a stage that follows another; ``None`` for a stage open to all.

    These include players added by a referee, since they are in the standings of the stage.
    """
    plan = event.plan.stage(stage)
    if plan is None or plan.source is None:
        return None
    stages = (await standings.get(event)).stages
    return {row.player for part in stages if part.id == stage for row in part.standings}


def check_time(stage: StagePlan, rights: EventRights) -> None:
    """Raise ``stage_closed`` before a stage opens and after it closes, except for referees."""
    opens, closes, now = instant_ms(stage.opens), instant_ms(stage.closes), now_ms()
    early, late = opens is not None and now < opens, closes is not None and now >= closes
    if (early or late) and not rights.may(REFEREE):
        raise ServerError("stage_closed", field="stage", stage=stage.id)


async def check_room(change: Change, more: int = 1) -> None:
    """Raise ``too_many_recorded`` if ``more`` games would exceed the limit of the event."""
    if await change.count(RecordedGameRow.id) + more > GAMES_OF_EVENT:
        raise ServerError("too_many_recorded", most=GAMES_OF_EVENT)


async def _check_day(change: Change, rights: EventRights, user: PersonRow) -> None:
    mine = (RecordedGameRow.person == user.id) & (RecordedGameRow.at > change.at - DAY_MS)
    if not rights.may(RECORDER) and await change.count(RecordedGameRow.id, mine) >= STARTED_PER_DAY:
        raise ServerError("too_many_started", most=STARTED_PER_DAY)


def logged_end(end: GameEnd | None) -> dict[str, Any]:
    """Return the end of a game as stored in the change log."""
    return {"scores": None} if end is None else {"scores": list(end.scores), **end.besides_scores()}


async def set_status(services: Services, table: GameTable, body: GameStatusBody) -> None:
    """Cancel or resume a game. Players may cancel a game without hands, a referee any game with a reason."""
    row = table.row
    empty = not table.versions and row.status == "playing" and _only_mine(table)
    if not (body.status == "cancelled" and empty and table.plays):
        table.rights.demand(REFEREE)
        if not body.why.strip():
            raise ServerError("why_needed", field="why")
    if row.status == body.status and (body.status == "cancelled" or row.ended_with is None):
        return
    table.demand_revision(body.revision)
    result = await settled_result(table.hands, table.rules)
    values: dict[str, Any] = {}
    if body.status == "playing":  # the hands count again
        head = table.versions[-1].id if table.versions else ""
        values = {"ended_with": None, "result": result, "head": head}
    async with changing(services, table.rights) as change:
        await store_status(change, row, body.status, body.why, **values)
        # byes count unless every game of their round is cancelled
        change.results_change = row.status == "confirmed" or "cancelled" in (row.status, body.status)


def _only_mine(table: GameTable) -> bool:
    """Whether only the person has confirmed the points of a game."""
    person = table.rights.person
    confirmed = {mark.person for mark in table.marks if mark.version == table.row.head}
    return person is not None and (table.row.ended_with is None or confirmed <= {person.id})


async def store_status(change: Change, row: RecordedGameRow, status: str, why: str, **values: Any) -> None:
    """Store a new status of a game and close its doubts."""
    await change_game(change, row, status=status, revision=row.revision + 1, **values)
    change.note("game_status", game=row.id, before=row.status, after=status, why=why)
    await close_doubts(change, row.id)


async def _with_deducted(end: GameEnd, table: GameTable) -> GameEnd:
    """Add deductions for chombo in the game's hands to an end entered by a referee."""
    if table.hands:
        return replace(end, deducted=(await settled(table.hands, table.rules)).deducted)
    known = table.row.ended_with
    return end if known is None else replace(end, deducted=known.deducted)


def _points_head(revision: int) -> str:
    """Return the id of the points at this revision, which players confirm just like a version of a hand."""
    return f"{POINTS}{revision}"


async def propose_points(
    services: Services, table: GameTable, end: GameEnd, revision: int | None = None
) -> None:
    """End a game by points that a player enters; it counts when all seats have confirmed them.

    Entering confirms them for the player's own seat; after a change, the other seats must confirm again.
    Changing points entered earlier raises ``game_moved_on`` unless ``revision`` is the current one. Only a
    referee may replace hands or change a game that counts.
    """
    table.demand_record()
    row = table.row
    if row.status == "cancelled":
        raise ServerError("game_closed")
    if table.versions or row.status != "playing":
        table.rights.demand(REFEREE)
    table.demand_open("")
    check_end(end, table.rules)
    if row.ended_with == end:
        return
    table.demand_revision(revision)
    if row.ended_with is not None and revision is None:
        raise ServerError("game_moved_on")
    values = {
        "ended_with": end,
        "result": ended_game(end, table.rules).result,
        "head": _points_head(row.revision + 1),
    }
    before = {"scores": row.result.scores, "status": row.status}
    async with changing(services, table.rights) as change:
        row = await change_game(change, row, **values, revision=row.revision + 1)
        if table.seat is not None:
            await confirm_seat(change, row.id, row.head, table.seat)
        change.note("points", game=row.id, before=before, after={**logged_end(end), "confirmed": False})


async def end_by_points(
    services: Services, table: GameTable, end: GameEnd, why: str, revision: int | None = None
) -> None:
    """End a game by points that a referee enters; it counts immediately.

    A repeated request changes nothing. Changing points entered earlier raises ``game_moved_on`` unless
    ``revision`` is the current one.
    """
    table.rights.demand(REFEREE)
    row = table.row
    if row.status == "cancelled":
        raise ServerError("game_closed")
    check_end(end, table.rules)
    end = await _with_deducted(end, table)
    if row.ended_with == end and row.status == "confirmed":
        return
    table.demand_revision(revision)
    if row.ended_with is not None and revision is None:
        raise ServerError("game_moved_on")
    if (table.versions or row.status == "confirmed") and not why.strip():
        raise ServerError("why_needed", field="why")
    values = {"ended_with": end, "result": ended_game(end, table.rules).result}
    before = {"scores": row.result.scores, "status": row.status}
    async with changing(services, table.rights) as change:
        row = await change_game(change, row, **values, status="confirmed", revision=row.revision + 1)
        await close_doubts(change, row.id)
        await note_doubts(change, row, table.rules, [], alone=False)
        change.note("points", game=row.id, before=before, after=logged_end(end), why=why)
        change.results_change = True


MAX_SHOWN: Final = 20  # versions listed in a conflict
TRIES: Final = 5  # attempts when others enter hands simultaneously


class HandConflictError(Exception):
    """Others have entered hands after the version that a new one follows."""

    def __init__(self, theirs: list[HandVersion], head: str) -> None:
        super().__init__(head)
        self.theirs = theirs
        self.head = head


async def enter_hand(
    services: Services, user: PersonRow, event: str, game: str, body: HandBody
) -> HandEntered:
    """Enter or change a hand and return the resulting game.

    Raises ``HandConflictError``, ``ServerError``, and ``RequestError`` for an impossible hand.
    """
    for _ in range(TRIES):
        table = await table_of(services, await rights_in(services, event, user), game)
        table.demand_record()
        known = next((version for version in table.versions if version.id == body.id), None)
        if known is not None:
            return await _first_answer(table, known, body)
        version, after = await _checked(table, user, body)
        try:
            await _store(services, table, version, after.result)
        except IntegrityError:
            continue
        except ServerError as error:
            if error.code not in ("game_moved_on", "rules_moved_on"):
                raise
            continue
        return _answer(version, after)
    raise ServerError("game_moved_on")


async def _first_answer(table: GameTable, known: HandVersion, body: HandBody) -> HandEntered:
    same = (known.follows, known.action, known.hand) == (body.follows, body.action, body.hand)
    if not same or (body.action != "add" and known.place != body.place):
        raise ServerError("id_reused", field="id", id=body.id)
    then = live_hands([version for version in table.versions if version.revision <= known.revision])
    return _answer(known, await settled(then, table.rules))


def _answer(version: HandVersion, game: SettledGame) -> HandEntered:
    return HandEntered.model_validate(
        {"id": version.id, "revision": version.revision, "place": version.place, "game": game.to_dict()}
    )


async def _checked(table: GameTable, user: PersonRow, body: HandBody) -> tuple[HandVersion, SettledGame]:
    """Validate a request and return the new version with the resulting game."""
    if table.row.ended_with is not None:
        raise ServerError("only_points")
    if body.follows != table.row.head:
        revision = next((version.revision for version in table.versions if version.id == body.follows), 0)
        theirs = [version for version in table.versions if version.revision > revision]
        raise HandConflictError(theirs[:MAX_SHOWN], table.row.head)
    table.demand_open(body.why)
    if len(table.versions) >= VERSIONS_OF_GAME:
        raise ServerError("too_many_versions", most=VERSIONS_OF_GAME)
    hands = table.hands
    place = check_place(body.action, body.place, body.hand, len(hands))
    _check_lock(table, place, body.why)
    if body.hand is not None:
        check_hand_size(body.hand, f"hands[{place}]")
    link = (body.id, body.follows, table.row.revision + 1, body.action, place, body.hand)
    version = HandVersion(*link, user.id, table.seat, table.now, body.why.strip())
    after = live_hands([*table.versions, version])
    return version, await settled(after, table.rules)


def _check_lock(table: GameTable, place: int, why: str) -> None:
    """Raise ``hand_locked`` or ``why_needed``: only a referee may change locked hands, with a reason."""
    if place >= table.locked:
        return
    if not table.rights.may(REFEREE):
        raise ServerError("hand_locked")
    if not why.strip():
        raise ServerError("why_needed", field="why")


async def _store(services: Services, table: GameTable, version: HandVersion, result: GameResult) -> None:
    row = table.row
    values: dict[str, Any] = {"head": version.id, "revision": version.revision, "result": result}
    if row.status == "confirmed" and not result.over:
        values["status"] = "playing"
    hands = table.hands
    before = dict(hands[version.place].hand) if version.action in ("replace", "remove") else None
    async with changing(services, table.rights) as change:
        await change_game(change, row, **values)
        await add_versions(change, [(row.id, version)])
        about: dict[str, Any] = {"place": version.place, "action": version.action, "hand": version.hand}
        change.note("hand", game=row.id, before=before, after=about, why=version.why)
        change.results_change = row.status == "confirmed"
