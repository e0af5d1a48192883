"""Registration: who asks, who waits, who plays; a free place goes to whoever has waited longest."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_plan import EventPlan, Registration, checked_key, still_here
from jantaku.server.events.registration.countries import THREE_LETTERS
from jantaku.server.events.registration.players import enrolled, living
from jantaku.server.limits import ENTRIES_OF_EVENT
from jantaku.server.names import shown_name
from jantaku.server.storage.entries import (
    PLAYS,
    EntryRow,
    add_entries,
    change_entry,
    entries_of,
    entry_of,
    forget_marks,
)
from jantaku.server.storage.events import Change
from jantaku.server.storage.people import PersonRow, new_id

MOST_NAME: Final = 40
SAT: Final = ("playing", "withdrawn")  # who has left may have sat at a game
ASSOCIATION: Final = re.compile(r"[0-9A-Za-z-]{0,16}")


class Listed(NamedTuple):
    """Somebody whom an organiser registers; ``earlier`` is their entry in an earlier event."""

    name: str
    team: str = ""
    id: str = ""
    country: str = ""
    association: str = ""
    earlier: EntryRow | None = None


def checked_country(code: str) -> str:
    """The two letters of a country (ISO 3166), given by two or three; raises ``no_country`` for others."""
    country = code.strip().upper()
    country = THREE_LETTERS.get(country, country)
    if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
        raise ServerError("no_country", field="country", value=country[:16])
    return country


def checked_association(number: str) -> str:
    """A number in an association: letters, digits and hyphens; raises ``no_association``."""
    association = number.strip()
    if not ASSOCIATION.fullmatch(association):
        raise ServerError("no_association", field="association", value=association[:16])
    return association


def registration_of(change: Change) -> Registration:
    """How people register for the event."""
    return EventPlan.model_validate_json(change.event.plan).registration


def shown_team(team: str) -> str:
    """The name of a team as displayed; empty if there is none."""
    return shown_name(team, MOST_NAME) if team.strip() else ""


def _new(
    change: Change, listed: Listed, number: int, status: str, person: PersonRow | None = None
) -> EntryRow:
    return EntryRow(
        change.event.id,
        checked_key(listed.id, "id") if listed.id else new_id(),
        number,
        shown_name(listed.name, MOST_NAME),
        shown_team(listed.team),
        person.id if person else None,
        status,
        None,
        None,
        change.at,
        card=None if person else new_id(),
        country=checked_country(listed.country),
        association=checked_association(listed.association),
    )


def _known(entry: EntryRow, earlier: EntryRow) -> EntryRow:
    """A new entry with who an earlier one is."""
    return entry._replace(
        name=earlier.name,
        namesake=earlier.namesake,
        player=earlier.player,
        person=earlier.person,
        real_name=earlier.real_name,
        country=entry.country or earlier.country,
        association=entry.association or earlier.association,
    )


async def register(change: Change, person: PersonRow, listed: Listed) -> EntryRow:
    """Register somebody who asks for it; asking twice changes nothing.

    Raises ``registration_closed``, and ``entry_refused`` if an organiser has refused them.
    """
    entries = await entries_of(change.connection, change.event.id)
    mine = next((entry for entry in entries if entry.person == person.id), None)
    if mine is not None and mine.status == "refused":
        raise ServerError("entry_refused")
    if mine is not None and mine.status != "withdrawn":
        return mine
    plan = registration_of(change)
    if not plan.open:
        raise ServerError("registration_closed")
    status = "asked" if plan.moderated else _admitted(entries, plan)
    if mine is not None:  # back at the end of the line
        number = max(entry.number for entry in entries) + 1
        return await change_entry(change, mine, status=status, number=number)
    _check_room(entries, 1)
    [entry] = await enrolled(change, [_new(change, listed, _next(entries), status, person)])
    await add_entries(change, [entry])
    return entry


async def add_listed(change: Change, people: Sequence[Listed]) -> list[EntryRow]:
    """Register the people of an organiser's list, in its order; those beyond the limit wait.

    Whoever comes from an earlier event and is entered already is left out.
    """
    entries = await entries_of(change.connection, change.event.id)
    _check_room(entries, len(people))
    plan, taken, rows = registration_of(change), {entry.id for entry in entries}, list[EntryRow]()
    there = {entry.player for entry in living(entries)} | {entry.person for entry in living(entries)}
    for listed in people:
        if listed.earlier is not None and {listed.earlier.player, listed.earlier.person or ""} & there:
            continue
        if listed.id in taken:
            raise ServerError("entry_id_taken", field="id", id=listed.id)
        status = _admitted([*entries, *rows], plan)
        row = _new(change, listed, _next([*entries, *rows]), status)
        rows.append(row if listed.earlier is None else _known(row, listed.earlier))
        there |= {row.player, row.person} if listed.earlier is None else {rows[-1].player, rows[-1].person}
        there -= {None, ""}
        taken.add(rows[-1].id)
    rows = await enrolled(change, rows)
    await add_entries(change, rows)
    return rows


class Qualified(NamedTuple):
    """Somebody who has qualified elsewhere: their entry there, and the points they bring, if any."""

    entry: EntryRow
    brought: int | None


async def add_finalists(change: Change, people: Sequence[Qualified]) -> tuple[list[str], list[str]]:
    """Enter people who have qualified, whatever the registration says.

    Who is entered already gets the points that they bring now. Returns the labels of those who were entered,
    and of those who play already.
    """
    entries = await entries_of(change.connection, change.event.id)
    _check_room(entries, len(people))
    known = {entry.player: entry for entry in living(entries)}
    known |= {entry.person: entry for entry in living(entries) if entry.person is not None}
    entered, there, new = list[str](), list[str](), list[EntryRow]()
    for qualified, brought in people:
        mine = known.get(qualified.player) or known.get(qualified.person or "")
        if mine is None:
            listed = Listed(qualified.name, qualified.team)
            entry = _known(_new(change, listed, _next([*entries, *new]), PLAYS), qualified)
            new.append(entry._replace(brought=brought))
            entered.append(qualified.label)
        elif mine.status == PLAYS:
            await change_entry(change, mine, brought=brought)
            there.append(qualified.label)
        else:
            await change_entry(change, mine, status=PLAYS, brought=brought)
            entered.append(qualified.label)
    if new:
        await add_entries(change, await enrolled(change, new))
    return entered, there


def _next(entries: Sequence[EntryRow]) -> int:
    return max((entry.number for entry in entries), default=0) + 1


def _check_room(entries: Sequence[EntryRow], more: int) -> None:
    if len(entries) + more > ENTRIES_OF_EVENT:
        raise ServerError("too_many_entries", most=ENTRIES_OF_EVENT)


def _admitted(entries: Sequence[EntryRow], plan: Registration) -> str:
    """The status of somebody who is admitted now."""
    playing = sum(entry.status == "playing" for entry in entries)
    return "playing" if plan.limit is None or playing < plan.limit else "waiting"


async def decide(change: Change, entry: EntryRow, status: str, why: str) -> EntryRow:
    """Admit, refuse or withdraw an entry; a place that becomes free goes to whoever waits."""
    if status == "playing" and entry.status != "playing":
        entries = await entries_of(change.connection, change.event.id)
        status = _admitted(entries, registration_of(change))
    entry = await change_entry(change, entry, why, status=status)
    await fill(change)
    return (await entry_of(change, entry.id)) if entry.status == "waiting" else entry


async def check_in(change: Change, entry: EntryRow, why: str = "") -> EntryRow:
    """Note that somebody is here; a check-in that still holds keeps its time."""
    since = still_here(entry.checked_in, change.at)
    return await change_entry(change, entry, why, checked_in=change.at if since is None else since)


async def withdraw(change: Change, entry: EntryRow) -> EntryRow:
    """Withdraw an entry that is neither refused nor withdrawn already."""
    if entry.status not in ("asked", "waiting", "playing"):
        return entry
    return await decide(change, entry, "withdrawn", "")


async def take_out(change: Change, wanted: Sequence[str], why: str) -> list[EntryRow]:
    """Withdraw those of these entries who play and have not checked in; returns them."""
    asked = set(wanted)
    rows = await entries_of(change.connection, change.event.id)
    gone = [
        row
        for row in rows
        if row.id in asked and row.status == PLAYS and still_here(row.checked_in, change.at) is None
    ]
    for entry in gone:
        await change_entry(change, entry, why, status="withdrawn")
    await fill(change)
    return gone


async def give_account(change: Change, entry: EntryRow, person: PersonRow | None) -> EntryRow:
    """Say whose account belongs to an entry; raises ``account_entered`` if it has another entry."""
    if person is not None:
        entries = await entries_of(change.connection, change.event.id)
        if any(other.person == person.id and other.id != entry.id for other in entries):
            raise ServerError("account_entered", field="account")
    if person is None and entry.person is not None:
        await forget_marks(change, entry)
        return await change_entry(change, entry, person=None, card=entry.card or new_id())
    return await change_entry(change, entry, person=person and person.id)


async def fill(change: Change) -> None:
    """Give free places to those who have waited longest."""
    entries = await entries_of(change.connection, change.event.id)
    plan = registration_of(change)
    playing = sum(entry.status == "playing" for entry in entries)
    for entry in entries:
        if entry.status == "waiting" and (plan.limit is None or playing < plan.limit):
            await change_entry(change, entry, status="playing")
            playing += 1


async def demand_playing(change: Change, entries: Sequence[str], field: str, *, over: bool = False) -> None:
    """Raise ``not_entered`` unless all of these entries play in the event, ``entry_left`` for who did before.

    ``over``: in a game that has been played already; whoever has left may have sat there.
    """
    known = {entry.id: entry for entry in await entries_of(change.connection, change.event.id)}
    for entry in entries:
        row = known.get(entry)
        if row is None or row.status not in SAT:
            raise ServerError("not_entered", field=field, id=entry if row is None else row.label)
        if row.status != "playing" and not over:
            raise ServerError("entry_left", field=field, id=row.label)
