"""Messages about a game as JSON texts, each limited to what its recipient may see."""

from collections.abc import Sequence
from typing import Any, Final

from jantaku.game import Event, Game, hide
from jantaku.game.actions import to_dict
from jantaku.game.engine import drawn_tile, without_drawn
from jantaku.game.events import HandStarted
from jantaku.game.view import furiten_of, view_of, waits_of
from jantaku.kernels.engine.state import CLAIMS
from jantaku.server.edge.bodies import dumps
from jantaku.server.play.live_game import Clocks, LiveGame
from jantaku.tiles import Tile, format_tiles

NULL: Final = "null"


def events_text(events: Sequence[Event], seat: int | None, *, open_hands: bool = False) -> str:
    """Return events as a JSON list as a seat sees them; ``None``: as spectators see them."""
    shown = events if open_hands else [hide(event, seat) for event in events]
    return dumps([event.to_dict() for event in shown])


def _offered(game: Game) -> dict[str, Any]:
    record = game.record
    return {"tile": format_tiles([Tile(int(record.claimed_tile))]), "from": int(record.claimed_from)}


def own(game: Game, seat: int, left_ms: int | None) -> dict[str, Any]:
    """Return the ``Own`` part: a seat's hand and possible actions."""
    record, asked = game.record, seat in game.to_act
    drawn = drawn_tile(record, seat)
    return {
        "hand": format_tiles(without_drawn(record, seat)),
        "drawn": None if drawn is None else format_tiles([drawn]),
        "waits": format_tiles(waits_of(record, seat)),
        "furiten": furiten_of(record, seat),
        "offered": _offered(game) if asked and record.phase == CLAIMS else None,
        "ask": len(game.events) if asked else None,
        "legal": [to_dict(action) for action in game.legal(seat)] if asked else [],
        "fouls": [to_dict(action) for action in game.fouls(seat)],
        "left_ms": left_ms,
    }


def own_text(live: LiveGame, seat: int, clocks: Clocks, now: float) -> str:
    """Return the ``Own`` part as JSON; ``null`` while the seat may not act."""
    if not live.open_to(seat):
        return NULL
    return dumps(own(live.game, seat, clocks.left_ms(seat, now)))


def clock_text(live: LiveGame, clocks: Clocks, now: float) -> str:
    """Return the public state of the clocks as JSON."""
    shown = clocks.public_state(now)
    if shown is not None and not live.open:
        shown["turn_ms"] = None
    return dumps(shown)


def _message(name: str, numbers: dict[str, int], parts: dict[str, str]) -> str:
    """Build a message from numbers and ``parts`` that are already JSON, because many sockets share them."""
    head = dumps({"type": name, **numbers})
    return ",".join([head[:-1], *(f"{dumps(part)}:{text}" for part, text in parts.items())]) + "}"


def table(text: str) -> str:
    """Build the ``TableMessage`` for a table given as JSON."""
    return _message("table", {}, {"table": text})


def update(game: int, seq: int, events: str, own_part: str, clock: str) -> str:
    """Build the ``Update`` message from parts given as JSON."""
    return _message("update", {"game": game, "seq": seq}, {"events": events, "own": own_part, "clock": clock})


def sync(number: int, live: LiveGame, seat: int, own_part: str, clock: str) -> str:
    """Build the ``Sync`` message for a seat."""
    view = dumps(view_of(live.base, seat, ()).to_dict())
    events = events_text(live.game.events[live.base_seq : live.sent], seat)
    numbers = {"game": number, "view_seq": live.base_seq, "seq": live.sent}
    return _message("sync", numbers, {"view": view, "events": events, "own": own_part, "clock": clock})


def watchers_sync(number: int, game: Game, seq: int, *, open_hands: bool) -> str:
    """Build the ``Sync`` message for spectators: the events of the current hand up to ``seq``."""
    first = hand_of(game, seq)
    events = events_text(game.events[first:seq], None, open_hands=open_hands)
    numbers = {"game": number, "view_seq": first, "seq": seq}
    return _message("sync", numbers, {"view": NULL, "events": events, "own": NULL, "clock": NULL})


def hand_of(game: Game, seq: int) -> int:
    """Return the index of the ``HandStarted`` event before ``seq``; 0 before the first deal."""
    places = range(min(seq, len(game.events)) - 1, -1, -1)
    return next((position for position in places if isinstance(game.events[position], HandStarted)), 0)


def error(message_id: str | None, code: str, message: str, field: str = "") -> str:
    """Return the ``ErrorMessage``."""
    return dumps({"type": "error", "id": message_id, "code": code, "message": message, "field": field})


def ack(message_id: str) -> str:
    """Return the ``Ack`` message."""
    return dumps({"type": "ack", "id": message_id})
