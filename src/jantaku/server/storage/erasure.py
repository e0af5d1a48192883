"""Erase a person on request: account and names are deleted, results remain."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, delete, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jantaku.server.storage.base import table_of
from jantaku.server.storage.cards import CardRow
from jantaku.server.storage.cleanup import PERSON_COLUMNS, unlink_from_events
from jantaku.server.storage.entries import ClaimRow, EntryRow, NicknameRow, entries_of
from jantaku.server.storage.event_store import write_log
from jantaku.server.storage.events import CallRow, Change, StaffRow, Step, advance_revision
from jantaku.server.storage.games import GameRow, PlayerRow
from jantaku.server.storage.people import AccountName, PersonRow, delete_ties
from jantaku.server.storage.ratings import delete_ratings_with
from jantaku.server.storage.recorded_games import BetRow
from jantaku.server.storage.reviews import delete_reviews_of
from jantaku.server.storage.saved import RulesetRow, UploadRow, in_use
from jantaku.server.storage.seasons import PartRow, SeasonRow
from jantaku.server.storage.sign_in import RecoveryCode, delete_credentials, end_sessions, set_role
from jantaku.server.storage.store import now_ms
from jantaku.server.storage.tables import Removed, SeatRow, TableRow
from jantaku.server.storage.webhooks import Delivery

NOBODY: Final = "–"  # replaces the name where there is no entry with a number


class Erased(NamedTuple):
    """The events that changed, with their new revisions, and the games whose players were renamed."""

    events: tuple[tuple[str, int], ...]
    games: tuple[str, ...]


class Extent(NamedTuple):
    """The numbers of a person's event entries, online games, uploads and saved rulesets."""

    entries: int
    games: int
    uploads: int
    rulesets: int


def placeholder(number: int) -> str:
    """Return the stored name of an erased entry; pages show it in words."""
    return f"#{number}"


async def next_erased_number(connection: AsyncConnection, events: Collection[str]) -> int:
    """Return a number for an erased player that is unused in these events and in their seasons."""
    seasons = select(PartRow.season).where(PartRow.event.in_(events))
    related = select(PartRow.event).where(PartRow.season.in_(seasons))
    affected = EntryRow.event.in_(events) | EntryRow.event.in_(related)
    query = select(func.max(EntryRow.namesake)).where(affected, EntryRow.erased.is_not(None))
    return int((await connection.execute(query)).scalar() or 0) + 1


def plays(person: str) -> ColumnElement[bool]:
    """Condition for the games of a person."""
    return GameRow.id.in_(select(PlayerRow.game).where(PlayerRow.person == person))


async def extent_of(connection: AsyncConnection, person: str) -> Extent:
    """Count a person's data."""
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
    """Whether the person has a seat in a running game."""
    query = select(SeatRow.seat).join(TableRow, TableRow.id == SeatRow.table_id)
    query = query.where(SeatRow.person == person, TableRow.status == "playing")
    return (await connection.execute(query.limit(1))).first() is not None


async def erase_person(connection: AsyncConnection, who: PersonRow, person: str, then: Step) -> Erased:
    """Erase an account or guest in one transaction; change logs name ``who`` as the author.

    Change logs contain only ids, so no name remains in them. Texts written by people are not changed.
    ``then`` runs in each affected event, where a place may have become free.
    """
    events, changed, at = await _events_of(connection, person), [], now_ms()
    number = await next_erased_number(connection, events)
    for event in events:
        row = await advance_revision(connection, event)
        change = Change(connection, row, who)
        for entry in await entries_of(connection, event):
            if entry.person == person:
                await erase_entry(change, entry, at, number)
        for kind in (CallRow, ClaimRow):
            await change.set(kind, kind.person == person, name=NOBODY)
        await then(change)
        await write_log(change)
        changed.append((row.id, row.revision))
    await delete_ratings_with(connection, person)
    await delete_reviews_of(connection, person)  # while the games still name their seats
    played = await _anonymise_games(connection, person)
    await connection.execute(update(TableRow).where(TableRow.owner == person).values(owner="", name=""))
    await connection.execute(update(SeasonRow).where(SeasonRow.person == person).values(person=""))
    await connection.execute(delete(RulesetRow).where(RulesetRow.person == person, ~in_use()))
    mine = update(RulesetRow).where(RulesetRow.person == person)
    await connection.execute(mine.values(name="", toml="", person=None))
    theirs = or_(BetRow.person == person, BetRow.opponent == person)
    await connection.execute(delete(BetRow).where(theirs))
    await unlink_from_events(connection, [person])
    await set_role(connection, person, "player")  # invalidates the links created by an admin
    await end_sessions(connection, person)
    await delete_credentials(connection, person)
    await delete_ties(connection, [person])
    for own in (
        *(SeatRow.person, Removed.mark, UploadRow.person, CardRow.person),
        *(RecoveryCode.person, AccountName.person, PersonRow.id),
    ):
        await connection.execute(delete(own.class_).where(own == person))
    return Erased(tuple(changed), tuple(played))


async def erase_entry(change: Change, entry: EntryRow, at: int, number: int) -> None:
    """Replace the names of an entry by a placeholder and unlink its account.

    All entries of a player are erased with the same ``at`` and ``number``, by which seasons still recognise
    them as one player. A team with other members keeps its name and points.
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
            values["player"] = f"erased-{at}"  # shared by all entries erased together
        await change.set(EntryRow, EntryRow.id == row.id, **values)
        change.note("erase", entry=row.id)
    await change.remove(Delivery, Delivery.due.is_(None))  # past deliveries contain names
    change.results_change = True


async def _events_of(connection: AsyncConnection, person: str) -> list[str]:
    """Return the events with rows of the person, in a fixed order."""
    values = set[str]()
    for table in map(table_of, (*PERSON_COLUMNS, StaffRow)):
        query = select(table.c.event).where(table.c.person == person).distinct()
        values |= set((await connection.execute(query)).scalars())
    return sorted(values)


async def _anonymise_games(connection: AsyncConnection, person: str) -> list[str]:
    played = list(await connection.execute(select(GameRow.id, GameRow.players).where(plays(person))))
    for game, before in played:
        players = tuple(replace(one, name="", person=None) if one.person == person else one for one in before)
        await connection.execute(update(GameRow).where(GameRow.id == game).values(players=players))
    await connection.execute(delete(PlayerRow).where(PlayerRow.person == person))
    return [game for game, _ in played]
