"""Send events and table changes to the sockets of a table, limited to what each may see."""

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
from jantaku.server.play.table import NOT_ALLOWED, Connection, SpectatorFeed, Table
from jantaku.server.play.table_seats import sitter_name
from jantaku.server.rules.pages import own_yaku_names, rules_name
from jantaku.server.storage.games import GameRow
from jantaku.server.storage.people import hashed
from jantaku.server.storage.tables import Sitter
from jantaku.terms import Language

MAX_ABOUT: Final = 500  # characters of the summary of the rules


def is_late(table: Table, seat: int | None) -> bool:
    """Whether a viewer is behind the game: a player never is, a spectator (``seat`` is None) may be."""
    return seat is None and table.feed.delay.behind


def is_late_for(table: Table, connection: Connection) -> bool:
    """Whether a socket is behind the game that it is watching, which may be the previous one."""
    return connection.seat is None and table.feed_of(connection).delay_for(connection).behind


def info(table: Table, language: Language, person: str | None = None) -> TableInfo:
    """Return the table as ``person`` may see it. A table without a name shows the name of its rules."""
    seat = None if person is None else table_seats.seat_of(table.row, person)
    return info_for(table, language, late=is_late(table, seat))


def info_for(table: Table, language: Language, *, late: bool, feed: SpectatorFeed | None = None) -> TableInfo:
    """Return the table's public description.

    ``late`` omits everything that would reveal the course of the game ahead of its delayed events.
    ``feed`` describes the table as it was at the end of a previous game.
    """
    row, rules = (feed and feed.row) or table.row, table.rules
    seat_info = _seat if feed is None else _former_seat
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
            about=ruleset_about(rules, language)[:MAX_ABOUT],
            ankan_display=rules.calls.ankan_display,
            return_points=rules.match.return_points,
            own_yaku=own_yaku_names(rules),
        ),
        options=row.options,
        seats=[seat_info(table, row.sitters[seat], seat, language, late) for seat in table.seats],
        game=row.game,
        watchers=len(table.audience.watchers),
        result=None if late else _result((feed or table).game_row),
        stopped=table.stopped,
        event=row.event,
        stage=row.stage,
        halted=row.halted,
    )


def _former_seat(
    _table: Table, sitter: Sitter | None, _seat: int, language: Language, _late: bool
) -> SeatInfo | None:
    """Return the player of a previous game, without votes and connection state."""
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
        shows_profile=there is not None and there.shows_profile,
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


MAX_MISSED_EVENTS = 300  # events; a client that has missed more gets a full sync


def publish(table: Table, now: float, actor: int | None = None) -> None:
    """Send the events due at ``now``. The seat that acted always gets an update, even without new events."""
    live = table.live
    if live is None:
        return
    live.people = table.people
    events = live.release(now)
    if any(event.type == "hand_started" for event in events):
        table.clocks.fill()
        table.ready.clear()
    if live.open and not live.game.is_over:
        table.clocks.start(live.game, now)
    if events:
        table.feed.delay.add(now, live.sent)
        table.feed.open_delay.add(now, live.sent)
    if live.between or live.ended:
        table.feed.open_delay.end_hand(now)
    if events or actor is not None:
        _send_update(table, live, events, actor)


def _send_update(table: Table, live: LiveGame, events: Sequence[Event], actor: int | None) -> None:
    seats, now = table.audience.seats, time.monotonic()
    if not seats:
        return
    clock = seat_views.clock_text(live, table.clocks, now)
    private = any(event.type in ("drew", "hand_started") for event in events)
    hidden = seat_views.events_text(events, None)
    for seat, connection in seats.items():
        if events or seat == actor:
            shown = seat_views.events_text(events, seat) if private else hidden
            own = seat_views.own_text(live, seat, table.clocks, now)
            connection.send(seat_views.update(table.row.game, live.sent, shown, own, clock))


def update_watchers(table: Table, now: float) -> None:
    """Send spectators the events whose delay has passed."""
    for feed in table.feeds:
        for open_hands in (False, True):
            _update_watchers(table, feed, now, open_hands=open_hands)


def _update_watchers(table: Table, feed: SpectatorFeed, now: float, *, open_hands: bool) -> None:
    delay = feed.open_delay if open_hands else feed.delay
    live, number = feed.live or table.live, (feed.row or table.row).game
    before = delay.seen
    watchers = [
        watcher
        for watcher in table.audience.watchers
        if watcher.all_hands == open_hands and table.feed_of(watcher) is feed
    ]
    if not delay.advance(now) or live is None or not watchers:
        return
    shown = seat_views.events_text(live.game.events[before : delay.seen], None, open_hands=open_hands)
    text = seat_views.update(number, delay.seen, shown, seat_views.NULL, seat_views.NULL)
    for watcher in watchers:
        watcher.send(text)
    if not delay.behind:  # caught up: the table's state reveals nothing more
        publish_table(table, only_changes=True)


def publish_table(table: Table, *, only_changes: bool = False) -> None:
    """Send the table to everyone; with ``only_changes``, only to sockets whose copy is out of date.

    Delayed spectators receive only changes; an empty message would reveal when something happened.
    """
    shown: dict[tuple[Language, bool, SpectatorFeed | None], str] = {}
    for connection in table.audience:
        late = is_late_for(table, connection)
        key = (connection.language, late, connection.feed)
        if key not in shown:
            shown[key] = dumps(_info(table, connection))
        if not (only_changes or late) or connection.table != shown[key]:
            connection.table = shown[key]
            connection.send(seat_views.table(connection.table))


def _info(table: Table, connection: Connection) -> dict[str, Any]:
    """Return the table as a socket may see it."""
    late, language = is_late_for(table, connection), connection.language
    return info_for(table, language, late=late, feed=connection.feed).model_dump(mode="json")


def send_pause(connections: Iterable[Connection], table: Table, seconds: float) -> None:
    """Announce the pause after a hand, during which its result is displayed."""
    message = dumps({"type": "pause", "game": table.row.game, "ms": round(seconds * 1000)})
    for connection in connections:
        connection.send(message)


def send_error_to_all(table: Table, code: str) -> None:
    """Send everyone the reason why the game has stopped."""
    for connection in table.audience:
        message = ServerError(code).message(connection.language)
        connection.send(seat_views.error(None, code, message))


def welcome(table: Table, connection: Connection) -> None:
    """Send a socket the table and its seat; the first message after the handshake or a change of role."""
    shown = _info(table, connection)
    connection.table = dumps(shown)
    message = {
        "type": "welcome",
        "version": VERSION,
        "table": shown,
        "seat": connection.seat,
        "all_hands": connection.all_hands,
    }
    connection.send(dumps(message))


def sync(table: Table, connection: Connection) -> None:
    """Send a socket the whole state of the game that it may see."""
    live, now = table.live, time.monotonic()
    if live is None:
        return
    if connection.seat is None:
        feed = table.feed_of(connection)
        number, game = (feed.row or table.row).game, (feed.live or live).game
        seen = feed.delay_for(connection).seen
        text = seat_views.watchers_sync(number, game, seen, open_hands=connection.all_hands)
    else:
        own = seat_views.own_text(live, connection.seat, table.clocks, now)
        clock = seat_views.clock_text(live, table.clocks, now)
        text = seat_views.sync(table.row.game, live, connection.seat, own, clock)
    connection.send(text)


def send_missed(table: Table, connection: Connection, game: int | None, last: int | None) -> None:
    """Send a reconnected socket the events after ``last``, or a full sync if that is not possible."""
    live, seat = table.live, connection.seat
    known = game == table.row.game and live is not None and seat is not None and last is not None
    if not known or live is None or seat is None or last is None:
        return sync(table, connection)
    if not 0 <= live.sent - last <= MAX_MISSED_EVENTS:
        return sync(table, connection)
    now = time.monotonic()
    shown = seat_views.events_text(live.game.events[last : live.sent], seat)
    own = seat_views.own_text(live, seat, table.clocks, now)
    clock = seat_views.clock_text(live, table.clocks, now)
    return connection.send(seat_views.update(table.row.game, live.sent, shown, own, clock))


HANDS_DELAY_S: Final = 300  # shortest delay that allows open hands without the players' consent


def record_browser(table: Table, person: str, browser: str) -> None:
    """Record the browser of a seated person, and hide open hands from that person and that browser."""
    seated = {sitter.person for sitter in table.row.sitters if sitter and sitter.person}
    table.browsers = {person: marks for person, marks in table.browsers.items() if person in seated}
    if browser:
        table.browsers.setdefault(person, set()).add(browser)
    refresh_open_hands(table)


def may_watch(table: Table) -> bool:
    """Whether spectators are allowed: always before the game, during it only if the options allow them."""
    return table.row.status == "waiting" or table.row.options.spectators


def dismiss_watchers(table: Table) -> None:
    """Close the sockets of people without a seat if the table allows no spectators."""
    if may_watch(table):
        return
    for connection in list(table.audience.watchers):
        table.audience.watchers.discard(connection)
        connection.close(NOT_ALLOWED)


def ban_marks(table: Table, person: str, but: str = "") -> frozenset[str]:
    """Return the marks that identify a removed person later: their id and hashes of their browsers.

    Browsers shared with another player, and the browser ``but``, are excluded.
    """
    connected = {connection.browser for connection in table.audience if connection.person.id == person}
    shared = [marks for other, marks in table.browsers.items() if other != person]
    own = (connected | table.browsers.get(person, set())).difference(*shared, {"", but})
    return frozenset([person, *map(hashed, own)])


def check_not_removed(table: Table, person: str, browser: str) -> None:
    """Raise ``removed`` for a removed person, even under another name in the same browser."""
    if person in table.row.removed or (browser and hashed(browser) in table.row.removed):
        raise ServerError("removed")


def may_see_all(table: Table, connection: Connection) -> bool:
    """Whether a socket may see all hands: at a table that shows them, or as a commentator on request.

    Never true if the person plays at the table, or someone does so in the same browser.
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
    """Whether every spectator sees all hands, subject to the table's delay.

    Either all players have agreed, including those who left, or the table's options allow it and its delay is
    at least ``HANDS_DELAY_S``.
    """
    options = table.row.options
    late = options.open_hands and options.spectator_delay_s >= HANDS_DELAY_S
    return late or open_hands_agreed(table)


def open_hands_agreed(table: Table) -> bool:
    """Whether all players agree that spectators see all hands."""
    everybody = {sitter.person for sitter in table.row.sitters if sitter and sitter.person}
    return bool(everybody) and everybody <= table.shows_hand


def refresh_open_hands(table: Table) -> None:
    """Switch spectators to open or closed hands if their permission has changed."""
    for connection in table.audience.watchers:
        allowed = may_see_all(table, connection)
        if connection.all_hands != allowed and connection.feed is None:  # otherwise done in ``catch_up``
            connection.all_hands = allowed
            welcome(table, connection)
            sync(table, connection)


def catch_up(table: Table) -> None:
    """Move spectators who have seen the previous game to its end on to the next game."""
    for connection in table.audience.watchers:
        feed = connection.feed
        following = feed and feed.following
        if feed is None or following is None:
            continue
        if feed.delay_for(connection).caught_up and following.delay_for(connection).seen:
            connection.feed = None if following is table.feed else following
            connection.all_hands = may_see_all(table, connection)
            welcome(table, connection)
            sync(table, connection)


def new_role(table: Table, person: str, role: str) -> None:
    """Apply a person's new role to their sockets."""
    for connection in table.audience:
        if connection.person.id == person:
            connection.person = replace(connection.person, role=role)
    refresh_open_hands(table)
