"""Steps of a game, taken under its table's lock: start, apply an action, halt, finish, reload."""

import asyncio
import dataclasses
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from jantaku.game import Action
from jantaku.game.events import GameEnded, HandStarted
from jantaku.game.game import Game
from jantaku.records.native.hand_log import hand_logs
from jantaku.server.edge.metrics import traced
from jantaku.server.errors import ServerError
from jantaku.server.play import table_seats
from jantaku.server.play.broadcast import dismiss_watchers, may_see_all, publish, publish_table, sync, welcome
from jantaku.server.play.live_game import Clocks, GameMove, LiveGame, first_move_of_hand, last_step
from jantaku.server.play.table import Audience, HandledIds, Table
from jantaku.server.settings import pace_of
from jantaku.server.storage.finished_games import (
    ABSENT,
    PRESENT,
    absent_hands,
    engine_mark,
    present_seats,
    replayed,
    tallies_of,
)
from jantaku.server.storage.games import GameRow, Result, StoredGame, banks_of
from jantaku.server.storage.people import new_id
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Sitter, TableRow
from jantaku.server.storage.writer import Move

LOG = logging.getLogger("jantaku.server")


async def resume(table: Table, stored: StoredGame | None = None) -> None:
    """Rebuild the game from its stored beginning and actions; passing ``stored`` avoids reading it again."""
    if stored is None and table.row.game:
        stored = (await table.services.games.latest([table.row])).get(table.row.id)
    if stored is not None:
        table.game_row = row = stored.row
        counting = stored.moves[: table.services.writer.doubtful_from(row.id, table.row.fence)]
        moves = [(move.seat, move.action) for move in counting]
        game = await asyncio.to_thread(replayed, table.rules, row.beginning, moves, stored.hands)
        stands = game.is_over or not game.follows_rules or table.row.status != "playing"
        earlier, rest = (game, ()) if stands else await asyncio.to_thread(last_step, game)
        _begin(table, earlier, rest)
        table.hands_stored = len(stored.hands)
        table.clocks.restore(banks_of(stored.moves, first_move_of_hand(game)))
        if table.playing and not game.follows_rules:
            LOG.error("table %s: its game does not follow its rules; it is only displayed", table.row.id)
            table.stopped = True


async def reload(table: Table) -> None:
    """Reload the table from storage after a fault and send everyone a full sync.

    Raises ``table_moved`` if another process owns it.
    """
    lost_at, away = table.lost_at, set(table.away)
    feed = table.feed
    row = await table.services.seating.find(table.row.id)
    if row is not None and row.fence != table.row.fence:
        raise ServerError("table_moved")
    if row is not None and row != table.row:
        table.row = row
        seat_sockets(table)
        dismiss_watchers(table)
    await resume(table)
    table.lost_at, table.away = lost_at, away
    table.feed, feed.following = feed, None
    if table.live is not None:
        _note_sent(table, table.live, time.monotonic())
    for connection in table.audience:
        sync(table, connection)


def _begin(table: Table, game: Game, moves: Sequence[GameMove] = ()) -> None:
    """Put a game on the table. Its last step, ``moves``, is played and sent again, including the pause."""
    now = time.monotonic()
    table.hands_stored = 0
    options = table.row.options
    pauses, window = table.services.settings.pauses, table.rules.clock.claim_window_s
    people = table_seats.persons(table.row)
    pace = pace_of(options.pace, len(people))
    table.live = LiveGame(game, pauses, window, options.even_pauses, people, pace)
    table.live.catch_up(moves, now)
    table.end_programs()
    if table.playing and game.follows_rules:
        table.start_programs()
    limited = options.clock and not table.row.halted
    table.clocks = Clocks(table.rules.clock, limited, len(table.seats))
    if table.live.open and not table.live.game.is_over:
        table.clocks.start(table.live.game, now)  # sockets that connect now see the time
    table.begin_feed()
    _note_sent(table, table.live, now)
    table.lost_at = {
        seat: now for seat in table.seats if table.sitter(seat).person and seat not in table.audience.seats
    }
    table.handled = [HandledIds() for _ in table.seats]  # the seats may have been drawn again
    table.swaps = {}
    for votes in (table.away, table.ready, table.wants_abort, table.wants_rematch):
        votes.clear()


def _note_sent(table: Table, live: LiveGame, now: float) -> None:
    """Record the events already sent of a reloaded game, so that spectators receive them after the delay."""
    table.feed.delay.add(now, live.sent)
    table.feed.open_delay.add(now, live.sent)
    if live.between or live.ended or table.row.status != "playing":
        table.feed.open_delay.end_hand(now)


async def start(table: Table, level: str | None = None) -> None:
    """Start a game. Bots of ``level``, or of the table's level, fill the free seats.

    Programs for which there is no room are replaced by ``strong``.
    The seed is stored before any tile is sent.
    """
    services = table.services
    row = table_seats.filled(table.row, level or table.level)
    row = table_seats.with_room(row, services.programs)
    row = dataclasses.replace(row, status="playing", game=row.game + 1)
    game = Game(table.rules)
    game_row = GameRow(
        new_id(),
        row.id,
        row.game,
        game.seed or b"",
        row.rules,
        table.rules.fingerprint,
        _players(table, row),
        started=now_ms(),
    )
    await services.rulesets.save(table.rules)
    await services.games.begin(game_row, row)
    _keep_feed(table)
    table.row, table.game_row = row, game_row
    seat_sockets(table)
    dismiss_watchers(table)
    _begin(table, game)
    publish(table, time.monotonic())
    table.feed.delay.advance(time.monotonic())
    for connection in table.audience:
        if connection.feed is None:
            connection.all_hands = connection.seat is None and may_see_all(table, connection)
            welcome(table, connection)
            sync(table, connection)


def _keep_feed(table: Table) -> None:
    """Let delayed spectators watch the finished game to its end."""
    feed, game_row = table.feed, table.game_row
    if table.live is None or game_row is None:
        return
    feed.live, feed.game_row = table.live, game_row
    feed.row = dataclasses.replace(table.row, sitters=game_row.players)  # includes players who left
    for watcher in table.audience.watchers:
        if watcher.feed is None and not feed.delay_for(watcher).caught_up:
            watcher.feed = feed


def _players(table: Table, row: TableRow) -> tuple[Sitter, ...]:
    """Return the players of a new game. At a rated table, players without a socket are stored as gone.

    Ranked tables skip this check: matchmaking has just confirmed that the players are present.
    """
    here = {connection.person.id for connection in table.audience.seats.values()}
    checked = row.options.rated and not row.ranked
    return tuple(
        dataclasses.replace(sitter, gone=checked and sitter.person is not None and sitter.person not in here)
        for sitter in row.sitters
        if sitter is not None
    )


def seat_sockets(table: Table) -> None:
    """Move every socket to its person's seat, which a draw of seats may have changed."""
    connections, table.audience = list(table.audience), Audience()
    for connection in connections:
        seat = table_seats.active_seat(table.row, connection.person.id)
        if seat is None or connection.seat is None:
            connection.seat = None
            table.audience.watchers.add(connection)
        else:
            table.audience.sit(connection, seat)


async def apply_action(table: Table, seat: int, action: Action, absent: bool = False) -> None:
    """Store a legal action, then apply it and publish its events.

    ``absent``: the server acts for an absent person. Raises ``not_playing``.
    """
    live, row = table.live, table.game_row
    if live is None or row is None or not table.playing:
        raise ServerError("not_playing")
    number, now = len(live.game.played), time.monotonic()
    left, fence, by_server = table.clocks.changed_bank_ms(seat, now), table.row.fence, int(absent) or None
    with traced("store"):
        await table.services.writer.write(Move(row.id, number, seat, str(action), left, by_server, fence))
    try:
        with traced("play"):
            happened = list(live.game.play(seat, action))  # a list, so that errors are raised here
    except Exception:
        LOG.exception("game %s: action %s of seat %s cannot be applied", row.id, number, seat)
        table.services.writer.doubt(row.id, number, fence)
        raise
    table.services.metrics.actions.inc()
    table.clocks.stop(seat, now)
    with traced("tell"):
        publish(table, time.monotonic(), seat)
    if any(isinstance(event, HandStarted) for event in happened):
        await _store_hands(table, live.game, row)


async def _store_hands(table: Table, game: Game, row: GameRow) -> None:
    """Store the finished hands; hands that cannot be stored are stored with the next one."""
    logs = hand_logs(game, table.hands_stored)
    with suppress(ServerError):
        await table.services.games.store_hands(row.id, logs, table.hands_stored)
        table.hands_stored += len(logs)


def result_of(ended: GameEnded) -> dict[str, list[int]]:
    """Return the stored form of a result; fields that the rules do not use are omitted."""
    fields = {name: getattr(ended, name) for name in ("final", "places", "chips", "yakitori")}
    return {name: list(values) for name, values in fields.items() if values is not None}


async def halt(table: Table, on: bool) -> None:
    """Halt a game or continue it. The halt costs no player any time. Raises ``not_playing``."""
    if not table.playing:
        raise ServerError("not_playing")
    row = dataclasses.replace(table.row, halted=on)
    await table.services.seating.change(row)
    table.row, now = row, time.monotonic()
    table.clocks.limited = row.options.clock and not on
    table.restart_clocks(now)
    publish_table(table)
    for connection in table.audience:
        sync(table, connection)


async def finish(table: Table, status: str) -> None:
    """Store the result of the game and publish it. ``status``: ``finished`` or ``aborted``."""
    if table.game_row is None:
        return
    ended = table.live.result if table.live else None
    result: Result | None = result_of(ended) if ended else None
    if result is not None and table.live is not None:
        by_server = await table.services.games.absent_moves(table.game_row.id)
        result |= {ABSENT: absent_hands(table.live.game, by_server)} if by_server else {}
        result |= {PRESENT: present_seats(table.game_row.players)} if table.row.options.rated else {}
    events = table.live.game.events if table.live else []
    hands = sum(event.type == "hand_started" for event in events)
    changes: dict[str, Any] = {"status": status, "ended": now_ms(), "hands": hands, "result": result}
    game_row = dataclasses.replace(table.game_row, **changes)
    row = dataclasses.replace(table.row, status=status, halted=False)
    follows = table.live is not None and table.live.game.follows_rules
    game_row = dataclasses.replace(game_row, engine=engine_mark() if follows else None)
    logs = hand_logs(table.live.game, table.hands_stored, ended=True) if table.live and follows else []
    tallies = tallies_of(table.live.game, game_row) if table.live and status == "finished" else {}
    await table.services.games.end(game_row, row, logs, table.hands_stored, tallies)
    table.row, table.game_row, table.stopped = row, game_row, False
    table.end_programs()
    table.feed.open_delay.end_hand(time.monotonic())
    table.touched = time.monotonic()
    publish_table(table)
