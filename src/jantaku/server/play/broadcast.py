"""Sends events and table changes to the sockets of a table, each only what it may know."""

import time
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from jantaku.game import Event
from jantaku.server.edge.bodies import dumps
from jantaku.server.edge.protocol import VERSION
from jantaku.server.errors import ServerError
from jantaku.server.play import seat_views
from jantaku.server.play.audience import Connection, Showing
from jantaku.server.play.live_game import LiveGame
from jantaku.server.play.table import Table
from jantaku.server.play.table_info import info_for, is_late_for

if TYPE_CHECKING:
    from jantaku.terms import Language

MOST_MISSED = 300  # events; a client that missed more gets a full sync


def tell(table: Table, now: float, actor: int | None = None) -> None:
    """Send the events that may be sent now; the seat that acted always gets an answer."""
    live = table.live
    if live is None:
        return
    live.people = table.people
    events = live.tell(now)
    if any(event.type == "hand_started" for event in events):
        table.clocks.fill()
        table.ready.clear()
    if live.open and not live.game.is_over:
        table.clocks.ask(live.game, now)
    if events:
        table.showing.trail.add(now, live.sent)
        table.showing.open_trail.add(now, live.sent)
    if live.between or live.ended:
        table.showing.open_trail.end_hand(now)
    if events or actor is not None:
        _send_update(table, live, events, actor)


def _send_update(table: Table, live: LiveGame, events: Sequence[Event], actor: int | None) -> None:
    seats, now = table.audience.seats, time.monotonic()
    if not seats:
        return
    clock = seat_views.clock_text(live, table.clocks, now)
    private = any(event.type in ("drew", "hand_started") for event in events)
    hidden = seat_views.shown_to(events, None)
    for seat, connection in seats.items():
        if events or seat == actor:
            shown = seat_views.shown_to(events, seat) if private else hidden
            own = seat_views.own_text(live, seat, table.clocks, now)
            connection.send(seat_views.update(table.row.game, live.sent, shown, own, clock))


def show_watchers(table: Table, now: float) -> None:
    """Send watchers the events that are old enough."""
    for showing in table.showings:
        for open_hands in (False, True):
            _show(table, showing, now, open_hands=open_hands)


def _show(table: Table, showing: Showing, now: float, *, open_hands: bool) -> None:
    trail = showing.open_trail if open_hands else showing.trail
    live, number = showing.live or table.live, (showing.row or table.row).game
    before = trail.seen
    watchers = [
        watcher
        for watcher in table.audience.watchers
        if watcher.all_hands == open_hands and table.showing_to(watcher) is showing
    ]
    if not trail.move_on(now) or live is None or not watchers:
        return
    shown = seat_views.shown_to(live.game.events[before : trail.seen], None, open_hands=open_hands)
    text = seat_views.update(number, trail.seen, shown, seat_views.NULL, seat_views.NULL)
    for watcher in watchers:
        watcher.send(text)
    if not trail.behind:  # with the last events they may know what has come of them
        tell_table(table, only_changes=True)


def tell_table(table: Table, *, only_changes: bool = False) -> None:
    """Send the table to everyone; with ``only_changes``, only to sockets whose copy is out of date.

    Who sees the game later gets only changes, since a message that says nothing new would tell when.
    """
    shown: dict[tuple[Language, bool, Showing | None], str] = {}
    for connection in table.audience:
        late = is_late_for(table, connection)
        key = (connection.language, late, connection.showing)
        if key not in shown:
            shown[key] = dumps(_info(table, connection))
        if not (only_changes or late) or connection.table != shown[key]:
            connection.table = shown[key]
            connection.send(seat_views.table(connection.table))


def _info(table: Table, connection: Connection) -> dict[str, Any]:
    """The table as a socket may know it now."""
    late, language = is_late_for(table, connection), connection.language
    return info_for(table, language, late=late, showing=connection.showing).model_dump(mode="json")


def tell_pause(connections: Iterable[Connection], table: Table, seconds: float) -> None:
    """Announce the pause in which the result of a hand is shown."""
    said = dumps({"type": "pause", "game": table.row.game, "ms": round(seconds * 1000)})
    for connection in connections:
        connection.send(said)


def tell_trouble(table: Table, code: str) -> None:
    """Tell everyone why the game cannot go on."""
    for connection in table.audience:
        said = ServerError(code).message(connection.language)
        connection.send(seat_views.error(None, code, said))


def welcome(table: Table, connection: Connection) -> None:
    """Send a new socket the table and its seat."""
    shown = _info(table, connection)
    connection.table = dumps(shown)
    said = {
        "type": "welcome",
        "version": VERSION,
        "table": shown,
        "seat": connection.seat,
        "all_hands": connection.all_hands,
    }
    connection.send(dumps(said))


def sync(table: Table, connection: Connection) -> None:
    """Send a socket everything it may know of the game."""
    live, now = table.live, time.monotonic()
    if live is None:
        return
    if connection.seat is None:
        showing = table.showing_to(connection)
        number, game = (showing.row or table.row).game, (showing.live or live).game
        seen = showing.trail_of(connection).seen
        text = seat_views.watchers_sync(number, game, seen, open_hands=connection.all_hands)
    else:
        own = seat_views.own_text(live, connection.seat, table.clocks, now)
        clock = seat_views.clock_text(live, table.clocks, now)
        text = seat_views.sync(table.row.game, live, connection.seat, own, clock)
    connection.send(text)


def missed(table: Table, connection: Connection, game: int | None, last: int | None) -> None:
    """Send a reconnected socket exactly what it missed, or everything if that cannot be determined."""
    live, seat = table.live, connection.seat
    known = game == table.row.game and live is not None and seat is not None and last is not None
    if not known or live is None or seat is None or last is None:
        return sync(table, connection)
    if not 0 <= live.sent - last <= MOST_MISSED:
        return sync(table, connection)
    now = time.monotonic()
    shown = seat_views.shown_to(live.game.events[last : live.sent], seat)
    own = seat_views.own_text(live, seat, table.clocks, now)
    clock = seat_views.clock_text(live, table.clocks, now)
    return connection.send(seat_views.update(table.row.game, live.sent, shown, own, clock))
