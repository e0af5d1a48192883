"""Who may watch, and who with all hands open: commentators, never anybody who plays at the table."""

from typing import Final

from jantaku.server import seats
from jantaku.server.audience import NOT_ALLOWED, Connection
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.table import Table
from jantaku.server.telling import sync, welcome

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
