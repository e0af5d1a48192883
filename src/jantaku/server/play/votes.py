"""Votes of the players at a table: to end its game, to play another, to show their hands."""

import time
from typing import TypeVar

from jantaku.server.errors import ServerError
from jantaku.server.play import table_seats
from jantaku.server.play.absent_players import away_at
from jantaku.server.play.broadcast import tell_table
from jantaku.server.play.carry_out import start
from jantaku.server.play.table import Table
from jantaku.server.play.table_rights import all_show_hands, renew_hands

Voter = TypeVar("Voter", int, str)  # a seat, or a person


def vote_abort(table: Table, seat: int, agree: bool) -> bool:
    """Record a vote to end the game here; return whether everyone agrees, so that it must end."""
    if not table.playing:
        raise ServerError("not_playing")
    check_unranked(table)
    if _vote(table.wants_abort, seat, agree) and not all_abort(table):
        tell_table(table)
    return all_abort(table)


def vote_hands(table: Table, person: str, agree: bool) -> None:
    """Record whether a player agrees that spectators see all hands; raises ``event_hands``."""
    if table.row.event is not None:
        raise ServerError("event_hands")
    passed = all_show_hands(table)
    if _vote(table.shows_hand, person, agree):
        if passed:
            table.shows_hand.clear()  # whoever ends what everybody agreed to proposes nothing to the others
        tell_table(table)
        renew_hands(table)


def _vote(agreeing: set[Voter], voter: Voter, agree: bool) -> bool:
    """Agree, withdraw, or decline, which ends the vote; return whether anything changed."""
    before = set(agreeing)
    if agree:
        agreeing.add(voter)
    elif voter in agreeing:
        agreeing.discard(voter)
    else:
        agreeing.clear()
    return agreeing != before


def all_abort(table: Table) -> bool:
    """Whether every person at the table agrees to end the game here."""
    return table.playing and table.wants_abort.issuperset(table_seats.persons(table.row))


def check_over(table: Table) -> None:
    """Refuse what is only possible after a game."""
    if table.row.status not in ("finished", "aborted"):
        raise ServerError("already_started")


def check_unranked(table: Table) -> None:
    """Refuse what would let people choose at a table that the parlour has put together."""
    if table.row.ranked:
        raise ServerError("ranked_table")
    if table.row.round is not None:
        raise ServerError("round_table")


async def vote_rematch(table: Table, seat: int, agree: bool) -> None:
    """Record a vote for a rematch; it begins once everyone present agrees."""
    check_over(table)
    check_unranked(table)
    if agree and not await table.may_go_on():
        raise ServerError("no_room_for_rematch")
    _vote(table.wants_rematch, seat, agree)
    if not await rematch(table):
        tell_table(table)


def _staying(table: Table) -> set[int] | None:
    """Who plays the rematch, if everyone agrees who is present or has just lost the connection."""
    people, now = set(table_seats.persons(table.row)), time.monotonic()
    here = {seat for seat in people if seat in table.audience.seats}
    staying = here | {seat for seat in people - here if away_at(table, seat) > now}
    return staying if here and table.wants_rematch >= staying else None


async def rematch(table: Table) -> bool:
    """Start another game if everyone agrees who is present or has just lost the connection.

    Returns whether it started. After a restart nobody is connected for a moment: the first to return must not
    start without the others.
    """
    if _staying(table) is None or not await table.may_go_on():
        return False
    staying = _staying(table)  # of that moment: asking takes a while in a site of several processes
    if staying is None or table.beginning:
        return False
    before, table.beginning = table.row, True
    for seat in set(table_seats.persons(table.row)) - staying:
        table.row = table_seats.with_seat(table.row, seat, None)
    try:
        await start(table)
    except ServerError:
        table.row = before
        raise
    finally:
        table.beginning = False
    return True
