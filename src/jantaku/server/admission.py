"""Who may be at a table, and who may see all hands there: commentators, never anybody who plays."""

from typing import Final

from jantaku.server import seats
from jantaku.server.audience import NOT_ALLOWED, Connection
from jantaku.server.broadcast import sync, welcome
from jantaku.server.errors import ServerError
from jantaku.server.storage.accounts import PersonRow, hashed
from jantaku.server.table import Table

ALL_HANDS: Final = ("referee", "organiser", "admin")


def sits(table: Table, person: str, browser: str) -> None:
    """Note that somebody sits at a table, and in which browser; open hands are closed to them."""
    seated = {one.person for one in table.row.sitters if one and one.person}
    table.browsers = {one: marks for one, marks in table.browsers.items() if one in seated}
    if browser:
        table.browsers.setdefault(person, set()).add(browser)
    close_hands(table)


def may_watch(table: Table) -> bool:
    """Whether those without a seat may be there: before the game always, then only as spectators."""
    return table.row.status == "waiting" or table.row.options.spectators


def send_away(table: Table) -> None:
    """Close the sockets of those without a seat where nobody may watch: a game begins, or a seat is lost."""
    if may_watch(table):
        return
    for connection in list(table.audience.watchers):
        table.audience.watchers.discard(connection)
        connection.close(NOT_ALLOWED)


def marks_of(table: Table, person: str, but: str = "") -> frozenset[str]:
    """What somebody is known by who may not come back: the person, and the browsers they came with.

    A browser that somebody else plays in too, or the browser ``but``, keeps nobody out.
    """
    connected = {one.browser for one in table.audience if one.person.id == person}
    shared = [marks for one, marks in table.browsers.items() if one != person]
    own = (connected | table.browsers.get(person, set())).difference(*shared, {"", but})
    return frozenset([person, *map(hashed, own)])


def check_welcome(table: Table, person: str, browser: str) -> None:
    """``removed`` for who may not come back, under another name in the same browser either."""
    if person in table.row.removed or (browser and hashed(browser) in table.row.removed):
        raise ServerError("removed")


def may_see_all(table: Table, connection: Connection) -> bool:
    """Whether a socket may be shown all hands: by role, and unless its person or its browser plays here."""
    if connection.person.role not in ALL_HANDS or seats.seat_of(table.row, connection.person.id) is not None:
        return False
    playing = (table.browsers.get(one.person, set()) for one in table.row.sitters if one and one.person)
    return not any(connection.browser in marks for marks in playing)


def close_hands(table: Table) -> None:
    """Hide the hands from all who may no longer see them."""
    for connection in table.audience.watchers:
        if connection.all_hands and not may_see_all(table, connection):
            connection.all_hands = False
            welcome(table, connection)
            sync(table, connection)


def new_role(table: Table, person: PersonRow) -> None:
    """Somebody's role is another one now."""
    for connection in table.audience:
        if connection.person.id == person.id:
            connection.person = person
    close_hands(table)
