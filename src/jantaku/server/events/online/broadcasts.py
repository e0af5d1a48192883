"""What a broadcast of an event shows: tables as watchers may know them, with hands for the key."""

import hmac
from math import comb
from typing import Final

from jantaku.adjudication.analysis import shanten, waits
from jantaku.errors import JantakuError
from jantaku.game.walls import live_wall
from jantaku.hand import Hand
from jantaku.rules import Ruleset
from jantaku.server.events.common.event_plan import EventPlan
from jantaku.server.events.common.event_shown import names_of
from jantaku.server.events.common.rights import EventRights, hidden
from jantaku.server.events.online.broadcast_bodies import Broadcast, CastHand, CastSeat, CastTable, CastWait
from jantaku.server.events.recording.games_shown import rounds_of
from jantaku.server.events.rounds.rounds_shown import timer_shown
from jantaku.server.play import messages
from jantaku.server.play.lobby import Lobby
from jantaku.server.play.sitter_names import sitter_name
from jantaku.server.play.table import Table
from jantaku.server.play.told_hand import HandSoFar, SeatSoFar, told_hand
from jantaku.server.storage.event_schema import recorded_games
from jantaku.server.storage.recorded_games import RecordedGameRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.store import now_ms
from jantaku.terms import Language
from jantaku.tiles import COPIES, RED, Tile, format_tiles

HANDS_DELAY_S: Final = 60  # the shortest delay at which hands are shown
MOST_TABLES: Final = 100


async def broadcast(lobby: Lobby, rights: EventRights, key: str, language: Language) -> Broadcast:
    """The broadcast of an event for whoever has this key; an empty one shows no hands."""
    event = rights.event
    hands = event.broadcast is not None and hmac.compare_digest(event.broadcast, key)
    online = [
        _online(one, language, hands=hands)
        for one in lobby.of_event(event.id)
        if one.row.options.spectators and not one.row.options.private
    ]
    recorded = [] if hidden(rights) else await _recorded(lobby.services, rights, language)
    left, running = await _timer(lobby.services, rights)
    return Broadcast(
        name=event.name,
        tables=[*(one for one in online if one is not None), *recorded][:MOST_TABLES],
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
    hand = told_hand(live.game.events[messages.hand_of(live.game, seq) : seq])
    if hand is None:
        return None
    open_hands = hands and row.options.spectator_delay_s >= HANDS_DELAY_S
    number = len(hand.seats)
    seats = [
        CastSeat(
            name=sitter_name(table.sitter(seat), language),
            wind=(seat - hand.dealer) % number,
            score=hand.scores[seat],
            riichi=one.riichi,
            turn=seat == hand.turn and not hand.over,
            hand=cast_hand(hand, one, table.rules) if open_hands else None,
        )
        for seat, one in enumerate(hand.seats)
    ]
    return CastTable(
        id=row.id,
        online=True,
        label=str(row.round_table or row.name),
        round=row.round,
        delay_s=row.options.spectator_delay_s,
        hand_number=hand.number,
        honba=hand.honba,
        deposits=hand.deposits,
        indicators=format_tiles(hand.indicators),
        man=table.rules.tiles.man,
        wall_left=max(0, live_wall(table.rules) - hand.draws),
        over=hand.over,
        seats=seats,
    )


def cast_hand(hand: HandSoFar, seat: SeatSoFar, rules: Ruleset) -> CastHand:
    """The hand of a seat with what a commentator says of it."""
    held = Hand(tuple(sorted(seat.tiles)), tuple(seat.melds))
    found = CastHand(
        tiles=format_tiles(sorted(seat.tiles)),
        melds=[format_tiles(one.tiles) for one in seat.melds],
        shanten=8,
        waits=[],
        chance=None,
    )
    try:
        found.shanten = shanten(held)
        kinds = (
            []
            if len(seat.tiles) % 3 != 1
            else [one.tile for one in waits(held, (), rules.tiles.man, seat.kita)]
        )
    except JantakuError:
        return found
    known = [*hand.visible, *(tile for one in hand.seats for tile in one.tiles)]
    left = {kind: COPIES - sum(tile % RED == kind for tile in known) for kind in kinds}
    found.waits = [
        CastWait(tile=format_tiles([Tile(kind)]), left=max(0, count)) for kind, count in left.items()
    ]
    if kinds:
        unseen = COPIES * _kinds(rules) - len(known)
        found.chance = chance_of(
            sum(max(0, one) for one in left.values()), unseen, live_wall(rules) - hand.draws
        )
    return found


def _kinds(rules: Ruleset) -> int:
    return {"all": 34, "one_nine": 27, "one_five_nine": 28}[rules.tiles.man]


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
    plan = EventPlan.model_validate_json(rights.event.plan)
    for stage in plan.stages:
        if stage.kind == "rounds":
            for row in (await services.rounds.of(rights.event.id, stage.id)).rounds:
                timer = timer_shown(row.timer, now_ms())
                if row.state == "running" and timer.minutes:
                    return timer.left_s, timer.running
    return None, False
