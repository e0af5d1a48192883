"""Deletes the data of a person on request: account, names and real name go, results stay."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.base import table_of
from jantaku.server.storage.cleanup import OF_PEOPLE, forget_in_events
from jantaku.server.storage.entries import ClaimRow, EntryRow, NicknameRow, entries_of
from jantaku.server.storage.event_store import write_notes
from jantaku.server.storage.events import CallRow, Change, StaffRow, Then, take_revision
from jantaku.server.storage.games import GameRow, PlayerRow
from jantaku.server.storage.people import AccountName, PersonRow, untie
from jantaku.server.storage.ratings import forget_ratings_with
from jantaku.server.storage.recorded_games import BetRow
from jantaku.server.storage.saved import RulesetRow, UploadRow, in_use
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.sign_in import RecoveryCode, end_all, end_ways, set_role
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Removed, SeatRow, TableRow
from jantaku.server.storage.webhooks import Delivery

NOBODY: Final = "–"  # instead of a name, where no entry has a number


class Erased(NamedTuple):
    """What changed: events with their revisions, and the games whose players have other names now."""

    events: tuple[tuple[str, int], ...]
    games: tuple[str, ...]


class Extent(NamedTuple):
    """What a person has here: how many entries, games of the parlour, uploads and saved rulesets."""

    entries: int
    games: int
    uploads: int
    rulesets: int


def placeholder(number: int) -> str:
    """What stands instead of the name of an erased entry; pages say it in words."""
    return f"#{number}"


async def free_erased_number(connection: AsyncConnection, among: Collection[str]) -> int:
    """The number of somebody who is deleted in these events: nobody else deleted has it in their seasons."""
    parts = select(PartRow.season).where(PartRow.event.in_(among))
    beside = select(PartRow.event).where(PartRow.season.in_(parts))
    there = EntryRow.event.in_(among) | EntryRow.event.in_(beside)
    query = select(func.max(EntryRow.namesake)).where(there, EntryRow.erased.is_not(None))
    return int((await connection.execute(query)).scalar() or 0) + 1


def plays(person: str) -> ColumnElement[bool]:
    """The games of a person."""
    return GameRow.id.in_(select(PlayerRow.game).where(PlayerRow.person == person))


async def extent_of(connection: AsyncConnection, person: str) -> Extent:
    """How much there is to delete."""
    counts = []
    for table, where in (
        (EntryRow, EntryRow.person == person),
        (GameRow, plays(person)),
        (UploadRow, UploadRow.person == person),
        (RulesetRow, RulesetRow.person == person),
    ):
        query = select(func.count()).select_from(table).where(where)
        counts.append(int((await connection.execute(query)).scalar_one()))
    return Extent(*counts)


async def is_playing(connection: AsyncConnection, person: str) -> bool:
    """Whether the person has a seat in a game that is going on."""
    query = select(SeatRow.seat).join(TableRow, TableRow.id == SeatRow.table_id)
    query = query.where(SeatRow.person == person, TableRow.status == "playing")
    return (await connection.execute(query.limit(1))).first() is not None


async def erase_person(connection: AsyncConnection, who: PersonRow, person: str, then: Then) -> Erased:
    """Delete an account or guest, in one transaction; ``who`` does it, as the logs say.

    Logs have ids alone, so that no name is left in them. Texts that people have written stay as they are.
    ``then`` is done in each event where a place has become free.
    """
    came, changed, at = await _events_of(connection, person), [], now_ms()
    number = await free_erased_number(connection, came)
    for event in came:
        row = await take_revision(connection, event)
        change = Change(connection, row, who)
        for entry in await entries_of(connection, event):
            if entry.person == person:
                await erase_entry(change, entry, at, number)
        for kind in (CallRow, ClaimRow):
            await change.set(kind, kind.person == person, name=NOBODY)
        await then(change)
        await write_notes(change)
        changed.append((row.id, row.revision))
    await forget_ratings_with(connection, person)
    played = await _leave_games(connection, person)
    await connection.execute(update(TableRow).where(TableRow.owner == person).values(owner="", name=""))
    await connection.execute(update(SeasonRow).where(SeasonRow.person == person).values(person=""))
    await connection.execute(delete(RulesetRow).where(RulesetRow.person == person, ~in_use()))
    mine = update(RulesetRow).where(RulesetRow.person == person)
    await connection.execute(mine.values(name="", toml="", person=None))
    theirs = or_(BetRow.person == person, BetRow.opponent == person)
    await connection.execute(delete(BetRow).where(theirs))
    await forget_in_events(connection, [person])
    await set_role(connection, person, "player")  # so that no link of an admin works any more
    await end_all(connection, person)
    await end_ways(connection, person)
    await untie(connection, [person])
    for own in (
        *(SeatRow.person, Removed.mark, UploadRow.person),
        *(RecoveryCode.person, AccountName.person, PersonRow.id),
    ):
        await connection.execute(delete(own.class_).where(own == person))
    return Erased(tuple(changed), tuple(played))


async def erase_entry(change: Change, entry: EntryRow, at: int, number: int) -> None:
    """Write a placeholder into one entry of an event; an account that belongs to it lives on without it.

    Entries of one player are erased ``at`` one moment, by which a season still counts them as one, and get
    one free ``number``. A team that others play for keeps its name and its points, which are theirs.
    """
    everybody, mine = await entries_of(change.connection, change.event.id), [entry]
    for into in mine:
        mine += [row for row in everybody if row.merged_into == into.id and row not in mine]
    number = next((row.namesake for row in mine if row.erased is not None), number)
    others = {row.team.casefold() for row in everybody if row not in mine and row.erased is None}
    for row in mine:
        for table in (NicknameRow, ClaimRow):
            await change.remove(table, table.entry == row.id)
        values: dict[str, Any] = {"name": placeholder(number), "person": None, "erased": at}
        values |= {"checked_in": None, "namesake": number, **dict.fromkeys(row.identity, "")}
        if row.status in ("asked", "waiting", "playing"):
            values["status"] = "withdrawn"
        if row.team and row.team.casefold() not in others:
            values["team"] = placeholder(number)
        if row.status != "merged":
            values["player"] = f"erased-{at}"  # their other entries that are deleted now stay one with it
        await change.set(EntryRow, EntryRow.id == row.id, **values)
        change.note("erase", entry=row.id)
    await change.remove(Delivery, Delivery.due.is_(None))  # what was sent has names
    change.results_change = True


async def _events_of(connection: AsyncConnection, person: str) -> list[str]:
    """The events in which anything comes from the person, in a fixed order."""
    values = set[str]()
    for table in map(table_of, (*OF_PEOPLE, StaffRow)):
        query = select(table.c.event).where(table.c.person == person).distinct()
        values |= set((await connection.execute(query)).scalars())
    return sorted(values)


async def _leave_games(connection: AsyncConnection, person: str) -> list[str]:
    played = list(await connection.execute(select(GameRow.id, GameRow.players).where(plays(person))))
    for game, before in played:
        players = tuple(replace(one, name="", person=None) if one.person == person else one for one in before)
        await connection.execute(update(GameRow).where(GameRow.id == game).values(players=players))
    await connection.execute(delete(PlayerRow).where(PlayerRow.person == person))
    return [game for game, _ in played]
