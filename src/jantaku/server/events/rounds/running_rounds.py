"""Running rounds: publishing seatings, starting and ending games, timers and results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jantaku.club import GameResult
from jantaku.club.entered_results import interim_end
from jantaku.errors import JantakuError, Phrases
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import EventRights, changing
from jantaku.server.events.common.event_bodies import names_of
from jantaku.server.events.recording.recorded_game import (
    GameStatusBody,
    entered_end,
    settled,
    settled_result,
    table_of,
)
from jantaku.server.events.recording.starting_games import check_room, end_by_points, set_status, store_status
from jantaku.server.events.rounds import round_state
from jantaku.server.events.rounds.round_state import RoundResults, TableResult, TimerBody, stage_in
from jantaku.server.storage.entries import entries_of
from jantaku.server.storage.event_plan import RoundSettings
from jantaku.server.storage.events import Change, logged_since, penalised
from jantaku.server.storage.finished_games import open_for_rounds
from jantaku.server.storage.people import new_id
from jantaku.server.storage.recorded_games import RecordedGameRow, add_games, games_by_id, games_of
from jantaku.server.storage.rounds import RoundClock, RoundRow, rows_in, save_rounds, save_settings
from jantaku.server.storage.services import Services


async def set_settings(
    services: Services, rights: EventRights, stage: str, body: round_state.SetRounds
) -> None:
    """Replace the settings of a stage.

    Raises ``not_entered`` if a substitute is not in the event, ``rounds_moved_on`` if the settings have
    changed since the ``revision`` in the body.
    """
    current = await stage_in(services, rights, stage)
    async with changing(services, rights) as change:
        earlier = [] if body.revision is None else await logged_since(change, "rounds", body.revision)
        if any(after["stage"] == stage for after in earlier):
            raise ServerError("rounds_moved_on")
        there = await entries_of(change.connection, change.event.id)
        known = {entry.id for entry in there if entry.status != "merged"}
        for name in (*body.substitutes, *(name for pair in body.apart for name in pair)):
            if name not in known:
                raise ServerError("not_entered", field="substitutes", id=name)
        await save_settings(change, stage, body.settings)
        change.note("rounds", before=_noted(stage, current.settings), after=_noted(stage, body.settings))
        change.results_change = True


def _noted(stage: str, settings: RoundSettings) -> dict[str, Any]:
    """Return the settings for the change log, without the confidential pairs kept apart."""
    return {"stage": stage, **settings.model_dump(exclude_defaults=True, exclude={"apart"})}


async def publish(
    services: Services, rights: EventRights, stage: str, body: round_state.PublishRounds
) -> None:
    """Publish drafts, which makes them visible to players."""
    await stage_in(services, rights, stage)
    result = await empty_result(services, rights)
    async with changing(services, rights) as change:
        rows = await rows_in(change, stage)
        numbers = body.numbers or [row.number for row in rows.rounds if row.state == "drafted"]
        rounds = [rows.round(number) for number in sorted(set(numbers))]
        if not rounds:
            raise ServerError("no_draft", stage=stage)
        for row in rounds:
            if row.state == "drafted":
                await save_rounds(change, [replace(row, state="published", published=change.at)])
                after = {"stage": stage, "round": row.number, "made_by": row.made_by, "seed": row.seed}
                change.note("seating_published", after=after | {"tables": row.seating, "byes": row.byes})
        if body.start:
            await _start(change, (await rows_in(change, stage)).round(rounds[0].number), result)


async def start_round(services: Services, rights: EventRights, stage: str, number: int) -> None:
    """Start the games at all tables and the timer; a repeated request changes nothing."""
    await stage_in(services, rights, stage)
    result = await empty_result(services, rights)
    async with changing(services, rights) as change:
        await _start(change, (await rows_in(change, stage)).round(number), result)


async def start_table(services: Services, rights: EventRights, at_table: tuple[str, int, int]) -> None:
    """Start the game at a table of a published round; ``at_table`` is (stage, round, table number)."""
    stage, number, table = at_table
    await stage_in(services, rights, stage)
    result = await empty_result(services, rights)
    async with changing(services, rights) as change:
        row = (await rows_in(change, stage)).round(number)
        demand_table(row, table)
        demand_published(row)
        await _begin(change, row, result, [table - 1])


async def empty_result(services: Services, rights: EventRights) -> GameResult:
    """Return the result to store for a game without hands."""
    rules = await services.rulesets.find(rights.event.rules, rights.event.fingerprint)
    return await settled_result([], rules)


async def begin_round(change: Change, row: RoundRow) -> None:
    """Start a published round and its timer, but no recorded games: it is played at online tables."""
    await _start(change, row, None, ())


async def _start(
    change: Change, row: RoundRow, result: GameResult | None, tables: Sequence[int] | None = None
) -> None:
    """Start a round with all its games, or those at some ``tables`` (indices)."""
    demand_published(row)
    row = await _begin(change, row, result, range(len(row.tables)) if tables is None else tables)
    if row.timer.started is None and not row.timer.elapsed_ms:
        await save_rounds(change, [replace(row, timer=row.timer._replace(started=change.at))])


def demand_published(row: RoundRow) -> None:
    """Raise ``round_drafted`` or ``round_over`` unless the round is published and unfinished."""
    if row.state == "drafted":
        raise ServerError("round_drafted", number=row.number)
    if row.state == "done":
        raise ServerError("round_over", number=row.number)


def demand_table(row: RoundRow, table: int) -> None:
    """Raise ``no_round_table`` if the round has no table with this number."""
    if not 1 <= table <= len(row.tables):
        raise ServerError("no_round_table", number=row.number, table=table)


async def _begin(change: Change, row: RoundRow, result: GameResult | None, tables: Sequence[int]) -> RoundRow:
    """Start games at these tables (indices) if they have none, and the round if it has not started."""
    tables = [t for t in tables if row.tables[t].game is None]
    seated = list(row.tables)
    games = await new_games(change, row, tables, result)
    for t, game in zip(tables, games, strict=True):
        seated[t] = seated[t]._replace(game=game.id)
    if row.is_open:
        minutes = (await rows_in(change, row.stage)).settings.minutes
        row = replace(row, state="running", timer=row.timer._replace(minutes=row.timer.minutes or minutes))
        row = replace(row, byes=await with_bye(change, row, row.byes))
        change.note("round_start", after={"stage": row.stage, "round": row.number})
        change.results_change = True  # a bye may be worth points
    row = replace(row, tables=tuple(seated))
    await save_rounds(change, [row])
    return row


async def _demand_there(change: Change, row: RoundRow, tables: Sequence[int]) -> None:
    """Raise ``seated_gone`` with the names of players at these tables who have withdrawn or are absent."""
    there = await entries_of(change.connection, change.event.id)
    away = (await rows_in(change, row.stage)).away(row.number)
    entries, names = {entry.id: entry for entry in there}, names_of(there)
    seated = [entries[player] for t in tables for player in row.tables[t].players]
    gone = [names[entry.id] for entry in seated if entry.status != "playing" or entry.id in away]
    if gone:
        raise ServerError("seated_gone", field="players", number=row.number, names=Phrases(gone))


async def with_bye(change: Change, row: RoundRow, entries: Iterable[str]) -> tuple[str, ...]:
    """Return the ``entries`` that get a bye: all except withdrawn players, absent players and substitutes."""
    rows = await rows_in(change, row.stage)
    there = await entries_of(change.connection, change.event.id)
    play = {entry.id for entry in there if entry.status == "playing"} - rows.away(row.number)
    return tuple(entry for entry in entries if entry in play.difference(rows.settings.substitutes))


def demand_offline(there: Mapping[tuple[int, int], str], row: RoundRow, tables: Iterable[int]) -> None:
    """Raise ``round_online`` if one of these tables (indices) has an open online table.

    ``there`` are the online tables of the stage (``open_for_rounds``). Starting or changing the table's game
    here would keep the online game from counting.
    """
    online = [t + 1 for t in tables if (row.number, t + 1) in there]
    if online:
        raise ServerError("round_online", number=row.number, tables=Phrases(online))


async def new_games(
    change: Change, row: RoundRow, tables: Sequence[int], result: GameResult | None
) -> list[RecordedGameRow]:
    """Start a recorded game for each of these tables (indices), or reuse a resumed one."""
    await check_room(change, len(tables))
    demand_offline(await open_for_rounds(change.connection, change.event.id, row.stage), row, tables)
    await _demand_there(change, row, tables)
    number = await change.next_number(RecordedGameRow.number)
    again = await _resumed_games(change, row)
    games, new = list[RecordedGameRow](), list[RecordedGameRow]()
    for t in tables:
        game = again.get((str(t + 1), row.tables[t].players))
        if game is None:
            assert result is not None
            key = (
                change.event.id,
                f"{_game_prefix(row)}{new_id()}",
                number + len(new),
                row.stage,
                str(t + 1),
            )
            person, players = change.who.id, row.tables[t].players
            game = RecordedGameRow(*key, change.at, person, "playing", "", 0, None, result, players=players)
            new.append(game)
        games.append(game)
    await add_games(change, new)
    for game in new:
        after = {"stage": game.stage, "round": row.number, "players": game.players, "label": game.label}
        change.note("game", game=game.id, after=after)
    return games


def _game_prefix(row: RoundRow) -> str:
    """Return the prefix of the ids of games started by a round."""
    return f"r{row.number}-"


async def _resumed_games(change: Change, row: RoundRow) -> dict[tuple[str, tuple[str, ...]], RecordedGameRow]:
    """Return games of a reset round that a referee has resumed, by table and players."""
    stage, mine = RecordedGameRow.stage == row.stage, RecordedGameRow.id.startswith(_game_prefix(row))
    there = RecordedGameRow.status != "cancelled"
    rows = await games_of(change.connection, change.event.id, stage, mine, there)
    seated = {table.game for table in row.tables}
    return {(game.label, game.players): game for game in rows if game.id not in seated}


async def finish_table(
    services: Services,
    rights: EventRights,
    at_table: tuple[str, int, int],
    body: round_state.FinishTable,
) -> None:
    """End the game at a table with its current points, or with points entered by a referee."""
    stage, number, table = at_table
    row = (await stage_in(services, rights, stage)).rows.round(number)
    demand_table(row, table)
    game = row.tables[table - 1].game
    if game is None:
        raise ServerError("no_recorded_game")
    await _end_game(services, rights, game, body)


async def _end_game(
    services: Services, rights: EventRights, game: str, body: round_state.FinishTable
) -> None:
    """End a game by its points; a game without hands and points is cancelled."""
    table = await table_of(services, rights, game)
    if body.scores is None and table.row.ended_with is not None:  # the players have not confirmed it yet
        await end_by_points(services, table, table.row.ended_with, body.why, table.row.revision)
        return
    if body.scores is None and not table.hands:
        await set_status(services, table, GameStatusBody(status="cancelled", why=body.why))
        return
    if body.scores is not None:
        end = entered_end(body.scores, body.chips, body.no_win)
    else:
        end = interim_end(await settled(table.hands, table.rules), table.rules)
    await end_by_points(services, table, end, body.why)


async def finish_round(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: round_state.FinishRound
) -> None:
    """Finish a round and, with ``everything``, its games; otherwise unfinished games raise ``round_playing``.

    Raises ``round_online`` for an online game, which a referee must end at its table.
    """
    stage, number = of_round
    row = (await stage_in(services, rights, stage)).rows.round(number)
    if row.state == "done":
        return
    if row.is_open:
        raise ServerError("round_not_begun", number=number)
    demand_offline(await services.online.of_stage(rights.event.id, stage), row, range(len(row.tables)))
    going = await _going_on(services, rights, row)
    if going and not body.everything:
        raise ServerError("round_playing", number=number, tables=Phrases(table for table, _ in going))
    if going and not body.why.strip():
        raise ServerError("why_needed", field="why")
    for _, game in going:
        await _end_game(services, rights, game, round_state.FinishTable(why=body.why))
    async with changing(services, rights) as change:
        row = (await rows_in(change, stage)).round(number)
        if row.is_open:  # another referee may have reset it
            raise ServerError("round_not_begun", number=number)
        timer = row.timer.after("pause", change.at)
        await save_rounds(change, [replace(row, state="done", timer=timer)])
        change.note("round_end", after={"stage": stage, "round": number}, why=body.why)


async def _going_on(services: Services, rights: EventRights, row: RoundRow) -> list[tuple[int, str]]:
    """Return the numbers of tables with unfinished games, and those games."""
    games = [table.game for table in row.tables if table.game is not None]
    rows = await services.recorded.named(rights.event.id, games)
    playing = {row.id for row in rows if row.status == "playing"}
    return [(t, table.game) for t, table in enumerate(row.tables, 1) if table.game in playing and table.game]


async def reset_round(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: round_state.TakeBackRound
) -> None:
    """Reset a round started by mistake to published, cancelling its games.

    A repeated request changes nothing. Raises ``round_played`` if a hand, a result or a penalty in a game
    has been entered.
    """
    stage, number = of_round
    await stage_in(services, rights, stage)
    async with changing(services, rights) as change:
        row = (await rows_in(change, stage)).round(number)
        if row.is_open:
            return
        demand_offline(
            await open_for_rounds(change.connection, change.event.id, stage), row, range(len(row.tables))
        )
        games = {table.game: t for t, table in enumerate(row.tables, 1) if table.game is not None}
        begun = await games_by_id(change.connection, change.event.id, list(games))
        touched = await penalised(change, list(games))
        touched |= {game.id for game in begun if game.head or game.ended_with or game.status == "confirmed"}
        played = [table for game, table in games.items() if game in touched]
        if played:
            raise ServerError("round_played", number=number, tables=Phrases(sorted(played)))
        for game in begun:
            if game.status != "cancelled":
                await store_status(change, game, "cancelled", body.why)
        tables = tuple(table._replace(game=None, extra_s=0) for table in row.tables)
        await save_rounds(change, [replace(row, state="published", tables=tables, timer=RoundClock())])
        change.note("round_taken_back", after={"stage": stage, "round": number}, why=body.why)
        change.results_change = True  # its byes counted


async def set_timer(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: TimerBody
) -> None:
    """Start, pause or reset the timer of a round, or change its duration."""
    stage, number = of_round
    await stage_in(services, rights, stage)
    async with changing(services, rights) as change:
        row = (await rows_in(change, stage)).round(number)
        demand_published(row)
        clock, tables = row.timer, list(row.tables)
        if body.minutes is not None:
            clock = clock._replace(minutes=body.minutes)
        if body.table is not None:
            demand_table(row, body.table)
            table = tables[body.table - 1]
            tables[body.table - 1] = table._replace(extra_s=_extra(table.extra_s, body.extra_s))
        else:
            clock = clock._replace(extra_s=_extra(clock.extra_s, body.extra_s))
        clock = clock.after(body.action, change.at)
        await save_rounds(change, [replace(row, timer=clock, tables=tuple(tables))])
        after = body.model_dump(exclude_none=True, exclude_defaults=True, exclude={"why"})
        change.note("timer", after={"stage": stage, "round": number, **after}, why=body.why)


def _extra(before: int, more: int) -> int:
    return max(-86_400, min(86_400, before + more))


async def enter_results(
    services: Services, rights: EventRights, of_round: tuple[str, int], body: RoundResults
) -> list[tuple[int, JantakuError]]:
    """End the games at these tables by their points; return the tables refused, with the errors.

    Games that have not started are started. A refused table does not affect the others.
    """
    stage, number = of_round
    (await stage_in(services, rights, stage)).rows.round(number)
    refused = list[tuple[int, JantakuError]]()
    seen = set[int]()
    for result in body.results:
        try:
            if result.table in seen:
                raise ServerError("table_twice", field="results", table=result.table)
            await _enter(services, rights, of_round, result, body.why)
        except JantakuError as error:
            refused.append((result.table, error))
        seen.add(result.table)
    return refused


async def _enter(
    services: Services, rights: EventRights, of_round: tuple[str, int], result: TableResult, why: str
) -> None:
    stage, number = of_round
    if await _game_at(services, rights, of_round, result.table) is None:
        await start_table(services, rights, (stage, number, result.table))
    game = await _game_at(services, rights, of_round, result.table)
    if game is None:  # another referee has reset the round
        raise ServerError("round_not_begun", number=number)
    end = entered_end(result.scores, result.chips, result.no_win)
    await end_by_points(services, await table_of(services, rights, game), end, why, result.revision)


async def _game_at(
    services: Services, rights: EventRights, of_round: tuple[str, int], table: int
) -> str | None:
    row = (await stage_in(services, rights, of_round[0])).rows.round(of_round[1])
    demand_table(row, table)
    return row.tables[table - 1].game
