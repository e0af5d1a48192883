"""Who may be at a table, and who may see all hands there: commentators and some spectators, never players."""

from typing import Final

from jantaku.server.errors import ServerError
from jantaku.server.people.roles import SEES_ALL_HANDS, may
from jantaku.server.play import table_seats
from jantaku.server.play.audience import NOT_ALLOWED, Connection
from jantaku.server.play.broadcast import sync, welcome
from jantaku.server.play.table import Table
from jantaku.server.storage.people import PersonRow, hashed

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


def new_role(table: Table, person: PersonRow) -> None:
    """Apply a person's new role to their sockets."""
    for connection in table.audience:
        if connection.person.id == person.id:
            connection.person = person
    renew_hands(table)
