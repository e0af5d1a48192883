"""What a broadcast of an event shows: tables as spectators may know them, without hands."""

from typing import Any, Final

from jantaku.game.board import Board
from jantaku.game.engine import by_seat, dealer_of, indicators, seats_of, wall_left
from jantaku.game.events import HandStarted
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER
from jantaku.seats import away
from jantaku.server.events.common.event_rights import EventRights, hidden
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.events.online.broadcast_bodies import Broadcast, CastSeat, CastTable
from jantaku.server.events.recording.game_rights import rounds_of
from jantaku.server.events.rounds.rounds_shown import timer_shown
from jantaku.server.play import seat_views
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.table import Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.storage.event_schema import recorded_games
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.tiles import format_tiles

MOST_TABLES: Final = 100


def tell_broadcasts(lobby: Lobby) -> None:
    """Tell the other processes what watchers may see at the tables of this one."""

    async def shown(said: Any) -> list[tuple[int, CastTable]]:
        event, language = said
        seen = (loop for loop in lobby.of_event(event) if loop.row.options.spectators)
        tables = [
            (loop.row.created, _online(loop, language)) for loop in seen if not loop.row.options.private
        ]
        return [(created, table) for created, table in tables if table is not None]

    lobby.services.links.questions["broadcast"] = shown


async def _all_online(services: Services, event: str, language: Language) -> list[CastTable]:
    """The tables of an event, the newest first."""
    parts = await services.links.ask_all("broadcast", [event, language])
    tables = sorted((table for part in parts for table in part), key=lambda table: -table[0])
    return [CastTable.model_validate(shown) for _, shown in tables]


async def broadcast(services: Services, rights: EventRights, language: Language) -> Broadcast:
    """The broadcast of an event."""
    event = rights.event
    online = await _all_online(services, event.id, language)
    recorded = [] if hidden(rights) else await _recorded(services, rights, language)
    left, running = await _timer(services, rights)
    return Broadcast(
        name=event.name,
        tables=[*online, *recorded][:MOST_TABLES],
        left_s=left,
        running=running,
    )


def _online(table: Table, language: Language) -> CastTable | None:
    """A table as its watchers may know it now; ``None`` before they may know of a deal."""
    live, row = table.live, table.row
    if live is None or not table.showing.trail.seen_at_last:
        return None
    seq = table.showing.trail.seen_at_last
    events = live.game.events[seat_views.hand_of(live.game, seq) : seq]
    if not isinstance(events[0], HandStarted):
        return None
    board = Board(table.rules)
    for event in events:
        board.apply(event)
    record = board.record
    match, dealer, over = record.match, dealer_of(record), int(record.phase) in (HAND_OVER, GAME_OVER)
    seats = [
        CastSeat(
            name=sitter_name(table.sitter(seat), language),
            wind=away(dealer, seat, len(seats_of(record))),
            score=score,
            riichi=bool(record.riichi[seat]),
            turn=seat == int(record.turn) and not over,
        )
        for seat, score in enumerate(by_seat(record, match.scores))
    ]
    return CastTable(
        id=row.id,
        online=True,
        label=str(row.round_table or row.name),
        round=row.round,
        delay_s=row.options.spectator_delay_s,
        hand_number=int(match.number),
        honba=int(match.honba),
        deposits=int(match.deposits),
        indicators=format_tiles(indicators(record)),
        man=table.rules.tiles.man,
        wall_left=wall_left(record),
        over=over,
        seats=seats,
    )


async def _recorded(services: Services, rights: EventRights, language: Language) -> list[CastTable]:
    """The tables that are recorded on phones now: their points as they were entered."""
    event = rights.event
    rows = await services.recorded.all(event.id, recorded_games.c.status == "playing", most=MOST_TABLES)
    names = names_of(await services.entries.all(event.id), language)
    seated = await rounds_of(services, rights, {row.stage for row in rows})
    return [_of_phones(row, names, seated.get(row.id)) for row in rows if row.result]


def _of_phones(row: RecordedGameRow, names: dict[str, str], number: int | None) -> CastTable:
    result = row.result or {}
    players, hand = row.players, int(result["number"])
    seats = [
        CastSeat(
            name=names[entry],
            wind=(seat - hand) % len(players),
            score=result["scores"][seat],
            riichi=False,
            turn=False,
        )
        for seat, entry in enumerate(players)
    ]
    return CastTable(
        id=row.id,
        online=False,
        label=row.label,
        round=number,
        hand_number=hand,
        honba=result["honba"],
        deposits=result["deposits"],
        delay_s=0,
        indicators="",
        man="all",
        wall_left=None,
        over=bool(result["over"]),
        seats=seats,
    )


async def _timer(services: Services, rights: EventRights) -> tuple[int | None, bool]:
    """The time that is left in the round that runs, if it has a timer."""
    for stage in rights.plan.stages:
        if stage.kind == "rounds":
            for row in (await services.rounds.of(rights.event.id, stage.id)).rounds:
                timer = timer_shown(row.timer, now_ms())
                if row.state == "running" and timer.minutes:
                    return timer.left_s, timer.running
    return None, False
