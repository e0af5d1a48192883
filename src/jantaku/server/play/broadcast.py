"""Sends events and table changes to the sockets of a table, each only what it may know."""

import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from jantaku.game import Event
from jantaku.game.fair_walls import live_wall, replacement_tiles
from jantaku.rules.sheet import ruleset_about
from jantaku.server.edge.bodies import dumps
from jantaku.server.edge.protocol import VERSION, Result, RulesRef, SeatInfo, TableInfo
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import SEES_ALL_HANDS, may
from jantaku.server.play import seat_views, table_seats
from jantaku.server.play.live_game import LiveGame
from jantaku.server.play.table import NOT_ALLOWED, Connection, Showing, Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.rules.pages import own_yaku_names, rules_name
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import hashed
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language

MOST_ABOUT: Final = 500  # letters of what the rules are like


def is_late(table: Table, seat: int | None) -> bool:
    """Whether what happens at a table is told to a seat, or to all without one, only after a delay."""
    return seat is None and table.showing.trail.behind


def is_late_for(table: Table, connection: Connection) -> bool:
    """The same for a socket, which may see all hands, or still the game before."""
    return connection.seat is None and table.showing_to(connection).trail_of(connection).behind


def info(table: Table, language: Language, person: str | None = None) -> TableInfo:
    """The table as a person may know it now; a table without a name is called after its rules."""
    seat = None if person is None else table_seats.seat_of(table.row, person)
    return info_for(table, language, late=is_late(table, seat))


def info_for(table: Table, language: Language, *, late: bool, showing: Showing | None = None) -> TableInfo:
    """The table as it is; ``late``: without what would tell how the game goes on before its events do.

    ``showing``: as it was at the end of a game before.
    """
    row, rules = (showing and showing.row) or table.row, table.rules
    seat_info = _seat if showing is None else _former_seat
    called = rules_name(rules, language)
    return TableInfo.model_construct(
        id=row.id,
        name=row.name or called,
        status="playing" if late else row.status,
        owner=row.owner,
        host=table.host,
        rules=RulesRef(
            id=row.rules,
            name=called,
            fingerprint=row.fingerprint,
            wall=live_wall(rules),
            replacements=replacement_tiles(rules),
            man=rules.tiles.man,
            nukidora=rules.kita.nukidora,
            length=rules.match.length,
            about=ruleset_about(rules, language)[:MOST_ABOUT],
            ankan_display=rules.calls.ankan_display,
            return_points=rules.match.return_points,
            own_yaku=own_yaku_names(rules),
        ),
        options=row.options,
        seats=[seat_info(table, row.sitters[seat], seat, language, late) for seat in table.seats],
        game=row.game,
        watchers=len(table.audience.watchers),
        result=None if late else _result((showing or table).game_row),
        stopped=table.stopped,
        event=row.event,
        stage=row.stage,
        halted=row.halted,
    )


def _former_seat(
    _table: Table, sitter: Sitter | None, _seat: int, language: Language, _late: bool
) -> SeatInfo | None:
    """Who sat here in a game before; nobody votes on it any more."""
    if sitter is None:
        return None
    name = sitter_name(sitter, language)
    return SeatInfo(name=name, person=sitter.person, bot=sitter.bot, away=sitter.gone)


def _seat(table: Table, sitter: Sitter | None, seat: int, language: Language, late: bool) -> SeatInfo | None:
    if sitter is None:
        return None
    there = table.audience.seats.get(seat)
    return SeatInfo(
        name=sitter_name(sitter, language),
        person=sitter.person,
        bot=sitter.bot,
        connected=there is not None,
        shows_numbers=there is not None and there.shows_numbers,
        away=sitter.gone or seat in table.away,
        gone=sitter.gone,
        ready=not late and seat in table.ready,
        wants_seat=table.swaps.get(seat),
        wants_abort=not late and seat in table.wants_abort,
        wants_rematch=not late and seat in table.wants_rematch,
        shows_hand=sitter.person in table.shows_hand,
    )


def _result(game: GameRow | None) -> Result | None:
    if game is None or game.status == "playing":
        return None
    result = game.result or {}
    names = ("final", "places", "chips", "yakitori")
    return Result(record=game.id, **{name: result.get(name) for name in names})


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


HANDS_DELAY_S: Final = 300  # the shortest delay at which hands are shown without the players' consent


def sits(table: Table, person: str, browser: str) -> None:
    """Record that a person sits at a table in this browser, and hide open hands from both."""
    seated = {sitter.person for sitter in table.row.sitters if sitter and sitter.person}
    table.browsers = {person: marks for person, marks in table.browsers.items() if person in seated}
    if browser:
        table.browsers.setdefault(person, set()).add(browser)
    renew_hands(table)


def may_watch(table: Table) -> bool:
    """Whether spectators may be there: always before the game, during it only if the table allows them."""
    return table.row.status == "waiting" or table.row.options.spectators


def send_away(table: Table) -> None:
    """Close the sockets of people without a seat if the table allows no spectators."""
    if may_watch(table):
        return
    for connection in list(table.audience.watchers):
        table.audience.watchers.discard(connection)
        connection.close(NOT_ALLOWED)


def marks_of(table: Table, person: str, but: str = "") -> frozenset[str]:
    """What identifies a removed person later: their id and the browsers they used.

    A browser that another player also uses, or the browser ``but``, is left out.
    """
    connected = {connection.browser for connection in table.audience if connection.person.id == person}
    shared = [marks for other, marks in table.browsers.items() if other != person]
    own = (connected | table.browsers.get(person, set())).difference(*shared, {"", but})
    return frozenset([person, *map(hashed, own)])


def check_welcome(table: Table, person: str, browser: str) -> None:
    """Raise ``removed`` for a removed person, even under another name in the same browser."""
    if person in table.row.removed or (browser and hashed(browser) in table.row.removed):
        raise ServerError("removed")


def may_see_all(table: Table, connection: Connection) -> bool:
    """Whether a socket may see all hands: as a commentator who asks for it, or as every spectator may here.

    Never if the person or the browser plays.
    """
    if table_seats.seat_of(table.row, connection.person.id) is not None:
        return False
    playing = (
        table.browsers.get(sitter.person, set()) for sitter in table.row.sitters if sitter and sitter.person
    )
    if any(connection.browser in marks for marks in playing):
        return False
    return shows_hands(table) or (connection.asks_all and may(connection.person, SEES_ALL_HANDS))


def shows_hands(table: Table) -> bool:
    """Whether every spectator sees all hands, as late as the table shows the game.

    Everybody who plays has agreed, those included who have left; or the table says so, and is late enough.
    """
    options = table.row.options
    late = options.open_hands and options.spectator_delay_s >= HANDS_DELAY_S
    return late or all_show_hands(table)


def all_show_hands(table: Table) -> bool:
    """Whether everybody who plays agrees that spectators see all hands."""
    everybody = {sitter.person for sitter in table.row.sitters if sitter and sitter.person}
    return bool(everybody) and everybody <= table.shows_hand


def renew_hands(table: Table) -> None:
    """Show all hands to those who may see them now, and hide them from those who may no longer."""
    for connection in table.audience.watchers:
        allowed = may_see_all(table, connection)
        if connection.all_hands != allowed and connection.showing is None:  # else in ``catch_up``
            connection.all_hands = allowed
            welcome(table, connection)
            sync(table, connection)


def catch_up(table: Table) -> None:
    """Go over to the next game with the spectators who have seen the one before to its end."""
    for connection in table.audience.watchers:
        showing = connection.showing
        following = showing and showing.following
        if showing is None or following is None:
            continue
        if showing.trail_of(connection).is_shown and following.trail_of(connection).seen:
            connection.showing = None if following is table.showing else following
            connection.all_hands = may_see_all(table, connection)
            welcome(table, connection)
            sync(table, connection)


def new_role(table: Table, person: str, role: str) -> None:
    """Apply a person's new role to their sockets."""
    for connection in table.audience:
        if connection.person.id == person:
            connection.person = replace(connection.person, role=role)
    renew_hands(table)
