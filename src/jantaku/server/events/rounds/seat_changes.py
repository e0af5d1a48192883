"""Seat changes: corrections, absences, and replacements of players."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, cast

from jantaku.club import GameResult
from jantaku.server.edge.bodies import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, RECORDER, REFEREE, EventRights, GameId, changing
from jantaku.server.events.common.event_context import UserEventContext
from jantaku.server.events.recording.recorded_game import RecordedGameInfo, SeatsBody, game_view, table_of
from jantaku.server.events.recording.starting_games import check_players
from jantaku.server.events.registration.entries import demand_playing
from jantaku.server.events.rounds.round_state import AbsenceBody, ChangeSeats, ReplaceBody, stage_in
from jantaku.server.events.rounds.running_rounds import (
    demand_offline,
    demand_table,
    empty_result,
    new_games,
    with_bye,
)
from jantaku.server.events.rounds.seating import check_round
from jantaku.server.settings import ROUNDS_OF_STAGE
from jantaku.server.storage.entries import entries_of
from jantaku.server.storage.events import Change
from jantaku.server.storage.finished_games import open_for_rounds
from jantaku.server.storage.recorded_games import (
    RecordedGameRow,
    change_game,
    change_seats,
    game_of,
    games_of,
)
from jantaku.server.storage.rounds import (
    RoundRow,
    SeatedTable,
    Span,
    covers,
    rows_in,
    save_absences,
    save_rounds,
)
from jantaku.server.storage.services import Services

Seats = Sequence[Sequence[str]]


async def reseat(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: ChangeSeats
) -> None:
    """Change the seats of a round and of its recorded games.

    Only organisers may change drafts. A started round requires a reason. Raises ``not_in_round``,
    ``twice_in_round``, ``table_seats`` and ``not_entered``.
    """
    stage, number = of_round
    await stage_in(services, rights, stage)
    result = await empty_result(services, rights)
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    async with changing(services, rights) as change:
        row = (await rows_in(change, stage)).round(number)
        if row.state == "drafted":
            rights.demand(ORGANISER)
        if not row.is_open and not body.why.strip():
            raise ServerError("why_needed", field="why")
        seats, byes = _swapped(row, body.swap) if body.swap else _given(row, body.tables or {})
        entries = await entries_of(change.connection, change.event.id)
        playing = {entry.id for entry in entries if entry.status == "playing"}
        check_round(number, seats, playing | row.people, rules.match.players)
        after = dataclasses.replace(
            row, byes=await with_bye(change, row, byes), tables=_with_players(row, seats)
        )
        await move_people(change, row, after, None if body.hands == "keep" else result, body.why)


async def with_seats(change: Change, row: RoundRow, tables: Mapping[int, Sequence[str]]) -> RoundRow:
    """Return the round with other players at some tables; players left without a seat get a bye."""
    seats, byes = _given(row, tables)
    return dataclasses.replace(row, byes=await with_bye(change, row, byes), tables=_with_players(row, seats))


def _with_players(row: RoundRow, seats: Seats) -> tuple[SeatedTable, ...]:
    return tuple(
        table._replace(players=tuple(players)) for table, players in zip(row.tables, seats, strict=True)
    )


def _swapped(row: RoundRow, pair: Sequence[str]) -> tuple[Seats, list[str]]:
    """Return the tables and byes after swapping two players."""
    one, other = pair
    if one not in row.people or one == other:
        raise ServerError("not_in_round", number=row.number, id=one)
    turned = {one: other, other: one}
    byes = [turned.get(name, name) for name in row.byes]
    return [[turned.get(name, name) for name in table] for table in row.seating], byes


def _given(row: RoundRow, tables: Mapping[int, Sequence[str]]) -> tuple[Seats, list[str]]:
    """Return all tables with the given ones replaced, and the players left without a seat."""
    if not tables:
        raise ServerError("no_seating")
    for number in tables:
        demand_table(row, number)
    seats = [list(tables.get(number, table)) for number, table in enumerate(row.seating, 1)]
    sitting = {player for table in seats for player in table}
    left = [player for table in row.seating for player in table if player not in sitting]
    return seats, [*(bye for bye in row.byes if bye not in sitting), *left]


async def move_people(
    change: Change, row: RoundRow, after: RoundRow, restart: GameResult | None, why: str
) -> None:
    """Store another seating of a round; its games continue with the new players.

    With ``restart`` (the result of a game without hands), games with changed players are cancelled and new
    ones started.
    """
    tables = list(after.tables)
    moved = [t for t, (old, new) in enumerate(zip(row.seating, after.seating, strict=True)) if old != new]
    demand_offline(await open_for_rounds(change.connection, change.event.id, row.stage), row, moved)
    restarted = []
    for t, (old, new) in enumerate(zip(row.tables, after.tables, strict=True)):
        if old.players == new.players or old.game is None:
            continue
        game = (await games_of(change.connection, change.event.id, RecordedGameRow.id == old.game))[0]
        if restart is None:
            await change_seats(change, game, new.players)
            change.note("seats", game=game.id, before=old.players, after=new.players, why=why)
        else:
            await change_game(change, game, status="cancelled", revision=game.revision + 1)
            change.note("game_status", game=game.id, before=game.status, after="cancelled", why=why)
            restarted.append(t)
        change.results_change = True
    if restart is not None:
        for t, game in zip(restarted, await new_games(change, after, restarted, restart), strict=True):
            tables[t] = tables[t]._replace(game=game.id)
    change.results_change = change.results_change or row.byes != after.byes
    await save_rounds(change, [dataclasses.replace(after, tables=tuple(tables))])
    about, before = (
        {"stage": row.stage, "round": row.number, "tables": state.seating, "byes": state.byes}
        for state in (after, row)
    )
    change.note("seating" if row.state == "drafted" else "reseat", before=before, after=about, why=why)


async def set_absence(services: Services, rights: EventRights, stage: str, body: AbsenceBody) -> None:
    """Add or remove an absence of an entry.

    Raises ``not_recorder`` for another player's entry, ``round_begun`` if it includes a started round.
    """
    await stage_in(services, rights, stage)
    if body.entry != rights.plays:
        rights.demand(RECORDER)
    async with changing(services, rights) as change:
        await demand_playing(change, [body.entry], "entry")
        rows = await rows_in(change, stage)
        begun = max((row.number for row in rows.rounds if not row.is_open), default=0)
        if body.first <= begun:
            raise ServerError("round_begun", number=body.first)
        before = rows.spans(body.entry)
        after = _absences(before, body)
        if after != before:
            await save_absences(change, stage, body.entry, after)
            about = {"stage": stage, "rounds": after}
            change.note("absence", entry=body.entry, before={"rounds": before}, after=about, why=body.why)


def _absences(before: Sequence[Span], body: AbsenceBody) -> list[Span]:
    """Return the absences of an entry after a change, merged into as few spans as possible."""
    numbers = range(1, ROUNDS_OF_STAGE + 1)
    changed = (body.first, body.last)
    away = [
        not body.present if covers(changed, number) else any(covers(span, number) for span in before)
        for number in numbers
    ]
    absences = list[Span]()
    for number in numbers:
        if away[number - 1] and (number == 1 or not away[number - 2]):
            last = next(
                (end for end in numbers[number - 1 :] if end == ROUNDS_OF_STAGE or not away[end]), None
            )
            absences.append((number, None if last == ROUNDS_OF_STAGE else last))
    return absences


async def replace(services: Services, rights: EventRights, stage: str, body: ReplaceBody) -> None:
    """Replace a player in all rounds not yet started and, with ``now``, in running games.

    Raises ``not_in_round`` if the player has a seat in none of them, ``twice_in_round`` if the replacement
    already has one.
    """
    await stage_in(services, rights, stage)
    async with changing(services, rights) as change:
        await demand_playing(change, [body.by], "by")
        rows = await rows_in(change, stage)
        wanted = ("drafted", "published", *(("running",) if body.now else ()))
        mine = [
            row
            for row in rows.rounds
            if row.number >= body.first and row.state in wanted and await _still_sits(change, row, body.entry)
        ]
        if not mine:
            raise ServerError("not_in_round", number=body.first, id=body.entry)
        for row in mine:
            if body.by in {player for table in row.seating for player in table}:
                raise ServerError("twice_in_round", number=row.number, id=body.by)
            byes = [bye for bye in row.byes if bye != body.by]
            byes = [body.by if bye == body.entry else bye for bye in byes]
            seats = [
                [body.by if player == body.entry else player for player in table] for table in row.seating
            ]
            after = dataclasses.replace(row, byes=tuple(byes), tables=_with_players(row, seats))
            await move_people(change, row, after, None, body.why)
        after_all = min(max(row.number for row in rows.rounds) + 1, ROUNDS_OF_STAGE)
        first = min((row.number for row in mine if row.is_open), default=after_all)
        gone = AbsenceBody(entry=body.entry, first=first)
        await save_absences(change, stage, body.entry, _absences(rows.spans(body.entry), gone))
        numbers = {"stage": stage, "rounds": [row.number for row in mine]}
        change.note("replace", entry=body.entry, after={**numbers, "by": body.by}, why=body.why)


async def _still_sits(change: Change, row: RoundRow, entry: str) -> bool:
    """Whether an entry is part of a round, and its game, if any, is unfinished."""
    games = [table.game for table in row.tables if entry in table.players and table.game is not None]
    played = await games_of(change.connection, change.event.id, RecordedGameRow.id.in_(games))
    return entry in row.people and all(game.status == "playing" for game in played)


async def reseat_game(services: Services, rights: EventRights, game: str, body: SeatsBody) -> None:
    """Assign the seats of a game to other players; hands, points and penalties stay with the seats.

    Raises ``game_moved_on`` if the game has changed since the ``revision``, ``not_entered``, and in a round
    ``twice_in_round``.
    """
    table = await table_of(services, rights, game)
    check_players(body.players, table.rules.match.players)
    async with changing(services, rights) as change:
        row = await game_of(change, game)
        if row.revision != body.revision:
            raise ServerError("game_moved_on")
        if (row.head or row.ended_with is not None) and not body.why.strip():
            raise ServerError("why_needed", field="why")
        known = {entry.id for entry in await entries_of(change.connection, change.event.id)}
        await demand_playing(change, body.players, "players", over=True)
        if tuple(body.players) == row.players:
            return
        await _move(change, row, body, known)
        await change_game(change, row, revision=row.revision + 1)
        change.results_change = True


async def _move(change: Change, game: RecordedGameRow, body: SeatsBody, known: set[str]) -> None:
    seated_at = await _round_of(change, game)
    if seated_at is None:
        await change_seats(change, game, body.players)
        change.note("seats", game=game.id, before=game.players, after=body.players, why=body.why)
        return
    row, at = seated_at
    after = await with_seats(change, row, {at + 1: body.players})
    check_round(row.number, after.seating, known, len(body.players))
    await move_people(change, row, after, None, body.why)


async def _round_of(change: Change, game: RecordedGameRow) -> tuple[RoundRow, int] | None:
    """Return the round of a game and the index of its table; ``None`` outside rounds."""
    for row in (await rows_in(change, game.stage)).rounds:
        for at, table in enumerate(row.tables):
            if table.game == game.id:
                return row, at
    return None


router = router_of("/api/events/{event}/games", "events")


@router.post("/{game}/seats")
async def set_seats(context: UserEventContext, game: GameId, body: SeatsBody) -> RecordedGameInfo:
    """Correct the players of a game, for referees."""
    rights = await context.rights(REFEREE)
    await reseat_game(context.services, rights, game, body)
    table = await table_of(context.services, await context.rights(), game)
    return await game_view(context.services, table, cast("Any", context.user.language))
