"""What a broadcast of an event shows: tables as watchers may know them, with hands for the key."""

import hmac
from math import comb
from typing import Any, Final

from jantaku.adjudication.analysis import shanten, waits
from jantaku.errors import JantakuError
from jantaku.game.board import Board
from jantaku.game.engine import Record, by_seat, concealed, dealer_of, indicators, melds, seats_of, wall_left
from jantaku.game.events import HandStarted
from jantaku.game.view import river
from jantaku.hand import Hand
from jantaku.kernels.engine.state import GAME_OVER, HAND_OVER
from jantaku.rules import Ruleset
from jantaku.seats import away
from jantaku.server.events.common.event_rights import EventRights, hidden
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.events.online.broadcast_bodies import Broadcast, CastHand, CastSeat, CastTable, CastWait
from jantaku.server.events.recording.games_shown import rounds_of
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
from jantaku.tiles import COPIES, NORTH, RED, Tile, format_tiles, kinds_of

HANDS_DELAY_S: Final = 60  # the shortest delay at which hands are shown
MOST_TABLES: Final = 100


def tell_broadcasts(lobby: Lobby) -> None:
    """Tell the other processes what watchers may see at the tables of this one."""

    async def shown(said: Any) -> list[tuple[int, CastTable]]:
        event, language, hands = said
        seen = (loop for loop in lobby.of_event(event) if loop.row.options.spectators)
        tables = [
            (loop.row.created, _online(loop, language, hands=hands))
            for loop in seen
            if not loop.row.options.private
        ]
        return [(created, table) for created, table in tables if table is not None]

    lobby.services.links.questions["broadcast"] = shown


async def _all_online(services: Services, event: str, language: Language, *, hands: bool) -> list[CastTable]:
    """The tables of an event, the newest first."""
    parts = await services.links.ask_all("broadcast", [event, language, hands])
    tables = sorted((table for part in parts for table in part), key=lambda table: -table[0])
    return [CastTable.model_validate(shown) for _, shown in tables]


async def broadcast(services: Services, rights: EventRights, key: str, language: Language) -> Broadcast:
    """The broadcast of an event for whoever has this key; an empty one shows no hands."""
    event = rights.event
    hands = event.broadcast is not None and hmac.compare_digest(event.broadcast, key)
    online = await _all_online(services, event.id, language, hands=hands)
    recorded = [] if hidden(rights) else await _recorded(services, rights, language)
    left, running = await _timer(services, rights)
    return Broadcast(
        name=event.name,
        tables=[*online, *recorded][:MOST_TABLES],
        left_s=left,
        running=running,
        hands=hands,
        hands_delay_s=HANDS_DELAY_S,
    )


def _online(table: Table, language: Language, *, hands: bool) -> CastTable | None:
    """A table as its watchers may know it now; ``None`` before they may know of a deal."""
    live, row = table.live, table.row
    if live is None or not table.trail.seen_at_last:
        return None
    seq = table.trail.seen_at_last
    events = live.game.events[seat_views.hand_of(live.game, seq) : seq]
    if not isinstance(events[0], HandStarted):
        return None
    board = Board(table.rules)
    for event in events:
        board.apply(event)
    record = board.record
    match, dealer, over = record.match, dealer_of(record), int(record.phase) in (HAND_OVER, GAME_OVER)
    open_hands = hands and row.options.spectator_delay_s >= HANDS_DELAY_S
    seats = [
        CastSeat(
            name=sitter_name(table.sitter(seat), language),
            wind=away(dealer, seat, len(seats_of(record))),
            score=score,
            riichi=bool(record.riichi[seat]),
            turn=seat == int(record.turn) and not over,
            hand=cast_hand(record, seat, table.rules) if open_hands else None,
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


def cast_hand(record: Record, seat: int, rules: Ruleset) -> CastHand:
    """The hand of a seat with what a commentator says of it."""
    held = Hand(tuple(concealed(record, seat)), melds(record, seat))
    hand = CastHand(
        tiles=format_tiles(held.tiles),
        melds=[format_tiles(meld.tiles) for meld in held.melds],
        shanten=8,
        waits=[],
        chance=None,
    )
    try:
        hand.shanten = shanten(held)
        waiting = len(held.tiles) % 3 == 1
        rows = waits(held, (), rules.tiles.man, int(record.kita[seat])) if waiting else ()
    except JantakuError:
        return hand
    known = _known(record)
    left = {row.tile: max(0, COPIES - sum(tile % RED == row.tile for tile in known)) for row in rows}
    hand.waits = [CastWait(tile=format_tiles([Tile(kind)]), left=count) for kind, count in left.items()]
    if left:
        unseen = COPIES * len(kinds_of(rules.tiles.man)) - len(known)
        hand.chance = chance_of(sum(left.values()), unseen, wall_left(record))
    return hand


def _known(record: Record) -> list[Tile]:
    """Every tile that lies face up or that somebody holds."""
    known = list(indicators(record))
    for seat in seats_of(record):
        known += [*concealed(record, seat), *[Tile(NORTH)] * int(record.kita[seat])]
        known += [discard.tile for discard in river(record, seat) if not discard.called]
        known += [tile for meld in melds(record, seat) for tile in meld.tiles]
    return known


def chance_of(good: int, unseen: int, draws: int) -> float:
    """The chance that one of the ``good`` among the ``unseen`` tiles is drawn in so many ``draws``.

    >>> chance_of(1, 10, 5), chance_of(0, 10, 5), chance_of(2, 4, 3)
    (0.5, 0.0, 1.0)
    """
    draws = max(0, min(draws, unseen))
    if unseen <= 0:
        return 0.0
    return round(1 - comb(max(0, unseen - good), draws) / comb(unseen, draws), 3)


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
            hand=None,
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
