"""Routes of the lobby and of tables: open, join, leave, start, end, bots and invitations."""

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from typing import Annotated

from fastapi import Depends, Path, Request, Response

from jantaku.kernels.win import MAX_SEATS
from jantaku.server.edge.bodies import Done, Invite, router_of
from jantaku.server.edge.pages import invite_to, qr_page
from jantaku.server.edge.protocol import BotLevel, TableInfo
from jantaku.server.errors import ServerError
from jantaku.server.people.auth_dependencies import (
    ENDS_TABLES,
    InjectedServices,
    OptionalUser,
    Person,
    RequestLanguage,
    Visiting,
    Visitor,
    browser_of,
    deduplicate,
    may,
)
from jantaku.server.play import game_steps as play
from jantaku.server.play import table_seats
from jantaku.server.play.agreements import change_seats, check_unranked, start_if_ready
from jantaku.server.play.broadcast import (
    ban_marks,
    check_not_removed,
    info,
    is_late,
    publish_table,
    record_browser,
    sync,
    welcome,
)
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import NewTable, close_table
from jantaku.server.play.site import Anywhere, BotBody, CreateTable, LobbyPage, SeatBody, lobby_page, matches
from jantaku.server.play.table import NOT_ALLOWED, Table
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.tables import TableRow
from jantaku.terms import Language

router = router_of("/api/tables", "tables")
TableId = Annotated[str, Path(max_length=16)]
PersonId = Annotated[str, Path(max_length=16)]
DEFAULT_RULES = {3: "standard-3"}  # default rules by number of players, instead of "standard"


def _owned(table: Table, who: PersonRow) -> None:
    if table.row.owner != who.id and not may(who, ENDS_TABLES):
        raise ServerError("not_owner")
    if not may(who, ENDS_TABLES):
        check_unranked(table)


def _waiting(table: Table) -> None:
    if table.row.status != "waiting":
        raise ServerError("already_started")


@asynccontextmanager
async def _arranging(services: InjectedServices, who: Person, table_id: TableId) -> AsyncIterator[GameLoop]:
    """Yield a locked table for its owner's changes before the game."""
    loop = await services.lobby.find(table_id)
    _owned(loop.table, who)
    _waiting(loop.table)
    async with loop.changing():
        _waiting(loop.table)
        yield loop


async def _change(loop: GameLoop, row: TableRow, language: Language) -> TableInfo:
    """Store the changed seats and publish them."""
    await change_seats(loop.table, row)
    loop.wake()
    return info(loop.table, language, loop.table.row.owner)


@router.get("")
async def lobby(
    services: InjectedServices,
    language: RequestLanguage,
    who: OptionalUser,
    mine: bool = False,
) -> LobbyPage:
    """List the public tables and mine; only mine if ``mine`` is set."""
    return await lobby_page(services.links, language, None if who is None else who.id, mine)


@router.post("", dependencies=[Depends(deduplicate)])
async def create(
    services: InjectedServices,
    language: RequestLanguage,
    who: Visiting,
    body: CreateTable,
) -> TableInfo:
    """Open a table."""
    holdings = services.lobby.holdings
    if body.sit:
        await holdings.check_seat(who.holder)  # before the table is stored
    wanted = NewTable(body.name, body.rules, body.options, length=body.length)
    loop = await services.lobby.add(who.person, who.address, wanted)
    taking = holdings.taking_seat(loop.table, who.holder) if body.sit else nullcontext()
    async with taking, loop.changing():
        row = table_seats.joined(loop.table.row, who.person, None) if body.sit else loop.table.row
        for _ in range(min(body.bots, row.sitters.count(None))):
            row = table_seats.with_bot(row, None, loop.table.level)
        await _change(loop, row, language)
        if body.sit:
            record_browser(loop.table, who.person.id, who.browser)
        return info(loop.table, language)


@router.post("/anywhere", dependencies=[Depends(deduplicate)])
async def anywhere(
    services: InjectedServices,
    language: RequestLanguage,
    who: Visiting,
    body: Anywhere,
) -> TableInfo:
    """Take a seat at a matching public table, or open one."""
    for loop in services.lobby.open_tables(who.person.id, lambda table: matches(table, body)):
        try:
            return await _take_seat(services, loop, language, who, None)
        except ServerError as error:
            if error.code not in ("removed", "no_free_seat", "already_started", "no_table"):
                raise
            continue  # full, started or closed in the meantime, or the person was removed there
    usual = DEFAULT_RULES.get(body.players or 0, "standard")
    opened = CreateTable(rules=body.rules or usual, length=body.length)
    return await create(services, language, who, opened)


@router.get("/{table_id}")
async def one_table(
    services: InjectedServices,
    language: RequestLanguage,
    who: OptionalUser,
    table_id: TableId,
) -> TableInfo:
    """Describe one table."""
    return info((await services.lobby.find(table_id)).table, language, None if who is None else who.id)


@router.post("/{table_id}/join")
async def join(
    services: InjectedServices,
    language: RequestLanguage,
    who: Visiting,
    table_id: TableId,
    body: SeatBody,
) -> TableInfo:
    """Take a seat, or return to one's own."""
    return await _take_seat(services, await services.lobby.find(table_id), language, who, body.seat)


async def _take_seat(
    services: InjectedServices,
    loop: GameLoop,
    language: Language,
    who: Visitor,
    seat: int | None,
) -> TableInfo:
    table = loop.table
    check_not_removed(table, who.person.id, who.browser)
    if table_seats.joined(table.row, who.person, seat) is not table.row:
        async with services.lobby.holdings.taking_seat(table, who.holder), loop.changing():
            check_not_removed(table, who.person.id, who.browser)
            await _change(loop, table_seats.joined(table.row, who.person, seat), language)
    _sit(table, who.person, who.browser)
    return info(table, language)


def _sit(table: Table, who: PersonRow, browser: str) -> None:
    """Connect the sockets of a seated person to their seat."""
    record_browser(table, who.id, browser)
    seat = table_seats.seat_of(table.row, who.id)
    if seat is None:
        return
    for connection in list(table.audience):
        if connection.person.id == who.id and connection.seat != seat:
            table.audience.sit(connection, seat)
            table_seats.socket_connected(table, seat)
            welcome(table, connection)
            sync(table, connection)
    if seat not in table.audience.seats:
        table_seats.socket_lost(table, seat)  # a bot plays unless the socket connects soon


@router.post("/{table_id}/leave")
async def leave(
    services: InjectedServices,
    language: RequestLanguage,
    who: Person,
    table_id: TableId,
) -> TableInfo:
    """Leave the seat; during a game a bot takes over."""
    loop = await services.lobby.find(table_id)
    table = loop.table
    table_seats.left(table.row, who.id)  # refuses a person without a seat before locking
    if table.row.status == "waiting":
        check_unranked(table)  # the game is about to begin; leaving it counts as leaving a game
    async with loop.changing():
        seat = table_seats.seat_of(table.row, who.id)
        here = seat in table.audience.seats
        async with services.lobby.holdings.transferring(table) as may_own:
            row = table_seats.left(table.row, who.id, may_own)
            if row.status == "waiting" and not any(sitter and sitter.person for sitter in row.sitters):
                row = dataclasses.replace(row, status="closed")
            await _change(loop, row, language)
        if here and seat is not None:
            table_seats.socket_lost(table, seat)
        return info(table, language)


def _removable(table: Table, person: str) -> None:
    """Raise ``no_person`` for a person without a seat here, ``rated_stays`` during a rated game."""
    if table_seats.seat_of(table.row, person) is None:
        raise ServerError("no_person")
    if table.playing and table.row.options.rated:
        raise ServerError("rated_stays")


@router.delete("/{table_id}/people/{person_id}")
async def remove_person(
    request: Request,
    services: InjectedServices,
    language: RequestLanguage,
    who: Person,
    table_id: TableId,
    person_id: PersonId,
) -> TableInfo:
    """Remove a person permanently (owner only); during a game a bot takes over."""
    loop = await services.lobby.find(table_id)
    table = loop.table
    _owned(table, who)
    if person_id == who.id:
        raise ServerError("not_yourself")
    _removable(table, person_id)
    async with loop.changing():
        _removable(table, person_id)
        there = [connection for connection in table.audience if connection.person.id == person_id]
        marks = ban_marks(table, person_id, but=browser_of(request))
        async with services.lobby.holdings.transferring(table) as may_own:
            row = table_seats.removed(table.row, person_id, table_seats.stand_in(table), may_own)
            row = dataclasses.replace(row, removed=row.removed | marks)
            shown = await _change(loop, row, language)
        for connection in there:
            connection.close(NOT_ALLOWED)
        return shown


@router.post("/{table_id}/bots")
async def add_bot(
    services: InjectedServices,
    language: RequestLanguage,
    who: Person,
    table_id: TableId,
    body: BotBody,
) -> TableInfo:
    """Seat a bot (owner only)."""
    async with _arranging(services, who, table_id) as loop:
        services.programs.check_bot(body.level, loop.table.rules)
        row = table_seats.with_bot(loop.table.row, body.seat, body.level or loop.table.level)
        await _change(loop, row, language)
        await start_if_ready(loop.table)
    return info(loop.table, language)


@router.delete("/{table_id}/bots/{seat}")
async def remove_bot(
    services: InjectedServices,
    language: RequestLanguage,
    who: Person,
    table_id: TableId,
    seat: Annotated[int, Path(ge=0, le=MAX_SEATS - 1)],
) -> TableInfo:
    """Remove a bot (owner only)."""
    async with _arranging(services, who, table_id) as loop:
        return await _change(loop, table_seats.without_bot(loop.table.row, seat), language)


@router.post("/{table_id}/start")
async def start(
    services: InjectedServices,
    language: RequestLanguage,
    who: Person,
    table_id: TableId,
    level: BotLevel | None = None,
) -> TableInfo:
    """Start the game (owner only); bots of ``level``, or of the table's level, fill the free seats."""
    async with _arranging(services, who, table_id) as loop:
        services.programs.check_bot(level, loop.table.rules)
        await play.start(loop.table, level)
    loop.wake()
    return info(loop.table, language)


@router.delete("/{table_id}")
async def end(services: InjectedServices, who: Person, table_id: TableId) -> Done:
    """Close a waiting table or end a stopped game (owner), or end any game (organiser)."""
    loop = await services.lobby.find(table_id)
    table = loop.table
    _owned(table, who)
    still_running = table.playing or is_late(table, table_seats.seat_of(table.row, who.id))
    if still_running and not may(who, ENDS_TABLES):
        raise ServerError("not_allowed")
    if table.playing or table.stopped:
        async with loop.changing():
            await play.finish(table, "aborted")
    elif table.row.status == "waiting":
        await close_table(loop)
        publish_table(table)
    else:
        raise ServerError("not_playing")
    return Done()


@router.get("/{table_id}/invite")
async def invite(request: Request, services: InjectedServices, table_id: TableId) -> Invite:
    """Return the link that invites other people to the table."""
    loop = await services.lobby.find(table_id)
    return invite_to(request, services.settings, f"/t/{loop.table.row.id}")


@router.get("/{table_id}/qr.svg", response_class=Response)
async def qr(request: Request, services: InjectedServices, table_id: TableId) -> Response:
    """Return the table's link as a QR code."""
    return qr_page(await invite(request, services, table_id))
