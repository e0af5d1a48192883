"""Erase people: their accounts, their names in logs, and cached copies in all processes."""

import asyncio
import dataclasses
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Annotated, Any, NamedTuple

from fastapi import Depends, Path, Response

from jantaku.server import tasks
from jantaku.server.archive.replay import ReplayCache
from jantaku.server.archive.reviews import Reviews
from jantaku.server.edge.bodies import router_of
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import ORGANISER, EntryId, EventId, changing, rights_in
from jantaku.server.events.registration.entries import fill
from jantaku.server.people.auth_dependencies import (
    COOKIE,
    InjectedServices,
    Person,
    demand,
    limit_sign_ins,
)
from jantaku.server.people.bodies import EraseAnswer, EraseBody, EraseEntryAnswer, EraseEntryBody
from jantaku.server.play.game_loop import GameLoop
from jantaku.server.play.lobby import Lobby
from jantaku.server.ranked.queue import RankedQueue
from jantaku.server.ranked.table_ratings import TableRatings
from jantaku.server.storage.entries import EntryRow, entry_of
from jantaku.server.storage.erasure import (
    Extent,
    erase_entry,
    extent_of,
    is_playing,
    next_erased_number,
)
from jantaku.server.storage.erasure import (
    erase_person as erase_stored,
)
from jantaku.server.storage.events import ANY
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.server.storage.sign_in import SIGNED_OUT, EndedSessions
from jantaku.server.storage.store import now_ms
from jantaku.server.tasks import Background, to_the_end


async def extent_of_person(services: InjectedServices, person: str) -> Extent:
    """Return what erasing a person would delete."""
    async with services.store.reading() as connection:
        return await extent_of(connection, person)


async def erase(services: InjectedServices, who: PersonRow, person: PersonRow) -> None:
    """Erase a person permanently on behalf of ``who``; raises ``still_playing`` during a game."""
    await to_the_end(_erase(services, who, person))


async def _erase(services: InjectedServices, who: PersonRow, person: PersonRow) -> None:
    async with services.store.writing() as connection:
        if await is_playing(connection, person.id):
            raise ServerError("still_playing")
        extent = await erase_stored(connection, who, person.id, fill)
    services.links.announce(SIGNED_OUT, EndedSessions(person.id))
    gone = [person.id, list(extent.games)]
    await services.links.request(services.links.process, "erased", gone)
    with suppress(ServerError):  # other processes check by themselves once the links are back
        await services.links.request_others("erased", gone)
    for event, revision in extent.events:
        for call in services.events.changed:
            call(event, revision)


async def entries_to_erase(
    services: Services, who: PersonRow, event: str, entry: str, *, everywhere: bool
) -> list[EntryRow]:
    """Return an entry, or all entries of the same player in the events that ``who`` organises.

    Entries without an account belong to one player if they have the same name, as in the ranking of a season.
    Raises ``no_entry``.
    """
    named = (await services.entries.named([(event, entry)])).get((event, entry))
    if named is None or named.status == "merged":
        raise ServerError("no_entry")
    if not everywhere or named.erased is not None:
        return [named]
    roles = await services.events.roles(who.id)
    mine = {run for run, role in roles.items() if role == "organiser"}
    return await services.entries.of_same_player(named, sorted(mine | {event}))


async def erase_entries(services: Services, who: PersonRow, entries: Sequence[EntryRow]) -> None:
    """Erase the names of entries, event by event, and fill free places from the waiting lists."""
    at = now_ms()
    async with services.store.reading() as connection:
        number = await next_erased_number(connection, {entry.event for entry in entries})
    for entry in entries:
        rights = await rights_in(services, entry.event, who)
        rights.demand(ORGANISER)
        async with changing(services, rights, ANY) as change:
            await erase_entry(change, await entry_of(change, entry.id), at, number)
            await fill(change)


class ErasureListener(Background):
    """Removes people erased by any process from the tables, queues and caches of this one.

    A process may die between erasing someone and announcing it, and messages can be lost. Therefore, whenever
    a process has gone or messages have been lost, all people at tables and in the queue are looked up again.
    """

    def __init__(
        self,
        lobby: Lobby,
        replays: ReplayCache,
        reviews: Reviews,
        ratings: TableRatings,
        ranked: RankedQueue,
    ) -> None:
        self._lobby, self._replays, self._ratings, self._ranked = lobby, replays, ratings, ranked
        self._reviews = reviews
        self._missed = asyncio.Event()
        services = lobby.services
        services.links.handlers["erased"] = self._on_erased
        services.links.messages.lost.append(self._missed.set)
        services.lease.changed.append(self._missed.set)

    async def _on_erased(self, payload: Any) -> bool:
        person, games = payload
        await self._leave_all(person)
        await self._reload_names()
        await self._reviews.forget(games)
        self._clear_caches(games)
        return True

    async def _run(self) -> None:
        while True:
            await self._missed.wait()
            self._missed.clear()
            with tasks.reported("looking for erased people failed"):
                await self._recheck()

    async def _recheck(self) -> None:
        people = {entry.person for entry in self._ranked.entries}
        for loop in self._lobby:
            row = loop.table.row
            people |= {row.owner, *(sitter.person for sitter in row.sitters if sitter and sitter.person)}
        there = await self._lobby.services.accounts.names(people)
        for person in people - there.keys() - {""}:
            await self._leave_all(person)
        await self._reload_names()
        self._clear_caches(None)

    async def _leave_all(self, person: str) -> None:
        with suppress(ServerError):  # already being seated: then they leave the table below
            self._ranked.leave(person)
        for loop in self._lobby:
            await _leave(loop, person)

    async def _reload_names(self) -> None:
        """Reload the tables' names, from which storage has removed the names of erased people."""
        names = await self._lobby.services.seating.names([loop.table.row.id for loop in self._lobby])
        for loop in self._lobby:
            name = names.get(loop.table.row.id, loop.table.row.name)
            if name != loop.table.row.name:
                async with loop.changing() as table:
                    table.row = dataclasses.replace(table.row, name=name)

    def _clear_caches(self, games: Iterable[str] | None) -> None:
        self._replays.forget(games)
        self._ratings.forget()
        self._lobby.services.rulesets.forget()


async def _leave(loop: GameLoop, person: str) -> None:
    """Remove an erased person from a table: their seat, their ownership and their name."""
    async with loop.changing() as table:
        sitters = tuple(
            None if sitter and sitter.person == person else sitter for sitter in table.row.sitters
        )
        owned = table.row.owner == person
        if sitters == table.row.sitters and not owned:
            return
        others = (sitter.person for sitter in sitters if sitter and sitter.person)
        owner = next(others, "") if owned else table.row.owner
        row = dataclasses.replace(table.row, sitters=sitters, owner=owner)
        if row.status == "waiting" and not any(sitter and sitter.person for sitter in sitters):
            row = dataclasses.replace(row, status="closed")
        await table.services.seating.change(row)
        table.row = row
        table.opened_by = "" if owned else table.opened_by


router = router_of("/api", "people")
Id = Annotated[str, Path(max_length=16)]


class EntryPlace(NamedTuple):
    """An entry and its event."""

    event: EventId
    entry: EntryId


def _answer(extent: Extent, token: str | None) -> EraseAnswer:
    return EraseAnswer(done=token is None, confirm=token, **extent._asdict())


async def _confirmed(
    services: InjectedServices, who: PersonRow, person: PersonRow, body: EraseBody
) -> EraseAnswer:
    """Preview the deletion, or erase the person if the request is confirmed."""
    extent, what = await extent_of_person(services, person.id), f"erase {person.id}"
    if body.confirm is None:
        return _answer(extent, services.confirmations.ask(who.id, what))
    services.confirmations.check(who.id, what, body.confirm)
    await erase(services, who, person)
    return _answer(extent, None)


@router.post("/me/erase", dependencies=[Depends(limit_sign_ins)])
async def erase_me(
    response: Response, services: InjectedServices, who: Person, body: EraseBody
) -> EraseAnswer:
    """Erase my account, my names and my uploads. Needs a confirmation and my password."""
    if body.confirm is not None and not who.guest:
        await services.account_service.check_password(who, body.password)
    answer = await _confirmed(services, who, who, body)
    if answer.done:
        response.delete_cookie(COOKIE, path="/")
    return answer


@router.post("/people/{person_id}/erase")
async def erase_person(
    services: InjectedServices, who: Person, person_id: Id, body: EraseBody
) -> EraseAnswer:
    """Erase a person at their request (admins only). Needs a confirmation."""
    demand(who, ("admin",))
    person = await services.accounts.find(person_id)
    if person is None:
        raise ServerError("no_person")
    return await _confirmed(services, who, person, body)


@router.post("/events/{event}/entries/{entry}/erase")
async def erase_one_entry(
    services: InjectedServices,
    who: Person,
    at: Annotated[EntryPlace, Depends()],
    body: EraseEntryBody,
) -> EraseEntryAnswer:
    """Erase the names of an entry, or of all the player's entries (organisers). Needs a confirmation."""
    await rights_in(services, at.event, who, ORGANISER)
    entries = await entries_to_erase(services, who, *at, everywhere=body.everywhere)
    events = await services.events.named({entry.event for entry in entries})
    names = sorted(event.name for event in events.values())
    what = "erase " + " ".join(f"{entry.event}/{entry.id}" for entry in entries)
    token = None
    if body.confirm is None:
        token = services.confirmations.ask(who.id, what)
    else:
        services.confirmations.check(who.id, what, body.confirm)
        await erase_entries(services, who, entries)
    return EraseEntryAnswer(done=token is None, confirm=token, entries=len(entries), events=names)
